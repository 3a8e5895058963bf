package controller

import (
	"errors"
	"io/fs"
	"os"

	"github.com/git-sdd/git-sdd/internal/fault"
	"github.com/git-sdd/git-sdd/internal/report"
)

// clearReport moves what stands in the place of a report out of the way, where no
// child of this launch put it there.
func (d *driver) clearReport(r *run) error {
	path := r.view.Dispatch.ReportPath
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = d.keepReport(r, path, info.IsDir())
	}
	if err != nil {
		return fault.New(fault.Invalid, "move "+shellWord(path)+" away", "an earlier report is in the way: %w", err)
	}
	return nil
}

// keepReport keeps an earlier report beside its place, and a folder as it is. What
// else stands there and cannot be read is nothing that anybody reported.
func (d *driver) keepReport(r *run, path string, folder bool) error {
	w, err := r.workspace()
	if err != nil {
		return err
	}
	kept := ""
	if folder {
		kept, err = w.KeepFolder(path)
	} else {
		if data, unreadable := readBounded(path, report.MaxBytes+1); unreadable == nil {
			kept, err = w.Keep(path, data)
		}
		if err == nil {
			err = os.Remove(path)
		}
	}
	if err == nil && kept != "" {
		d.note("a report lay at " + path + " before its child was started; it is kept at " + kept)
	}
	return err
}
