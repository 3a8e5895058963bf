package plan

import (
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// hopeless are the codes that no conversion repairs: what is too large, cannot be
// read, or has to be written by somebody.
var hopeless = map[string]bool{
	"title-missing": true, "title-too-long": true, "tasks-missing": true, "tasks-too-many": true,
	"fence-unterminated": true, "control-character": true, "tier-duplicate": true, "constraints-duplicate": true,
	"encoding": true, "line-ending": true, "plan-too-large": true,
}

// SuggestConvert returns the one command that would convert a plan with the
// defects that [Parse] found in it, in the form of [Suggest].
func SuggestConvert(data []byte, defects []Defect) string {
	for _, d := range defects {
		if hopeless[d.Code] {
			return ""
		}
	}
	return Suggest(data, ConvertOptions{})
}

// Suggest returns the one command that would convert a plan with the options
// given and with those that are missing. PLAN stands for its path, see [Fill], and
// <tier> for the tier that a human has to choose. It is empty where no options
// convert the plan. Orphan steps go where nothing is lost; that they are dropped
// is never suggested.
func Suggest(data []byte, given ConvertOptions) string {
	opt := given
	if opt.Tier == 0 {
		opt.Tier = tier.Standard // stands in for the one that is asked for
	}
	for range 6 { // as often as extend may add something, and a try without
		conv, defects := Convert(data, opt)
		if conv != nil {
			opt.Tier = given.Tier
			if needsTier(data, opt) {
				return opt.command("--tier <tier>")
			}
			return opt.Command()
		}
		if !extend(&opt, data, defects) {
			return ""
		}
	}
	return ""
}

// extend adds the option that the first defect with one asks for.
func extend(opt *ConvertOptions, data []byte, defects []Defect) bool {
	for _, d := range defects {
		switch {
		case d.Code == "fence-nested" && !opt.FixFences:
			opt.FixFences = true
		case (d.Code == "number" || d.Code == "heading-id") && !opt.Renumber:
			opt.Renumber = true
		case (d.Code == "constraints-lookalike" || d.Code == "constraints-late") && opt.ConstraintsFrom == "":
			src, _ := readSource(data)
			opt.ConstraintsFrom = headingText(src.line(d.Line))
		case d.Code == "orphan-steps" && opt.Orphans == OrphansRefuse:
			opt.Orphans = OrphansPrevious
		case d.Code == "orphan-steps" && opt.Orphans == OrphansPrevious:
			opt.Orphans = OrphansNext
		default:
			continue
		}
		return true
	}
	return false
}

// needsTier reports whether a task has no tier yet, once all else is settled.
func needsTier(data []byte, opt ConvertOptions) bool {
	conv, _ := Convert(data, opt)
	return conv == nil
}

// Command returns the conversion as it is typed, with PLAN for the path of the
// plan, see [Fill].
func (opt ConvertOptions) Command() string {
	if opt.Tier != 0 {
		return opt.command("--tier " + opt.Tier.Title())
	}
	return opt.command()
}

// command writes the options, those of the tier for all as they are given.
func (opt ConvertOptions) command(tier ...string) string {
	words := append([]string{"git sdd plan convert PLAN"}, tier...)
	if len(opt.TierMap) > 0 {
		words = append(words, "--tier-map "+formatTierMap(opt.TierMap))
	}
	if opt.Renumber {
		words = append(words, "--renumber")
	}
	if opt.Orphans != OrphansRefuse {
		words = append(words, "--orphans "+opt.Orphans.String())
	}
	if opt.ConstraintsFrom != "" {
		words = append(words, "--constraints-from "+shellQuoted(opt.ConstraintsFrom))
	}
	if opt.FixFences {
		words = append(words, "--fix-fences")
	}
	return strings.Join(words, " ")
}
