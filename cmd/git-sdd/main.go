// Command git-sdd is a Git extension: git runs it as `git sdd`.
package main

import (
	"os"

	"github.com/git-sdd/git-sdd/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
