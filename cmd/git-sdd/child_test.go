package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A handed is what a child knows of its dispatch: the answer of `next`, and the
// dispatch context of its prompt.
type handed struct {
	Action   string
	Role     string
	Report   string
	Commands [][]string
	Prompt   struct{ Path string }

	prompt  []byte
	context map[string]string
}

// childMain plays the child that a run waits for: it does its work, commits for
// real, and writes its report where the prompt says. It reads `next --json` and
// its prompt, as any agent could.
//
//	child done FILE...                  implementer, fixer: a commit that adds a line to each file
//	child concerns KIND NOTE FILE...    the same with a concern
//	child empty                         DONE without a commit
//	child context WHAT WHY              NEEDS_CONTEXT
//	child blocked REASON                BLOCKED
//	child pass [VERDICT...]             a review that approves
//	child fail [VERDICT...] FINDING...  a review that does not
//
// With CHILD_REPORT set the report goes there instead.
//
// A VERDICT is "ID=VERDICT"; every finding that is asked for and not named is
// RESOLVED. A FINDING is "SEVERITY FILE[:LINE] TEXT" in one word of the script.
func childMain(args []string) error {
	if len(args) == 0 {
		return errors.New("usage: child done|concerns|empty|context|blocked|pass|fail ...")
	}
	h, err := readHanded()
	if err != nil {
		return err
	}
	write, known := reports[args[0]]
	if !known {
		return fmt.Errorf("child: no such report: %s", args[0])
	}
	body, err := write(h, args[1:])
	if err != nil {
		return err
	}
	text := fmt.Sprintf("PROMPT: %x\n%s", sha256.Sum256(h.prompt), body)
	if elsewhere := os.Getenv("CHILD_REPORT"); elsewhere != "" {
		return os.WriteFile(elsewhere, []byte(text), 0o644)
	}
	return os.WriteFile(h.Report, []byte(text), 0o644)
}

var reports = map[string]func(handed, []string) (string, error){
	"done": func(h handed, files []string) (string, error) {
		return h.work("DONE", files, "")
	},
	"concerns": func(h handed, args []string) (string, error) {
		return h.work("DONE_WITH_CONCERNS", args[2:], "CONCERNS:\n- kind: "+args[0]+"\n  note: "+args[1]+"\n")
	},
	"empty": func(h handed, _ []string) (string, error) {
		return "STATUS: DONE\nCHANGES:\n- README: nothing had to change\nTESTS:\n- true: passed\n", nil
	},
	"context": func(_ handed, args []string) (string, error) {
		return "STATUS: NEEDS_CONTEXT\nMISSING:\n- what: " + args[0] + "\n  why: " + args[1] + "\n", nil
	},
	"blocked": func(_ handed, args []string) (string, error) {
		return "STATUS: BLOCKED\nREASON: " + args[0] + "\n", nil
	},
	"pass": func(h handed, args []string) (string, error) {
		return h.review("SPEC: PASS\nQUALITY: APPROVED\n", args)
	},
	"fail": func(h handed, args []string) (string, error) {
		return h.review("SPEC: PASS\nQUALITY: CHANGES_REQUESTED\n", args)
	},
}

// readHanded asks git-sdd what waits and reads the prompt that goes with it.
func readHanded() (handed, error) {
	var h handed
	out, err := output("git-sdd", "next", "--json")
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(out, &h); err != nil {
		return h, err
	}
	if h.Report == "" {
		return h, fmt.Errorf("child: nothing was handed out, next says %q", h.Action)
	}
	if h.prompt, err = h.readPrompt(); err != nil {
		return h, err
	}
	h.context = contextOf(string(h.prompt))
	return h, nil
}

// readPrompt reads the prompt's file, or where somebody cleaned it away the same
// bytes from the ledger.
func (h handed) readPrompt() ([]byte, error) {
	path := h.Prompt.Path
	if path == "" {
		path = strings.TrimSuffix(h.Report, ".report.md") + ".prompt.md"
	}
	data, err := os.ReadFile(path)
	if !os.IsNotExist(err) {
		return data, err
	}
	folder, name := filepath.Split(path)
	return output("git-sdd", "show", "@:artifacts/"+filepath.Base(folder)+"/"+name)
}

// contextOf reads the lines "- key: value" below the heading that names them.
func contextOf(prompt string) map[string]string {
	found := map[string]string{}
	_, after, _ := strings.Cut(prompt, "Dispatch Context\n")
	for line := range strings.SplitSeq(after, "\n") {
		if strings.HasPrefix(line, "#") {
			break
		}
		if key, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ": "); ok {
			found[key] = value
		}
	}
	return found
}

// work adds a line to each file, commits, and reports it.
func (h handed) work(status string, files []string, rest string) (string, error) {
	if len(files) == 0 {
		return "", errors.New("child: name a file to work on")
	}
	top := h.context["worktree"]
	changes := ""
	for _, name := range files {
		path := filepath.Join(top, name)
		old, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			return "", err
		}
		line := fmt.Sprintf("%s, task %s, round %s\n", h.Role, h.context["task"], h.context["round"])
		if err := os.WriteFile(path, append(old, line...), 0o644); err != nil {
			return "", err
		}
		changes += "- " + name + ": one line more, as the brief asks\n"
	}
	if err := h.git(append([]string{"add", "--"}, files...)...); err != nil {
		return "", err
	}
	if err := h.git("commit", "--quiet", "--message", "task "+h.context["task"]+": "+strings.Join(files, ", ")); err != nil {
		return "", err
	}
	head, err := output("git", "-C", top, "rev-parse", "HEAD")
	if err != nil {
		return "", err
	}
	return "STATUS: " + status + "\nCHANGES:\n" + changes + "TESTS:\n- true: passed\n" + rest + "COMMIT: " + string(head), nil
}

func (h handed) git(args ...string) error {
	_, err := output("git", append([]string{"-C", h.context["worktree"]}, args...)...)
	return err
}

// review writes both axes, a verdict on every finding that is asked for, the
// new findings, and for a final review the reconciliation of the ledger.
func (h handed) review(axes string, args []string) (string, error) {
	verdicts, findings := map[string]string{}, []string{}
	for _, arg := range args {
		if id, verdict, ok := strings.Cut(arg, "="); ok && !strings.Contains(arg, " ") {
			verdicts[id] = verdict
		} else {
			findings = append(findings, arg)
		}
	}
	var b strings.Builder
	b.WriteString(axes)
	h.verdicts(&b, verdicts)
	if err := h.findings(&b, findings); err != nil {
		return "", err
	}
	if h.Role == "final" {
		if err := reconcile(&b); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func (h handed) verdicts(b *strings.Builder, verdicts map[string]string) {
	asked := strings.FieldsFunc(h.context["findingIds"], func(r rune) bool { return r == ',' || r == ' ' })
	if len(asked) == 0 {
		return
	}
	b.WriteString("VERDICTS:\n")
	for _, id := range asked {
		verdict := verdicts[id]
		if verdict == "" {
			verdict = "RESOLVED"
		}
		fmt.Fprintf(b, "- id: %s\n  verdict: %s\n  location: none\n  evidence: looked at the range\n", id, verdict)
	}
}

func (h handed) findings(b *strings.Builder, findings []string) error {
	if len(findings) == 0 {
		b.WriteString("FINDINGS: none\n")
		return nil
	}
	next := 1
	if _, err := fmt.Sscanf(h.context["nextFinding"], "F-%d", &next); err != nil {
		return fmt.Errorf("child: nextFinding is %q: %w", h.context["nextFinding"], err)
	}
	b.WriteString("FINDINGS:\n")
	for i, finding := range findings {
		words := strings.SplitN(finding, " ", 3)
		if len(words) != 3 {
			return fmt.Errorf("child: a finding is \"SEVERITY FILE TEXT\", not %q", finding)
		}
		loadBearing := "yes"
		if words[0] == "Minor" {
			loadBearing = "no"
		}
		fmt.Fprintf(b, "- id: F-%d\n  severity: %s\n  loadBearing: %s\n  location: %s\n  evidence: %s\n  impact: it misleads\n  correction: correct it\n",
			next+i, words[0], loadBearing, words[1], words[2])
	}
	return nil
}

// reconcile names every finding that was adjudicated, none of them still there.
func reconcile(b *strings.Builder) error {
	out, err := output("git-sdd", "status", "--json")
	if err != nil {
		return err
	}
	var s struct {
		Findings []struct{ ID, Disposition string }
	}
	if err := json.Unmarshal(out, &s); err != nil {
		return err
	}
	lines := []string{}
	for _, f := range s.Findings {
		if f.Disposition != "open" {
			lines = append(lines, "- id: "+f.ID+"\n  recordedDisposition: "+f.Disposition+"\n  stillPresent: no\n  note: looked at the head\n")
		}
	}
	if len(lines) == 0 {
		b.WriteString("LEDGER RECONCILIATION: none\n")
		return nil
	}
	b.WriteString("LEDGER RECONCILIATION:\n" + strings.Join(lines, ""))
	return nil
}

// output runs a program and gives its standard output; what it says on standard
// error passes through.
func output(program string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, out)
	}
	return out, nil
}

// turnMain is one round of the loop by hand commands: dispatch, started, the
// child's work, report. Its arguments are those of child; what report prints is
// what it prints.
func turnMain(args []string) error {
	if _, err := output("git-sdd", "dispatch", "--json"); err != nil {
		return err
	}
	if err := startSession(); err != nil {
		return err
	}
	if err := childMain(args); err != nil {
		return err
	}
	out, err := output("git-sdd", "report")
	os.Stdout.Write(out)
	return err
}

// startSession records a session whose id no other child of the run has.
func startSession() error {
	out, err := output("git-sdd", "next", "--json")
	if err != nil {
		return err
	}
	var n struct{ Revision int }
	if err := json.Unmarshal(out, &n); err != nil {
		return err
	}
	_, err = output("git-sdd", "started", "--session", fmt.Sprintf("session-%d", n.Revision))
	return err
}

// driveMain carries a run to COMPLETE knowing nothing but `next --json` and the
// grammar of reports: every worker is DONE with a commit, every reviewer
// approves. Its arguments are the files that workers write to.
func driveMain(files []string) error {
	if len(files) == 0 {
		files = []string{"work.txt"}
	}
	for range 10_000 {
		out, err := output("git-sdd", "next", "--json")
		if err != nil {
			return err
		}
		var h handed
		if err := json.Unmarshal(out, &h); err != nil {
			return err
		}
		if err := driveOn(h, files); err != nil || h.Action == "done" {
			return err
		}
	}
	return errors.New("drive: the run does not end")
}

func driveOn(h handed, files []string) error {
	switch h.Action {
	case "dispatch", "advance":
		_, err := output(h.Commands[0][0], h.Commands[0][1:]...)
		return err
	case "spawn":
		return startSession()
	case "await":
		as := append([]string{"done"}, files...)
		if slices.Contains([]string{"task-reviewer", "re-reviewer", "final", "final-re-reviewer"}, h.Role) {
			as = []string{"pass"}
		}
		if err := childMain(as); err != nil {
			return err
		}
		_, err := output("git-sdd", "report")
		return err
	case "done":
		return nil
	}
	return fmt.Errorf("drive: the run waits for %q", h.Action)
}
