// Package resource defines the web resources that are served to harvesters. Their source is a
// folder, a live web server, or the bytestreams of a repository.
package resource

import (
	"context"
	"io"
	"time"

	"quire/metadata/mods"
	"quire/oai/plugin"
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

	// Sources returns the output of tools that earlier holders of the resource ran, oldest first. It
	// is closed to a harvester to whom the bytes are closed. Nil means that there is none.
	Sources func(ctx context.Context) ([]Source, error)
}

// Source is the output of tools that came with a resource from the server where it was harvested.
type Source struct {
	Document  string    // identifier of the CRATE with the output; may be ""
	Created   time.Time // of that CRATE; zero if unknown
	Generator string    // the program that wrote it, with its version; "" if unknown
	From      string    // the OAI-PMH request that returned it; "" if unknown
	Harvested time.Time // time of that request; zero if unknown
	Results   []plugin.Result
	XML       string // the crate:source as read; "" if it was not read from one
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
