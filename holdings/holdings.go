// Package holdings is a repository as its readers may see it: its packages and captures, each
// reader's access to them and why, and their bytes. All that hands something out (replay, CDX
// server, pages, search, exports) asks here and nowhere else, so that one verdict holds everywhere
// (docs/reference/530_access-rules.md).
package holdings

import (
	"io"

	"quire/holdings/captures"
	"quire/holdings/rights"
)

// Readers and decisions: see package rights.
type (
	// Class is the class of a reader.
	Class = rights.Class
	// Reader is the reader that asks.
	Reader = rights.Reader
	// Verdict is the class of readers with access.
	Verdict = rights.Verdict
	// Decision says whether a reader gets something, and why.
	Decision = rights.Decision
	// DeniedError says that a reader may not have something.
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

// Content is the content of a record: the answer as captured.
type Content struct {
	Proto  string  // "HTTP/1.1"; "" when there was no HTTP
	Status int     // 200 where there was no HTTP
	Header []Field // as captured, in order, doubles and all; of a resource or conversion record, its Content-Type
	Length int64   // of Body; -1 when it is not known before it was read

	// Body is the captured body without transfer coding, and with its content codings (see Header);
	// Decoded removes these. It is compared with its digest: one of up to a MiB before any of it is
	// given, a longer one while it is read, so that the error comes at the end.
	Body io.ReadCloser

	Note string // for the reader: the crawler kept a part only; the body is that of another capture
}

// Field is one field of a head.
type Field struct{ Name, Value string }
