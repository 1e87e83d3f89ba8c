package desk

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"

	"quire/access/purge"
	"quire/access/withdrawal"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/numbers"
	"quire/repository/catalogue"
	"quire/repository/jobs"
	"quire/repository/store"
)

// Desk works on an open repository. It is safe for concurrent use. The caller closes its parts.
type Desk struct {
	Store    *store.Store
	Queue    *jobs.Queue
	Holdings *holdings.Holdings

	// Submit puts commands into the queue, with the grammar of the command line.
	Submit func(context.Context, Commanded) ([]jobs.Submitted, error)
	// Harvesters drops the index for harvesters; nil if there is none.
	Harvesters func() error

	Folders []string // where jobs may read and write files
	Reports string   // the folder of reports; "" for none
}

// RefusedError reports a call that cannot be right: its text is for the person that made it.
type RefusedError struct{ Err error }

// Error returns the reason.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

func refused(text string) error { return &RefusedError{errors.New(text)} }

// decided returns the error of a decision. Its rules have plain errors, which are for the person that decides; errors
// of the system are not.
func decided(err error) error {
	if err == nil || Status(err) != http.StatusInternalServerError {
		return err
	}
	if ofSystem(err) {
		return err
	}
	return &RefusedError{err}
}

// ofSystem reports whether an error is one of the machine, of the database or of the network.
func ofSystem(err error) bool {
	var path *fs.PathError
	var call *os.SyscallError
	var link *os.LinkError
	for _, system := range []any{&path, &call, &link, new(*store.UnplacedError), new(*store.SpaceError)} {
		if errors.As(err, system) {
			return true
		}
	}
	return catalogue.Failed(err) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Public returns the status of HTTP for an error, and the text for the person that asked. secret says that the text of
// the error is for the log only.
func Public(err error) (status int, text string, secret bool) {
	status = Status(err)
	switch {
	case status == http.StatusInternalServerError:
		return status, "the service failed; its log has the reason", true
	case status == http.StatusServiceUnavailable && catalogue.Unanswered(err) &&
		!errors.As(err, new(*catalogue.BusyError)):
		return status, "the database of the repository does not answer now: look whether the change is there, and " +
			"try again", true
	}
	return status, err.Error(), false
}

// Status returns the status of HTTP for an error: 500 for one of the system, whose text is for the log only.
func Status(err error) int {
	is := func(all ...error) bool {
		for _, e := range all {
			if errors.Is(err, e) {
				return true
			}
		}
		return false
	}
	var denied *holdings.DeniedError
	var wrong *RefusedError
	var content *store.ContentError
	var conflict *store.ConflictError
	var busy *store.BusyError
	var writing *catalogue.BusyError
	switch {
	case is(store.ErrPurged):
		return http.StatusGone
	case is(store.ErrNotFound, captures.ErrNotFound, jobs.ErrNoJob, withdrawal.ErrNone, ErrNoReport):
		return http.StatusNotFound
	case errors.As(err, &denied):
		return http.StatusForbidden
	case is(jobs.ErrOpen, purge.ErrNeeded, withdrawal.ErrLifted, store.ErrChanged, store.ErrReadOnly,
		numbers.ErrNotCounted, catalogue.ErrNotCounted), errors.As(err, &conflict):
		return http.StatusConflict
	case errors.As(err, &wrong), errors.As(err, &content):
		return http.StatusUnprocessableEntity
	case errors.As(err, &busy), errors.As(err, &writing), is(context.DeadlineExceeded), catalogue.Unanswered(err):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}
