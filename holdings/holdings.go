// Package holdings is a repository as its readers may see it: its packages and captures, each
// reader's access with its reasons, and the bytes. All services (replay, CDX server, pages, search,
// exports) use only this package, so one decision applies everywhere
// (docs/reference/530_access-rules.md).
package holdings

import (
	"context"
	"io"

	"quire/holdings/captures"
	"quire/holdings/rights"
)

// Readers and decisions: see package rights.
type (
	// Class is the class of a reader.
	Class = rights.Class
	// Reader is a reader with their class and packages.
	Reader = rights.Reader
	// Verdict is the class of readers with access.
	Verdict = rights.Verdict
	// Decision is an access decision, with its reason.
	Decision = rights.Decision
	// DeniedError reports that something is closed to a reader.
	DeniedError = rights.DeniedError
)

// The classes of readers.
const (
	Public = rights.Public
	OnSite = rights.ReadingRoom
	Staff  = rights.Staff
)

// The verdicts, each stricter than the one before it.
const (
	Open       = rights.Open
	Reading    = rights.OnSite
	Restricted = rights.Restricted
	Blocked    = rights.Blocked
)

// Judged is a capture with the decision for the reader that asked.
type Judged struct {
	*captures.Capture
	Decision
}

// Content is the content of a record: the response as captured.
type Content struct {
	Proto  string  // "HTTP/1.1"; "" without HTTP
	Status int     // 200 without HTTP
	Header []Field // as captured, in order, with duplicates; of a resource or conversion record, its Content-Type
	Length int64   // of Body; -1 if unknown before reading

	// Body is the captured body without transfer coding, and with its content codings (see Header);
	// Decoded removes these. Its digest is verified: for up to a MiB before any byte is returned,
	// for a longer body while reading, so the error comes at the end.
	Body io.ReadCloser

	Note string // for the reader: the capture is truncated, or the body is from another capture

	text  []byte                                            // all of Body, if it is in memory
	enter func(ctx context.Context, at int64) io.ReadCloser // see From; may be nil
}

// Field is one header field.
type Field struct{ Name, Value string }
