// Package argv reads commands without running a shell: a command string as people
// write it in plans, turned into an argument vector or refused by name, and the
// files that a command relies on to say what it says.
package argv

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A RefusedError says what of a command string takes a shell to mean something.
type RefusedError struct {
	What   string // "a pipe (|)"
	Repair string // a command that says it with a shell; "" where that would say nothing
}

// Error states the fact.
func (e *RefusedError) Error() string {
	return "without a shell, " + e.What + " means nothing"
}

// Parse turns a command string into an argument vector: one simple command of
// literal and quoted words, what stands in quotes taken as it is. Everything that
// a shell would do something about is a [*RefusedError]: libraries that only split
// words pass operators on, or cut them off, without a word.
func Parse(command string) ([]string, error) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(command), "")
	if err != nil {
		return nil, &RefusedError{What: "text that no shell can read (" + reason(err) + ")"}
	}
	what := ""
	var words []string
	switch {
	case len(file.Stmts) == 0: // a shell would call that a success
		return nil, &RefusedError{What: "a command without words"}
	case len(file.Stmts) > 1:
		what = "a list of commands (; or a line end)"
	case len(file.Last) > 0 || len(file.Stmts[0].Comments) > 0:
		what = "a comment (#)"
	default:
		words, what = statement(file.Stmts[0])
	}
	if strings.ContainsRune(command, 0) {
		return nil, &RefusedError{What: "a NUL byte"}
	}
	if what != "" {
		return nil, refuse(command, what)
	}
	return words, nil
}

func refuse(command, what string) error {
	return &RefusedError{What: what, Repair: "bash -lc " + Quote(command)}
}

// ByShell is the vector that has a shell carry a command out.
func ByShell(command string) []string { return []string{"bash", "-lc", command} }

// reason is what the parser says, without the place.
func reason(err error) string {
	text := err.Error()
	if _, after, ok := strings.Cut(text, ": "); ok {
		text = after
	}
	return text
}

// statement returns the words of a statement, or what it is that is no word.
func statement(s *syntax.Stmt) (words []string, what string) {
	switch {
	case s.Background:
		return nil, "a command in the background (&)"
	case s.Coprocess:
		return nil, "a coprocess (|&)"
	case s.Negated:
		return nil, "a negation (!)"
	case len(s.Redirs) > 0:
		return nil, fmt.Sprintf("a redirection (%s)", s.Redirs[0].Op)
	case s.Semicolon.IsValid():
		return nil, "a list of commands (;)"
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return nil, construct(s.Cmd)
	}
	if len(call.Assigns) > 0 {
		return nil, "an assignment (" + call.Assigns[0].Name.Value + "=)"
	}
	for _, w := range call.Args {
		text, what := word(w)
		if what != "" {
			return nil, what
		}
		words = append(words, text)
	}
	if words[0] == "" {
		return nil, "an empty word as the program"
	}
	return words, ""
}

// construct names a command that is not a simple one.
func construct(c syntax.Command) string {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			return fmt.Sprintf("a pipe (%s)", c.Op)
		}
		return fmt.Sprintf("a list of commands (%s)", c.Op)
	case *syntax.Subshell:
		return "a subshell (())"
	case *syntax.Block:
		return "a block ({})"
	}
	name := strings.TrimPrefix(fmt.Sprintf("%T", c), "*syntax.")
	return "a construct of the shell (" + strings.TrimSuffix(name, "Clause") + ")"
}

// word returns the text of a word, or what in it only a shell would replace.
func word(w *syntax.Word) (text, what string) {
	var b, bare strings.Builder
	for i, part := range w.Parts {
		plain, open, what := "", "", ""
		switch p := part.(type) {
		case *syntax.Lit:
			plain, open, what = literal(p.Value, i == 0)
		case *syntax.SglQuoted:
			if plain = p.Value; p.Dollar {
				what = "quoting with a dollar ($'')"
			}
		case *syntax.DblQuoted:
			plain, what = quoted(p)
		default:
			what = expansion(part)
		}
		if what != "" {
			return "", what
		}
		if open == "" {
			open = closed
		}
		b.WriteString(plain)
		bare.WriteString(open)
	}
	return b.String(), replaced(bare.String())
}

// closed stands in a word for whatever quotes or a backslash keep from a shell.
const closed = "\x00"

// literal takes a bare text: a backslash takes the next character as it is, and
// characters that a shell would expand by themselves are refused. Open is the text
// as a shell looks at it.
func literal(value string, first bool) (text, open, what string) {
	var b, o strings.Builder
	escaped := false
	for i, c := range value {
		switch {
		case escaped && c == '\n': // a line that goes on
			escaped = false
		case escaped:
			b.WriteRune(c)
			o.WriteString(closed)
			escaped = false
		case c == '\\':
			escaped = true
		case strings.ContainsRune("*?[", c):
			return "", "", fmt.Sprintf("a pattern (%c)", c)
		case c == '~' && i == 0 && first:
			return "", "", homeFolder
		case c == '\'' || c == '"':
			return "", "", "a quote that is not closed"
		default:
			b.WriteRune(c)
			o.WriteRune(c)
		}
	}
	if escaped {
		return "", "", "a backslash at the end"
	}
	return b.String(), o.String(), ""
}

const homeFolder = "a home folder (~)"

// replaced says what of a whole word a shell would replace, quotes in it or not:
// alternatives in braces, and the home folder in what looks like an assignment.
func replaced(bare string) (what string) {
	if _, in, ok := strings.Cut(bare, "{"); ok && strings.Contains(in, "}") && (strings.Contains(in, ",") || strings.Contains(in, "..")) {
		return "a brace expansion ({})"
	}
	name, value, ok := strings.Cut(bare, "=")
	if ok && syntax.ValidName(strings.TrimSuffix(name, "+")) && (strings.HasPrefix(value, "~") || strings.Contains(value, ":~")) {
		return homeFolder
	}
	return ""
}

// quoted takes the text between double quotes, where a backslash takes only some
// characters as they are.
func quoted(p *syntax.DblQuoted) (text, what string) {
	if p.Dollar {
		return "", `quoting with a dollar ($"")`
	}
	var b strings.Builder
	for _, part := range p.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return "", expansion(part)
		}
		value := lit.Value
		for i := 0; i < len(value); i++ {
			if value[i] == '\\' && i+1 < len(value) && strings.IndexByte("$`\"\\\n", value[i+1]) >= 0 {
				i++
				if value[i] == '\n' {
					continue
				}
			}
			b.WriteByte(value[i])
		}
	}
	return b.String(), ""
}

// expansion names what a shell would put something else for.
func expansion(part syntax.WordPart) string {
	switch p := part.(type) {
	case *syntax.ParamExp:
		return "a variable ($)"
	case *syntax.CmdSubst:
		if p.Backquotes {
			return "a command substitution (``)"
		}
		return "a command substitution ($())"
	case *syntax.ArithmExp:
		return "an arithmetic expansion ($(()))"
	case *syntax.ProcSubst:
		return fmt.Sprintf("a process substitution (%s))", p.Op)
	case *syntax.ExtGlob:
		return "a pattern (" + p.Op.String() + ")"
	}
	return "an expansion"
}

// Quote writes a text as one word of a shell.
func Quote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
