package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// DecideOptions is a ruling as a human gives it.
type DecideOptions struct {
	Decision string
	Argument string   // keep or shelve, for leftovers
	Reason   string   // always
	Findings []string // ids; for adjudicate, ID=disposition
	Evidence string
	Session  string
	Receipt  string
	Paths    []string
	Context  []byte // an answer, for proceed where a fixer asked; nil for none
}

// Decide records a ruling, and what then follows from recorded facts.
func (c *Controller) Decide(ctx context.Context, o DecideOptions) (*Answer, error) {
	k, err := ruleNamed(o.Decision)
	if err != nil {
		return nil, err
	}
	return c.writeAnswer(ctx, "decide", k.groundless, func(r *run) error {
		if err := r.noticeLeftovers(ctx); err != nil {
			return err
		}
		if err := r.noticeGuards(ctx); err != nil {
			return err
		}
		if !k.legal(r) {
			return r.illegal(k.name)
		}
		s, err := k.compose(ctx, r, o)
		if err != nil {
			return err
		}
		if err := r.checkAdopted(ctx, s.event); err != nil {
			return err
		}
		if err := r.record(ctx, s); err != nil {
			return err
		}
		return r.settle(ctx)
	})
}

// compose makes the transition that records the ruling.
func (k rule) compose(ctx context.Context, r *run, o DecideOptions) (step, error) {
	if o.Context != nil && k.name == "enrich" {
		return step{}, fault.New(fault.Invalid, "git sdd decide enrich --reason <reason>, then git sdd dispatch --context <context>", "the answer goes with the dispatch that follows, not with decide enrich")
	}
	if err := k.checkGiven(o); err != nil {
		return step{}, err
	}
	if k.step != nil {
		return k.step(ctx, r, o)
	}
	ev, err := k.event(r, o)
	return step{event: ev}, err
}

// Abandon gives a run up.
func (c *Controller) Abandon(ctx context.Context, reason string) (*Answer, error) {
	return c.writeAnswer(ctx, "abandon", true, func(r *run) error {
		return r.record(ctx, step{event: machine.RunAbandoned{Reason: reason}})
	})
}

func ruleNamed(name string) (rule, error) {
	var names []string
	for _, k := range rules {
		if k.name == name {
			return k, nil
		}
		if !slices.Contains(names, k.name) {
			names = append(names, k.name)
		}
	}
	return rule{}, fault.New(fault.Invalid, "git sdd next", "%q is not a decision; the decisions are %s", name, strings.Join(names, ", "))
}

// illegal says where the run stands and what is legal there instead.
func (r *run) illegal(name string) error {
	var legal []string
	for _, k := range rules {
		if k.legal(r) && !slices.Contains(legal, k.name) {
			legal = append(legal, k.name)
		}
	}
	if len(legal) == 0 {
		return fault.New(fault.Invalid, "git sdd status", "the run has ended %s; nothing is left to decide", r.view.Phase)
	}
	return fault.New(fault.Invalid, "git sdd next", "decide %s is not legal in %s; legal here: %s", name, r.view.Phase, strings.Join(legal, ", "))
}

// findingID completes a local id such as F-1 with the scope of the run's place.
func (r *run) findingID(id string) string {
	if strings.Contains(id, ":") {
		return id
	}
	return machine.ScopeOf(r.view) + ":" + id
}

// dispositions are the words that adjudicate takes, and what they record.
var dispositions = map[string]string{"park": "parked", "out-of-scope": "out-of-scope", "cannot-verify": "cannot-verify"}

// adjudicateStep completes the run. The event has no member for the reason: it
// stands in the commit's message, as every reason does.
func adjudicateStep(_ context.Context, r *run, o DecideOptions) (step, error) {
	if err := machine.CheckText("reason", o.Reason); err != nil {
		return step{}, fault.New(fault.Invalid, "git sdd next", "%w", err)
	}
	ev, err := adjudicateEvent(r, o)
	return step{event: ev, reason: o.Reason}, err
}

// adjudicateEvent must cover every finding that is open and not pinned RESOLVED;
// the resolved ones become fixed with it.
func adjudicateEvent(r *run, o DecideOptions) (machine.Event, error) {
	const repair = "git sdd decide adjudicate --finding <finding>=park --evidence <evidence> --reason <reason>"
	if o.Evidence == "" {
		return nil, fault.New(fault.Invalid, repair, "adjudicate needs --evidence")
	}
	resolutions := resolvedFixes(r.view)
	covered := map[string]bool{}
	for _, f := range o.Findings {
		id, word, ok := strings.Cut(f, "=")
		disposition := dispositions[word]
		if !ok || disposition == "" {
			return nil, fault.New(fault.Invalid, repair, "%q is not <finding>=park, =out-of-scope or =cannot-verify", f)
		}
		id = r.findingID(id)
		covered[id] = true
		resolutions = append(resolutions, machine.Resolution{ID: id, Disposition: disposition, Evidence: o.Evidence})
	}
	var rest []string
	for _, f := range r.openMinors() {
		if !covered[f.ID] {
			rest = append(rest, f.ID)
		}
	}
	if len(rest) > 0 {
		return nil, fault.New(fault.Invalid, adjudicateAll(r.openMinors()), "every open finding must be adjudicated; not covered: %s", strings.Join(rest, ", "))
	}
	return machine.FinalComplete{FindingResolutions: resolutions}, nil
}

func adjudicateAll(open []machine.Recorded) string {
	text := "git sdd decide adjudicate"
	for _, f := range open {
		text += fmt.Sprintf(" --finding %s=park", f.ID)
	}
	return text + " --evidence <evidence> --reason <reason>"
}

// adjudicateWords names every finding that the ruling must cover.
func adjudicateWords(r *run) []string {
	var words []string
	for _, f := range r.openMinors() {
		words = append(words, "--finding", f.ID+"=park")
	}
	return append(words, "--evidence", "<evidence>")
}

// ready finds the live run for a command that writes, and refuses a child, a
// stale revision and, where the command stands on it, the wrong ground. The caller
// closes the run.
func (c *Controller) ready(ctx context.Context, groundless bool) (*run, error) {
	if err := c.refuseChild(); err != nil {
		return nil, err
	}
	r, err := c.find(ctx, writing)
	if err != nil {
		return nil, err
	}
	check := func() error { _, err := r.checkWrite(); return err }
	if groundless {
		check = r.checkRevision
	}
	if err := check(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// writeAnswer is the frame of every writing command: find the live run, do the
// work, say what is next.
func (c *Controller) writeAnswer(ctx context.Context, verb string, groundless bool, work func(*run) error) (*Answer, error) {
	r, err := c.ready(ctx, groundless)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.overtaken(ctx, work(r)); err != nil {
		return nil, err
	}
	return r.answer(ctx, verb)
}

// overtaken turns a race that was lost after something was recorded into
// success: what this command came for is done, and another process has gone on
// from there (architecture: exit codes).
func (r *run) overtaken(ctx context.Context, err error) error {
	if err == nil || len(r.done) == 0 || fault.Of(err).Kind() != fault.Contended {
		return err
	}
	if r.reload(ctx) != nil {
		return err
	}
	return nil
}

// reload takes the run as it stands now.
func (r *run) reload(ctx context.Context) error {
	now, err := r.c.load(ctx, r.id)
	if err != nil {
		return err
	}
	now.close()
	r.tip, r.state, r.view = now.tip, now.state, now.view
	return nil
}

// answer composes what a writing command says.
func (r *run) answer(ctx context.Context, verb string) (*Answer, error) {
	n, err := r.next(ctx)
	if err != nil {
		return nil, err
	}
	n.Schema = "git-sdd/" + verb + "/1"
	n.Warnings = unique(n.Warnings)
	return &Answer{Transitions: r.done, Next: *n}, nil
}

// unique keeps the first of equal warnings.
func unique(all []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range all {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
