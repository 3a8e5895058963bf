package git

import (
	"os"
	"slices"
	"testing"
)

func TestConfig(t *testing.T) {
	f := newFixture(t)
	f.write("included", "[sdd]\n\tfromInclude = yes\n")
	f.git("config", "include.path", f.path("included"))
	f.git("config", "sdd.Multi", "one")
	f.git("config", "--add", "sdd.multi", "two\nlines")
	f.git("config", "sdd.Sub.Section.Key", "x=y")
	file, err := os.OpenFile(f.path(".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("[sdd]\n\tbare\n\tempty =\n"); err != nil {
		t.Fatal(err)
	}
	file.Close()
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "sdd.given")
	t.Setenv("GIT_CONFIG_VALUE_0", "by -c")
	c, err := f.open().Config()
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"sdd.fromInclude": "yes", "SDD.FROMINCLUDE": "yes", "sdd.multi": "two\nlines", "sdd.Sub.Section.key": "x=y",
		"sdd.bare": "true", "sdd.empty": "", "sdd.given": "by -c",
	} {
		if got, ok := c.Get(key); !ok || got != want {
			t.Errorf("%s = %q, %v, want %q", key, got, ok, want)
		}
	}
	for _, key := range []string{"sdd.none", "sdd.sub.section.key", "nothing"} {
		if got, ok := c.Get(key); ok {
			t.Errorf("%s = %q", key, got)
		}
	}
	if got := c.All("sdd.multi"); !slices.Equal(got, []string{"one", "two\nlines"}) {
		t.Errorf("All = %q", got)
	}
	if got, want := c.Keys("sdd."), []string{"sdd.frominclude", "sdd.multi", "sdd.Sub.Section.key", "sdd.bare", "sdd.empty", "sdd.given"}; !slices.Equal(got, want) {
		t.Errorf("Keys = %q, want %q", got, want)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add("a.b\nc\x00a.b\nd\x00x.y\x00")
	f.Add("\x00\x00\n")
	f.Fuzz(func(t *testing.T, output string) {
		c := parseConfig(output)
		for _, key := range c.Keys("") {
			if len(c.values[key]) == 0 {
				t.Errorf("%q has no value", key)
			}
		}
	})
}

func TestIdentity(t *testing.T) {
	for _, tt := range []struct {
		name        string
		config, env map[string]string
		want        string
	}{
		{"none", nil, nil, FallbackName + " <" + FallbackEmail + ">"},
		{"user", map[string]string{"user.name": "U", "user.email": "u@x"}, nil, "U <u@x>"},
		{"author", map[string]string{"user.name": "U", "user.email": "u@x", "author.name": "A", "author.email": "a@x"}, nil, "A <a@x>"},
		{"environment", map[string]string{"author.name": "A"}, map[string]string{"GIT_AUTHOR_NAME": "E", "EMAIL": "e@x"}, "E <e@x>"},
		{"only a name", map[string]string{"user.name": "U"}, nil, "U <" + FallbackEmail + ">"},
		{"crud", map[string]string{"user.name": " .<U>\n;, ", "user.email": "<u@x>"}, nil, "U <u@x>"},
		{"nothing but crud", map[string]string{"user.name": "<>", "user.email": " . "}, nil, FallbackName + " <" + FallbackEmail + ">"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.git("config", "--remove-section", "user")
			for key, value := range tt.config {
				f.git("config", key, value)
			}
			for key, value := range tt.env {
				t.Setenv(key, value)
			}
			name, email, err := f.open().Identity()
			if got := name + " <" + email + ">"; err != nil || got != tt.want {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
}

// What Identity answers can always stand in a commit.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"A B", " <x> ", "\x00a\n", "\xff\xfe", "...", "a\u2028b", "\u2000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cleaned := clean(s)
		if clean(cleaned) != cleaned {
			t.Errorf("%q is not clean after one cleaning", cleaned)
		}
		if cleaned == "" {
			return
		}
		line, err := encodeIdent(Ident{Name: cleaned, Email: cleaned, When: testTime})
		if err != nil {
			t.Fatal(err)
		}
		if name, email, _, err := parseIdent(line); err != nil || name != cleaned || email != cleaned {
			t.Errorf("%q came back as %q, %q, %v", cleaned, name, email, err)
		}
	})
}
