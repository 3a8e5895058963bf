package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// HiddenCommand is the word behind which the program is its own keeper: it runs
// [Keep] for "<HiddenCommand> keep DIR SESSION" and [Become] for
// "<HiddenCommand> exec DIR SESSION KEEPER". [Hidden] reads both.
const HiddenCommand = "__child"

// Hidden carries out a hidden command line without its first two words.
func Hidden(ctx context.Context, words []string) error {
	switch {
	case len(words) == 3 && words[0] == "keep":
		return Keep(ctx, NewSessions(words[1]), words[2])
	case len(words) == 4 && words[0] == "exec":
		keeper, err := strconv.Atoi(words[3])
		if err != nil {
			return err
		}
		return Become(NewSessions(words[1]), words[2], keeper)
	}
	return fmt.Errorf("%s keep DIR SESSION, or %s exec DIR SESSION KEEPER", HiddenCommand, HiddenCommand)
}

// A Keeper is the process that looks after a session.
type Keeper struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// StartKeeper starts the keeper of an announced session: this very program, in a
// session of its own, so that it outlives whoever starts it. env is the child's
// environment.
func StartKeeper(s Sessions, id string, env []string) (*Keeper, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, HiddenCommand, "keep", s.dir, id)
	cmd.Env, cmd.Dir = env, s.dir
	ownSession(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	k := &Keeper{cmd: cmd, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // what it did is in the record
		close(k.done)
	}()
	return k, nil
}

// Done is closed once the keeper is gone.
func (k *Keeper) Done() <-chan struct{} { return k.done }

// Ask passes on what a human asks of the child.
func (k *Keeper) Ask(s Signal) { k.cmd.Process.Signal(asked(s)) }

// Ask passes on what a human asks of a session that another process started.
func (r Record) Ask(s Signal) {
	if r.Kept() {
		if p, err := os.FindProcess(r.KeeperPID); err == nil {
			_ = p.Signal(asked(s))
		}
	}
}

func asked(s Signal) os.Signal {
	if s == Kill {
		return terminate
	}
	return os.Interrupt
}

// Keep runs an announced session to its end and records that. It is the whole
// life of a keeper. A session that cannot start gets a record that says so.
func Keep(ctx context.Context, s Sessions, id string) error {
	spec, err := s.Announced(id)
	if err != nil {
		return err
	}
	stop, asks := listen()
	defer stop()
	c, marked, err := s.command(spec)
	if err != nil {
		_, ruled := s.RuleOut(spec, err.Error())
		return errors.Join(err, ruled)
	}
	c.Signal = asks
	tell, heard, err := hearing()
	if err != nil {
		_, ruled := s.RuleOut(spec, err.Error())
		return errors.Join(err, ruled, c.Log.Close())
	}
	c.Word = tell
	crashPoint("keeper: started, child not yet")
	res, err := Run(ctx, c)
	logged := c.Log.Close()
	if err != nil {
		_, ruled := s.RuleOut(spec, err.Error())
		return errors.Join(err, ruled)
	}
	crashPoint("keeper: child ended, report not written")
	if err := giveReport(spec, marked); err != nil {
		return err
	}
	crashPoint("keeper: report written, end not recorded")
	err = s.recordEnd(spec, res, heard())
	crashPoint("keeper: end recorded")
	return errors.Join(err, logged)
}

// recordEnd writes down how the child ended. One that ended before it became the
// agent left no record, and never started; it may have told why. One that told its
// keeper of its record has that one, whatever became of the file.
func (s Sessions) recordEnd(spec Spec, res Result, said word) error {
	if said.Record == nil && said.Failed != "" {
		_, err := s.RuleOut(spec, said.Failed)
		return err
	}
	if said.Record == nil {
		rec, err := s.Read(spec.Session)
		if errors.Is(err, fs.ErrNotExist) {
			_, err = s.RuleOut(spec, "the process that was to become the child ended before it did: "+LastLine(res.Tail))
			return err
		}
		if err != nil || rec.End != nil {
			return err
		}
		said.Record = &rec
	}
	end := End{Exit: res.Exit, At: instant(), Cause: res.Cause, Signal: res.Signal, Straggle: res.Straggle, Escaped: res.Escaped, Output: res.Output}
	if line, ok := res.Question(); ok {
		end.Question = line
	}
	if said.Failed != "" {
		end = notStarted(said.Failed)
	}
	return s.finish(*said.Record, end)
}

func notStarted(why string) End { return End{Exit: -1, At: instant(), Cause: NotStarted, Detail: why} }

// listen turns the signals of this process into what is asked of the child.
func listen() (stop func(), asks <-chan Signal) {
	heard, out := make(chan os.Signal, 8), make(chan Signal, 8)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range heard {
			switch s {
			case os.Interrupt:
				out <- Interrupt
			case syscall.SIGTERM:
				out <- Kill
			}
		}
	}()
	return func() { signal.Stop(heard); close(heard) }, out
}

// command makes the child's command, once the prompt is the one that was
// announced.
func (s Sessions) command(spec Spec) (Command, *Marked, error) {
	prompt, err := checkedPrompt(spec)
	if err != nil {
		return Command{}, nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return Command{}, nil, err
	}
	path, err := s.LogPath(spec.Session)
	if err != nil {
		return Command{}, nil, err
	}
	log, err := NewLog(path)
	if err != nil {
		return Command{}, nil, err
	}
	c := Command{
		Argv: []string{self, HiddenCommand, "exec", s.dir, spec.Session, strconv.Itoa(os.Getpid())}, Dir: spec.Dir, Env: os.Environ(),
		Timeout: ms(spec.TimeoutMS), Idle: ms(spec.IdleMS), Grace: ms(spec.GraceMS), Log: log,
	}
	if spec.Stdin == StdinPrompt {
		c.Stdin = prompt
	}
	if !spec.ReportMarked {
		return c, nil, nil
	}
	marked := NewMarked(spec.ReportLimit + 1)
	c.Stdout = marked
	return c, marked, nil
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

func checkedPrompt(spec Spec) ([]byte, error) {
	data, err := os.ReadFile(spec.PromptPath)
	if err != nil {
		return nil, fmt.Errorf("the prompt cannot be read: %w", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != spec.PromptSHA256 {
		return nil, fmt.Errorf("the prompt %s is not the one that was recorded", spec.PromptPath)
	}
	return data, nil
}

// giveReport writes the report that stood between the marks where a child with
// hands would have put it. A child that wrote the file itself is not overruled
// by silence.
func giveReport(spec Spec, marked *Marked) error {
	if marked == nil {
		return nil
	}
	text, found := marked.Text()
	if !found {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(spec.ReportPath), 0o755); err != nil {
		return err
	}
	temporary := spec.ReportPath + ".part"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, spec.ReportPath)
}

// Become records this process as the session's child and turns into it. It
// returns only where it could not. A keeper that is gone already could never
// record the end: then nothing starts.
func Become(s Sessions, id string, keeper int) error {
	spec, err := s.Announced(id)
	if err != nil {
		return err
	}
	keeps := telling()
	// Before the record: whoever reads that believes that a child begins.
	if _, err := exec.LookPath(spec.Argv[0]); err != nil {
		return errors.Join(err, keeps.tell(word{Failed: err.Error()}))
	}
	crashPoint("child: started, not recorded")
	rec := spec.record()
	rec.PID, rec.StartTime = os.Getpid(), startTime(os.Getpid())
	rec.KeeperPID, rec.KeeperStart = keeper, startTime(keeper)
	if os.Getppid() != keeper {
		return errors.New("the keeper of the session is gone")
	}
	if err := s.claim(rec); err != nil {
		return err
	}
	crashPoint("child: recorded, not yet the agent")
	if err = keeps.tell(word{Record: &rec}); err == nil {
		err = become(spec.Argv, os.Environ())
	}
	if err == nil {
		return nil // where a process cannot turn into another: the child has ended
	}
	return errors.Join(err, keeps.tell(word{Failed: err.Error()}), s.finish(rec, notStarted(err.Error())))
}
