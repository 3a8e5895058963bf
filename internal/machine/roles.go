package machine

import "github.com/git-sdd/git-sdd/internal/tier"

// A station is where a run stands while one role is at work.
type station struct{ intent, running Phase }

var stations = [tier.FinalReReviewer + 1]station{
	tier.Implementer:     {ImplementDispatchIntent, ImplementRunning},
	tier.TaskReviewer:    {TaskReviewDispatchIntent, TaskReviewRunning},
	tier.Fixer:           {FixDispatchIntent, FixRunning},
	tier.ReReviewer:      {RereviewDispatchIntent, RereviewRunning},
	tier.Final:           {FinalReviewDispatchIntent, FinalReviewRunning},
	tier.FinalFixer:      {FinalFixDispatchIntent, FinalFixRunning},
	tier.FinalReReviewer: {FinalRereviewDispatchIntent, FinalRereviewRunning},
}

// IntentPhase returns the phase in which a dispatch of the role is recorded and
// no child is known yet.
func IntentPhase(r tier.Role) Phase { return stations[r].intent }

// RunningPhase returns the phase in which a child of the role runs.
func RunningPhase(r tier.Role) Phase { return stations[r].running }

// IntentRole returns the role whose dispatch an intent phase has recorded; ok
// is false for every other phase.
func IntentRole(p Phase) (r tier.Role, ok bool) {
	return roleAt(p, IntentPhase)
}

// RunningRole returns the role that runs in a running phase; ok is false for
// every other phase.
func RunningRole(p Phase) (r tier.Role, ok bool) {
	return roleAt(p, RunningPhase)
}

func roleAt(p Phase, phaseOf func(tier.Role) Phase) (tier.Role, bool) {
	for _, r := range tier.Roles() {
		if phaseOf(r) == p {
			return r, true
		}
	}
	return 0, false
}

// InFinalLoop reports whether a phase belongs to the final loop by its name.
// Where a run stands in DISPATCH_AMBIGUOUS or has ended, [ScopeOf] tells.
func InFinalLoop(p Phase) bool { return p >= FinalReviewDispatchIntent && p <= FinalRereviewRunning }
