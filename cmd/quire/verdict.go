package main

import (
	"context"
	"errors"
	"fmt"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/antivirus"
)

// verdict is the outcome of inspecting several files. A file that the machine cannot read does not
// keep the others from being read: a report on a thousand needs all of them.
type verdict struct {
	files    int   // asked for
	unread   int64 // of them
	infected bool  // a virus was found in one
	invalid  bool  // one is not valid, or a comparison of files shows an error
}

// add takes the outcome of a file.
func (v *verdict) add(o model.Outcome) { v.invalid = v.invalid || o != model.Valid }

// addScan adds the result of the virus scanner for a file, if one was asked.
func (v *verdict) addScan(s *model.Scan) {
	v.infected = v.infected || s != nil && s.Outcome == model.ScanInfected
}

// passOver reports a file that cannot be read; it returns false when no other is left: the call is
// stopped, or it was the only file; or it is the virus scanner that is away.
func (v *verdict) passOver(ctx context.Context, t *terminal, err error) bool {
	var away *antivirus.AwayError
	if ctx.Err() != nil || v.files == 1 || errors.As(err, &away) {
		return false
	}
	v.unread++
	t.tell(err)
	return true
}

// err is that of the call.
func (v *verdict) err() error {
	switch {
	case v.unread > 0:
		return fmt.Errorf("%s could not be read, of %d", humanize.Number(v.unread, "file", "files"), v.files)
	case v.invalid, v.infected:
		return errContent
	}
	return nil
}
