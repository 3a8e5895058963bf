// Package snippet holds the lines that teach an agent to act as the controller of
// a run: for the file of instructions that its tool reads, or as a skill.
package snippet

import (
	_ "embed" // the lesson is a file, so that it can be read and reviewed as text
	"fmt"
	"slices"
	"strings"
)

//go:embed loop.md
var loop string

// place is where the lesson says how a child is started.
const place = "{start}"

// A tool is what differs between those who read the lesson.
type tool struct {
	name  string
	file  string // where the tool looks for instructions, from the top of the work tree
	front string // what this file has to begin with
	start string // how a child is started, a sentence
}

var tools = []tool{
	{"claude", "CLAUDE.md", "", "start a subagent with the Task tool, for a reviewer never the one that did the work."},
	{"codex", "AGENTS.md", "", "start `codex exec -` as a process of its own, with the bootstrap on its standard input."},
	{"opencode", "AGENTS.md", "", "start a subagent with the task tool, or `opencode run` as a process of its own."},
	{"pi", "AGENTS.md", "", "start `pi -p` as a process of its own, with the bootstrap as its one message."},
	{"cursor", ".cursor/rules/git-sdd.mdc", "---\ndescription: How to carry out a plan with git-sdd as its controller\nalwaysApply: false\n---\n\n", "start a subagent or a background agent on this work tree, a new one for every dispatch."},
}

// skill is what differs in a skill, which any tool may read.
var skill = tool{
	name: "skill", file: "SKILL.md", start: "start a new child, by whatever means you have.",
	front: "---\nname: git-sdd\ndescription: Carries out an implementation plan by subagents with git-sdd as the controller of every step. Use when a plan is to be implemented task by task with reviews, or when `git sdd` names a run.\n---\n\n",
}

// A Snippet is the lesson for one tool.
type Snippet struct {
	Tool string
	File string // where the tool looks for it, from the top of the work tree
	Text string // Markdown
}

// Names are the tools that there are snippets for.
func Names() []string {
	var names []string
	for _, t := range tools {
		names = append(names, t.name)
	}
	return names
}

// For returns the snippet of a tool. The match is exact.
func For(name string) (Snippet, error) {
	i := slices.IndexFunc(tools, func(t tool) bool { return t.name == name })
	if i < 0 {
		return Snippet{}, fmt.Errorf("there is no snippet for %q; there are %s", name, strings.Join(Names(), ", "))
	}
	return tools[i].snippet(), nil
}

// Skill returns the lesson as a skill: SKILL.md in a folder named git-sdd.
func Skill() Snippet { return skill.snippet() }

func (t tool) snippet() Snippet {
	return Snippet{Tool: t.name, File: t.file, Text: t.front + strings.Replace(loop, place, t.start, 1)}
}
