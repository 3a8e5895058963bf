package prompt

import (
	"crypto/sha256"
	_ "embed" // the contracts are files, so that they can be read and reviewed as text
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

var (
	//go:embed contracts/implementer.md
	implementer string
	//go:embed contracts/task-reviewer.md
	taskReviewer string
	//go:embed contracts/fixer.md
	fixer string
	//go:embed contracts/re-reviewer.md
	reReviewer string
	//go:embed contracts/final-reviewer.md
	finalReviewer string
	//go:embed contracts/final-fixer.md
	finalFixer string
	//go:embed contracts/final-re-reviewer.md
	finalReReviewer string

	//go:embed contracts/return-work.md
	returnWork string
	//go:embed contracts/return-review.md
	returnReview string
)

// A roleText is what is fixed about a role's prompt: its contract, the return
// channel, and the keys of the dispatch context without which the contract
// could not be followed.
type roleText struct {
	contract, channel string
	must              []string
}

var roleTexts = [...]roleText{
	tier.Implementer:     {implementer, returnWork, []string{"worktree", "runRoot", "task", "baseSha", "briefPath", "reportPath"}},
	tier.TaskReviewer:    {taskReviewer, returnReview, []string{"worktree", "runRoot", "task", "baseSha", "headSha", "briefPath", "reportPath", "nextFinding"}},
	tier.Fixer:           {fixer, returnWork, []string{"worktree", "runRoot", "task", "round", "baseSha", "headSha", "briefPath", "contextPath", "reportPath"}},
	tier.ReReviewer:      {reReviewer, returnReview, []string{"worktree", "runRoot", "task", "baseSha", "headSha", "briefPath", "reportPath", "nextFinding"}},
	tier.Final:           {finalReviewer, returnReview, []string{"worktree", "runRoot", "task", "baseSha", "headSha", "briefPath", "reportPath", "findingPackagePath", "nextFinding"}},
	tier.FinalFixer:      {finalFixer, returnWork, []string{"worktree", "runRoot", "task", "baseSha", "headSha", "briefPath", "reportPath"}},
	tier.FinalReReviewer: {finalReReviewer, returnReview, []string{"worktree", "runRoot", "task", "baseSha", "headSha", "briefPath", "reportPath", "findingPackagePath", "nextFinding"}},
}

// renderForm is the number of the form into which contracts are put: of what
// [Render] and [Bootstrap] write around them, and of the words of the decisions
// that package judge composes. Who changes any of these raises it.
const renderForm = 1

func textOf(role tier.Role) (roleText, error) {
	if int(role) >= len(roleTexts) || roleTexts[role].contract == "" {
		return roleText{}, fmt.Errorf("%s has no contract", role)
	}
	return roleTexts[role], nil
}

// ContractsDigest returns the lowercase hex SHA-256 of everything that this
// program tells children whatever the run: for each role in [tier.Roles] order
// its contract and its return channel, each led by its length in bytes as eight
// bytes, most significant first, and last the number of the form in eight bytes.
// A run records it, so that it does not go on under other contracts unnoticed
// (contract: stored documents, tool), and so that who checks it later knows
// whether this program would have made the same prompts.
func ContractsDigest() string {
	var all []byte
	for _, role := range tier.Roles() {
		for _, text := range []string{roleTexts[role].contract, roleTexts[role].channel} {
			all = binary.BigEndian.AppendUint64(all, uint64(len(text)))
			all = append(all, text...)
		}
	}
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(all, renderForm))
	return hex.EncodeToString(sum[:])
}
