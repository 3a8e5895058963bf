package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// KeepRefused keeps the bytes of a session's n-th report that was refused.
func (s Sessions) KeepRefused(id string, n int, data []byte) error {
	path, err := s.path(id, fmt.Sprintf(".refused-%d.md", n))
	if err != nil {
		return err
	}
	return writeBytes(path, data, os.Rename)
}

// Refused returns the reports of a session that were refused, in order.
func (s Sessions) Refused(id string) ([][]byte, error) {
	var all [][]byte
	for n := 1; ; n++ {
		path, err := s.path(id, fmt.Sprintf(".refused-%d.md", n))
		if err != nil {
			return nil, err
		}
		data, err := readRegular(path)
		if errors.Is(err, fs.ErrNotExist) {
			return all, nil
		}
		if errors.Is(err, errIrregular) {
			continue // that is nothing which was kept here
		}
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
}
