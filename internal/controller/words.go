package controller

import "github.com/git-sdd/git-sdd/internal/tier"

// spoken is a role in a sentence: the token of the final reviewer names none.
func spoken(role tier.Role) string {
	if role == tier.Final {
		return "final reviewer"
	}
	return role.String()
}

// The exact tokens of reports and rulings (contract: payload rules; interfaces:
// reports).
const (
	statusDone     = "DONE"
	statusConcerns = "DONE_WITH_CONCERNS"
	statusContext  = "NEEDS_CONTEXT"
	statusBlocked  = "BLOCKED"

	verdictResolved     = "RESOLVED"
	verdictStillPresent = "STILL_PRESENT"

	dispositionOpen = "open"

	rulingAcceptEmpty     = "accept-empty"
	rulingFixProceed      = "fix-proceed"
	rulingLeftoversKeep   = "leftovers-keep"
	rulingLeftoversShelve = "leftovers-shelve"
	rulingContracts       = "contracts"
)
