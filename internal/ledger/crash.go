package ledger

// crashPoints names the moments of a write at which a test kills the process, so
// that none is forgotten.
var crashPoints = [...]string{
	"ledger: nothing written",
	"ledger: objects composed, none in place",
	"ledger: objects written, refs locked and not moved",
	"ledger: refs moved, objects not looked at again",
}

// atCrashPoint is nil in every program: only a file of this package's tests can
// set it, and no such file is compiled into git-sdd. There is no environment
// variable, flag or setting that reaches it.
var atCrashPoint func(name string)

func crashPoint(name string) {
	if atCrashPoint != nil {
		atCrashPoint(name)
	}
}
