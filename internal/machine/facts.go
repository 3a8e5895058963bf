package machine

// Facts is what was gathered, from Git and from reports, when a transition was
// decided. It is stored beside the event so that a run can be checked later. No
// guard reads it: an event is refused for its facts only where they could not be
// stored. What they say of ranges and reports is carried over into the state's
// evidence (contract: stored documents).
type Facts interface{ facts() }

// A BlobRef names bytes that are stored in the tree of the same commit.
type BlobRef struct {
	Path   string `json:"path"`   // in the tree, "artifacts/task-1/brief.md"
	Bytes  int    `json:"bytes"`  // length
	SHA256 string `json:"sha256"` // lowercase hex
}

// A CommitRef is a commit with its tree, so that content can be recognised
// after the commit was rewritten.
type CommitRef struct {
	Commit string `json:"commit"`
	Tree   string `json:"tree"`
}

// A GateFact is one run of a gate by git-sdd itself.
type GateFact struct {
	Name       string   `json:"name"`
	Command    []string `json:"command"`
	Commit     string   `json:"commit"`
	Tree       string   `json:"tree"`
	Outcome    string   `json:"outcome"` // passed, failed, flaky or error
	Exit       *int     `json:"exit"`    // null when it did not run to its end
	DurationMS int64    `json:"durationMs"`
	Runs       int      `json:"runs"`
	Output     *BlobRef `json:"output"`
}

// The facts of each group of events.
type (
	// CapabilityFacts goes with capability-confirmed.
	CapabilityFacts struct {
		Ladder string `json:"ladder"` // external or configured
	}
	// PreflightFacts goes with the preflight events.
	PreflightFacts struct {
		Reasons []string `json:"reasons"`
	}
	// IntentFacts goes with every dispatch intent.
	IntentFacts struct {
		Base     *CommitRef `json:"base"`
		Head     *CommitRef `json:"head"`
		Branch   string     `json:"branch"`
		Observed *BlobRef   `json:"observed"`
		Brief    *BlobRef   `json:"brief"`
		Context  *BlobRef   `json:"context"`
		Package  *BlobRef   `json:"package"`
		Gates    []GateFact `json:"gates"`
		Model    Opt        `json:"model"`
		Thinking Opt        `json:"thinking"`
	}
	// StartedFacts goes with dispatch-started.
	StartedFacts struct {
		Model    Opt `json:"model"`
		Thinking Opt `json:"thinking"`
	}
	// FinishedFacts goes with every *-finished event.
	FinishedFacts struct {
		Base    *CommitRef `json:"base"`
		Head    *CommitRef `json:"head"`
		PatchID Opt        `json:"patchId"`
		Branch  string     `json:"branch"`
		Report  *BlobRef   `json:"report"`
		Gates   []GateFact `json:"gates"`
	}
	// ProofFacts goes with recovery-ruling-recorded where git-sdd tried how well a
	// gate tells good from bad; a note of a human has no facts.
	ProofFacts struct {
		Proof *Proof `json:"proof"`
	}
)

// The outcomes of a proof.
const (
	Discriminates = "discriminates"
	Blind         = "does not discriminate"
	CannotTell    = "cannot tell"
)

// A Proof is the negative control of a gate: what it said of the head, and what
// of a commit that it should refuse.
type Proof struct {
	Name      string     `json:"name"`
	Outcome   string     `json:"outcome"` // Discriminates, Blind or CannotTell
	Why       string     `json:"why"`
	Head      *GateFact  `json:"head"`      // null where the gate did not run
	Control   *GateFact  `json:"control"`   // null where it did not run; its tree holds the tests
	Base      *CommitRef `json:"base"`      // what the control is, beside the tests that were laid over it
	TestCount int        `json:"testCount"` // how many files of the head those are; 0 where the control is the base as it is
	Tests     []string   `json:"tests"`     // the first of their paths that can be recorded, sorted, at most [MaxProofTests]
}

func (CapabilityFacts) facts() {}
func (PreflightFacts) facts()  {}
func (IntentFacts) facts()     {}
func (StartedFacts) facts()    {}
func (FinishedFacts) facts()   {}
func (ProofFacts) facts()      {}
