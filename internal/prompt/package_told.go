package prompt

// A Told is a part of a review package that follows from what the ledger holds.
type Told struct {
	What string // in a few words
	Text string // the part, as the package has it
}

// PackageTold returns the parts of a package that follow from the ledger alone,
// for who checks a stored one: what is reviewed, the range, how the gates ended,
// what humans ruled, and in the final loop where each finding stands. Each stands
// in [ReviewPackage] of the same input.
func PackageTold(in PackageInput) []Told {
	var all []Told
	tell := func(what string, write func(*document)) {
		var d document
		if write(&d); d.Len() > 0 {
			all = append(all, Told{what, d.String()})
		}
	}
	tell("what is reviewed", func(d *document) { d.heading(1, "Review package: %s", in.Title) })
	tell("the range", func(d *document) { d.span(in) })
	tell("how the gates ended", func(d *document) { d.gateEnds(in.Gates) })
	tell("where the findings stand", func(d *document) {
		d.ledger(in.Ledger)
		d.end()
	})
	tell("what humans ruled", func(d *document) {
		d.list("Rulings of humans", in.Rulings)
		d.end()
	})
	return all
}

// end begins the section after a list, so that a longer list is another text. The
// diff comes last in a package and always.
func (d *document) end() {
	if d.Len() > 0 {
		d.WriteString("\n## ")
	}
}

// span says what range is reviewed.
func (d *document) span(in PackageInput) {
	d.line("- range: git diff %s..%s", in.Base, in.Head)
	d.item("base", in.BaseIs)
	d.item("branch", in.Branch)
}

// gateEnds says of each gate how it ended.
func (d *document) gateEnds(gates []GateResult) {
	for _, g := range gates {
		d.line("- gate %s: %s", g.Name, g.Outcome)
	}
	if len(gates) == 0 {
		d.line("- gates: none is set")
	}
}

// Exchanges returns exchanges as a context of a fixer or a reviewer has them, and
// nothing where there are none.
func Exchanges(all []Exchange) string {
	var d document
	d.exchanges(3, all)
	return d.String()
}
