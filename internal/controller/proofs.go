package controller

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/evidence"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// answer judges what ran, records it where a run lives, and tells.
func (p *proving) answer(ctx context.Context) (*GateProof, error) {
	outcome, why := judge.Prove(fact(p.headRan, nil), fact(p.ran, nil), p.base.Commit, len(p.tests))
	out := &GateProof{
		Schema: "git-sdd/gate-proof/1", Run: p.house.id(), Name: p.gate.Name, Outcome: outcome, Why: why,
		Head: p.seen(p.headRan), Control: p.seen(p.ran), Base: p.base, TestCount: len(p.tests), Tests: append([]string{}, p.tests...),
		Repair: p.repair(outcome), Transitions: []Transition{}, Touched: append([]string{}, p.touched...), Warnings: append([]string{}, p.said...),
	}
	if r := p.house.run; r != nil {
		out.Warnings = append(out.Warnings, r.notes...)
	}
	if r := p.house.run; r != nil && !p.broken() {
		if err := p.record(ctx, r, outcome, why); err != nil {
			return nil, err
		}
		out.Transitions = r.done
	}
	return out, nil
}

// broken reports whether the gate could not run: that is neither a pass nor a
// failure, and never recorded.
func (p *proving) broken() bool {
	return p.headRan != nil && p.headRan.Outcome == evidence.GateError || p.ran != nil && p.ran.Outcome == evidence.GateError
}

func (p *proving) seen(res *evidence.GateResult) *GateSeen {
	if res == nil {
		return nil
	}
	seen := p.house.seen(*res, "git sdd gate prove "+p.gate.Name)
	if res == p.ran && res.Outcome == evidence.GateFailed {
		seen.Repair = "" // a control that fails is as it should be
	}
	return &seen
}

// maxRaces is how often a proof is recorded anew behind what another process
// recorded while the gate ran: what it shows does not hang on where the run is.
const maxRaces = 3

func (p *proving) record(ctx context.Context, r *run, outcome, why string) error {
	for try := 1; ; try++ {
		err := r.record(ctx, p.step(r.view, outcome, why))
		if err == nil || fault.Of(err).Kind() != fault.Contended || r.c.opt.ExpectedRevision != nil || try == maxRaces {
			return err
		}
		if r.reload(ctx) != nil {
			return err
		}
	}
}

// step is the note that records the proof, with what both runs put out.
func (p *proving) step(v machine.View, outcome, why string) step {
	s := step{attest: []string{p.base.Commit}}
	proof := &machine.Proof{Name: p.gate.Name, Outcome: outcome, Why: why, Base: &p.base, TestCount: len(p.tests), Tests: []string{}}
	for _, t := range p.tests {
		if machine.CanRecord(t) && len(proof.Tests) < machine.MaxProofTests {
			proof.Tests = append(proof.Tests, t)
		}
	}
	if p.headRan != nil {
		proof.Head = fact(p.headRan, s.with(machine.ProofPath(v, v.Revision+1, p.gate.Name, "head"), p.headRan.Encode()))
		s.attest = append(s.attest, p.head)
	}
	if p.ran != nil {
		proof.Control = fact(p.ran, s.with(machine.ProofPath(v, v.Revision+1, p.gate.Name, "control"), p.ran.Encode()))
	}
	s.event, s.facts = judge.ProofNote(*proof), machine.ProofFacts{Proof: proof}
	return s
}

func fact(res *evidence.GateResult, output *machine.BlobRef) *machine.GateFact {
	if res == nil {
		return nil
	}
	f := gateFact(*res, output)
	return &f
}

// proofLines says of every gate what its newest proof shows, by its name. A gate
// that another command stood for then has none.
func (r *run) proofLines(ctx context.Context, gates []config.Gate) (map[string]string, error) {
	lines := map[string]string{}
	for _, g := range gates {
		lines[g.Name] = "none; git sdd gate prove " + g.Name
	}
	if len(gates) == 0 || r.view.RecoveryRulings == 0 {
		return lines, nil
	}
	err := ledger.Walk(ctx, r.c.repo, r.tip, 0, func(rev ledger.Revision) error {
		if rev.Message.Event != machine.KindRecoveryRulingRecorded.String() {
			return nil
		}
		doc, err := machine.DecodeEvent(rev.Event, nil)
		if err != nil {
			return faultOfState(r.id, err)
		}
		f, ok := doc.Facts.(machine.ProofFacts)
		if !ok || f.Proof == nil {
			return nil
		}
		i := slices.IndexFunc(gates, func(g config.Gate) bool { return g.Name == f.Proof.Name })
		if i >= 0 && (f.Proof.Head == nil || slices.Equal(f.Proof.Head.Command, gates[i].Command)) {
			lines[f.Proof.Name] = fmt.Sprintf("%s (r%d: %s)", f.Proof.Outcome, rev.Number, f.Proof.Why)
		}
		return nil
	})
	return lines, faultOfLedger(err)
}
