package prompt

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// A BootstrapInput names a stored prompt and the place of its report.
type BootstrapInput struct {
	Tier         tier.Tier
	PromptPath   string // absolute
	PromptSHA256 string // lowercase hex
	PromptBlob   string // object name of the same bytes in the repository
	PromptBytes  int
	ReportPath   string // absolute
}

// Bootstrap returns the few lines that a controller passes to a new child in
// place of the prompt. A prompt retyped through a controller arrives changed; a
// path, a size and a digest survive. It ends with a newline, so that a line
// about a relocation can follow.
func Bootstrap(b BootstrapInput) string {
	var s strings.Builder
	fmt.Fprintf(&s, "Model tier: %s\n\n", b.Tier)
	s.WriteString("Your instructions are one file. Before you do anything else, check its size and SHA-256, read all of it, and follow it.\n\n")
	fmt.Fprintf(&s, "prompt: %s\n", visible(b.PromptPath))
	fmt.Fprintf(&s, "bytes: %d\n", b.PromptBytes)
	fmt.Fprintf(&s, "sha256: %s\n", visible(b.PromptSHA256))
	fmt.Fprintf(&s, "blob: %s\n", visible(b.PromptBlob))
	fmt.Fprintf(&s, "report: %s\n\n", visible(b.ReportPath))
	fmt.Fprintf(&s, "If the file is missing or does not match, the same bytes are in Git: git cat-file blob %s\n", visible(b.PromptBlob))
	s.WriteString("If that fails or does not match either, change nothing, write no report, and stop.\n")
	s.WriteString("Begin the report with the line \"PROMPT: <sha256>\", the SHA-256 of the bytes that you read.\n")
	return s.String()
}

// visible returns s as it is, or quoted where it would not stay on its line.
func visible(s string) string {
	if strings.ContainsFunc(s, isControl) {
		return strconv.Quote(s)
	}
	return s
}
