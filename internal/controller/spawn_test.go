package controller

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/prompt"
)

// A first line that names another tier is found however it is spelled, and one
// that names none is nobody's business (contract: tier binding).
func TestSpawnTier(t *testing.T) {
	for text, code := range map[string]string{
		"Model tier: standard\n\ndo":           "",
		"Model tier: standard\r\n\r\ndo":       "",
		"do\nModel tier: frontier\n":           "",
		"Models and tiers: frontier\n":         "",
		"Model tier: frontier\n":               "tier-mismatch",
		"Model tier: Standard\n":               "tier-mismatch",
		"Model tier:\n":                        "tier-mismatch",
		"Model tier: standard, or so\n":        "tier-mismatch",
		"\ufeff\n\n  MODEL  TIER : fast\n":     "tier-mismatch",
		" \n\t":                                "prompt-missing",
		"":                                     "prompt-missing",
		strings.Repeat("x", prompt.MaxBytes):   "",
		strings.Repeat("x", prompt.MaxBytes+1): "prompt-size",
	} {
		tr, err := spawnTier(SpawnOptions{Prompt: []byte(text), Tier: "standard"})
		got := ""
		if err != nil {
			got = fault.Of(err).Code()
		}
		if got != code || (err == nil) != (tr.String() == "standard") {
			t.Errorf("%.40q: code %q, want %q; %v", text, got, code, err)
		}
	}
	for given, code := range map[string]string{"": "tier-missing", "Standard": "tier-unknown", "medium": "tier-unknown"} {
		if _, err := spawnTier(SpawnOptions{Prompt: []byte("x"), Tier: given}); err == nil || fault.Of(err).Code() != code {
			t.Errorf("tier %q: %v, want %q", given, err, code)
		}
	}
}

// What an argument can hold is given as it is; anything else by its path.
func TestSpawnBootstrap(t *testing.T) {
	for text, whole := range map[string]bool{
		"do it\n":                                 true,
		strings.Repeat("x", config.MaxArgument):   true,
		strings.Repeat("x", config.MaxArgument+1): false,
		"a\x00b": false,
	} {
		got := spawnBootstrap("fast", "/p", []byte(text))
		if whole != (got == text) || !whole && (!strings.HasPrefix(got, "Model tier: fast\n") || !strings.Contains(got, "/p")) {
			t.Errorf("%.20q: %.80q", text, got)
		}
	}
}
