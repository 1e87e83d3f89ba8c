package store

import (
	"errors"
	"fmt"
	"strings"

	"quire/repository/catalogue"
)

// Problem is one fault in content.
type Problem struct {
	Path   string `json:"path"`   // within the package, or of the copy, slash-separated
	Detail string `json:"detail"` // the fault, with the expected and the found value
}

// maxProblems is the maximum number of problems that an error lists. Total counts all problems.
const maxProblems = 100

// ContentError reports problems in the content: in the package to store, or in the copies. Nothing
// was stored or changed.
type ContentError struct {
	Subject  string    // where the problems are: a package folder, or the id of a package
	Problems []Problem // the first hundred
	Total    int
}

// Error returns the subject and all listed problems, one per line.
func (e *ContentError) Error() string {
	var b strings.Builder
	noun := "problems"
	if e.Total == 1 {
		noun = "problem"
	}
	fmt.Fprintf(&b, "%s: %d %s", e.Subject, e.Total, noun)
	for _, p := range e.Problems {
		b.WriteString("\n  ")
		if p.Path != "" {
			b.WriteString(p.Path + ": ")
		}
		b.WriteString(p.Detail)
	}
	if more := e.Total - len(e.Problems); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// problems collects problems up to the bound.
type problems struct {
	list  []Problem
	total int
}

func (p *problems) add(path, format string, args ...any) {
	p.total++
	if len(p.list) < maxProblems {
		p.list = append(p.list, Problem{Path: path, Detail: fmt.Sprintf(format, args...)})
	}
}

// err returns the problems as a ContentError, or nil if there are no problems.
func (p *problems) err(subject string) error {
	if p.total == 0 {
		return nil
	}
	return &ContentError{Subject: subject, Problems: p.list, Total: p.total}
}

// UnplacedError reports a change that is decided, but could not be put in place: a disk failed, or
// the catalogue was busy. The next command on the repository finishes it.
type UnplacedError struct {
	ID  string // of the package or document
	Err error
}

// Error says that the change is not in place yet, and why.
func (e *UnplacedError) Error() string {
	return fmt.Sprintf("package %s is complete in staging but could not be moved into place. It is not stored yet; "+
		"the next command on this repository finishes it: %v", e.ID, e.Err)
}

// Unwrap returns the reason.
func (e *UnplacedError) Unwrap() error { return e.Err }

// BusyError reports that another process is writing the object.
type BusyError struct {
	Subject string
	Holder  Holder
}

// Error names the holder of the lock.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is in use by %s; wait for it to end, then try again", e.Subject, e.Holder)
}

// isBusy reports whether another process holds a lock of the repository, or writes to its catalogue.
func isBusy(err error) bool {
	var held *BusyError
	var writing *catalogue.BusyError
	return errors.As(err, &held) || errors.As(err, &writing)
}

// SpaceError reports that a copy has too little free space. Nothing was written.
type SpaceError struct {
	Copies    []string // copies that share the file system
	Need, Has int64    // bytes
}

// Error returns the space needed and the space available.
func (e *SpaceError) Error() string {
	return fmt.Sprintf("not enough space: needs %d bytes, has %d on %s; free some space or move the copy to a larger "+
		"disk",
		e.Need, e.Has, strings.Join(e.Copies, ", "))
}

// ConflictError reports that a different package is stored under the same id. It prevents
// accidents: with [IngestOptions] NewVersion the package becomes the next version.
type ConflictError struct {
	ID      string
	Head    int
	Differs string // one file that differs
}

// Error names the stored version, a difference, and the next step.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("package %s is already stored (version %d) with different content (%s); ingest it "+
		"as a new version, or give it another id",
		e.ID, e.Head, e.Differs)
}

// ErrNotFound reports that the repository has no such package.
var ErrNotFound = errors.New("no such package in this repository")

// ErrNotRepository reports a folder that is not a repository.
var ErrNotRepository = errors.New("not a repository: it has no " + repositoryFile)
