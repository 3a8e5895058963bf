package controller

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// drawn is a settings file with any part of a ladder, and which tiers are whole.
func drawn(t *rapid.T) (text, mode string, whole map[tier.Tier][3]string) {
	var b strings.Builder
	mode = rapid.SampledFrom([]string{"tiered", "exact"}).Draw(t, "mode")
	fmt.Fprintf(&b, "agent.command = [\"secret-agent\", \"--token\", \"s3cr3t\"]\npolicy.mode = %q\n", mode)
	whole = map[tier.Tier][3]string{}
	word := rapid.StringMatching(`[a-z0-9][a-z0-9./-]{0,8}`)
	shape := rapid.SampledFrom([]string{"none", "whole", "any"}).Draw(t, "shape")
	for _, tr := range tier.All() {
		var rung [3]string
		keys := 0
		for i, key := range []string{"provider", "model", "thinking"} {
			if shape == "whole" || shape == "any" && rapid.IntRange(0, 5).Draw(t, "has") > 0 {
				rung[i] = word.Draw(t, key)
				fmt.Fprintf(&b, "tier.%s.%s = %q\n", tr, key, rung[i])
				keys++
			}
		}
		if keys == 3 {
			whole[tr] = rung
		}
	}
	return b.String(), mode, whole
}

// The conditional invariants of the capability contract, for any settings.
func TestPolicyInvariants(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		text, mode, whole := drawn(t)
		s, defects := config.Load([]config.Source{{Layer: config.User, Name: "u", Data: []byte(text)}}, nil)
		if len(defects) > 0 {
			t.Fatal(text, defects)
		}
		p := policyOf(s)
		valid := len(whole) == len(tier.All())
		seen[fmt.Sprint(mode, valid)]++
		if p.ContractVersion != 1 || p.Policy.Mode != mode || p.Ladder.Valid != valid {
			t.Fatalf("%+v, ladder whole: %v\n%s", p, valid, text)
		}
		if valid != (p.Ladder.BlockedReason == nil) || valid != (p.Ladder.Revision != nil) {
			t.Fatalf("a valid ladder has a revision, any other a reason: %+v", p.Ladder)
		}
		if !valid && !strings.Contains(*p.Ladder.BlockedReason, "set provider, model and thinking") {
			t.Fatalf("the reason %q says not what to do", *p.Ladder.BlockedReason)
		}
		next := p.Policy.NextRequestResolved
		switch {
		case mode == "exact":
			if p.Policy.CurrentTier != nil || next == nil || *next != p.Policy.CurrentRuntime {
				t.Fatalf("exact mode: %+v", p.Policy)
			}
		case valid:
			if p.Policy.CurrentTier == nil || next == nil {
				t.Fatalf("valid tiered mode: %+v", p.Policy)
			}
			tr, err := tier.Parse(*p.Policy.CurrentTier)
			if want := whole[tr]; err != nil || *next != (ModelSelection{ModelName{want[0], want[1]}, want[2]}) {
				t.Fatalf("tier %s resolves to %+v, the ladder says %v", *p.Policy.CurrentTier, next, want)
			}
		case next == nil && p.Policy.BlockedReason == nil:
			t.Fatalf("nothing is resolved, and no reason stands: %+v", p.Policy)
		}
		if valid && p.Policy.BlockedReason != nil {
			t.Fatalf("blocked by %q with a whole ladder", *p.Policy.BlockedReason)
		}
		out, err := json.Marshal(p)
		if err != nil || strings.Contains(string(out), "s3cr3t") || strings.Contains(string(out), "secret-agent") {
			t.Fatalf("%s, %v", out, err)
		}
	})
	if len(seen) != 4 {
		t.Errorf("not every case was seen: %v", seen)
	}
}

// The revision names the ladder: the same for the same six rungs, another where
// any word of them differs.
func TestLadderRevision(t *testing.T) {
	load := func(change string) string {
		var b strings.Builder
		for _, tr := range tier.All() {
			fmt.Fprintf(&b, "tier.%s = {provider = \"p\", model = \"m-%s\", thinking = \"low\"}\n", tr, tr)
		}
		text := strings.Replace(b.String(), "m-capable", "m-"+change, 1)
		s, defects := config.Load([]config.Source{{Layer: config.User, Name: "u", Data: []byte(text)}}, nil)
		if len(defects) > 0 {
			t.Fatal(defects)
		}
		return *policyOf(s).Ladder.Revision
	}
	canonical := ""
	for _, tr := range tier.All() {
		canonical += tr.String() + "\x00p\x00m-" + tr.String() + "\x00low\n"
	}
	if got, want := load("capable"), fmt.Sprintf("%x", sha256.Sum256([]byte(canonical))); got != want {
		t.Errorf("revision %s, want %s", got, want)
	}
	if load("other") == load("capable") {
		t.Error("another model, the same revision")
	}
}

// What is refused before a child exists names the phase that it stands for.
func TestWholeLadder(t *testing.T) {
	for text, whole := range map[string]bool{"": false, "tier.fast.model = \"m\"": false} {
		s, defects := config.Load([]config.Source{{Layer: config.User, Name: "u", Data: []byte(text)}}, nil)
		if len(defects) > 0 {
			t.Fatal(defects)
		}
		if err := wholeLadder(s); (err == nil) != whole {
			t.Errorf("%q: %v", text, err)
		}
	}
}
