package controller

import (
	"slices"
	"strings"

	"github.com/git-sdd/git-sdd/internal/fault"
)

// A part is one thing that a ruling may be given beside its reason.
type part struct {
	name  string
	given func(DecideOptions) bool
}

var parts = []part{
	{"--finding", func(o DecideOptions) bool { return len(o.Findings) > 0 }},
	{"--evidence", func(o DecideOptions) bool { return o.Evidence != "" }},
	{"--session", func(o DecideOptions) bool { return o.Session != "" }},
	{"--receipt", func(o DecideOptions) bool { return o.Receipt != "" }},
	{"--path", func(o DecideOptions) bool { return len(o.Paths) > 0 }},
	{"--context", func(o DecideOptions) bool { return o.Context != nil }},
}

// checkGiven refuses a ruling that lacks a part, or that was given one which it
// would not use: what a human typed is recorded or refused, never dropped.
func (k rule) checkGiven(o DecideOptions) error {
	if o.Argument != "" && !k.takesArgument() {
		return fault.New(fault.Invalid, k.usage(), "decide %s takes no %q", k.name, o.Argument)
	}
	for _, p := range parts {
		needed := slices.Contains(k.flags, p.name)
		switch given := p.given(o); {
		case needed && !given:
			return fault.New(fault.Invalid, k.usage(), "decide %s needs %s", k.name, p.name)
		case given && !needed && !slices.Contains(k.also, p.name):
			return fault.New(fault.Invalid, k.usage(), "decide %s takes no %s", k.name, p.name)
		}
	}
	return nil
}

func (k rule) takesArgument() bool { return len(k.flags) > 0 && !strings.HasPrefix(k.flags[0], "-") }

// usage is the ruling as one types it.
func (k rule) usage() string {
	return strings.Join(slices.Concat([]string{"git sdd decide", k.name}, k.flags, []string{"--reason <reason>"}), " ")
}
