package git

import (
	"slices"
	"strings"
)

// A Config is all of git's settings as they apply to this repository: system,
// user, repository, worktree, `git -c`, with their includes.
type Config struct {
	keys   []string // in the order of their first appearance
	values map[string][]string
}

// Config returns the settings. They are read once.
func (r *Repo) Config() (*Config, error) { return r.core.config() }

// Prefetch starts reading the settings without waiting, for a command that is
// going to write.
func (r *Repo) Prefetch() { go func() { _, _ = r.Config() }() }

func (r *Repo) readConfig() (*Config, error) {
	res, err := r.run(call{args: []string{"config", "--null", "--list", "--includes"}})
	if err != nil {
		return nil, err
	}
	return parseConfig(string(res.stdout)), nil
}

// parseConfig reads "key LF value NUL" pairs. A key without a value, which git
// reads as true, has no LF.
func parseConfig(output string) *Config {
	c := &Config{values: map[string][]string{}}
	for pair := range strings.SplitSeq(strings.TrimSuffix(output, "\x00"), "\x00") {
		if pair == "" {
			continue
		}
		key, value, found := strings.Cut(pair, "\n")
		if !found {
			value = "true"
		}
		if _, seen := c.values[key]; !seen {
			c.keys = append(c.keys, key)
		}
		c.values[key] = append(c.values[key], value)
	}
	return c
}

// canonical lowers section and name of a key as git does; what stands between
// them is case-sensitive.
func canonical(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return strings.ToLower(key)
	}
	return strings.ToLower(key[:first]) + key[first:last] + strings.ToLower(key[last:])
}

// Get returns the value that counts, the last one, and whether there is one.
func (c *Config) Get(key string) (string, bool) {
	all := c.values[canonical(key)]
	if len(all) == 0 {
		return "", false
	}
	return all[len(all)-1], true
}

// All returns every value of a key, lowest precedence first.
func (c *Config) All(key string) []string { return slices.Clone(c.values[canonical(key)]) }

// Keys returns the keys that begin with the prefix, such as "sdd.", in git's
// form and order.
func (c *Config) Keys(prefix string) []string {
	var found []string
	for _, key := range c.keys {
		if strings.HasPrefix(key, prefix) {
			found = append(found, key)
		}
	}
	return found
}
