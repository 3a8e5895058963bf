package ledger

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The forms as expressions, which is how the format states them.
var forms = []struct {
	name string
	want *regexp.Regexp
	got  func(string) bool
}{
	{"token", regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`), func(s string) bool { return isName(s, maxToken) }},
	{"name", regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`), func(s string) bool { return isName(s, maxName) }},
	{"task", regexp.MustCompile(`^(?:[1-9][0-9]{0,2}|final)$`), isTask},
	{"nonce", regexp.MustCompile(`^[0-9a-f]{32}$`), isNonce},
}

// Each form takes what its expression takes, above all at its bounds.
func TestForms(t *testing.T) {
	texts := []string{"", "a", "Z9", ".a", "-a", "a.b_c-d", "a b", "ä", "a\n", "final", "Final", "finals", "0", "1", "01", "999", "1000", "1a", "a1"}
	for _, n := range []int{31, 32, 33, 63, 64, 65, 199, 200, 201} {
		texts = append(texts, strings.Repeat("a", n), strings.Repeat("0", n), strings.Repeat("g", n), strings.Repeat("A", n), strings.Repeat("a", n-1)+"/")
	}
	for _, form := range forms {
		taken := 0
		for _, s := range texts {
			if got, want := form.got(s), form.want.MatchString(s); got != want {
				t.Errorf("%s %q: %v, want %v", form.name, s, got, want)
			} else if got {
				taken++
			}
		}
		if taken == 0 || taken == len(texts) {
			t.Errorf("%s: the texts do not test it", form.name)
		}
	}
}

// And for texts that nobody thought of.
func TestFormsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9._/ \n-]{0,210}`), rapid.StringMatching(`[0-9a-g]{30,34}|[0-9]{0,4}`)).Draw(t, "text")
		for _, form := range forms {
			if got, want := form.got(s), form.want.MatchString(s); got != want {
				t.Errorf("%s %q: %v, want %v", form.name, s, got, want)
			}
		}
	})
}
