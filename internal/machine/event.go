package machine

// An Event is one thing that happened to a run. The set is closed: one struct a
// kind, each with just its payload (contract: state machine, transitions).
//
// An optional string is "" in Go and null on the wire; no payload string may be
// empty, so the two never mean different things.
type Event interface {
	// Kind returns which event this is.
	Kind() Kind
	event()
}

// Init is the event of revision 0, run-initialized: what the run is pinned to.
type Init struct {
	PlanPath   string     `json:"planPath"`
	PlanDigest string     `json:"planDigest"` // lowercase hex SHA-256 of the plan's bytes
	RepoRoot   string     `json:"repoRoot"`
	Worktree   string     `json:"worktree"`
	RunRoot    string     `json:"runRoot"`
	Branch     string     `json:"branch"`
	BaseRef    string     `json:"baseRef"`
	MergeBase  string     `json:"mergeBase"` // object name, in the repository's own format
	Tasks      []InitTask `json:"tasks"`     // 1 to 256, numbered from 1 without gaps
	Tool       *Tool      `json:"tool"`      // null in walks
	Settings   Opt        `json:"settings"`  // SHA-256 of artifacts/settings.json; null in walks
}

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

// The events, one struct a kind, in the order of the table of transitions.
type (
	RecoveryRulingRecorded struct {
		Reason  string `json:"reason"`
		Receipt string `json:"receipt"`
	}
	RulingRecorded struct{ Ruling }
	RunRelocated   struct {
		Worktree string `json:"worktree"`
		RepoRoot string `json:"repoRoot"`
		RunRoot  string `json:"runRoot"`
		Reason   string `json:"reason"`
		Receipt  string `json:"receipt"`
	}
	RunAbandoned struct {
		Reason string `json:"reason"`
	}
	ChildLost struct {
		Reason  string `json:"reason"`
		Receipt string `json:"receipt"`
	}
	ChildInadmissible struct {
		Reason string `json:"reason"`
	}

	CapabilityConfirmed struct {
		Mode string `json:"mode"` // exact or tiered
	}
	CapabilityMissing struct {
		Reason string `json:"reason"`
	}
	PlanValid struct {
		PlanDigest string `json:"planDigest"`
	}
	PlanInvalidated struct {
		Reason string `json:"reason"`
	}
	PlanConflict struct {
		PlanDigest string `json:"planDigest"`
	}
	PreflightClean    struct{}
	PreflightConflict struct {
		Reason string `json:"reason"`
	}
	PreflightApproved struct {
		Reason string `json:"reason"`
	}
	PreflightRejected struct {
		Reason string `json:"reason"`
	}

	ImplementDispatchIntended struct{ Intent }
	DispatchStarted           struct {
		SessionID string `json:"sessionId"`
	}
	DispatchMismatch struct {
		Reason string `json:"reason"`
	}
	DispatchWindowCrossed struct {
		Reason string `json:"reason"`
	}
	DispatchRulingRecorded struct {
		Decision  string `json:"decision"` // adopt or reissue
		Reason    string `json:"reason"`
		SessionID Opt    `json:"sessionId"`
	}

	ImplementerFinished struct {
		ReportPath string `json:"reportPath"`
	}
	ImplementerStatusRecorded struct{ Work }
	ContextDispatchIntended   struct{ Intent }
	ContextLimitReached       struct {
		Reason string `json:"reason"`
	}
	ConcernRulingRecorded struct {
		Decision string `json:"decision"` // proceed or block
		Reason   string `json:"reason"`
	}

	TaskReviewDispatchIntended struct{ Intent }
	TaskReviewFinished         struct{ Review }
	ReviewApproved             struct {
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	ReviewBlocked struct {
		Reason string `json:"reason"`
	}

	FixDispatchIntended struct {
		Intent
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	FixerFinished struct {
		ReportPath string `json:"reportPath"`
		Work
	}
	FixerBlocked struct {
		Reason string `json:"reason"`
	}
	RereviewDispatchIntended struct{ Intent }
	RereviewFinished         struct{ Review }
	RereviewApproved         struct {
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	TaskParkRulingRecorded struct {
		Reason             string       `json:"reason"`
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	NextFixDispatchIntended struct {
		Intent
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	RereviewBlocked struct {
		Reason string `json:"reason"`
	}
	NextTaskReady struct{}

	FinalReviewDispatchIntended struct{ Intent }
	FinalReviewFinished         struct{ Review }
	FinalComplete               struct {
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	FinalFixDispatchIntended struct {
		Intent
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
	FinalWorkBlocked struct {
		Reason string `json:"reason"`
	}
	FinalFixerFinished struct {
		ReportPath string `json:"reportPath"`
		Work
	}
	FinalRereviewDispatchIntended struct{ Intent }
	FinalFixerBlocked             struct {
		Reason string `json:"reason"`
	}
	FinalRereviewFinished   struct{ Review }
	FinalParkRulingRecorded struct {
		Reason             string       `json:"reason"`
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
)
