package main

import (
	"errors"
	"io/fs"
	"syscall"

	"quire/access/export"
	"quire/internal/postgres"
	"quire/preserve/antivirus"
	"quire/repository/store"
)

// hint returns the next step after a system error, or "" if the error itself is clear enough.
func hint(err error) string {
	var away *antivirus.AwayError
	var conflict *store.ConflictError
	var empty *export.EmptyError
	switch {
	case errors.As(err, &conflict):
		return "--new-version stores it as the next version; quire pack --id gives it another id"
	case errors.As(err, &empty):
		return "name other readers with --for; quire rights lists the readers of a package, with dates and statements"
	case errors.As(err, &away):
		return "start clamd, or wait until it has loaded its database; with --clamd-optional, the result " +
			"lists payloads not scanned"
	case postgres.Unreachable(err):
		return "check that the database server runs, and that this machine and account may connect to it"
	case errors.Is(err, fs.ErrNotExist):
		return "check the path"
	case errors.Is(err, fs.ErrExist):
		return "nothing is overwritten: name another place, or move the existing one away"
	case errors.Is(err, fs.ErrPermission):
		return "run quire as a user with read and write access there"
	case errors.Is(err, syscall.ENOSPC):
		return "free some space there, or name a place on a larger disk; no partial result remains"
	case errors.Is(err, syscall.EROFS):
		return "the disk is read-only: mount it for writing, or name another place"
	}
	return ""
}
