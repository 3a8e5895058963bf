package plan

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// guidance says which tasks a tier is for (contract: choosing the implementer tier).
var guidance = map[tier.Tier]string{
	tier.Economy:  "the plan holds the whole code; the work is to copy it and run the tests",
	tier.Fast:     "a mechanical change to one file, exactly specified",
	tier.Standard: "one or two files, fully specified; the lowest tier where anything has to be decided",
	tier.Advanced: "several files that have to fit together, or behaviour described in words, not code",
	tier.Capable:  "needs a sense of design, or knows its way around the whole code base",
	tier.Frontier: "not chosen by hand: the final review always runs there",
}

// Guidance returns, tier by tier, which tasks a tier is for: one line each,
// with the prefix in front. A wrong tier costs time and money, not correctness.
func Guidance(prefix string) string {
	var b strings.Builder
	for _, t := range tier.All() {
		fmt.Fprintf(&b, "%s%-8s  %s\n", prefix, t.Title(), guidance[t])
	}
	return b.String()
}

// TierSheet returns a table to fill in: a line for each task that has no tier
// line of its own, by its number in the output, with the guidance above. It is
// read back by [ParseTierMap]. The options count but for their tiers. It is empty
// where every task has its tier.
func TierSheet(data []byte, opt ConvertOptions) (string, []Defect) {
	opt.Tier, opt.TierMap = tier.Standard, nil // stands in for every tier that is asked for
	src, defects := readSource(data)
	if len(defects) > 0 {
		return "", sortDefects(defects)
	}
	c := &converter{src: src, in: src, opt: opt}
	if !c.fixFences() {
		return "", sortDefects(c.defects)
	}
	c.blocks = blocks(c.src, c.out, opt.ConstraintsFrom)
	if c.judge(); len(c.defects) > 0 {
		return "", sortDefects(c.defects)
	}
	var rows strings.Builder
	for _, task := range c.blocks {
		if task.tier != 0 {
			fmt.Fprintf(&rows, "%d =            # %s\n", task.number, task.words.fullTitle())
		}
	}
	if rows.Len() == 0 {
		return "", nil
	}
	return "# Write a tier behind each number. Lines that begin with # are left out.\n#\n" + Guidance("#   ") + "\n" + rows.String(), nil
}

// ParseTierMap reads tiers by task number: "1=Fast,2=Capable", or one a line as
// [TierSheet] has them, with comments from # on. A tier is written as in plans
// or as on the wire. A number without a tier, or twice, is an error.
func ParseTierMap(text string) (map[int]tier.Tier, error) {
	m := map[int]tier.Tier{}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, entry := range strings.Split(line, ",") {
			if entry = strings.TrimSpace(entry); entry == "" {
				continue
			}
			n, t, err := parseTierEntry(entry)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			if _, twice := m[n]; twice {
				return nil, fmt.Errorf("line %d: task %d has a tier already", i+1, n)
			}
			m[n] = t
		}
	}
	if len(m) == 0 {
		return nil, fmt.Errorf("no task has a tier")
	}
	return m, nil
}

func parseTierEntry(entry string) (n int, t tier.Tier, err error) {
	number, name, ok := strings.Cut(entry, "=")
	if n, err = strconv.Atoi(strings.TrimSpace(number)); err != nil || !ok || n < 1 || n > MaxTasks {
		return 0, 0, fmt.Errorf("%q is not of the form <task number>=<tier>", entry)
	}
	name = strings.TrimSpace(name)
	if name == "" {
		return 0, 0, fmt.Errorf("task %d has no tier behind it", n)
	}
	t, err = ParseTierFlag(name)
	return n, t, err
}

// formatTierMap writes tiers by task number as [ParseTierMap] reads them.
func formatTierMap(m map[int]tier.Tier) string {
	var entries []string
	for _, n := range slices.Sorted(maps.Keys(m)) {
		entries = append(entries, fmt.Sprintf("%d=%s", n, m[n].Title()))
	}
	return strings.Join(entries, ",")
}

// ParseTierFlag reads a tier as plans write it or as it is on the wire, and in
// no other letter case.
func ParseTierFlag(s string) (tier.Tier, error) {
	if t, err := tier.ParseTitle(s); err == nil {
		return t, nil
	}
	return tier.Parse(s)
}
