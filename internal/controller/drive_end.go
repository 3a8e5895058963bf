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
	"github.com/git-sdd/git-sdd/internal/ledger"
	"github.com/git-sdd/git-sdd/internal/machine"
)

// ended takes what a session left, on ground that is looked at anew: a child may
// have changed anything.
func (d *driver) ended(ctx context.Context, session string) error {
	work := context.WithoutCancel(ctx)
	r, err := d.load(work)
	if err != nil {
		return err
	}
	if !r.running() {
		return nil // somebody else took the report, or ruled
	}
	rec, err := d.c.sessions().Read(session)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return d.unproven(r, "the record of session "+session+" is gone: "+err.Error())
	case err != nil:
		return d.unproven(r, "the record of session "+session+" cannot be read: "+err.Error())
	}
	if err := d.dropCopy(r, session); err != nil {
		return err
	}
	if rec.End != nil && rec.End.Cause == agent.Interrupted && ctx.Err() != nil {
		return interrupted()
	}
	if _, err := r.checkWrite(); err != nil {
		return err
	}
	err = d.take(ctx, r, rec)
	if d.r == r { // no other child ran since
		d.sync(r)
	}
	return err
}

// take takes the report of a session that ended.
func (d *driver) take(ctx context.Context, r *run, rec agent.Record) error {
	in, err := r.readReport(ReportOptions{})
	switch {
	case err != nil && fault.Of(err).Kind() == fault.Agent:
		return d.withoutReport(ctx, r, rec)
	case err != nil:
		return err
	}
	return d.accept(ctx, r, rec, in)
}

// accept judges a report and records what it says, with the end of the child's
// output beside it. What is wrong with the report itself goes back to the child.
func (d *driver) accept(ctx context.Context, r *run, rec agent.Record, in incoming) error {
	work := context.WithoutCancel(ctx)
	s, err := r.judge(work, in)
	if err == nil {
		if err = d.attach(r, &s, rec); err != nil {
			return err
		}
		err = r.record(work, s)
	}
	if err != nil {
		err = r.keepRefused(in, err)
		if fault.Of(err).Kind() == fault.Invalid {
			return d.refused(ctx, r, rec, in, err)
		}
		return err
	}
	d.sync(r)
	crashPoint("drive: report taken")
	if err := r.restore(r.view.Dispatch.Report.Path); err != nil {
		return err
	}
	return r.settle(work)
}

// attach keeps the end of the child's output and every report that was refused
// as artifacts of the dispatch.
func (d *driver) attach(r *run, s *step, rec agent.Record) error {
	all := d.c.sessions()
	path, err := all.LogPath(rec.Session)
	if err != nil {
		return err
	}
	if tail := lastBytes(path, agent.TailBytes); len(tail) > 0 {
		if err := r.addFree(s, ".output-", ".txt", tail); err != nil {
			return err
		}
	}
	refused, err := all.Refused(string(r.view.Dispatch.SessionID))
	if err != nil {
		return err
	}
	for _, data := range refused {
		if err := r.addFree(s, ".refused-", ".md", data); err != nil {
			return err
		}
	}
	return nil
}

// addFree adds an artifact of the current dispatch under the first number that
// no revision and nothing in the step has. Bytes that the last one has are not
// stored twice.
func (r *run) addFree(s *step, part, ending string, data []byte) error {
	for n := 1; ; n++ {
		path := fmt.Sprintf("%s%s%d%s", r.stem(), part, n, ending)
		if old, taken := s.files[path]; taken {
			if string(old) == string(data) {
				return nil
			}
			continue
		}
		old, err := r.file(path)
		switch {
		case errors.Is(err, ledger.ErrNoFile):
			s.with(path, data)
			return nil
		case err != nil:
			return faultOfLedger(err)
		case string(old) == string(data):
			return nil
		}
	}
}

// withoutReport decides about a child that left none: it asked something, nobody
// knows how it ended, or it failed.
func (d *driver) withoutReport(ctx context.Context, r *run, rec agent.Record) error {
	role := spoken(r.role())
	standing, proof := rec.Stands()
	switch {
	case rec.End != nil && rec.End.Question != "" && r.role().Works():
		in := incoming{name: "<the child's last output>", data: []byte("STATUS: BLOCKED\nREASON: " + abbreviate("it waited for an answer that nobody gives: "+rec.End.Question) + "\n")}
		return d.accept(ctx, r, rec, in)
	case rec.End != nil && rec.End.Question != "":
		return fault.New(fault.Waiting, lostRepair(rec, proof), "the %s waited for an answer that nobody gives, and was ended: %q", role, rec.End.Question)
	case standing == agent.Unproven:
		return d.unproven(r, proof)
	case rec.End == nil:
		return d.vanished(ctx, r, rec, proof)
	}
	what := "the " + role + " left no report: it " + endText(*rec.End)
	return d.lost(ctx, r, rec, what, proof)
}

// vanished decides about a child whose end nobody recorded: its keeper was
// killed too. That it is gone is proven; what to do about it is ruled by a human,
// or by the setting.
func (d *driver) vanished(ctx context.Context, r *run, rec agent.Record, proof string) error {
	what := "the " + spoken(r.role()) + " left no report: " + proof
	mode, err := d.c.ambiguous()
	if err != nil {
		return err
	}
	if mode != config.AmbiguousProven {
		return fault.New(fault.Waiting, lostRepair(rec, proof), "%s (session %s, pid %d, on %s)", what, rec.Session, rec.PID, rec.Host)
	}
	return d.lost(ctx, r, rec, what, proof)
}

func (c *Controller) ambiguous() (string, error) {
	s, err := c.settings()
	if err != nil {
		return "", err
	}
	return s.Run().Ambiguous, nil
}

// unproven ends a drive where nothing shows what became of a child.
func (d *driver) unproven(r *run, why string) error {
	return fault.New(fault.Waiting, "git sdd next", "nothing proves what became of the %s: %s", spoken(r.role()), why)
}

func lostRepair(rec agent.Record, proof string) string {
	return "git sdd decide lost --receipt " + shellWord(receiptOf(rec, proof)) + " --reason <reason>, then git sdd decide reissue --reason <reason> and git sdd run"
}

// lost records that a child ended without a result, and hands the same bytes out
// again as often as the settings say.
func (d *driver) lost(ctx context.Context, r *run, rec agent.Record, what, proof string) error {
	work := context.WithoutCancel(ctx)
	h, err := r.history(work)
	if err != nil {
		return err
	}
	s := step{event: machine.ChildLost{Reason: abbreviate(what), Receipt: receiptOf(rec, proof)}}
	if err := d.attach(r, &s, rec); err != nil {
		return err
	}
	err = r.record(work, s)
	d.sync(r)
	if err != nil {
		return err
	}
	crashPoint("drive: child lost, not handed out again")
	set, err := d.c.settings()
	if err != nil {
		return err
	}
	if failed, most := d.failures(h), set.Run().Attempts; failed >= most {
		return fault.New(fault.Agent, "look at git sdd session "+rec.Session+", then git sdd decide reissue --reason <reason> and git sdd run",
			"%s; that was attempt %d of %d%s", what, failed, most, lastWords(d.c.sessions(), rec.Session))
	}
	return d.again(ctx, r, what)
}

// lastWords is the last line of a child's output, as the end of a message.
func lastWords(all agent.Sessions, session string) string {
	path, err := all.LogPath(session)
	if err != nil {
		return ""
	}
	if line := agent.LastLine(lastBytes(path, 4<<10)); line != "" {
		return fmt.Sprintf("; it last said %q", abbreviate(line))
	}
	return ""
}

// again hands out the same bytes to another child, by a recorded ruling that
// says what it rests on.
func (d *driver) again(ctx context.Context, r *run, why string) error {
	work := context.WithoutCancel(ctx)
	if err := r.leftoversRuled(work); err != nil {
		return err
	}
	l, err := r.launchOf(work, r.view.Revision+1)
	if err != nil {
		return err
	}
	spec, err := d.announce(l)
	if err != nil {
		return err
	}
	err = r.record(work, step{event: machine.DispatchRulingRecorded{Decision: "reissue", Reason: abbreviate("by git sdd run: " + strings.TrimPrefix(why, "the "))}})
	d.sync(r)
	if err != nil {
		return err
	}
	return d.launch(ctx, r, spec)
}
