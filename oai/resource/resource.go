// Package resource has the web resources that are handed to harvesters, wherever they come from: a
// folder, a live web server, the bytestreams of a repository.
package resource

import (
	"context"
	"io"
	"time"

	"quire/metadata/mods"
	"quire/oai/provider"
)

// Resource is one web resource as it is, or was, served.
type Resource struct {
	Identifier string    // of its record: a URI
	URL        string    // where it is had, or was captured
	Datestamp  time.Time // of its record
	Captured   time.Time // when it was captured; zero when it is served right now

	Proto  string  // "HTTP/1.1"
	Status int     // 200
	Header []Field // as served, in their order; none when it was not served by HTTP

	MIMEType string // of the bytes, lower case, without parameters; "application/octet-stream" when nobody says
	Size     int64  // in bytes, of what Open gives; -1 when not known
	Coding   string // content codings that are still on the bytes ("gzip", "gzip, br"); "" when none

	// Open gives the bytes: the payload, without transfer codings. Each call begins anew. The bytes
	// may be others than those of which Header and Size tell when the resource changed since.
	Open func(ctx context.Context) (io.ReadCloser, error)

	// Description is what curators say of it; nil when nobody does. It is never what the page says
	// of itself.
	Description *mods.Record

	// Withheld says why the bytes are not handed out although the record is; "" when they are.
	Withheld string

	Events []Event // what is known to have been done to it, oldest first
}

// Field is one header field, its value as served.
type Field struct{ Name, Value string }

// Event is something that was done to a resource in an archive.
type Event struct {
	Type, Detail, Outcome string
	Time                  time.Time
}

// Collection is resources with their records.
type Collection interface {
	provider.Index

	// Resource gives the resource of a record, or an error that is provider.ErrNotFound. What is no
	// longer served gives that too.
	Resource(ctx context.Context, identifier string) (*Resource, error)
}
