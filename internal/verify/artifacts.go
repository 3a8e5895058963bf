package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sdd/git-sdd/internal/judge"
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/plan"
	"github.com/git-sdd/git-sdd/internal/tier"
)

// checkArtifacts holds what came with a revision to what its event and facts
// say: nothing is missing, nothing differs, nothing is there that nobody named.
func (c *check) checkArtifacts(n int, before machine.State, doc machine.Document, added []string) error {
	named := map[string]bool{}
	if n == 0 {
		named[planFile], named[settingsFile] = true, true
		c.checkPlace(n)
		if err := c.checkPinned(n); err != nil {
			return err
		}
	}
	refs, err := c.refsOf(n, doc)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		named[ref.Path] = true
		if err := c.checkRef(n, ref); err != nil {
			return err
		}
	}
	for _, path := range added {
		if named[path] {
			continue
		}
		if !c.maySpeakFor(doc, path) {
			c.res.add(n, "tree", "%s came with %s, which does not name it", path, doc.Event.Kind())
		}
		if _, err := c.tree.file(path); err != nil { // no reference says what it must be, its name does
			return err
		}
	}
	if err := c.checkIntent(n, before, doc); err != nil {
		return err
	}
	was := before.View()
	c.checkResolutions(n, was, doc.Event)
	if err := c.checkFacts(n, was, doc); err != nil {
		return err
	}
	if err := c.checkRuling(n, was, doc); err != nil {
		return err
	}
	return c.checkReport(n, before, doc)
}

// checkPinned holds plan and settings to the digests that the run is pinned to.
func (c *check) checkPinned(n int) error {
	v := c.state.View()
	data, err := c.tree.file(planFile)
	if err != nil {
		return err
	}
	if plan.Digest(data) != v.PlanDigest {
		c.res.add(n, "plan", "plan.md is not the plan that the run is pinned to")
	}
	settings, err := c.tree.file(settingsFile)
	if err != nil {
		return err
	}
	if digest(settings) != string(v.Settings) {
		c.res.add(n, "settings", "%s is not what the run is pinned to", settingsFile)
	}
	if err := c.readSettings(n, settings); err != nil {
		return err
	}
	p, defects := plan.Parse(data)
	if len(defects) > 0 {
		c.res.add(n, "plan", "the pinned plan does not parse: line %d: %s", defects[0].Line, defects[0].Message)
		return nil
	}
	c.plan = p
	for i, t := range p.Tasks() {
		if i >= len(v.Tasks) || string(v.Tasks[i].Title) != t.Title || v.Tasks[i].ImplementerTier != t.Tier.String() || len(v.Tasks) != len(p.Tasks()) {
			c.res.add(n, "plan", "the tasks of the run are not those of the pinned plan")
			break
		}
	}
	return nil
}

// readPinned reads plan and settings, which an earlier verification held to their
// digests.
func (c *check) readPinned(commit string) error {
	data, err := ledger.ReadFile(c.repo, commit, planFile)
	if err != nil {
		return err
	}
	c.plan, _ = plan.Parse(data)
	settings, err := ledger.ReadFile(c.repo, commit, settingsFile)
	if err != nil {
		return err
	}
	return c.readSettings(-1, settings)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// refsOf returns every artifact that an event and its facts name. An intent or a
// result without facts claims what nobody gathered.
func (c *check) refsOf(n int, doc machine.Document) ([]machine.BlobRef, error) {
	var refs []machine.BlobRef
	add := func(ref *machine.BlobRef) {
		if ref != nil {
			refs = append(refs, *ref)
		}
	}
	switch f := doc.Facts.(type) {
	case machine.IntentFacts:
		if f.Base == nil || f.Head == nil || f.Observed == nil || f.Brief == nil {
			c.res.add(n, "unattested", "%s lacks base, head, observation or brief", doc.Event.Kind())
		}
		for _, ref := range []*machine.BlobRef{f.Observed, f.Brief, f.Context, f.Package} {
			add(ref)
		}
		c.attested.add(n, f.Base, f.Head)
		outputs(f.Gates, add)
		v := c.state.View()
		add(&v.Dispatch.Prompt)
		if v.Dispatch.Bootstrap == nil {
			c.res.add(n, "unattested", "%s has no bootstrap", doc.Event.Kind())
		}
		add(v.Dispatch.Bootstrap)
	case machine.FinishedFacts:
		if f.Base == nil || f.Head == nil || f.Report == nil {
			c.res.add(n, "unattested", "%s lacks base, head or report", doc.Event.Kind())
		}
		add(f.Report)
		c.attested.add(n, f.Base, f.Head)
		outputs(f.Gates, add)
	case machine.ProofFacts:
		c.attestProof(n, *f.Proof)
		for _, g := range []*machine.GateFact{f.Proof.Head, f.Proof.Control} {
			if g != nil {
				add(g.Output)
			}
		}
	case nil:
		if claims(doc.Event.Kind()) {
			c.res.add(n, "unattested", "%s has no facts", doc.Event.Kind())
		}
	}
	if r, ok := doc.Event.(machine.RulingRecorded); ok && r.Artifact != "" {
		data, err := c.tree.file(string(r.Artifact))
		if err != nil && !errors.Is(err, ledger.ErrNoFile) {
			return nil, err
		}
		refs = append(refs, machine.BlobRef{Path: string(r.Artifact), Bytes: len(data), SHA256: digest(data)})
	}
	return refs, nil
}

func outputs(gates []machine.GateFact, add func(*machine.BlobRef)) {
	for _, g := range gates {
		add(g.Output)
	}
}

// claims reports whether an event says something about work that facts must
// show: every intent, and every result.
func claims(k machine.Kind) bool {
	return strings.HasSuffix(k.String(), "-dispatch-intended") || strings.HasSuffix(k.String(), "-finished")
}

// checkRef compares an artifact with its reference.
func (c *check) checkRef(n int, ref machine.BlobRef) error {
	data, err := c.tree.file(ref.Path)
	if errors.Is(err, ledger.ErrNoFile) {
		c.res.add(n, "artifact", "%s is missing", ref.Path)
		return nil
	}
	if err != nil {
		return err
	}
	if len(data) != ref.Bytes || digest(data) != ref.SHA256 {
		c.res.add(n, "artifact", "%s is not what the event refers to", ref.Path)
	}
	return nil
}

// maySpeakFor allows what a dispatch stores beside what its facts name, in the
// stem of that very dispatch: the answer to a child's question with a claim, and
// what a driven child said and what of it was refused with how it ended.
func (c *check) maySpeakFor(doc machine.Document, path string) bool {
	v := c.state.View()
	if v.Dispatch == nil {
		return false
	}
	name, own := strings.CutPrefix(path, strings.TrimSuffix(v.Dispatch.Prompt.Path, ".prompt.md"))
	if !own {
		return false
	}
	if name == ".answer.md" {
		return doc.Event.Kind() == machine.KindContextDispatchIntended
	}
	return endsChild(doc.Event.Kind()) && spokenForm().MatchString(name)
}

// spokenForm is the end of a child's output, and a report that was refused.
var spokenForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\.(output-[1-9][0-9]*\.txt|refused-[1-9][0-9]*\.md)$`)
})

// endsChild reports whether an event tells how a child ended: with a result,
// without one, or with a report that a human must look at.
func endsChild(k machine.Kind) bool {
	return strings.HasSuffix(k.String(), "-finished") || k == machine.KindChildLost || k == machine.KindRecoveryRulingRecorded
}

// checkIntent cuts the brief again from the pinned plan, and holds the names of
// the artifacts to the dispatch.
func (c *check) checkIntent(n int, before machine.State, doc machine.Document) error {
	f, ok := doc.Facts.(machine.IntentFacts)
	if !ok || c.plan == nil || f.Brief == nil {
		return nil
	}
	v := c.state.View()
	role, err := tier.ParseRole(v.Dispatch.Role)
	if err != nil {
		return nil
	}
	was := before.View()
	stored, err := c.tree.file(f.Brief.Path)
	if err != nil && !errors.Is(err, ledger.ErrNoFile) {
		return err
	}
	if !bytes.Equal(stored, judge.Brief(c.plan, was, role)) {
		c.res.add(n, "brief", "%s is not the brief that the pinned plan gives", f.Brief.Path)
	}
	if want := machine.ArtifactDir(v.CurrentTask, role) + "/brief.md"; f.Brief.Path != want {
		c.res.add(n, "brief", "the brief is %s, it must be %s", f.Brief.Path, want)
	}
	stem := strings.TrimSuffix(v.Dispatch.Prompt.Path, ".prompt.md")
	for _, part := range []struct {
		ref    *machine.BlobRef
		suffix string
	}{{f.Observed, ".observed.txt"}, {f.Context, ".context.md"}, {f.Package, ".package.md"}} {
		if part.ref != nil && part.ref.Path != stem+part.suffix {
			c.res.add(n, "artifact", "%s is not in the name of the dispatch", part.ref.Path)
		}
	}
	c.checkPaths(n, f)
	c.checkGatesRan(n, role, f.Gates)
	c.rememberWorker(v.Dispatch.IntentRevision, was)
	return c.checkHanded(n, was, role, doc)
}

// checkPaths: what a child was given lies in the run's folder under the names
// that the ledger has.
func (c *check) checkPaths(n int, f machine.IntentFacts) {
	v := c.state.View()
	d := v.Dispatch
	for _, p := range []struct{ given, artifact string }{
		{d.PromptPath, d.Prompt.Path}, {d.ReportPath, stemOf(v) + ".report.md"}, {d.BriefPath, f.Brief.Path},
	} {
		if want := v.RunRoot + "/" + strings.TrimPrefix(p.artifact, "artifacts/"); slashed(p.given) != slashed(want) {
			c.res.add(n, "artifact", "the child was given %q for %s", p.given, p.artifact)
		}
	}
}

func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// checkPlace: a run's folder is named after it, in its own worktree, and the
// program that began the run says which it is.
func (c *check) checkPlace(n int) {
	v := c.state.View()
	if v.Tool == nil {
		c.res.add(n, "unattested", "the run does not say which program began it")
	}
	if want := v.Worktree + "/.git-sdd/" + c.id.Prefix12(); slashed(v.RunRoot) != slashed(want) {
		c.res.add(n, "identity", "the run's folder is %q, it must be %q", v.RunRoot, want)
	}
}
