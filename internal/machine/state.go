package machine

// A State is where a run stands, as one value that only [New], [Apply] and
// [DecodeState] make. If a State exists, every rule of the machine holds for it.
type State struct{ view View }

// View returns a copy of everything the state holds. Changing the copy changes
// nothing.
func (s State) View() View { return s.view.clone() }

// Phase returns where the run stands, without copying the rest.
func (s State) Phase() Phase { return s.view.Phase }

// Revision returns the number of transitions since the run was initialised.
func (s State) Revision() int { return s.view.Revision }

// View is the content of state.json (contract: stored documents). No field is
// ever left out: absent is null, [] or {}.
type View struct {
	Schema                 string         `json:"schema"`
	Revision               int            `json:"revision"`
	RunID                  string         `json:"runId"`
	Phase                  Phase          `json:"phase"`
	PlanPath               string         `json:"planPath"`
	PlanDigest             string         `json:"planDigest"`
	PlanValidated          bool           `json:"planValidated"`
	RepoRoot               string         `json:"repoRoot"`
	Worktree               string         `json:"worktree"`
	RunRoot                string         `json:"runRoot"`
	Branch                 string         `json:"branch"`
	BaseRef                string         `json:"baseRef"`
	MergeBase              string         `json:"mergeBase"`
	CreatedAt              Instant        `json:"createdAt"`
	UpdatedAt              Instant        `json:"updatedAt"`
	Mode                   Opt            `json:"mode"`
	Tool                   *Tool          `json:"tool"` // of the start, see [ContractsInForce]
	Settings               Opt            `json:"settings"`
	Tasks                  []InitTask     `json:"tasks"`
	CurrentTask            int            `json:"currentTask"`
	CurrentImplementerTier string         `json:"currentImplementerTier"`
	ContextAttempts        int            `json:"contextAttempts"`
	FixRound               int            `json:"fixRound"`
	FinalFixUsed           bool           `json:"finalFixUsed"`
	StatusPinned           Opt            `json:"statusPinned"` // what the implementer last said of its work
	Dispatch               *Dispatch      `json:"dispatch"`     // the last one of the task; null before the first
	Attempts               map[string]int `json:"attempts"`     // task-<n>:<role>[:round-<n>]
	Findings               []Recorded     `json:"findings"`
	ReviewOutcome          *ReviewOutcome `json:"reviewOutcome"`
	AmbiguousIntentPhase   Opt            `json:"ambiguousIntentPhase"` // in DISPATCH_AMBIGUOUS and nowhere else
	BlockedReason          Opt            `json:"blockedReason"`        // why the run ended; null for COMPLETE and a plan-conflict
	RecoveryRulings        int            `json:"recoveryRulings"`
	Rulings                []StoredRuling `json:"rulings"`
	Evidence               Evidence       `json:"evidence"`
}

// A Dispatch is the child that the run last handed work to.
type Dispatch struct {
	Role            string        `json:"role"`
	Task            int           `json:"task"`
	Round           *int          `json:"round"` // null but for a fixer
	Attempt         int           `json:"attempt"`
	Tier            string        `json:"tier"`
	DispatchKey     string        `json:"dispatchKey"`
	PromptPath      string        `json:"promptPath"`
	ReportPath      string        `json:"reportPath"`
	BriefPath       string        `json:"briefPath"`
	ExpectedOutcome string        `json:"expectedOutcome"`
	Prompt          BlobRef       `json:"prompt"`
	Bootstrap       *BlobRef      `json:"bootstrap"` // null in walks
	IntentRevision  int           `json:"intentRevision"`
	SessionID       Opt           `json:"sessionId"`
	Model           Opt           `json:"model"`
	Thinking        Opt           `json:"thinking"`
	StartedAt       Opt           `json:"startedAt"` // when the child was reported or adopted
	Reissued        bool          `json:"reissued"`
	Report          *PinnedReport `json:"report"`
}

// A PinnedReport is a report that the run has taken. Its bytes and hash are
// null in walks, whose events carry no facts.
type PinnedReport struct {
	Path   string `json:"path"`
	Bytes  *int   `json:"bytes"`
	SHA256 Opt    `json:"sha256"`
	Status Opt    `json:"status"` // null for reviewers
}

// A Recorded is a finding as the run keeps it.
type Recorded struct {
	ID          string `json:"id"`
	Task        int    `json:"task"` // 0 in the final loop
	Severity    string `json:"severity"`
	LoadBearing bool   `json:"loadBearing"`
	Summary     string `json:"summary"`
	Location    Opt    `json:"location"`
	Disposition string `json:"disposition"`
	Verdict     Opt    `json:"verdict"`  // the last one pinned
	Evidence    Opt    `json:"evidence"` // of the disposition or, while open, of the last verdict
}

// A ReviewOutcome is the last review's answer, until it is cleared.
type ReviewOutcome struct {
	SpecStatus    string `json:"specStatus"`
	QualityStatus string `json:"qualityStatus"`
	Pinned        bool   `json:"pinned"` // false once the final wave works on it
	ReportPath    string `json:"reportPath"`
	Revision      int    `json:"revision"`
}

// A StoredRuling is what the state keeps of a ruling-recorded event.
type StoredRuling struct {
	Revision    int      `json:"revision"`
	Decision    string   `json:"decision"`
	DispatchKey Opt      `json:"dispatchKey"`
	Finding     Opt      `json:"finding"`
	Paths       []string `json:"paths"`
	Blob        Opt      `json:"blob"`
}

// Evidence is what the facts of the events said, by task.
type Evidence struct {
	Tasks []TaskEvidence `json:"tasks"`
	Final *WorkEvidence  `json:"final"`
}

// TaskEvidence is a task's evidence; it appears with the task's first dispatch.
type TaskEvidence struct {
	Task int `json:"task"`
	WorkEvidence
}

// WorkEvidence is the range of a piece of work and the reviews of it.
type WorkEvidence struct {
	Base               *CommitRef       `json:"base"`
	Head               *CommitRef       `json:"head"`
	PatchID            Opt              `json:"patchId"`
	ImplementerSession Opt              `json:"implementerSession"`
	Reviews            []ReviewEvidence `json:"reviews"`
}

// ReviewEvidence is one review and the range it judged.
type ReviewEvidence struct {
	Revision int        `json:"revision"`
	Role     string     `json:"role"`
	Round    *int       `json:"round"` // the fix round that a re-review judged
	Base     *CommitRef `json:"base"`
	Head     *CommitRef `json:"head"`
	PatchID  Opt        `json:"patchId"`
	Spec     string     `json:"spec"`
	Quality  string     `json:"quality"`
}
