package machine

// What the payloads of several events consist of.

// InitTask is one task of the plan as the run pins it.
type InitTask struct {
	Number          int    `json:"number"`
	Title           Opt    `json:"title"` // at most 256 code points; null in walks
	ImplementerTier string `json:"implementerTier"`
	Audit           bool   `json:"audit"` // the task may end DONE without a commit
}

// Tool says which program started the run.
type Tool struct {
	Version   string `json:"version"`
	Contracts string `json:"contracts"` // SHA-256 of the role contracts
}

// Intent is what every dispatch intent carries (contract: payload rules).
type Intent struct {
	Attempt         int    `json:"attempt"`
	Tier            string `json:"tier"`
	DispatchKey     string `json:"dispatchKey"`
	PromptPath      string `json:"promptPath"`
	ReportPath      string `json:"reportPath"`
	BriefPath       string `json:"briefPath"`
	ExpectedOutcome string `json:"expectedOutcome"`
	RenderedPrompt  Blob   `json:"renderedPrompt"` // stored as a reference
	Bootstrap       Blob   `json:"bootstrap"`      // stored as a reference; null in walks
}

// A Concern is what DONE_WITH_CONCERNS must name at least one of.
type Concern struct {
	Kind string `json:"kind"` // observational, correctness or scope
	Note string `json:"note"`
}

// A Finding is what a review reports (contract: payload rules, finding).
type Finding struct {
	ID       string `json:"id"`
	Severity string `json:"severity"` // Critical, Important or Minor
	Summary  string `json:"summary"`
	Location Opt    `json:"location"` // at most 1,024 bytes
}

// A Verdict is what a re-review says of one open finding.
type Verdict struct {
	ID       string `json:"id"`
	Verdict  string `json:"verdict"` // RESOLVED, STILL_PRESENT, REGRESSION or NEEDS_CONTEXT
	Location string `json:"location"`
	Evidence string `json:"evidence"`
}

// A Resolution moves one finding out of open.
type Resolution struct {
	ID          string `json:"id"`
	Disposition string `json:"disposition"` // fixed, parked, out-of-scope or cannot-verify
	Evidence    string `json:"evidence"`
}

// Work is what an implementer or a fixer says of its own result.
type Work struct {
	Status   string    `json:"status"`
	Concerns []Concern `json:"concerns"`
	Reason   Opt       `json:"reason"`
}

// Review is what a (re-)review says.
type Review struct {
	ReportPath    string    `json:"reportPath"`
	SpecStatus    string    `json:"specStatus"`
	QualityStatus string    `json:"qualityStatus"`
	Verdicts      []Verdict `json:"verdicts"`
	Findings      []Finding `json:"findings"`
}

// Ruling is a decision of a human that changes no phase (contract: transitions,
// ruling-recorded).
type Ruling struct {
	Decision    string   `json:"decision"`
	Reason      string   `json:"reason"`
	DispatchKey Opt      `json:"dispatchKey"`
	Finding     Opt      `json:"finding"`
	Paths       []string `json:"paths"`
	Blob        Opt      `json:"blob"`
	Artifact    Opt      `json:"artifact"`
}
