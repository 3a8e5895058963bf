package git

// crashPoints names the moments at which a test kills the process, so that none
// is forgotten. The ledger has points of its own.
var crashPoints = [...]string{
	"git: objects in temporary files",
	"git: objects in place, directories not synced",
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
