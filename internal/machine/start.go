package machine

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// stateSchema names the form of a stored state.
const stateSchema = "git-sdd/state/1"

// New returns the state of revision 0: a run that is pinned to its plan, its
// place and its branch, and has passed no gate yet.
func New(init Init, at Instant) (State, error) {
	if _, err := ParseInstant(string(at)); err != nil {
		return State{}, err
	}
	if err := checkInit(init); err != nil {
		return State{}, err
	}
	view := View{
		Schema: stateSchema, RunID: RunID(init.PlanDigest, init.Worktree, init.Branch, init.MergeBase, at), Phase: CapabilityCheck,
		PlanPath: init.PlanPath, PlanDigest: init.PlanDigest, RepoRoot: init.RepoRoot, Worktree: init.Worktree, RunRoot: init.RunRoot,
		Branch: init.Branch, BaseRef: init.BaseRef, MergeBase: init.MergeBase, CreatedAt: at, UpdatedAt: at,
		Tool: clonePointer(init.Tool), Settings: init.Settings, Tasks: append([]InitTask{}, init.Tasks...),
		CurrentTask: 1, CurrentImplementerTier: init.Tasks[0].ImplementerTier,
		Attempts: map[string]int{}, Findings: []Recorded{}, Rulings: []StoredRuling{}, Evidence: Evidence{Tasks: []TaskEvidence{}},
	}
	return State{view}, checkSize(KindRunInitialized, &view)
}

// checkInit holds what a run is pinned to against the payload rules.
func checkInit(init Init) error {
	return first(
		checkPath("planPath", init.PlanPath), checkDigest("planDigest", init.PlanDigest),
		checkPath("repoRoot", init.RepoRoot), checkPath("worktree", init.Worktree), checkPath("runRoot", init.RunRoot),
		CheckText("branch", init.Branch), CheckText("baseRef", init.BaseRef), checkObject("mergeBase", init.MergeBase),
		checkTool(init.Tool), ifPresent(checkDigest, "settings", init.Settings), checkTasks(init.Tasks),
	)
}

func checkTool(tool *Tool) error {
	if tool == nil {
		return nil
	}
	return first(CheckText("tool version", tool.Version), checkDigest("tool contracts", tool.Contracts))
}

func checkTasks(tasks []InitTask) error {
	switch n := len(tasks); {
	case n == 0:
		return errors.New("a run needs a task")
	case n > MaxTasks:
		return fmt.Errorf("the run has %d tasks, at most %d are allowed", n, MaxTasks)
	}
	for i, task := range tasks {
		if task.Number != i+1 {
			return fmt.Errorf("task %d is numbered %d", i+1, task.Number)
		}
		if _, err := tier.Parse(task.ImplementerTier); err != nil {
			return fmt.Errorf("task %d: %w", task.Number, err)
		}
		if err := ifPresent(checkTitle, fmt.Sprintf("title of task %d", task.Number), task.Title); err != nil {
			return err
		}
	}
	return nil
}

func checkTitle(name, s string) error {
	if n := utf8.RuneCountInString(s); n > MaxText {
		return fmt.Errorf("%s has %d code points, at most %d are allowed", name, n, MaxText)
	}
	return checkLine(name, s)
}
