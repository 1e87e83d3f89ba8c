package main

import (
	"fmt"

	"quire/model"
	"quire/preserve/report"
)

// verdict is what the inspection of several files comes to. A file that the machine cannot read does not keep the others from
// being read: who inspects a thousand has to know of all of them.
type verdict struct {
	files   int   // asked for
	unread  int64 // of them
	invalid bool  // one is not valid, or what shows when they are compared is an error
}

// add takes the outcome of a file.
func (v *verdict) add(o model.Outcome) { v.invalid = v.invalid || o != model.Valid }

// passOver tells that a file cannot be read; false when nothing is left that could be: the call is stopped, or it was the only
// file.
func (v *verdict) passOver(t *terminal, err error) bool {
	if t.ctx.Err() != nil || v.files == 1 {
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
		return fmt.Errorf("%s could not be read, of %d", report.Number(v.unread, "file", "files"), v.files)
	case v.invalid:
		return errContent
	}
	return nil
}
