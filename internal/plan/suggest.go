package plan

import (
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// SuggestConvert returns the one command that would convert a loose plan, PLAN
// standing for its path and TIER for the tier that a human has to choose. It
// is empty for a plan that needs no conversion and for one that no options
// convert. Orphan steps go where nothing is lost, if there is such a place.
func SuggestConvert(data []byte) string {
	if p, _ := Parse(data); p != nil {
		return ""
	}
	opt := ConvertOptions{Tier: tier.Standard}
	for range 5 {
		conv, defects := Convert(data, opt)
		if conv != nil {
			return command(opt, needsTier(data, opt))
		}
		if !extend(&opt, defects) {
			return ""
		}
	}
	return ""
}

// extend adds the option that the first defect with one asks for.
func extend(opt *ConvertOptions, defects []Defect) bool {
	for _, d := range defects {
		switch {
		case d.Code == "fence-nested" && !opt.FixFences:
			opt.FixFences = true
		case (d.Code == "number" || d.Code == "heading-id") && !opt.Renumber:
			opt.Renumber = true
		case d.Code == "orphan-steps" && opt.Orphans == OrphansRefuse:
			opt.Orphans = OrphansPrevious
		case d.Code == "orphan-steps" && opt.Orphans == OrphansPrevious:
			opt.Orphans = OrphansNext
		case d.Code == "orphan-steps" && opt.Orphans == OrphansNext:
			opt.Orphans = OrphansDrop
		default:
			continue
		}
		return true
	}
	return false
}

// needsTier reports whether the conversion fails without a tier for all.
func needsTier(data []byte, opt ConvertOptions) bool {
	opt.Tier = 0
	conv, _ := Convert(data, opt)
	return conv == nil
}

func command(opt ConvertOptions, tiered bool) string {
	words := []string{"git sdd plan convert PLAN"}
	if tiered {
		words = append(words, "--tier TIER")
	}
	if opt.Renumber {
		words = append(words, "--renumber")
	}
	if opt.Orphans != OrphansRefuse {
		words = append(words, "--orphans "+opt.Orphans.String())
	}
	if opt.FixFences {
		words = append(words, "--fix-fences")
	}
	return strings.Join(words, " ")
}
