package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Plans that people wrote for other projects go to COMPLETE by the commands
// alone. GIT_SDD_PLANS is the folder that holds them.
func TestRealPlans(t *testing.T) {
	folder := os.Getenv("GIT_SDD_PLANS")
	if folder == "" {
		t.Skip("GIT_SDD_PLANS is not set")
	}
	rows := []struct {
		name           string
		tasks          int
		findings, wave bool
	}{
		{"strict-01.md", 1, false, false},
		{"strict-02.md", 3, true, true},
		{"strict-03.md", 5, false, true},
		{"strict-04.md", 4, true, false},
		{"strict-05.md", 7, false, false},
		{"strict-06.md", 8, true, true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			plan, err := os.ReadFile(filepath.Join(folder, row.name))
			if err != nil {
				t.Fatal(err)
			}
			s := newShop(t, map[string]string{"plan.md": string(plan)})
			var started struct{ Run string }
			s.sdd(&started, "start", "plan.md")
			d := newDriver(s)
			d.findings, d.wave = row.findings, row.wave
			d.drive()

			var status struct {
				Phase string
				Tasks []struct {
					State     string
					FixRounds int
				}
				Findings []struct{ ID, Disposition string }
			}
			s.sdd(&status, "status")
			if status.Phase != "COMPLETE" || len(status.Tasks) != row.tasks {
				t.Errorf("%s with %d tasks, want COMPLETE with %d", status.Phase, len(status.Tasks), row.tasks)
			}
			found, rounds := 0, 0
			if row.findings {
				found, rounds = row.tasks, 1
			}
			if row.wave {
				found++
			}
			for i, task := range status.Tasks {
				if task.State != "complete" || task.FixRounds != rounds {
					t.Errorf("task %d is %s after %d rounds, want complete after %d", i+1, task.State, task.FixRounds, rounds)
				}
			}
			for _, f := range status.Findings {
				if f.Disposition != "fixed" {
					t.Errorf("finding %s is %s", f.ID, f.Disposition)
				}
			}
			if len(status.Findings) != found {
				t.Errorf("%d findings, want %d", len(status.Findings), found)
			}

			t.Log("\n" + s.story(started.Run))
			s.fsck()
			if v := s.replay(started.Run); v.Phase.String() != "COMPLETE" || v.RunID != started.Run {
				t.Errorf("the events lead run %s to %s", v.RunID, v.Phase)
			}
			if pinned := s.must("git", "show", "refs/sdd/"+started.Run+":plan.md"); pinned != string(plan) {
				t.Error("the pinned plan is not the plan, byte for byte")
			}
			s.elsewhere(started.Run)
		})
	}
}

// elsewhere pushes the run with plain git and finds it the same in a clone.
func (s shop) elsewhere(run string) {
	s.Helper()
	far, clone := s.TempDir(), s.TempDir()
	s.git("init", "--quiet", "--bare", far)
	s.git("push", "--quiet", far, "main", "work", "refs/sdd/"+run+":refs/sdd/"+run)
	s.git("clone", "--quiet", "--branch", "work", far, clone)
	s.git("-C", clone, "fetch", "--quiet", "origin", "refs/sdd/*:refs/sdd/*")
	here, there := s.git("sdd", "log", "--run", run, "--json"), s.git("-C", clone, "sdd", "log", "--run", run, "--json")
	if here != there || !strings.Contains(here, "COMPLETE") {
		s.Errorf("the run reads otherwise in a clone:\n%s\n%s", here, there)
	}
}
