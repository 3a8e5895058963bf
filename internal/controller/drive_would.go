package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/config"
	"github.com/git-sdd/git-sdd/internal/judge"
)

// would tells which child a drive would start next, and how. It is nil where
// none is next. Nothing is recorded or written down.
func (d *driver) would(ctx context.Context, r *run) (*Would, error) {
	l, ok, err := r.nextLaunch(ctx, d.opt)
	if err != nil || !ok {
		return nil, err
	}
	spec, err := d.spec(l)
	if err != nil {
		return nil, err
	}
	way := config.ReportFile
	if spec.ReportMarked {
		way = config.ReportStdout
	}
	return &Would{
		Role: spec.Role, Tier: spec.Tier, Task: l.task, Argv: spec.Argv, Cwd: spec.Dir, Stdin: spec.Stdin, Report: way,
		PromptBytes: l.promptBytes, TimeoutMS: spec.TimeoutMS, IdleMS: spec.IdleMS,
	}, nil
}

// nextLaunch composes the launch of the child that the run wants now.
func (r *run) nextLaunch(ctx context.Context, o DriveOptions) (launch, bool, error) {
	w, err := r.wantOrRuling(ctx)
	if err == nil {
		w = o.instead(r, w)
	}
	switch {
	case err != nil:
		return launch{}, false, err
	case w.action == actSpawn:
		l, err := r.launchOf(ctx, r.view.Revision)
		return l, true, err
	case w.action != actDispatch || w.context && o.Context == nil || r.contractsDiffer():
		return launch{}, false, nil
	}
	g, err := r.checkWrite()
	if err != nil {
		return launch{}, false, err
	}
	p, err := r.prepare(ctx, g, DispatchOptions{Context: o.Context})
	if err != nil {
		return launch{}, false, err
	}
	l, err := r.launchFrom(p)
	return l, true, err
}

// returnChannel tells a child whose report is read from its standard output
// where that must stand.
func (r *run) returnChannel(d *dispatch) ([]string, error) {
	s, err := r.c.settings()
	if err != nil {
		return nil, err
	}
	if a, ok := s.Agent(d.role); !ok || a.Report != config.ReportStdout {
		return nil, nil
	}
	return []string{marksText}, nil
}

// marksText is that instruction.
const marksText = judge.OnOutput
