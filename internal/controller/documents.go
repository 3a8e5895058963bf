package controller

// The JSON answers. Field names are part of the product: add freely, never
// rename.

// Transition is one revision that a command recorded.
type Transition struct {
	Revision int    `json:"revision"`
	Commit   string `json:"commit"`
	Event    string `json:"event"`
	Phase    string `json:"phase"`
}

// Next is the one next action of a run, with its inputs and the exact command.
// It is the same answer until the state, the plan file or the branch changes.
type Next struct {
	Schema       string     `json:"schema"`
	Run          string     `json:"run"`
	Revision     int        `json:"revision"`
	Phase        string     `json:"phase"`
	Task         int        `json:"task"`
	Tasks        int        `json:"tasks"`
	Round        int        `json:"round"`
	Drift        string     `json:"drift"`
	Action       string     `json:"action"`
	Role         string     `json:"role,omitempty"`
	Tier         string     `json:"tier,omitempty"`
	Why          string     `json:"why"`
	Commands     [][]string `json:"commands"`
	Alternatives [][]string `json:"alternatives"`

	// With action "decide".
	Decisions []Decision `json:"decisions,omitempty"`
	Reasons   []string   `json:"reasons,omitempty"` // what stands against a clean start, in PREFLIGHT_DECISION_REQUIRED
	// With action "spawn": what Dispatch says, beside the fields above.
	*Handout
	// With action "await".
	Session   string `json:"session,omitempty"`
	StartedAt string `json:"startedAt,omitempty"`
	Report    string `json:"report,omitempty"` // of a spawn too: this one is the shallower field
	Deadline  string `json:"deadline,omitempty"`
	// With action "done".
	Unpushed  *[]string `json:"unpushed,omitempty"`
	Uncovered *[]string `json:"uncovered,omitempty"` // commits of the branch that no review stands for, oldest first
	// With action "blocked".
	Reason string `json:"reason,omitempty"`
	// Repair is what must come first where the ground is not the pinned one (see
	// Drift): until then every command that writes is refused with exit 4.
	Repair string `json:"repair,omitempty"`
	// Warnings are facts worth a look that refuse nothing, one line each.
	Warnings []string `json:"warnings,omitempty"`
}

// Decision is one ruling that is legal now.
type Decision struct {
	Decision string   `json:"decision"`
	Command  []string `json:"command"`
	Effect   string   `json:"effect"`
}

// Handout is everything that starting a child takes.
type Handout struct {
	Attempt     int        `json:"attempt"`
	DispatchKey string     `json:"dispatchKey"`
	Cwd         string     `json:"cwd"`
	Prompt      PromptFile `json:"prompt"`
	Bootstrap   string     `json:"bootstrap"`
	Brief       string     `json:"brief"`
	Context     *string    `json:"context"`
	Package     *string    `json:"package"`
	Report      string     `json:"report"`
	Range       Range      `json:"range"`
}

// PromptFile is the prompt as a file that can be checked.
type PromptFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
}

// Range is what a child's work starts from and, for a review, ends at.
type Range struct {
	Base string  `json:"base"`
	Head *string `json:"head"`
}

// Dispatched is the answer of `dispatch`.
type Dispatched struct {
	Schema   string `json:"schema"`
	Run      string `json:"run"`
	Revision int    `json:"revision"`
	Phase    string `json:"phase"`
	Task     int    `json:"task"`
	Role     string `json:"role"`
	Tier     string `json:"tier"`
	Round    int    `json:"round"`
	Handout
	Transitions []Transition `json:"transitions"`
	DryRun      bool         `json:"dryRun,omitempty"`
	Warnings    []string     `json:"warnings,omitempty"`
}

// Answer is what every other writing command says: the transitions that it
// recorded and what is next. Its schema is git-sdd/<verb>/1.
type Answer struct {
	Transitions []Transition `json:"transitions"`
	Next
}

// RecordAnswer is the answer of the plumbing command `record`.
type RecordAnswer struct {
	Schema   string `json:"schema"`
	Run      string `json:"run"`
	Revision int    `json:"revision"`
	Commit   string `json:"commit"`
	Event    string `json:"event"`
	Phase    string `json:"phase"`
}

// Status is where a run stands, for people and programs alike.
type Status struct {
	Schema    string          `json:"schema"`
	Run       string          `json:"run"`
	Revision  int             `json:"revision"`
	Phase     string          `json:"phase"`
	Plan      PlanStatus      `json:"plan"`
	Branch    string          `json:"branch"`
	BaseRef   string          `json:"baseRef"`
	MergeBase string          `json:"mergeBase"`
	Worktree  string          `json:"worktree"`
	CreatedAt string          `json:"createdAt"`
	UpdatedAt string          `json:"updatedAt"`
	Tasks     []TaskStatus    `json:"tasks"`
	Findings  []FindingStatus `json:"findings"`
	Dispatch  *DispatchStatus `json:"dispatch"`
	Drift     string          `json:"drift"`
	Next      *Next           `json:"next"`

	Integrated *Integrated `json:"integrated"` // null where the run is not complete
}

// PlanStatus is the plan file against the pinned plan.
type PlanStatus struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Drift  string `json:"drift"`
}

// TaskStatus is one line a task.
type TaskStatus struct {
	Number    int     `json:"number"`
	Title     string  `json:"title"`
	Tier      string  `json:"tier"`
	State     string  `json:"state"` // pending, active, complete or blocked
	FixRounds int     `json:"fixRounds"`
	Base      *string `json:"base"`
	Head      *string `json:"head"`
	Open      int     `json:"open"`
}

// FindingStatus is one finding of the run.
type FindingStatus struct {
	ID          string  `json:"id"`
	Task        int     `json:"task"`
	Severity    string  `json:"severity"`
	Summary     string  `json:"summary"`
	Disposition string  `json:"disposition"`
	Location    *string `json:"location"`
}

// DispatchStatus is the child that work was last handed to.
type DispatchStatus struct {
	Role        string  `json:"role"`
	Task        int     `json:"task"`
	Round       int     `json:"round"`
	Attempt     int     `json:"attempt"`
	Tier        string  `json:"tier"`
	DispatchKey string  `json:"dispatchKey"`
	Session     *string `json:"session"`
	StartedAt   *string `json:"startedAt"`
	Reissued    bool    `json:"reissued"`
	Report      *string `json:"report"` // the status token once the report is taken, "" for a review
}

// Runs is the answer of `ls`.
type Runs struct {
	Schema string      `json:"schema"`
	Runs   []RunStatus `json:"runs"`
}

// RunStatus is one line a run.
type RunStatus struct {
	Run       string `json:"run"`
	Phase     string `json:"phase"`
	Revision  int    `json:"revision"`
	Plan      string `json:"plan"`
	Branch    string `json:"branch"`
	Worktree  string `json:"worktree"`
	UpdatedAt string `json:"updatedAt"`
	Error     string `json:"error,omitempty"` // why the run cannot be read

	Integrated *Integrated `json:"integrated"` // null where the run is not complete
}

// Log is the answer of `log`.
type Log struct {
	Schema  string     `json:"schema"`
	Run     string     `json:"run"`
	Entries []LogEntry `json:"entries"`
}

// LogEntry is one transition.
type LogEntry struct {
	Revision int    `json:"revision"`
	Commit   string `json:"commit"`
	Event    string `json:"event"`
	Phase    string `json:"phase"`
	Task     string `json:"task"`
	At       string `json:"at"`
	By       By     `json:"by"`
	Subject  string `json:"subject"`
	Reason   string `json:"reason"`
}

// By is who recorded a transition, and by what way.
type By struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	Via   string `json:"via"` // terminal, program or run
}
