package plan

import (
	"fmt"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// tierPrefix is the only accepted beginning of a tier line.
const tierPrefix = "**Implementer tier:** "

// A tierField is a line that was meant to give a task its tier.
type tierField struct {
	textLine
	tier  tier.Tier
	exact bool
}

var (
	tierField0  = pattern("^[^\\pL\\pN]*(?i:implementer(?:'s)?[\\s_-]*(?:model[\\s_-]*)?tier)[\\s*_`]*[:=]")
	derivedTier = pattern("^[^\\pL\\pN]*(?i:(?:task|final|spec|quality|code|plan)?[\\s_-]*(?:re-?)?(?:review|reviewer|fix|fixer)[\\s_-]*(?:model[\\s_-]*)?tier)[\\s*_`]*[:=]")
	tierWithin  = pattern(`\*\*(?i:implementer\s+tier)\s*:?\s*\*\*`)
)

// isTierField reports whether the line is a tier field, exact or not.
func isTierField(text string) bool {
	return strings.HasPrefix(text, tierPrefix) || mentionsTier(text) && tierField0().MatchString(fold(text).text)
}

// isDerivedTier reports whether the line gives a tier that follows from the
// implementer's.
func isDerivedTier(text string) bool {
	return !strings.HasPrefix(text, tierPrefix) && mentionsTier(text) && derivedTier().MatchString(fold(text).text)
}

// longLine is the number of bytes from which on a line is no field.
const longLine = 512

// mentionsTier is a quick test that spares most lines the folding.
func mentionsTier(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return len(text) < longLine
		}
		if (text[i] == 't' || text[i] == 'T') && len(text) >= i+4 && strings.EqualFold(text[i:i+4], "tier") {
			return true
		}
	}
	return false
}

// readTierField reads a line of text as a tier field.
func readTierField(src *source, t textLine) (f tierField, ok bool) {
	if !isTierField(t.text) {
		return tierField{}, false
	}
	f.textLine = t
	if value, is := strings.CutPrefix(src.line(t.line), tierPrefix); is && t.place == inParagraph {
		named, err := tier.ParseTitle(value)
		f.tier, f.exact = named, err == nil
	}
	return f, true
}

// defect says what keeps a field from being exact.
func (f tierField) defect(src *source, task string) Defect {
	raw := src.line(f.line)
	if r, found := forbidden(strings.TrimRight(raw, "\t")); found && r != '\t' {
		return Defect{Line: f.line, Code: "control-character",
			Message: fmt.Sprintf("the tier line of %s holds %s, which changes how the line shows", task, codePoint(r)),
			Repair:  "remove " + codePoint(r) + " from the line"}
	}
	return Defect{Line: f.line, Code: "tier-malformed",
		Message: fmt.Sprintf("the tier field of %s is not exact: %s", task, strings.Join(f.faults(raw), ", ")),
		Repair:  f.repair(raw)}
}

// faults lists what is wrong, so that no repair can look like the line itself.
func (f tierField) faults(raw string) []string {
	value := f.value()
	var list []string
	switch {
	case f.place == inList && indent(raw) == 0 && strings.HasPrefix(raw, "**"):
		list = append(list, "the list above goes on into it, a blank line is missing before it")
	case f.place == inList:
		list = append(list, "it stands in a list item")
	case f.place == inQuote:
		list = append(list, "the quote above goes on into it, a blank line is missing before it")
	case indent(raw) > 0:
		list = append(list, fmt.Sprintf("it is indented by %s", plural(indent(raw), "blank")))
	}
	list = append(list, strange(raw)...)
	if trailing := trailingBlanks(raw); trailing != "" {
		list = append(list, trailing)
	}
	if value == "" {
		return append(list, "it names no tier")
	}
	if _, err := tier.ParseTitle(value); err != nil {
		list = append(list, valueFault(value))
	}
	switch exact := tierPrefix + tierTitle(value); {
	case len(list) > 0:
	case strings.HasPrefix(raw, strings.TrimSpace(tierPrefix)):
		list = append(list, headFault(raw, exact))
	default:
		list = append(list, fmt.Sprintf("%q has to be %q", brief(raw), exact))
	}
	return list
}

func valueFault(value string) string {
	if title := tierTitle(value); title != "" {
		return fmt.Sprintf("%q has to be %q", value, title)
	}
	return fmt.Sprintf("%q is not one of %s", brief(value), tierTitles())
}

// value returns what the field gives, without blanks and emphasis around it.
func (f tierField) value() string {
	at := tierField0().FindStringIndex(fold(f.text).text)
	if at == nil {
		return ""
	}
	return strings.Trim(fold(f.text).text[at[1]:], " \t*_`")
}

// repair returns the edit that makes the field exact, where its tier is plain.
func (f tierField) repair(raw string) string {
	title := tierTitle(f.value())
	if title == "" {
		return fmt.Sprintf("write the line as %q with one of %s", tierPrefix+"Standard", tierTitles())
	}
	if f.place != inParagraph && indent(raw) == 0 && raw == tierPrefix+title {
		return "put a blank line before it"
	}
	return fmt.Sprintf("write the line as %q, at the left margin", tierPrefix+title)
}

// tierTitle returns the form that plans use of a tier in any letter case, or "".
func tierTitle(value string) string {
	t, err := tier.Parse(strings.ToLower(value))
	if err != nil {
		return ""
	}
	return t.Title()
}

// tierTitles lists the tiers as plans write them.
func tierTitles() string {
	var titles []string
	for _, t := range tier.All() {
		titles = append(titles, t.Title())
	}
	return strings.Join(titles, ", ")
}
