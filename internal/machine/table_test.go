package machine

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write phases.md instead of comparing it")

// TestPhasesDocument keeps phases.md what the code says. Run with -update it is
// the generator.
func TestPhasesDocument(t *testing.T) {
	const file = "phases.md"
	want := Markdown()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || string(got) != want {
		t.Errorf("%s is stale; run: go generate ./internal/machine (%v)\n%s", file, err, cmp.Diff(string(got), want))
	}
}

func TestTableReachesEveryPhase(t *testing.T) {
	reached := transition(noPhase, KindRunInitialized)
	for range numPhases {
		for _, p := range Phases() {
			for _, k := range Kinds() {
				if reached.has(p) {
					reached |= transition(p, k)
				}
			}
		}
	}
	for _, p := range Phases() {
		if !reached.has(p) {
			t.Errorf("no run reaches %s", p)
		}
	}
}

func TestTableExits(t *testing.T) {
	for _, p := range Phases() {
		if got, want := len(Legal(p)) == 0, p.Terminal(); got != want {
			t.Errorf("%s takes nothing: %t, terminal: %t", p, got, want)
		}
		if p.Terminal() && table[p] != (on{}) {
			t.Errorf("%s is terminal and has a line in the table", p)
		}
		// The events of always keep a run alive for ever; another must lead on.
		leads := slices.ContainsFunc(Legal(p), func(k Kind) bool { return table[p][k]&^to(p) != 0 })
		if !p.Terminal() && !leads {
			t.Errorf("%s has no exit of its own", p)
		}
	}
}

func TestTableUsesEveryEvent(t *testing.T) {
	for _, k := range Kinds() {
		lines := 0
		for p := range table {
			if table[p][k] != 0 {
				lines++
			}
		}
		if lines == 0 && always[k] == 0 {
			t.Errorf("no phase takes %s", k)
		}
		if lines > 0 && always[k] != 0 {
			t.Errorf("%s stands in always and in the table", k)
		}
		if (handlers[k] == nil) != (k == KindRunInitialized) {
			t.Errorf("%s: handled %t", k, handlers[k] != nil)
		}
	}
}

// A handler that names no target leaves it to the table, which must then have
// just one.
func TestTableTargetsAreDefinite(t *testing.T) {
	chosen := map[Kind]bool{KindDispatchRulingRecorded: true, KindImplementerStatusRecorded: true, KindConcernRulingRecorded: true}
	for _, p := range Phases() {
		for _, k := range Legal(p) {
			if _, one := transition(p, k).one(); one == chosen[k] {
				t.Errorf("%s in %s: one target %t", k, p, one)
			}
		}
	}
}

func TestTargetsAndLegalAgree(t *testing.T) {
	for p := range numPhases + 2 {
		legal := Legal(p)
		for k := range numKinds + 2 {
			if got := len(Targets(p, k)) > 0; got != slices.Contains(legal, k) {
				t.Errorf("%s in %s: targets %t, legal %t", k, p, got, !got)
			}
		}
	}
	if got := Targets(FixRunning, KindRecoveryRulingRecorded); !slices.Equal(got, []Phase{FixRunning}) {
		t.Errorf("a note leads to %v", got)
	}
	if got := len(Targets(DispatchAmbiguous, KindDispatchRulingRecorded)); got != 14 {
		t.Errorf("a dispatch ruling has %d targets", got)
	}
}

func TestKindsAreRegistered(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Kinds() {
		row := kinds[k]
		if row.name == "" || row.guard == "" || row.event.decode == nil || row.facts.is == nil {
			t.Errorf("kind %d is not complete: %q", k, row.name)
		}
		if seen[row.name] {
			t.Errorf("%s stands twice", k)
		}
		seen[row.name] = true
		e, err := row.event.decode([]byte("{}"), strict)
		if err != nil || e.Kind() != k || !row.event.is(e) {
			t.Errorf("%s decodes to %T: %v", k, e, err)
		}
		if got, err := ParseKind(row.name); got != k || err != nil {
			t.Errorf("ParseKind(%q) = %s, %v", row.name, got, err)
		}
	}
	for _, name := range []string{"", "plan-Valid", "kind(0)", " plan-valid"} {
		if k, err := ParseKind(name); err == nil {
			t.Errorf("ParseKind(%q) = %s", name, k)
		}
	}
}

func TestPhaseNames(t *testing.T) {
	if got := len(Phases()); got != 30 {
		t.Errorf("%d phases", got)
	}
	for _, p := range Phases() {
		text, err := p.MarshalText()
		var back Phase
		if err != nil || back.UnmarshalText(text) != nil || back != p {
			t.Errorf("%s does not read back: %v", p, err)
		}
	}
	for _, p := range []Phase{noPhase, numPhases} {
		if text, err := p.MarshalText(); err == nil {
			t.Errorf("%s has the stored name %q", p, text)
		}
	}
}
