package controller

// crashPoints names the moments of a drive at which a test kills a process, so
// that none is forgotten. The agent, the ledger and git have points of their own.
var crashPoints = [...]string{
	"drive: session announced, intent not recorded",
	"drive: intent recorded, keeper not started",
	"drive: keeper started, child not recorded",
	"drive: child started, not recorded",
	"drive: child recorded, not ended",
	"drive: child ended, report not taken",
	"drive: report taken",
	"drive: child lost, not handed out again",
	"drive: repair call announced, keeper not started",
	"drive: repair call started",
}

// atCrashPoint is nil in every program: only a file that tests lay over the
// sources sets it. There is no environment variable, flag or setting that
// reaches it.
var atCrashPoint func(name string)

func crashPoint(name string) {
	if atCrashPoint != nil {
		atCrashPoint(name)
	}
}
