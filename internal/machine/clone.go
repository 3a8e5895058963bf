package machine

import (
	"maps"
	"slices"
)

// clone returns a copy that shares nothing that could change.
func (v *View) clone() View {
	c := *v
	c.Tasks = slices.Clone(v.Tasks)
	c.Tool = clonePointer(v.Tool)
	c.Dispatch = v.Dispatch.clone()
	c.Attempts = maps.Clone(v.Attempts)
	c.Findings = slices.Clone(v.Findings)
	c.ReviewOutcome = clonePointer(v.ReviewOutcome)
	c.Rulings = slices.Clone(v.Rulings)
	for i := range c.Rulings {
		c.Rulings[i].Paths = slices.Clone(c.Rulings[i].Paths)
	}
	c.Evidence.Tasks = slices.Clone(v.Evidence.Tasks)
	for i := range c.Evidence.Tasks {
		c.Evidence.Tasks[i].WorkEvidence = c.Evidence.Tasks[i].clone()
	}
	if v.Evidence.Final != nil {
		final := v.Evidence.Final.clone()
		c.Evidence.Final = &final
	}
	return c
}

func (d *Dispatch) clone() *Dispatch {
	c := clonePointer(d)
	if c == nil {
		return nil
	}
	c.Round = clonePointer(d.Round)
	c.Bootstrap = clonePointer(d.Bootstrap)
	if c.Report = clonePointer(d.Report); c.Report != nil {
		c.Report.Bytes = clonePointer(d.Report.Bytes)
	}
	return c
}

func (w WorkEvidence) clone() WorkEvidence {
	w.Base, w.Head = w.Base.clone(), w.Head.clone()
	w.Reviews = slices.Clone(w.Reviews)
	for i := range w.Reviews {
		r := &w.Reviews[i]
		r.Round, r.Base, r.Head = clonePointer(r.Round), r.Base.clone(), r.Head.clone()
	}
	return w
}

func (ref *CommitRef) clone() *CommitRef { return clonePointer(ref) }

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
