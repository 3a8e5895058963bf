package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

var update = flag.Bool("update", false, "write what is derived from the code")

// TestReadme holds the tables of the README to the code that they describe.
func TestReadme(t *testing.T) {
	path := filepath.Join("..", "..", "README.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := string(data)
	for section, table := range map[string]string{
		"commands":   commandTable(commands(&console{}), ""),
		"exit codes": exitCodes(),
	} {
		want = replaceSection(t, want, section, table)
	}
	if diff := cmp.Diff(want, string(data)); diff != "" {
		if !*update {
			t.Fatalf("README.md is stale; run: go generate ./internal/cli\n%s", diff)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func replaceSection(t *testing.T, text, section, table string) string {
	t.Helper()
	begin := "<!-- " + section + ": written by go generate ./internal/cli -->\n"
	before, rest, ok := strings.Cut(text, begin)
	_, after, closed := strings.Cut(rest, "<!-- end -->")
	if !ok || !closed {
		t.Fatalf("README.md has no section %q", section)
	}
	return before + begin + table + "<!-- end -->" + after
}

func commandTable(list []*cli.Command, before string) string {
	var b strings.Builder
	if before == "" {
		b.WriteString("| command | does |\n| --- | --- |\n")
	}
	for _, c := range list {
		if len(c.Subcommands) > 0 {
			b.WriteString(commandTable(c.Subcommands, c.Name+" "))
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(usageLine(c, strings.Fields(before+c.Name)), "|", `\|`), c.Usage)
	}
	return b.String()
}
