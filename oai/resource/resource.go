// Package resource defines the web resources that are served to harvesters. Their source is a
// folder, a live web server, or the bytestreams of a repository.
package resource

import (
	"context"
	"io"
	"time"

	"quire/metadata/mods"
	"quire/oai/provider"
)

// Resource is one web resource as it is served now, or as it was served when captured.
type Resource struct {
	Identifier string    // of its record: a URI
	URL        string    // its current URL, or its URL when captured
	Datestamp  time.Time // of its record
	Captured   time.Time // time of the capture; zero if it is served live

	Proto  string  // "HTTP/1.1"
	Status int     // 200
	Header []Field // as served, in order; empty if not served by HTTP

	MIMEType string // of the bytes, lower case, without parameters; "application/octet-stream" if unknown
	Size     int64  // of the bytes of Open; -1 if unknown
	Coding   string // content codings still on the bytes ("gzip", "gzip, br"); may be ""

	// Open returns the bytes: the payload, without transfer codings. Each call starts at the
	// beginning. If the resource has changed since, the bytes may differ from Header and Size.
	Open func(ctx context.Context) (io.ReadCloser, error)

	// Description is the curators' description, or nil. It never contains the page's own
	// declarations.
	Description *mods.Record

	// Withheld is the reason why the bytes, though not the record, are withheld, or "".
	Withheld string

	Events []Event // its known history, oldest first
}

// Field is one header field, its value as served.
type Field struct{ Name, Value string }

// Event is an event in the history of a resource in an archive.
type Event struct {
	Type, Detail, Outcome string
	Time                  time.Time
}

// Collection is a set of resources with their records.
type Collection interface {
	provider.Index

	// Resource returns the resource of a record. If there is no such record, or if the resource is
	// no longer served, the error is provider.ErrNotFound.
	Resource(ctx context.Context, identifier string) (*Resource, error)
}
