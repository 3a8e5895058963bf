package machine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// RunID returns the id of a run: the lowercase hex SHA-256 of what pins it,
// joined by NUL bytes (contract: payload rules, runId). A run that is moved
// keeps the id of where it began.
func RunID(planDigest, worktree, branch, mergeBase string, createdAt Instant) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{planDigest, worktree, branch, mergeBase, string(createdAt)}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// DispatchKey returns the key of a dispatch. The round is written for a role
// that has rounds and for no other (contract: payload rules, roles in keys).
func DispatchKey(runID string, task int, role tier.Role, attempt, round int) string {
	key := fmt.Sprintf("%s:task-%d:%s:attempt-%d", runID, task, role, attempt)
	if role.HasRounds() {
		key += fmt.Sprintf(":round-%d", round)
	}
	return key
}

// attemptsKey returns the name under which a state counts the attempts of a
// role, for a fixer in one round.
func attemptsKey(task int, role tier.Role, round int) string {
	key := fmt.Sprintf("task-%d:%s", task, role)
	if role.HasRounds() {
		key += fmt.Sprintf(":round-%d", round)
	}
	return key
}

// NextAttempt returns the number that the next dispatch of a role must have, 1
// being the first. The round matters for a fixer alone.
func NextAttempt(v View, role tier.Role, task, round int) int {
	return v.Attempts[attemptsKey(task, role, round)] + 1
}

// ArtifactDir returns the folder of a ledger's tree that holds what belongs to
// a task, or to the final loop for a final role.
func ArtifactDir(task int, role tier.Role) string {
	if role.IsFinal() {
		return "artifacts/final"
	}
	return fmt.Sprintf("artifacts/task-%d", task)
}

// ArtifactStem returns the path that all artifacts of one dispatch begin with,
// such as "artifacts/task-1/fixer-1-r2"; what follows is ".prompt.md" and the
// like.
func ArtifactStem(task int, role tier.Role, attempt, round int) string {
	stem := fmt.Sprintf("%s/%s-%d", ArtifactDir(task, role), role, attempt)
	if role.HasRounds() {
		stem += fmt.Sprintf("-r%d", round)
	}
	return stem
}

// ProofPath returns where the output of a negative control is stored: that of
// the gate on the head or, for side "control", on what it should refuse. The
// revision is the one that records the proof.
func ProofPath(v View, revision int, gate, side string) string {
	dir := "artifacts/final"
	if task := v.scope(); task != finalScope {
		dir = fmt.Sprintf("artifacts/task-%d", task)
	}
	return fmt.Sprintf("%s/proof-%d-%s-%s.txt", dir, revision, gate, side)
}

// What follows the stem of a dispatch, for what the machine itself refers to.
const (
	promptSuffix    = ".prompt.md"
	bootstrapSuffix = ".bootstrap.txt"
	reportSuffix    = ".report.md"
)

// refTo returns the reference to text that is stored at a path of the tree.
func refTo(path, text string) BlobRef {
	sum := sha256.Sum256([]byte(text))
	return BlobRef{Path: path, Bytes: len(text), SHA256: hex.EncodeToString(sum[:])}
}
