package cli

import (
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// released is set by the linker, from git describe; see the Makefile.
var released string

func versionCommand(con *console) *cli.Command {
	return &cli.Command{
		Name:     "version",
		Category: groupSelf,
		Usage:    "print the version",
		Flags:    []cli.Flag{jsonFlag()},
		Action:   func(*cli.Context) error { return runVersion(con) },
	}
}

// A versionAnswer is git-sdd/version/1.
type versionAnswer struct {
	Schema  string `json:"schema"`
	Version string `json:"version"`
}

func runVersion(con *console) error {
	a := versionAnswer{Schema: "git-sdd/version/1", Version: version()}
	return con.answer(a, func() { con.printf("git-sdd %s\n", safe(a.Version)) })
}

// version is what the linker was told, else what go install knows, else devel.
func version() string {
	if released != "" {
		return released
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "devel"
}
