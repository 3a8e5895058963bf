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

// The events, one struct a kind, in the order of the table of transitions.
type (
	// RecoveryRulingRecorded is a note on what was done outside of the machine. The run counts it.
	RecoveryRulingRecorded struct {
		Reason  string `json:"reason"`
		Receipt string `json:"receipt"`
	}

	// RulingRecorded is a decision of a human that leaves the phase as it is.
	RulingRecorded struct{ Ruling }

	// RunRelocated says that the run goes on in another place.
	RunRelocated struct {
		Worktree string `json:"worktree"`
		RepoRoot string `json:"repoRoot"`
		RunRoot  string `json:"runRoot"`
		Reason   string `json:"reason"`
		Receipt  string `json:"receipt"`
	}

	// RunAbandoned gives the run up.
	RunAbandoned struct {
		Reason string `json:"reason"`
	}

	// ChildLost says that a child ended without a result. The receipt says what shows it.
	ChildLost struct {
		Reason  string `json:"reason"`
		Receipt string `json:"receipt"`
	}

	// ChildInadmissible says that a child must not be what it is, such as of another tier.
	ChildInadmissible struct {
		Reason string `json:"reason"`
	}

	// CapabilityConfirmed says that the ladder of tiers is complete.
	CapabilityConfirmed struct {
		Mode string `json:"mode"` // exact or tiered
	}

	// CapabilityMissing says that it is not.
	CapabilityMissing struct {
		Reason string `json:"reason"`
	}

	// PlanValid says that the plan keeps the grammar.
	PlanValid struct {
		PlanDigest string `json:"planDigest"`
	}

	// PlanInvalidated is plan-invalid: the plan does not keep the grammar.
	PlanInvalidated struct {
		Reason string `json:"reason"`
	}

	// PlanConflict says that the plan is another one than the run is pinned to.
	PlanConflict struct {
		PlanDigest string `json:"planDigest"`
	}

	// PreflightClean says that nothing stands in the way of the first dispatch.
	PreflightClean struct{}

	// PreflightConflict says that something does, and a human must rule.
	PreflightConflict struct {
		Reason string `json:"reason"`
	}

	// PreflightApproved is the ruling to go on all the same.
	PreflightApproved struct {
		Reason string `json:"reason"`
	}

	// PreflightRejected is the ruling not to.
	PreflightRejected struct {
		Reason string `json:"reason"`
	}

	// ImplementDispatchIntended records a task's first implementer before it is started.
	ImplementDispatchIntended struct{ Intent }

	// DispatchStarted names the child that was started for the recorded dispatch.
	DispatchStarted struct {
		SessionID string `json:"sessionId"`
	}

	// DispatchMismatch says that what was started is not what was recorded.
	DispatchMismatch struct {
		Reason string `json:"reason"`
	}

	// DispatchWindowCrossed says that nobody knows whether a child was started.
	DispatchWindowCrossed struct {
		Reason string `json:"reason"`
	}

	// DispatchRulingRecorded goes on with a child that was found, or hands out the same bytes again.
	DispatchRulingRecorded struct {
		Decision  string `json:"decision"` // adopt or reissue
		Reason    string `json:"reason"`
		SessionID Opt    `json:"sessionId"`
	}

	// ImplementerFinished pins an implementer's report.
	ImplementerFinished struct {
		ReportPath string `json:"reportPath"`
	}

	// ImplementerStatusRecorded records what the report says of its work.
	ImplementerStatusRecorded struct{ Work }

	// ContextDispatchIntended records an implementer that gets the context which was missing.
	ContextDispatchIntended struct{ Intent }

	// ContextLimitReached says that more context did not help.
	ContextLimitReached struct {
		Reason string `json:"reason"`
	}

	// ConcernRulingRecorded is the ruling on an implementer's concern.
	ConcernRulingRecorded struct {
		Decision string `json:"decision"` // proceed or block
		Reason   string `json:"reason"`
	}

	// TaskReviewDispatchIntended records a task's reviewer.
	TaskReviewDispatchIntended struct{ Intent }

	// TaskReviewFinished pins the result of the task's review, which has no verdicts.
	TaskReviewFinished struct{ Review }

	// ReviewApproved completes the task without a fix round.
	ReviewApproved struct {
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// ReviewBlocked ends the run on a review.
	ReviewBlocked struct {
		Reason string `json:"reason"`
	}

	// FixDispatchIntended opens the first fix round.
	FixDispatchIntended struct {
		Intent
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// FixerFinished pins a fixer's report.
	FixerFinished struct {
		ReportPath string `json:"reportPath"`
		Work
	}

	// FixerBlocked ends the run on a fixer's report.
	FixerBlocked struct {
		Reason string `json:"reason"`
	}

	// RereviewDispatchIntended records the re-reviewer of a fix round.
	RereviewDispatchIntended struct{ Intent }

	// RereviewFinished pins the result of a re-review.
	RereviewFinished struct{ Review }

	// RereviewApproved completes the task after a fix round.
	RereviewApproved struct {
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// TaskParkRulingRecorded is the ruling on findings that a task's re-review left.
	TaskParkRulingRecorded struct {
		Reason             string       `json:"reason"`
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// NextFixDispatchIntended opens a further fix round.
	NextFixDispatchIntended struct {
		Intent
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// RereviewBlocked ends the run on a re-review.
	RereviewBlocked struct {
		Reason string `json:"reason"`
	}

	// NextTaskReady goes on to the next task.
	NextTaskReady struct{}

	// FinalReviewDispatchIntended opens the final loop.
	FinalReviewDispatchIntended struct{ Intent }

	// FinalReviewFinished pins the result of the final review.
	FinalReviewFinished struct{ Review }

	// FinalComplete ends the run well.
	FinalComplete struct {
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// FinalFixDispatchIntended opens the only fix wave of the final loop.
	FinalFixDispatchIntended struct {
		Intent
		FindingResolutions []Resolution `json:"findingResolutions"`
	}

	// FinalWorkBlocked is final-blocked: it ends the run on a final (re-)review.
	FinalWorkBlocked struct {
		Reason string `json:"reason"`
	}

	// FinalFixerFinished pins the final fixer's report.
	FinalFixerFinished struct {
		ReportPath string `json:"reportPath"`
		Work
	}

	// FinalRereviewDispatchIntended records the final re-reviewer.
	FinalRereviewDispatchIntended struct{ Intent }

	// FinalFixerBlocked ends the run on the final fixer's report.
	FinalFixerBlocked struct {
		Reason string `json:"reason"`
	}

	// FinalRereviewFinished pins the result of the final re-review.
	FinalRereviewFinished struct{ Review }

	// FinalParkRulingRecorded is the ruling on findings that the final re-review left.
	FinalParkRulingRecorded struct {
		Reason             string       `json:"reason"`
		FindingResolutions []Resolution `json:"findingResolutions"`
	}
)
