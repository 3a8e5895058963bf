package cli

import "github.com/urfave/cli/v2"

// The groups of commands, as help shows them.
const (
	groupLoop     = "The loop"
	groupLook     = "Looking"
	groupPlan     = "Plans"
	groupSettings = "Settings"
	groupPlumbing = "Plumbing"
	groupSelf     = "About git-sdd"
)

// commands is the list of all commands, in the order in which help prints them.
func commands(con *console) []*cli.Command {
	return []*cli.Command{
		startCommand(con),
		nextCommand(con),
		dispatchCommand(con),
		startedCommand(con),
		reportCommand(con),
		decideCommand(con),
		runCommand(con),
		advanceCommand(con),
		abandonCommand(con),

		statusCommand(con),
		lsCommand(con),
		logCommand(con),
		showCommand(con),
		verifyCommand(con),
		gateCommand(con),
		relinkCommand(con),
		doctorCommand(con),
		sessionsCommand(con),
		sessionCommand(con),

		planCommand(con),
		rehearseCommand(con),

		configCommand(con),
		trustCommand(con),
		snippetCommand(con),

		tierCommand(con),
		policyCommand(con),
		spawnCommand(con),
		recordCommand(con),
		reduceCommand(con),

		helpCommand(con),
		versionCommand(con),
	}
}
