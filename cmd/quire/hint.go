package main

import (
	"errors"
	"io/fs"
	"syscall"

	"quire/preserve/antivirus"
)

// hint says what to do about an error of the machine, "" when nothing better can be said than the error itself.
func hint(err error) string {
	var away *antivirus.AwayError
	switch {
	case errors.As(err, &away):
		return "start clamd, or wait until it has loaded its database; with --clamd-optional, the result says what was not scanned"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path"
	case errors.Is(err, fs.ErrExist):
		return "nothing is overwritten: name another place, or move away what is there"
	case errors.Is(err, fs.ErrPermission):
		return "run quire as a user who may read and write there"
	case errors.Is(err, syscall.ENOSPC):
		return "free some space there, or name a place on a larger disk; nothing half-made is left"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only: mount it for writing, or name another place"
	}
	return ""
}
