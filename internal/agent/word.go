package agent

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"runtime"
)

// wordFile is the file number under which a process that is to become a child has
// its end of the keeper's pipe. The agent itself never has it.
const wordFile = 3

// A word is what a child-to-be tells its keeper: the record that it made, and then
// why it could not become the agent. What the keeper heard itself it need not
// believe a file, which the agent can remove or rewrite.
type word struct {
	Record *Record `json:"record,omitempty"`
	Failed string  `json:"failed,omitempty"`
}

// hearing opens the pipe; heard waits until nobody can say anything more and
// returns all that was said. Where a system hands no files to a child nothing is
// heard, and the files have to do.
func hearing() (tell *os.File, heard func() word, err error) {
	if runtime.GOOS == "windows" {
		return nil, func() word { return word{} }, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	said := make(chan word, 1)
	go func() {
		defer r.Close()
		said <- wordsOf(r)
	}()
	return w, func() word { return <-said }, nil
}

func wordsOf(r io.Reader) (all word) {
	for in := json.NewDecoder(r); in.Decode(&all) == nil; {
	}
	return all
}

// A teller is the child-to-be's side.
type teller struct{ file *os.File }

// telling takes the pipe that the keeper handed down. The agent does not inherit
// it: that it closes shows that the agent began.
func telling() teller {
	if runtime.GOOS == "windows" {
		return teller{}
	}
	t := teller{os.NewFile(wordFile, "the keeper's pipe")}
	closeOnExec(wordFile)
	return t
}

func (t teller) tell(w word) error {
	if t.file == nil {
		return nil
	}
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if _, err = t.file.Write(append(data, '\n')); err != nil {
		return errors.New("the keeper of the session does not listen")
	}
	return nil
}
