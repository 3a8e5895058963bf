package machine

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// checkFacts refuses facts that could not be stored: text that is not UTF-8,
// numbers that canonical JSON does not keep, names of objects that are none.
// What facts say is nobody's business here.
func checkFacts(facts Facts) error {
	switch f := facts.(type) {
	case CapabilityFacts:
		return checkUTF8("ladder", f.Ladder)
	case PreflightFacts:
		return checkUTF8("reasons", f.Reasons...)
	case IntentFacts:
		return first(
			checkCommit("base", f.Base), checkCommit("head", f.Head), checkUTF8("branch", f.Branch), checkModel(f.Model, f.Thinking), checkGateFacts(f.Gates),
			checkBlobRef("observed", f.Observed), checkBlobRef("brief", f.Brief), checkBlobRef("context", f.Context), checkBlobRef("package", f.Package),
		)
	case StartedFacts:
		return checkModel(f.Model, f.Thinking)
	case FinishedFacts:
		return first(
			checkCommit("base", f.Base), checkCommit("head", f.Head), checkUTF8("branch", f.Branch), checkGateFacts(f.Gates),
			ifPresent(checkObject, "patchId", f.PatchID), checkBlobRef("report", f.Report),
		)
	case ProofFacts:
		return checkProof(f.Proof)
	}
	return nil
}

// MaxProofTests is how many paths of test files a proof lists.
const MaxProofTests = 256

var proofOutcomes = tokens{Discriminates, Blind, CannotTell}

func checkProof(p *Proof) error {
	if p == nil {
		return errors.New("proof is missing")
	}
	if n := len(p.Tests); n > MaxProofTests {
		return fmt.Errorf("the proof lists %d tests, at most %d are recorded", n, MaxProofTests)
	}
	for i, t := range p.Tests {
		if err := checkTreePath(fmt.Sprintf("test %d", i+1), t); err != nil {
			return err
		}
		if i > 0 && p.Tests[i-1] >= t {
			return fmt.Errorf("test %d is not sorted, or stands twice", i+1)
		}
	}
	return first(
		CheckText("name of the proof", p.Name), proofOutcomes.check("outcome of the proof", p.Outcome), CheckText("why of the proof", p.Why),
		checkRange("testCount", p.TestCount, len(p.Tests), maxInteger), checkGateFact(p.Head), checkGateFact(p.Control), checkCommit("base", p.Base),
	)
}

func checkGateFact(g *GateFact) error {
	if g == nil {
		return nil
	}
	return checkGateFacts([]GateFact{*g})
}

func checkUTF8(name string, list ...string) error {
	for _, s := range list {
		if !utf8.ValidString(s) {
			return fmt.Errorf("%s is not UTF-8", name)
		}
	}
	return nil
}

func checkGateFacts(gates []GateFact) error {
	for _, g := range gates {
		exit := 0
		if g.Exit != nil {
			exit = *g.Exit
		}
		err := first(
			checkUTF8("a gate", append([]string{g.Name, g.Outcome}, g.Command...)...),
			checkObject("commit of a gate", g.Commit), checkObject("tree of a gate", g.Tree),
			checkRange("exit of a gate", exit, -maxInteger, maxInteger), checkRange("duration of a gate", g.DurationMS, 0, maxInteger),
			checkRange("runs of a gate", g.Runs, 0, maxInteger), checkBlobRef("output of a gate", g.Output),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

func checkModel(model, thinking Opt) error {
	return first(ifPresent(CheckText, "model", model), ifPresent(CheckText, "thinking", thinking))
}

func checkCommit(name string, ref *CommitRef) error {
	if ref == nil {
		return nil
	}
	return first(checkObject("commit of "+name, ref.Commit), checkObject("tree of "+name, ref.Tree))
}

func checkBlobRef(name string, ref *BlobRef) error {
	if ref == nil {
		return nil
	}
	return first(
		checkTreePath("path of "+name, ref.Path), checkRange("bytes of "+name, ref.Bytes, 0, maxInteger), checkDigest("sha256 of "+name, ref.SHA256),
	)
}
