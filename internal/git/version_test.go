package git

import "testing"

func TestOlder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2.35.9", "2.36", true}, {"2.36", "2.36", false}, {"2.36.0", "2.36", false}, {"2.39.5 (Apple Git-154)", "2.36", false},
		{"2.9", "2.36", true}, {"3.0.rc1", "2.36", false}, {"2", "2.36", true}, {"1.99.9", "2.36", true}, {"next", "2.36", false},
	} {
		if got := older(c.a, c.b); got != c.want {
			t.Errorf("older(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
