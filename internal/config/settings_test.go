package config

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// load is Load of one file of the user's, which must be in order.
func loadUser(t *testing.T, text string) *Settings {
	t.Helper()
	s, defects := Load([]Source{{User, "u", []byte(text)}}, nil)
	if s == nil {
		t.Fatalf("%s%s", text, showDefects(defects))
	}
	return s
}

func TestDefaults(t *testing.T) {
	s := loadUser(t, "")
	if _, ok := s.Agent(tier.Implementer); ok {
		t.Error("there is an agent that nobody named")
	}
	if got, want := s.Run(), (Run{2, MinorsAsk, AmbiguousStop}); got != want {
		t.Errorf("run is %+v, want %+v", got, want)
	}
	if s.Policy() != PolicyTiered || s.Hook() != HookWarn {
		t.Errorf("policy %q, hook %q", s.Policy(), s.Hook())
	}
	if s.HasLadder() || s.Missing() != nil || s.Gaps() != nil {
		t.Errorf("ladder %v, missing %v, gaps %v", s.HasLadder(), s.Missing(), s.Gaps())
	}
	if p := s.Pin(); len(p.Gates()) != 0 || len(p.Process()) != 0 || p.MaxBytes() != DefaultSize {
		t.Errorf("pin is %+v", p)
	}
	a, ok := loadUser(t, `agent.command = ["claude"]`).Agent(tier.Final)
	want := Agent{Command: []string{"claude"}, Prompt: PromptStdin, Report: ReportFile, TimeoutMS: 30 * 60 * 1000, IdleMS: 10 * 60 * 1000}
	if diff := cmp.Diff(want, a); !ok || diff != "" {
		t.Error(diff)
	}
}

// TestRoles: a role says what it says and takes the rest from [agent], key by
// key; the probe belongs to the command that it tries.
func TestRoles(t *testing.T) {
	s := loadUser(t, `
[agent]
command = ["claude", "{prompt}"]
prompt = "file"
report = "stdout"
timeout = "1h"
probe = ["claude", "--version"]
[role.final]
command = ["codex", "exec", "-"]
prompt = "stdin"
idle = "2m"
[role.fixer]
report = "file"
timeout = "5s"
`)
	const minute = 60 * 1000
	base := Agent{[]string{"claude", "{prompt}"}, PromptFile, ReportStdout, 60 * minute, 10 * minute, []string{"claude", "--version"}}
	fixer := base
	fixer.Report, fixer.TimeoutMS = ReportFile, 5000
	wants := map[tier.Role]Agent{
		tier.Final: {[]string{"codex", "exec", "-"}, PromptStdin, ReportStdout, 60 * minute, 2 * minute, nil},
		tier.Fixer: fixer,
	}
	for _, r := range tier.Roles() {
		want, special := wants[r]
		if !special {
			want = base
		}
		got, ok := s.Agent(r)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %s", r, diff)
		}
	}
	only := loadUser(t, `role.final.command = ["codex"]`)
	for _, r := range tier.Roles() {
		if _, ok := only.Agent(r); ok != (r == tier.Final) {
			t.Errorf("%s has an agent: %v", r, ok)
		}
	}
}

func TestLadder(t *testing.T) {
	rung := func(t tier.Tier) string {
		return "[tier." + t.String() + "]\nprovider = \"p\"\nmodel = \"m-" + t.String() + "\"\nthinking = \"high\"\n"
	}
	var whole strings.Builder
	for _, r := range tier.All() {
		whole.WriteString(rung(r))
	}
	s := loadUser(t, whole.String())
	if !s.HasLadder() || s.Missing() != nil {
		t.Errorf("ladder %v, missing %v", s.HasLadder(), s.Missing())
	}
	for _, r := range tier.All() {
		if got, ok := s.Rung(r); !ok || got != (Rung{"p", "m-" + r.String(), "high"}) {
			t.Errorf("%s is %+v", r, got)
		}
	}
	broken := loadUser(t, strings.Replace(whole.String(), rung(tier.Fast), "", 1)+"[gate.x]\ncommand = [\"x\"]\n")
	if got := broken.Missing(); !slices.Equal(got, []tier.Tier{tier.Fast}) {
		t.Errorf("missing %v", got)
	}
	if _, ok := broken.Rung(tier.Fast); ok {
		t.Error("a missing rung was found")
	}
	partly := loadUser(t, strings.Replace(whole.String(), "model = \"m-capable\"\n", "", 1))
	if got := partly.Gaps(); !slices.Equal(got, []string{"tier.capable.model"}) || !slices.Equal(partly.Missing(), []tier.Tier{tier.Capable}) {
		t.Errorf("gaps %v, missing %v", got, partly.Missing())
	}
	// A rung that is named and empty is a ladder begun, not a ladder left out.
	if named := loadUser(t, "[tier.fast]\n"); !named.HasLadder() || len(named.Missing()) != 6 {
		t.Errorf("ladder %v, missing %v", named.HasLadder(), named.Missing())
	}
	if none := loadUser(t, "[tier]\n"); none.HasLadder() {
		t.Error("a table without rungs is a ladder")
	}
}

// TestGateLayer: trust depends on the layer of the command, whatever else comes
// from other layers.
func TestGateLayer(t *testing.T) {
	command, guard := "gate.x.command = [\"make\"]\n", "gate.x.guard = [\"Makefile\"]\n"
	for _, row := range []struct {
		tracked, user, clone string
		want                 Layer
	}{
		{command, "", "", Tracked},
		{command, guard, guard, Tracked},
		{command, command, "", User},
		{guard, command, guard, User},
		{command, guard, command, Clone},
	} {
		s, defects := Load([]Source{{Clone, "c", []byte(row.clone)}, {Tracked, "t", []byte(row.tracked)}, {User, "u", []byte(row.user)}}, []Pair{{"sdd.gate.x.timeout", "7s"}})
		if s == nil {
			t.Fatal(showDefects(defects))
		}
		if g, ok := s.Pin().Gate("x"); !ok || g.Layer != row.want || g.TimeoutMS != 7000 {
			t.Errorf("%+v: %+v", row, g)
		}
	}
}

// TestGuardUnset: nothing said about a guard is not the same as nothing guarded.
func TestGuardUnset(t *testing.T) {
	p := loadUser(t, "[gate.a]\ncommand = [\"a\"]\n[gate.b]\ncommand = [\"b\"]\nguard = []\n").Pin()
	a, _ := p.Gate("a")
	b, _ := p.Gate("b")
	if a.Guard != nil || b.Guard == nil || len(b.Guard) != 0 {
		t.Errorf("guards are %#v and %#v", a.Guard, b.Guard)
	}
	if _, ok := p.Gate("c"); ok {
		t.Error("there is a gate that nobody named")
	}
}

// TestCopies: what an accessor hands out is the caller's.
func TestCopies(t *testing.T) {
	s := loadUser(t, "[agent]\ncommand = [\"a\"]\n[gate.x]\ncommand = [\"x\"]\nguard = [\"g\"]\n[evidence]\nprocess = [\"p\"]\n")
	before := string(s.Pinned())
	s.Pin().Process()[0] = "changed"
	s.Pin().Gates()[0].Command[0] = "changed"
	g, _ := s.Pin().Gate("x")
	g.Guard[0] = "changed"
	a, _ := s.Agent(tier.Final)
	a.Command[0] = "changed"
	if again, _ := s.Agent(tier.Final); string(s.Pinned()) != before || again.Command[0] != "a" {
		t.Error("an accessor hands out the settings' own memory")
	}
}

func TestExpand(t *testing.T) {
	v := Values{Model: "m{cwd}", Provider: "p", Thinking: "t", Tier: "fast", Prompt: "/p", Bootstrap: "line 1\n{report}", Report: "/r", Cwd: "/c"}
	got := Expand([]string{"x", "--model={provider}/{model}", "{bootstrap}", "{}{{tier}}", "{thinking}{prompt}{report}{cwd}", "{Model}"}, v)
	want := []string{"x", "--model=p/m{cwd}", "line 1\n{report}", "{}{fast}", "t/p/r/c", "{Model}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPlaces: a defect stands where the thing to edit stands.
func TestPlaces(t *testing.T) {
	if got := (Defect{Name: "f", Line: 3}).Location(); got != "f:3" {
		t.Error(got)
	}
	if got := (Defect{Name: "git config"}).Location(); got != "git config" {
		t.Error(got)
	}
}
