package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-sdd/git-sdd/internal/machine"
)

// A place is where a run can stand, as `next` sees it.
type place struct {
	phase  machine.Phase
	action string
}

// places is every place that commands can lead to. The gates show only when a
// command was interrupted between two of its commits, and so does "advance".
// A plan or a ladder that is no good makes no run, so that PLAN_INVALID and
// CAPABILITY_BLOCKED are entered by no command.
var places = func() []place {
	var all []place
	for _, row := range []struct {
		phase   machine.Phase
		actions string
	}{
		{machine.CapabilityCheck, "advance"},
		{machine.PlanValidate, "advance"},
		{machine.PreflightDecisionRequired, "decide"},
		{machine.WorkspaceReady, "dispatch"},
		{machine.ImplementDispatchIntent, "spawn"},
		{machine.ImplementRunning, "await"},
		{machine.ImplementResult, "advance decide dispatch"},
		{machine.ContextRequired, "decide dispatch"},
		{machine.ConcernDecisionRequired, "decide"},
		{machine.TaskReviewDispatchIntent, "spawn"},
		{machine.TaskReviewRunning, "await"},
		{machine.TaskReviewDecision, "advance dispatch"},
		{machine.FixDispatchIntent, "spawn"},
		{machine.FixRunning, "await decide dispatch"},
		{machine.RereviewDispatchIntent, "spawn"},
		{machine.RereviewRunning, "await advance decide dispatch"},
		{machine.TaskComplete, "advance dispatch"},
		{machine.FinalReviewDispatchIntent, "spawn"},
		{machine.FinalReviewRunning, "await advance decide dispatch"},
		{machine.FinalFixDispatchIntent, "spawn"},
		{machine.FinalFixRunning, "await decide dispatch"},
		{machine.FinalRereviewDispatchIntent, "spawn"},
		{machine.FinalRereviewRunning, "await advance decide"},
		{machine.DispatchAmbiguous, "decide"},
		{machine.TaskBlocked, "blocked"},
		{machine.DispatchMismatchBlocked, "blocked"},
		{machine.FinalBlocked, "blocked"},
		{machine.Complete, "done"},
	} {
		for action := range strings.FieldsSeq(row.actions) {
			all = append(all, place{row.phase, action})
		}
	}
	return all
}()

// A temper is how likely the people and children of one walk do what, from 0 to 1.
type temper struct {
	name     string
	strict   float64 // a review finds something that bears load
	final    float64 // so does the final review
	wave     float64 // so does the review after the final fixes
	minors   float64 // it finds a Minor
	asks     float64 // a worker lacks context
	blocks   float64 // it is blocked
	concerns float64 // it has a concern
	empty    float64 // it says DONE without a commit
	lost     float64 // a child is given up
	mistaken float64 // it is another one than was meant
	ends     float64 // a human ends the run where there is another way
	cut      float64 // a command is killed between two of its commits
	trouble  float64 // somebody disturbs the place
	dirty    bool    // the run starts where it should not
	parks    bool    // minors = park
}

// tempers follow each other, so that a handful of walks sees every place.
var tempers = []temper{
	{name: "smooth", minors: 0.3, cut: 0.95, trouble: 0.1},
	{name: "strict", strict: 0.97, minors: 0.5, trouble: 0.1, dirty: true},
	{name: "late", final: 0.95, wave: 0.9, minors: 0.6, asks: 0.4, blocks: 0.3, concerns: 0.3, cut: 0.3},
	{name: "curious", strict: 0.3, asks: 0.6, blocks: 0.2, concerns: 0.4, trouble: 0.1},
	{name: "late and good", final: 0.97, wave: 0.02, cut: 0.9},
	{name: "worried", strict: 0.5, concerns: 0.8, cut: 0.5},
	{name: "picky", strict: 0.5, minors: 0.9, empty: 0.2, cut: 0.95},
	{name: "lossy", strict: 0.3, final: 0.3, minors: 0.3, lost: 0.35, trouble: 0.2},
	{name: "mistaken", strict: 0.3, mistaken: 0.2},
	{name: "impatient", strict: 0.5, concerns: 0.4, lost: 0.3, ends: 0.9},
	{name: "blocked", strict: 0.5, final: 0.5, blocks: 0.7, asks: 0.2, empty: 0.3},
	{name: "parking", strict: 0.2, final: 0.2, minors: 0.8, parks: true, cut: 0.95, dirty: true},
	{name: "troubled", strict: 0.4, final: 0.4, wave: 0.3, minors: 0.4, asks: 0.2, lost: 0.1, cut: 0.2, trouble: 0.6},
}

// Bounds of the test by default: it ends when every place was seen, after
// leastWalks at least, and has failed after mostWalks.
const (
	leastWalks = 13
	mostWalks  = 78
	mostSteps  = 150 // of one walk
)

// modelVariable makes the test go on for longer, with new seeds: "10m".
const modelVariable = "GIT_SDD_MODEL"

// TestModel walks at random over the commands themselves: it does what `next`
// offers, and what it does not offer. After every step the ledger replays, next
// is legal and not empty, the exit status is one of the table, and a refused
// command changed nothing. Every place must be seen.
func TestModel(t *testing.T) {
	seen := map[place]int{}
	goesOn := func(walk int) bool { return walk < leastWalks || (walk < mostWalks && len(missing(seen)) > 0) }
	seed := uint64(1)
	if text := os.Getenv(modelVariable); text != "" {
		span, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		end := time.Now().Add(span)
		goesOn = func(int) bool { return time.Now().Before(end) }
		seed = uint64(time.Now().UnixNano())
	}
	if text := os.Getenv(modelVariable + "_SEED"); text != "" {
		one, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		goesOn, seed = func(walk int) bool { return walk == 0 }, one
	}
	walks, steps := 0, 0
	for ; goesOn(walks) && !t.Failed(); walks++ {
		temper := tempers[seed%uint64(len(tempers))]
		t.Run(fmt.Sprintf("%d %s", seed, temper.name), func(t *testing.T) {
			w := newWalker(t, rand.New(rand.NewPCG(seed, 0)), temper, seen)
			steps += w.walk()
		})
		seed++
	}
	t.Logf("%d walks, %d steps\n%s", walks, steps, tableOf(seen))
	for p := range seen {
		if !slices.Contains(places, p) {
			t.Errorf("%s with %q is no place that is known: add it", p.phase, p.action)
		}
	}
	if left := missing(seen); len(left) > 0 && walks >= leastWalks {
		t.Errorf("never seen: %v", left)
	}
}

func missing(seen map[place]int) []place {
	var left []place
	for _, p := range places {
		if seen[p] == 0 {
			left = append(left, p)
		}
	}
	return left
}

// tableOf prints how often each place was seen.
func tableOf(seen map[place]int) string {
	var b strings.Builder
	for _, p := range places {
		fmt.Fprintf(&b, "%6d  %-30s %s\n", seen[p], p.phase, p.action)
	}
	return b.String()
}
