package store

import (
	"errors"
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with content.
type Problem struct {
	Path   string `json:"path"`   // within the package, or of the copy, slash-separated
	Detail string `json:"detail"` // what is wrong, with what was expected and what was found
}

// maxProblems bounds how many problems an error carries; Total counts them all.
const maxProblems = 100

// ContentError says that content has problems: the package that was to be stored, or what the
// copies hold. Nothing was stored and nothing was changed.
type ContentError struct {
	Subject  string    // what has the problems: a package folder, or the id of a package
	Problems []Problem // the first hundred
	Total    int
}

// Error names the subject and every problem it carries, one a line.
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

// err is nil when there are no problems.
func (p *problems) err(subject string) error {
	if p.total == 0 {
		return nil
	}
	return &ContentError{Subject: subject, Problems: p.list, Total: p.total}
}

// BusyError says that somebody else is writing the object.
type BusyError struct {
	Subject string
	Holder  Holder
}

// Error names the holder.
func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is in use by %s; wait for it to end, then try again", e.Subject, e.Holder)
}

// SpaceError says that a copy has too little room. Nothing was written.
type SpaceError struct {
	Copies    []string // those that share the file system
	Need, Has int64    // bytes
}

// Error says what is needed and what is there.
func (e *SpaceError) Error() string {
	return fmt.Sprintf("not enough space: needs %d bytes, has %d on %s; free some space or move the copy to a larger "+
		"disk",
		e.Need, e.Has, strings.Join(e.Copies, ", "))
}

// ConflictError says that another package is stored under the same id. It is meant to stop an
// accident: with [IngestOptions] NewVersion the package becomes the next version.
type ConflictError struct {
	ID      string
	Head    int
	Differs string // one file that differs
}

// Error says what to do.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("package %s is stored already (version %d) with other content (%s); ingest it as a new "+
		"version, or give it another id",
		e.ID, e.Head, e.Differs)
}

// ErrNotFound is returned for a package the repository does not hold.
var ErrNotFound = errors.New("no such package in this repository")

// ErrNotRepository is returned for a folder that is no repository.
var ErrNotRepository = errors.New("not a repository: it has no " + repositoryFile)
