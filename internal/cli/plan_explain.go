package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/nearest"
	"github.com/git-sdd/git-sdd/internal/plan"
)

// An explainAnswer is git-sdd/explain/1. The examples are to be shown: what
// would not show in them stands as its code point.
type explainAnswer struct {
	Schema  string         `json:"schema"`
	Code    string         `json:"code"`
	Kind    string         `json:"kind"` // refusal or warning
	Meaning string         `json:"meaning"`
	Example *string        `json:"example"` // null where it would be too long
	Instead *string        `json:"instead"`
	Places  []explainPlace `json:"places"` // in the plan that was named
}

type explainPlace struct {
	Location string  `json:"location"`
	Message  string  `json:"message"`
	Repair   *string `json:"repair"`
}

func runPlanExplain(ctx context.Context, con *console, code, path string) error {
	e, err := plan.Explain(code)
	if err != nil {
		repair := "git sdd plan check --explain CODE"
		if like := nearest.Name(code, slices.Concat(plan.Codes(), plan.WarningCodes())); like != "" {
			repair = "git sdd plan check --explain " + like
		}
		return misuse(repair, "%w", err)
	}
	a := explainAnswer{
		Schema: "git-sdd/explain/1", Code: code, Kind: "refusal", Meaning: e.Meaning,
		Example: optional(plan.Visible(e.Example)), Instead: optional(plan.Visible(e.Instead)),
	}
	if slices.Contains(plan.WarningCodes(), code) {
		a.Kind = "warning"
	}
	if path != "" {
		if a.Places, err = con.placesOf(ctx, code, path); err != nil {
			return err
		}
	}
	return con.answer(a, func() { con.sayExplanation(a, path) })
}

// placesOf finds where a plan is refused or warned of with a code.
func (con *console) placesOf(ctx context.Context, code, path string) ([]explainPlace, error) {
	data, err := con.file(ctx, path, plan.MaxBytes)
	if err != nil {
		return nil, err
	}
	var places []explainPlace
	p, defects := plan.Parse(data)
	for _, d := range defects {
		if d.Code == code {
			places = append(places, explainPlace{at(path, d.Line), d.Message, optional(plan.Fill(d.Repair, path))})
		}
	}
	if p == nil {
		return places, nil
	}
	for _, w := range p.Warnings() {
		if w.Code == code {
			places = append(places, explainPlace{at(path, w.Line), w.Message, nil})
		}
	}
	return places, nil
}

func (con *console) sayExplanation(a explainAnswer, path string) {
	con.printf("%s, a %s\n\n%s\n", a.Code, a.Kind, a.Meaning)
	for _, part := range []struct {
		head string
		text *string
	}{
		{map[string]string{"refusal": "refused", "warning": "warned of"}[a.Kind], a.Example},
		{"instead", a.Instead},
	} {
		if part.text != nil {
			con.printf("\n%s:\n\n%s\n", part.head, indented(*part.text))
		}
	}
	if path == "" {
		return
	}
	con.printf("\nin %s:\n", safe(path))
	if len(a.Places) == 0 {
		con.printf("  nowhere\n")
	}
	for _, p := range a.Places {
		con.printf("  %s\n", safe(placed(p.Location, p.Message)))
		if p.Repair != nil {
			con.printf("      %s\n", safe(*p.Repair))
		}
	}
}

// indented sets a text off from what stands around it. Lines without text stay
// without blanks.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}
