package tier

import "testing"

func TestFormulas(t *testing.T) {
	// One row a rung; the columns are what the contract's table yields.
	rows := []struct{ implementer, reviewer, fix1, fix3, fix4, fix5 Tier }{
		{Economy, Standard, Economy, Economy, Fast, Standard},
		{Fast, Standard, Fast, Fast, Standard, Advanced},
		{Standard, Advanced, Standard, Standard, Advanced, Capable},
		{Advanced, Capable, Advanced, Advanced, Capable, Frontier},
		{Capable, Frontier, Capable, Capable, Frontier, Frontier},
		{Frontier, Frontier, Frontier, Frontier, Frontier, Frontier},
	}
	if len(rows) != len(All()) {
		t.Fatalf("the table has %d rungs, the ladder %d", len(rows), len(All()))
	}
	for _, r := range rows {
		for _, c := range []struct {
			role  Role
			round int
			want  Tier
		}{
			{Implementer, 0, r.implementer}, {TaskReviewer, 0, r.reviewer}, {ReReviewer, 0, r.reviewer},
			{Fixer, 1, r.fix1}, {Fixer, 2, r.fix1}, {Fixer, 3, r.fix3}, {Fixer, 4, r.fix4}, {Fixer, 5, r.fix5},
			{Final, 0, Frontier}, {FinalFixer, 0, Frontier}, {FinalReReviewer, 0, Frontier},
		} {
			if got, err := For(c.role, r.implementer, c.round); err != nil || got != c.want {
				t.Errorf("For(%s, %s, %d) = %s, %v; want %s", c.role, r.implementer, c.round, got, err, c.want)
			}
		}
	}
}

func TestFormulaRefuses(t *testing.T) {
	for _, c := range []struct {
		role  Role
		tier  Tier
		round int
	}{
		{Fixer, Fast, 0}, {Fixer, Fast, 6}, {Fixer, Fast, -1}, {TaskReviewer, Fast, 1},
		{Implementer, none, 0}, {Implementer, numTiers, 0}, {noRole, Fast, 0}, {numRoles, Fast, 0},
	} {
		if got, err := For(c.role, c.tier, c.round); err == nil {
			t.Errorf("For(%s, %s, %d) = %s, want an error", c.role, c.tier, c.round, got)
		}
	}
}

func TestNamesRoundTrip(t *testing.T) {
	for _, want := range All() {
		if got, err := Parse(want.String()); err != nil || got != want {
			t.Errorf("Parse(%q) = %v, %v", want.String(), got, err)
		}
		if got, err := ParseTitle(want.Title()); err != nil || got != want {
			t.Errorf("ParseTitle(%q) = %v, %v", want.Title(), got, err)
		}
	}
	for _, want := range Roles() {
		if got, err := ParseRole(want.String()); err != nil || got != want {
			t.Errorf("ParseRole(%q) = %v, %v", want.String(), got, err)
		}
	}
	for _, s := range []string{"", "Fast", "fast ", "tier(0)", "FAST"} {
		if got, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) = %s, want an error", s, got)
		}
	}
	for _, s := range []string{"", "fast", "Fast ", "FAST"} {
		if got, err := ParseTitle(s); err == nil {
			t.Errorf("ParseTitle(%q) = %s, want an error", s, got)
		}
	}
	if _, err := ParseRole("reviewer"); err == nil {
		t.Error(`ParseRole("reviewer") succeeded`)
	}
}
