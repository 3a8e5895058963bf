package prompt

import (
	"bytes"
	"fmt"
	"strings"
)

// gates writes what git-sdd saw of each gate.
func (d *document) gates(in PackageInput) {
	if len(in.Gates) == 0 {
		return
	}
	d.heading(2, "Gates")
	d.line("Run by git-sdd in a clean checkout of the head, without a shell. There is no need to run them again.")
	d.line("A proof is a negative control: a gate that discriminates passed on a head and failed on what it should refuse.")
	for _, g := range in.Gates {
		d.gate(g)
	}
}

func (d *document) gate(g GateResult) {
	d.heading(3, "%s: %s", g.Name, g.Outcome)
	var words []string
	for _, w := range g.Command {
		words = append(words, fmt.Sprintf("%q", w))
	}
	d.item("command", "["+strings.Join(words, ", ")+"]")
	d.item("on", "commit "+g.Commit+", tree "+g.Tree)
	d.line("- result: %s, %s, in %s", g.Exit, counted(g.Runs, "run"), g.Seconds)
	d.item("output", g.Output)
	d.item("proof", g.Proof)
	if g.Outcome == "flaky" {
		d.line("- flaky: it answered differently when it was run again on the same commit")
	}
	for _, left := range g.Left {
		d.line("- %s", left)
	}
	if g.Tail != "" {
		d.WriteByte('\n')
		d.block("text", lastOf(g.Tail, maxQuoted))
	}
}

// lastOf is the end of a text, at most n bytes of it, as valid UTF-8.
func lastOf(text string, n int) string {
	if len(text) > n {
		text = "[…]\n" + text[len(text)-n:]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// guards writes which files that gates rely on are not those of the merge base.
func (d *document) guards(all []GuardChange) {
	if len(all) == 0 {
		return
	}
	d.heading(2, "Changed files that gates rely on")
	d.line("Compared with the merge base. Who is checked should not write the check unseen.")
	d.WriteByte('\n')
	for _, g := range all {
		was := ""
		if g.Was != "" && g.Was != g.Path {
			was = " (was " + pathName(g.Was) + ")"
		}
		content := "now " + g.Content
		if strings.Trim(g.Content, "0") == "" {
			content = "now gone"
		}
		if g.Mode != "" {
			content += ", mode " + g.Mode
		}
		fmt.Fprintf(d, "- %s%s, guard of %s, %s: %s\n", pathName(g.Path), was, g.Gates, content, oneLine(g.State))
	}
}

// files writes every changed path with its lines, then the deletions and what
// lies outside again by themselves: they are what is overlooked.
func (d *document) files(in PackageInput) {
	d.heading(2, "Files")
	if len(in.Files) == 0 {
		d.line("No change.")
	}
	if in.Partial {
		d.line("There were too many candidates to look for every rename: some stand as a deletion and an addition.")
		d.WriteByte('\n')
	}
	var files, deleted []string
	for _, f := range in.Files {
		files = append(files, f.text())
		if f.Status == 'D' {
			deleted = append(deleted, f.deleted(in.Scope != nil))
		}
	}
	d.entries(files, len(files))
	if len(deleted) > 0 {
		d.heading(2, "Deleted: %d", len(deleted))
		d.entries(deleted, len(deleted))
	}
	d.pathList("Outside the named files and the locations of findings", in.Outside)
	d.pathList("Paths that belong to this work", in.Scope)
}

// text is the file on one line.
func (f PackageFile) text() string {
	text := pathName(f.Path)
	if f.Was != "" && f.Was != f.Path {
		text = pathName(f.Was) + " -> " + text
	}
	lines := fmt.Sprintf("+%d -%d", f.Added, f.Removed)
	if f.Binary {
		lines = "binary, " + f.Sizes
	}
	if f.Mode != "" {
		lines += ", mode " + f.Mode
	}
	return fmt.Sprintf("%c %s (%s)", f.Status, text, lines)
}

// deleted says of a file that is gone whether the work was about it.
func (f PackageFile) deleted(scoped bool) string {
	if scoped && !f.Within {
		return pathName(f.Path) + " (nobody named it)"
	}
	return pathName(f.Path)
}

// raw writes bytes as they are inside a fence that they cannot close.
func (d *document) raw(language string, data []byte) {
	longest, run := 0, 0
	for _, c := range data {
		if c != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	fmt.Fprintf(d, "%s%s\n", fence, language)
	d.Write(data)
	if !bytes.HasSuffix(data, []byte("\n")) {
		d.WriteByte('\n')
	}
	fmt.Fprintf(d, "%s\n", fence)
}
