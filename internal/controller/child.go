package controller

import (
	"context"

	"github.com/git-sdd/git-sdd/internal/agent"
)

// ChildCommand is the hidden word behind which git-sdd keeps a child that it
// started, or becomes it.
const ChildCommand = agent.HiddenCommand

// Child carries out the hidden command. Signals are its own business: they are
// passed on to the child.
func Child(ctx context.Context, words []string) error {
	return agent.Hidden(context.WithoutCancel(ctx), words)
}
