package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/git-sdd/git-sdd/internal/tier"
)

// cross checks what no single key can tell. It keeps silent where a value was
// refused or a file broke off: what is missing there is no second mistake.
func (l *load) cross() {
	if l.partial {
		return
	}
	for i, name := range slices.Sorted(maps.Keys(l.gates)) {
		if i == MaxGates {
			at := l.gates[name]
			l.add(at, flaw{at.line, "too-many-gates", fmt.Sprintf("there are %d gates, at most %d are allowed", len(l.gates), MaxGates), "let one gate run several checks, from a script of the repository"})
		}
		command := "gate." + name + ".command"
		if _, set := l.merged[command]; !set && !l.broken[command] {
			at := l.gates[name]
			l.add(at, flaw{at.line, "missing-command", fmt.Sprintf("gate %q has no command", name), fmt.Sprintf(`write command = ["make", "test"] below [gate.%s]`, name)})
		}
	}
	l.handout("agent.command", "agent.prompt")
	for _, r := range tier.Roles() {
		command, prompt := "role."+r.String()+".command", "role."+r.String()+".prompt"
		_, ownCommand := l.merged[command]
		_, ownPrompt := l.merged[prompt]
		if !ownCommand {
			command = "agent.command"
		}
		if !ownPrompt {
			prompt = "agent.prompt"
		}
		if ownCommand || ownPrompt {
			l.handout(command, prompt)
		}
	}
}

// carriers are the placeholders without which a prompt does not reach its child,
// by the value of prompt.
var carriers = map[string]string{PromptBootstrap: "bootstrap", PromptFile: "prompt"}

// handout checks that a command takes the prompt in the way that is set for it.
func (l *load) handout(command, prompt string) {
	c, p := l.merged[command], l.merged[prompt]
	carrier := carriers[p.value.text]
	if l.broken[command] || l.broken[prompt] || carrier == "" || c.value.kind == noKind || holds(c.value.words(), carrier) {
		return
	}
	at := c.place
	if p.place.layer > at.layer {
		at = p.place
	}
	l.add(at, flaw{at.line, "missing-placeholder",
		fmt.Sprintf("%s is %q, and %s has no {%s}: the child would never see its prompt", prompt, p.value.text, command, carrier),
		fmt.Sprintf(`add "{%s}" to %s`, carrier, command)})
}
