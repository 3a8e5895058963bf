package controller

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/git-sdd/git-sdd/internal/agent"
	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// maxRepairs is how often a child is asked to correct its report.
const maxRepairs = 2

// repairs counts the repair calls of a session that were announced.
func repairs(all agent.Sessions, session string) (int, error) {
	for n := 0; ; n++ {
		_, err := all.Announced(repairName(session, n+1))
		if errors.Is(err, fs.ErrNotExist) {
			return n, nil
		}
		if err != nil {
			return n, sessionFault(err)
		}
	}
}

// refused asks the child's agent to correct a report that does not parse or that
// Git contradicts, with every defect. What it wrote is kept. After two calls a
// human looks at it.
func (d *driver) refused(ctx context.Context, r *run, rec agent.Record, in incoming, cause error) error {
	all := d.c.sessions()
	session := string(r.view.Dispatch.SessionID)
	n, err := repairs(all, session)
	if err != nil {
		return err
	}
	if err := all.KeepRefused(session, n+1, in.data); err != nil {
		return sessionFault(err)
	}
	if rec.End != nil && rec.End.Cause == agent.Interrupted && ctx.Err() != nil {
		return interrupted()
	}
	if n >= maxRepairs {
		return d.giveUp(context.WithoutCancel(ctx), r, rec, cause)
	}
	d.tally.repairs++
	d.opt.Watch(Progress{Kind: ProgressRepair, Text: firstDefect(cause), Child: ChildProgress{Role: spoken(r.role()), Task: r.view.Dispatch.Task, Attempt: n + 1}})
	return d.repair(ctx, r, n+1, cause)
}

// repair makes one repair call.
func (d *driver) repair(ctx context.Context, r *run, n int, cause error) error {
	work := context.WithoutCancel(ctx)
	l, err := r.launchOf(work, r.view.Dispatch.IntentRevision)
	if err != nil {
		return err
	}
	set, err := d.c.settings()
	if err != nil {
		return err
	}
	a, _ := set.Agent(l.role)
	text := repairText(l, cause, a.Report == config.ReportStdout)
	l.session = repairName(string(r.view.Dispatch.SessionID), n)
	l.bootstrap = text
	name := fmt.Sprintf("%s.repair-%d.md", r.stem(), n)
	w, err := r.workspace()
	if err != nil {
		return err
	}
	if err := w.Restore(name, []byte(text)); err != nil {
		return fault.New(fault.Invalid, "git sdd next", "%w", err)
	}
	ref := blobRef(name, []byte(text))
	l.promptPath, l.promptSHA, l.promptBytes = w.Path(name), ref.SHA256, ref.Bytes
	spec, err := d.announce(l)
	if err != nil {
		return err
	}
	crashPoint("drive: repair call announced, keeper not started")
	k, rec, err := d.start(work, r, spec)
	if err != nil {
		return err
	}
	crashPoint("drive: repair call started")
	if rec.End != nil && rec.End.Cause == agent.NotStarted {
		return fault.New(fault.Agent, "git sdd config list --show-origin, then git sdd run", "the %s was not called again: %s", spoken(r.role()), rec.End.Detail)
	}
	return d.watchOver(ctx, r, spec, rec, k)
}

// repairText is what a repair call is asked.
func repairText(l launch, cause error, marked bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Model tier: %s\n\n", l.tier)
	b.WriteString("Your work on the dispatch below has ended, and its report was not taken. Nothing is recorded yet.\n\n")
	for _, defect := range defectsOf(cause) {
		b.WriteString("- " + defect + "\n")
	}
	fmt.Fprintf(&b, "\nprompt: %s\nreport: %s\n\n", l.promptPath, l.report)
	b.WriteString("Correct what is named and nothing else: where the report is wrong, write the whole report anew, in the form that the\nprompt gives; where the repository says otherwise, set right what is missing there first, within the limits of the prompt.\nDo not begin the task again, and claim nothing that is not so. Leave out the line PROMPT, or let it name the prompt above.\n")
	if marked {
		b.WriteString(marksText + "\n")
	}
	return b.String()
}

func defectsOf(cause error) []string {
	f := fault.Of(cause)
	var all []string
	for _, d := range f.Defects() {
		text := d.Message
		if d.Location != "" {
			text = d.Location + ": " + text
		}
		if d.Repair != "" {
			text += " (" + d.Repair + ")"
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		all = append(all, f.Message())
	}
	return all
}

func firstDefect(cause error) string {
	all := defectsOf(cause)
	if len(all) > 1 {
		return fmt.Sprintf("%s, and %d more", all[0], len(all)-1)
	}
	return all[0]
}

// giveUp keeps every attempt in the ledger, once, and ends the drive.
func (d *driver) giveUp(ctx context.Context, r *run, rec agent.Record, cause error) error {
	s := step{event: machine.RecoveryRulingRecorded{
		Reason:  abbreviate(fmt.Sprintf("by git sdd run: the report of the %s was refused after %d repair calls: %s", spoken(r.role()), maxRepairs, firstDefect(cause))),
		Receipt: receiptOf(rec, ""),
	}}
	if err := d.attach(r, &s, rec); err != nil {
		return err
	}
	if len(s.files) > 0 {
		err := r.record(ctx, s)
		d.sync(r)
		if err != nil {
			return err
		}
	}
	return fault.New(fault.Waiting, fmt.Sprintf("correct %s, then git sdd report; or git sdd decide lost --receipt <receipt> --reason <reason>", shellWord(r.view.Dispatch.ReportPath)),
		"the report of the %s is refused, and its agent was asked %d times to correct it: %s", spoken(r.role()), maxRepairs, firstDefect(cause))
}
