package plan

import (
	_ "embed"
	"strings"
)

//go:embed skeleton.md
var skeleton string

// Skeleton returns a plan to start from: it is accepted as it is, says what each
// tier is for, and holds every part that a plan may have.
func Skeleton() []byte {
	return []byte(strings.Replace(skeleton, "{guidance}\n", Guidance("  "), 1))
}
