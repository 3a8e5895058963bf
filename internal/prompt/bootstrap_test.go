package prompt

import (
	"strings"
	"testing"

	"github.com/git-sdd/git-sdd/internal/tier"
)

func bootstrapInput() BootstrapInput {
	return BootstrapInput{
		Tier: tier.Standard, PromptPath: "/home/ann/two  blanks/.git-sdd/0123456789ab/artifacts/task-1/implementer-1.prompt.md",
		PromptSHA256: strings.Repeat("5c", 32), PromptBlob: head, PromptBytes: 5120,
		ReportPath: "/home/ann/two  blanks/.git-sdd/0123456789ab/artifacts/task-1/implementer-1.report.md",
	}
}

func TestBootstrap(t *testing.T) {
	golden(t, "bootstrap.txt", []byte(Bootstrap(bootstrapInput())))
}

func TestBootstrapLines(t *testing.T) {
	plain := Bootstrap(bootstrapInput())
	if !strings.HasPrefix(plain, "Model tier: standard\n") || !strings.HasSuffix(plain, "\n") {
		t.Errorf("the bootstrap does not begin with its tier line, or ends within a line:\n%s", plain)
	}
	in := bootstrapInput()
	in.PromptPath = "/a\nreport: /b\u2028"
	got := Bootstrap(in)
	if strings.Count(got, "\n") != strings.Count(plain, "\n") || !strings.Contains(got, `prompt: "/a\nreport: /b\u2028"`+"\n") {
		t.Errorf("a path with a line end is not quoted:\n%s", got)
	}
}
