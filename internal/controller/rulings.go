package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// rulings tells what humans ruled on the work in a role's scope, as the next
// child is told it: see [judge.Rulings].
func (r *run) rulings(ctx context.Context, role tier.Role) ([]string, error) {
	var events []machine.Event
	err := ledger.Walk(ctx, r.c.repo, r.tip, judge.ScopeBegin(r.view, role), func(rev ledger.Revision) error {
		if !judge.Telling(rev.Message.Event) {
			return nil
		}
		doc, err := machine.DecodeEvent(rev.Event, func(ref machine.BlobRef) ([]byte, error) {
			return ledger.ReadFile(r.c.repo, rev.Commit, ref.Path)
		})
		if err != nil {
			return faultOfState(r.id, err)
		}
		events = append(events, doc.Event)
		return nil
	})
	return judge.Rulings(events), faultOfLedger(err)
}
