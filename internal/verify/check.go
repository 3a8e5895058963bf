package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/git"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// A check is one walk over a run, oldest revision first.
type check struct {
	ctx  context.Context
	repo *git.Repo
	id   ledger.RunID
	res  *Result
	tip  ledger.Tip

	from    int // the revision that the walk begins with
	last    int // the last revision that was looked at
	commit  string
	state   machine.State
	started bool
	tree    tree // of the last revision
	plan    *plan.Plan
	intent  *machine.IntentFacts // of the current dispatch, where the walk met it
	before  *predecessor         // of the current dispatch, where it was looked for
	pin     config.Pin           // the settings that the run is pinned to,
	pinned  bool                 // where they could be read

	heard  []heard // events that tell later children something
	reread bool    // those before the walk are among them

	otherContracts int // dispatches under contracts that this program does not have
	attested       attestations
}

func newCheck(ctx context.Context, repo *git.Repo, id ledger.RunID, run *ledger.Run, res *Result) *check {
	return &check{
		ctx: ctx, repo: repo, id: id, res: res, tip: run.Tip, last: -1,
		tree: tree{repo: repo}, attested: newAttestations(repo),
	}
}

// begin takes up where an earlier verification ended, if that is still a
// revision of this chain.
func (c *check) begin(mark *Mark) error {
	if mark == nil || mark.Revision > c.tip.Revision() {
		return nil
	}
	at, err := ledger.At(c.ctx, c.repo, c.tip, mark.Revision)
	if err != nil {
		return err
	}
	if at != mark.Commit {
		return nil
	}
	data, err := ledger.ReadFile(c.repo, at, stateFile)
	if err != nil {
		return err
	}
	if c.state, err = machine.DecodeState(data); err != nil {
		return fmt.Errorf("%w: %w", ledger.ErrCorrupt, err)
	}
	c.started, c.commit, c.last, c.from = true, at, mark.Revision, mark.Revision+1
	if c.from > c.tip.Revision() {
		return nil // nothing came since
	}
	if err := c.readPinned(at); err != nil {
		return err
	}
	return c.tree.load(at)
}

// revision checks one revision against the one before it. What makes the
// following ones meaningless ends the walk.
func (c *check) revision(rev ledger.Revision) error {
	n := rev.Number
	if n < c.from {
		return nil
	}
	root, err := c.checkCommit(rev)
	if err != nil {
		return err
	}
	added, err := c.tree.next(root, func(kind, message string) { c.res.add(n, kind, "%s", message) })
	if err != nil {
		return err
	}
	if !c.tree.holds(eventFile, rev.Event) || !c.tree.holds(stateFile, rev.State) {
		return fmt.Errorf("%w: a document of commit %s is not the object of its name", ledger.ErrCorrupt, rev.Commit)
	}
	doc, ok, err := c.decode(rev)
	if err != nil || !ok {
		return orStop(err)
	}
	before := c.state
	if !c.replay(rev, doc) {
		return errStop
	}
	c.checkMessage(rev, doc)
	if hears(doc.Event.Kind().String()) {
		c.hear(n, doc)
	}
	if err := c.checkArtifacts(n, before, doc, added); err != nil {
		return err
	}
	c.last, c.commit = n, rev.Commit
	return nil
}

func orStop(err error) error {
	if err != nil {
		return err
	}
	return errStop
}

// checkCommit holds the commit to the very bytes that git-sdd writes for it: the
// one parent, the person and the time of the event, the message. Only a
// signature may stand in it beside that. It returns the root tree's id.
func (c *check) checkCommit(rev ledger.Revision) (tree string, err error) {
	k, err := git.ParseCommit(rev.Commit, rev.Raw)
	if err != nil || c.repo.ObjectID("commit", rev.Raw) != rev.Commit {
		return "", fmt.Errorf("%w: %s is not the commit of that name", ledger.ErrCorrupt, rev.Commit)
	}
	head, err := machine.DecodeHeader(rev.Event)
	if err != nil {
		return k.Tree, nil // told when the event is decoded
	}
	at, err := ledger.ParseInstant(string(head.At))
	if err != nil {
		return k.Tree, nil // told when the event is applied
	}
	var parents []string
	if rev.Number > 0 {
		parents = []string{c.commit}
	}
	who := git.Ident{Name: head.By.Name, Email: head.By.Email, When: at}
	want, err := git.CommitSpec{Tree: k.Tree, Parents: parents, Author: who, Committer: who, Message: rev.Message.String()}.Encode(c.repo.ObjectFormat())
	if err != nil || !bytes.Equal(git.Unsigned(rev.Raw), want) {
		c.res.add(rev.Number, "commit", "commit %s is not what git-sdd writes for its event: parents, author, time and message must follow from it", rev.Commit)
	}
	return k.Tree, nil
}

// decode reads the event with the texts that it refers to.
func (c *check) decode(rev ledger.Revision) (machine.Document, bool, error) {
	doc, err := machine.DecodeEvent(rev.Event, func(ref machine.BlobRef) ([]byte, error) {
		return c.tree.file(ref.Path)
	})
	switch {
	case err == nil:
	case errors.Is(err, machine.ErrNewer), errors.Is(err, ledger.ErrIncomplete):
		return doc, false, err
	default:
		c.res.add(rev.Number, "event", "%v", err)
		return doc, false, nil
	}
	if doc.Revision != rev.Number {
		c.res.add(rev.Number, "event", "the event says revision %d", doc.Revision)
	}
	return doc, true, nil
}

// replay applies the event and compares the state, byte for byte.
func (c *check) replay(rev ledger.Revision, doc machine.Document) bool {
	var next machine.State
	var err error
	init, first := doc.Event.(machine.Init)
	switch {
	case first != (rev.Number == 0):
		err = fmt.Errorf("%s cannot be revision %d", doc.Event.Kind(), rev.Number)
	case first:
		next, err = machine.New(init, doc.At)
	default:
		next, err = machine.Apply(c.state, machine.Input{At: doc.At, Event: doc.Event, Facts: doc.Facts})
	}
	if err != nil {
		c.res.add(rev.Number, "replay", "%v", err)
		return false
	}
	if _, err := machine.DecodeState(rev.State); errors.Is(err, machine.ErrNewer) {
		c.res.add(rev.Number, "newer", "%v", err)
		c.res.Outcome = Underivable
		return false
	}
	if !bytes.Equal(machine.EncodeState(next), rev.State) {
		c.res.add(rev.Number, "state", "the stored state is not the one that the event leads to")
		return false
	}
	if id := next.View().RunID; id != c.id.String() {
		c.res.add(rev.Number, "identity", "the run's own id is %s", id)
		return false
	}
	c.state, c.started = next, true
	return true
}

// checkMessage holds the trailers and the reason against event and state.
func (c *check) checkMessage(rev ledger.Revision, doc machine.Document) {
	v := c.state.View()
	m := rev.Message
	if mark := fmt.Sprintf(" (r%d)", rev.Number); !strings.HasSuffix(m.Subject, mark) {
		c.res.add(rev.Number, "trailer", "the subject does not end in %q", mark)
	}
	for _, t := range []struct{ name, got, want string }{
		{"Sdd-Run", m.Run.String(), c.id.String()},
		{"Sdd-Event", m.Event, doc.Event.Kind().String()},
		{"Sdd-Phase", m.Phase, v.Phase.String()},
		{"Sdd-Task", m.Task, taskLabel(v)},
		{"reason", m.Reason, reasonOf(rev.Event, m.Reason)},
	} {
		if t.got != t.want {
			c.res.add(rev.Number, "trailer", "%s is %q in the message and %q by the event", t.name, t.got, t.want)
		}
	}
}

// taskLabel is what the Sdd-Task trailer must say.
func taskLabel(v machine.View) string {
	if v.Dispatch != nil {
		if role, err := tier.ParseRole(v.Dispatch.Role); err == nil && role.IsFinal() {
			return "final"
		}
	}
	return strconv.Itoa(v.CurrentTask)
}

// reasonOf returns the reason that an event carries. One that has no place for a
// reason leaves it to the message, as the adjudication of a run's last findings
// does.
func reasonOf(event []byte, said string) string {
	var doc struct {
		Event map[string]json.RawMessage `json:"event"`
	}
	_ = json.Unmarshal(event, &doc) // it was decoded strictly before
	raw, has := doc.Event["reason"]
	if !has {
		return said
	}
	reason := ""
	_ = json.Unmarshal(raw, &reason) // null is none
	return reason
}

// finish checks what only the whole chain can show.
func (c *check) finish() error {
	if !c.started {
		return nil
	}
	if c.otherContracts > 0 {
		c.res.Notes = append(c.res.Notes, fmt.Sprintf("%d prompts were made under role contracts that this git-sdd does not have; they were not made again", c.otherContracts))
	}
	return c.attested.check(c)
}
