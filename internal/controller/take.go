package controller

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/machine"
	"github.com/git-sdd/git-sdd/internal/report"
)

// ReportOptions says where a child's report is.
type ReportOptions struct {
	Path     string // "" for the path that the child was given
	Data     []byte // read from standard input; nil for a file
	Dispatch string // the dispatch key that the report is for; "" for the current one
}

// Report takes a child's report: parse it, hold it against Git, record it, and
// record what follows. A report that does not parse, or that Git contradicts, is
// refused with every defect; its bytes are kept and nothing changes.
func (c *Controller) Report(ctx context.Context, o ReportOptions) (*Answer, error) {
	return c.writeAnswer(ctx, "report", false, func(r *run) error {
		if err := r.awaitsReport(o); err != nil {
			return err
		}
		in, err := r.readReport(o)
		if err != nil {
			return err
		}
		s, err := r.judge(ctx, in)
		if err != nil {
			return r.keepRefused(in, err)
		}
		if err := r.record(ctx, s); err != nil {
			return r.keepRefused(in, err)
		}
		if err := r.restore(r.view.Dispatch.Report.Path); err != nil {
			return err
		}
		return r.settle(ctx)
	})
}

// awaitsReport refuses a report that nobody waits for.
func (r *run) awaitsReport(o ReportOptions) error {
	if r.intent() {
		return fault.New(fault.Invalid, "git sdd started --session <session>", "the dispatch is recorded, but no child is known to have started")
	}
	w, err := r.want()
	if err != nil {
		return err
	}
	if w.action != actAwait {
		return r.nothingToDo("report", w)
	}
	if o.Dispatch != "" && o.Dispatch != r.view.Dispatch.DispatchKey {
		return fault.New(fault.Invalid, "git sdd next", "the report is for dispatch %q, and the run waits for %q", o.Dispatch, r.view.Dispatch.DispatchKey)
	}
	return nil
}

// An incoming report is bytes and the name that messages give them.
type incoming struct {
	name string
	data []byte
	file string // where it lies in the work tree, from the top; "" elsewhere
}

// readReport reads at most one byte more than a report may hold.
func (r *run) readReport(o ReportOptions) (incoming, error) {
	if o.Data != nil {
		return incoming{name: "<stdin>", data: o.Data}, nil
	}
	path := o.Path
	if path == "" {
		path = r.view.Dispatch.ReportPath
	} else if !filepath.IsAbs(path) {
		path = filepath.Join(r.c.opt.Dir, path)
	}
	name := r.shown(path)
	data, err := readBounded(path, report.MaxBytes+1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return incoming{}, fault.New(fault.Agent, "git sdd report <report>, or git sdd decide lost --receipt <receipt> --reason <reason>",
			"the %s left no report at %s", spoken(r.role()), name)
	case err != nil:
		return incoming{}, fault.New(fault.Agent, "git sdd report <report>", "the report cannot be read: %w", err)
	}
	return incoming{name: name, data: data, file: r.inTree(path)}, nil
}

// shown is a path as messages show it: from where the command stands, when that
// is shorter.
func (r *run) shown(path string) string {
	dir, err := filepath.Abs(r.c.opt.Dir)
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

func readBounded(path string, limit int) ([]byte, error) {
	// A pipe in the file's place must not hold up whoever opens it.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	buf := make([]byte, limit)
	n := 0
	for n < limit {
		k, err := f.Read(buf[n:])
		n += k
		if k == 0 || err != nil {
			break
		}
	}
	return buf[:n], nil
}

// judge parses the report by the role of its child and gathers the facts.
func (r *run) judge(ctx context.Context, in incoming) (step, error) {
	if r.role().Works() {
		return r.judgeWork(ctx, in)
	}
	return r.judgeReview(ctx, in)
}

// keepRefused keeps the bytes of a report that was refused in the workspace, so
// that nothing is lost when the child writes the next one over it.
func (r *run) keepRefused(in incoming, cause error) error {
	if k := fault.Of(cause).Kind(); k != fault.Invalid && k != fault.Identity {
		return cause
	}
	w, err := r.workspace()
	if err != nil {
		return cause
	}
	// The refusal itself is what the user must see; a copy that could not be
	// kept changes nothing about it.
	_, _ = w.Keep(r.view.Dispatch.ReportPath, in.data)
	return cause
}

// defectsFault is the refusal of a report: all defects, in line order.
func defectsFault(in incoming, defects []report.Defect) error {
	var all []fault.Defect
	for _, d := range defects {
		all = append(all, fault.Defect{Code: d.Code, Location: fmt.Sprintf("%s:%d", in.name, d.Line), Message: d.Message, Repair: d.Repair})
	}
	return fault.FromDefects(fault.Invalid, "correct the report, then git sdd report", all)
}

// contradiction is what Git says against a report.
type contradiction struct{ code, message, repair string }

// contradicted is the refusal of a report that Git contradicts.
func contradicted(in incoming, all []contradiction) error {
	var defects []fault.Defect
	for _, c := range all {
		defects = append(defects, fault.Defect{Code: c.code, Location: in.name, Message: c.message, Repair: c.repair})
	}
	return fault.FromDefects(fault.Invalid, "git sdd next", defects)
}

// finishedEvent is the event of a worker's report by phase.
func finishedWork(p machine.Phase, path string, w machine.Work) machine.Event {
	switch p {
	case machine.FixRunning:
		return machine.FixerFinished{ReportPath: path, Work: w}
	case machine.FinalFixRunning:
		return machine.FinalFixerFinished{ReportPath: path, Work: w}
	}
	return machine.ImplementerFinished{ReportPath: path}
}

// inTree is a file's path from the top of the pinned worktree, or "". A report
// that was named and lies there is not something that the child left behind.
func (r *run) inTree(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	rel, err := filepath.Rel(r.view.Worktree, real)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}
