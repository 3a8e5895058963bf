package plan

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked: most
// commands read no plan, and none of them should start later because of it.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
