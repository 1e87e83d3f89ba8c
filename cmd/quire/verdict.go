package main

import (
	"context"
	"errors"
	"fmt"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/antivirus"
)

// verdict is the outcome of inspecting several files. If one file cannot be read, the others are
// still read: a report on a thousand files needs all of them.
type verdict struct {
	files    int   // all named files
	unread   int64 // could not be read
	infected bool  // a virus was found in a file
	invalid  bool  // a file is not valid, or comparing files found an error
}

// add adds the outcome of a file.
func (v *verdict) add(o model.Outcome) { v.invalid = v.invalid || o != model.Valid }

// addScan adds the result of the virus scanner for a file, if one is in use.
func (v *verdict) addScan(s *model.Scan) {
	v.infected = v.infected || s != nil && s.Outcome == model.ScanInfected
}

// passOver reports a file that cannot be read. It returns false if the call must end: it was
// stopped, this was the only file, or the virus scanner is unavailable.
func (v *verdict) passOver(ctx context.Context, t *terminal, err error) bool {
	var away *antivirus.AwayError
	if ctx.Err() != nil || v.files == 1 || errors.As(err, &away) {
		return false
	}
	v.unread++
	t.printError(err)
	return true
}

// err returns the error of the call.
func (v *verdict) err() error {
	switch {
	case v.unread > 0:
		return fmt.Errorf("%s could not be read, of %d", humanize.Number(v.unread, "file", "files"), v.files)
	case v.invalid, v.infected:
		return errContent
	}
	return nil
}
