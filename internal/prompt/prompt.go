// Package prompt turns facts about a run into the exact bytes that a child is
// given: its prompt, the bootstrap that names the prompt, and the text files
// that lie beside it (the final brief, a fixer's context, findings, answers).
//
// Everything here is a function of its arguments. A prompt is rendered once,
// stored with the dispatch intent and handed out from there: rendering it again
// to recover could give a child other bytes than the recorded ones (contract:
// recovery inputs).
package prompt

import (
	"bytes"
	"fmt"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// MaxBytes bounds a rendered prompt (contract: payload rules, bounds).
const MaxBytes = 384 << 10

// Render returns the prompt of a role: the tier line, the role contract, the
// dispatch context and the return channel, in this order and always as the same
// bytes for the same arguments.
//
// The tier line only echoes the tier of the dispatch and selects nothing.
// Whether the tier is the one that the role's formula yields is the machine's
// check, not this one's.
//
// It is an error when the role or tier does not exist, a field that the role
// needs is missing, a value could be read as something else than one line of
// data, or the result would exceed [MaxBytes].
func Render(role tier.Role, t tier.Tier, c Context) ([]byte, error) {
	text, err := textOf(role)
	if err != nil {
		return nil, err
	}
	if _, err := tier.Parse(t.String()); err != nil {
		return nil, err
	}
	lines, err := c.lines(role, text.must)
	if err != nil {
		return nil, fmt.Errorf("prompt of role %s: %w", role, err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "Model tier: %s\n\n%s\n## Dispatch Context\n\n%s\n%s", t, text.contract, lines, text.channel)
	if b.Len() > MaxBytes {
		return nil, fmt.Errorf("prompt of role %s has %d bytes, the limit is %d", role, b.Len(), MaxBytes)
	}
	return b.Bytes(), nil
}
