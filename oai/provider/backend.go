package provider

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"quire/oai/protocol"
)

// Index lists the records. Its answers are current: they include the changes of a second ago. It is
// safe for use by several goroutines. No datestamp is in the future. A record that is added or
// changed gets a datestamp no earlier than those of lists answered before, so that a harvest of all
// later records misses none.
type Index interface {
	// Earliest returns a time that is not later than any datestamp, including the datestamps of
	// deleted records. If there are no records, it returns any past time.
	Earliest(ctx context.Context) (time.Time, error)

	// Sets yields the sets in bytewise order of their specs. It yields only sets that follow the
	// given spec in this order. It yields ErrNoSets if there is no hierarchy.
	Sets(ctx context.Context, after string) iter.Seq2[protocol.Set, error]

	// Header returns the header of a record, deleted or not, or an error that is ErrNotFound.
	Header(ctx context.Context, identifier string) (protocol.Header, error)

	// List yields the headers that match a query, including headers of deleted records. They are
	// sorted by datestamp, then bytewise by identifier.
	List(ctx context.Context, q Query) iter.Seq2[protocol.Header, error]

	// Count returns the number of records of the whole list, ignoring After, if this costs little.
	// Otherwise ok is false.
	Count(ctx context.Context, q Query) (n int64, ok bool, err error)
}

// Backend supplies the records of a provider.
type Backend interface {
	Index

	// Formats returns all formats, including oai_dc.
	Formats() []protocol.Format

	// FormatsOf returns the formats of one record, or none for a deleted one.
	FormatsOf(ctx context.Context, identifier string) ([]protocol.Format, error)

	// Write writes one record as one XML element without prolog; the element declares all its
	// namespaces. An error that is ErrNoFormat means that the record lacks this format;
	// ErrNotFound, that it was deleted meanwhile. Any other error concerns this record only; the
	// answer reports it at the record's position, and other records are unaffected.
	Write(ctx context.Context, h protocol.Header, prefix string, out io.Writer) error
}

// Query is a query for a list.
type Query struct {
	Prefix      string    // of the format
	From, Until time.Time // inclusive; zero means no bound. Whole seconds; a day's Until is its last second
	Set         string    // and its subsets; "" means all
	After       Position  // the last record of the page before; the zero value means the beginning
}

// Position is a position in a list.
type Position struct {
	Datestamp  time.Time
	Identifier string
}

// Errors of a Backend.
var (
	ErrNotFound = errors.New("the record does not exist")
	ErrNoFormat = errors.New("the record is not available in this format")
	ErrNoSets   = errors.New("the repository has no sets")
)

// BusyError means that a list is not available yet, because the first scan is incomplete. The
// client gets 503 and Retry-After (clause 3.1.2.2). Sets, Header, List, Count and Earliest may
// yield it; List only before its first header.
type BusyError struct {
	Why   string        // for people
	After time.Duration // delay before a retry
}

// Error returns the reason.
func (e *BusyError) Error() string { return e.Why }
