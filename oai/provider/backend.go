package provider

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"quire/oai/protocol"
)

// Index knows which records there are. Its answers are of this moment: what was added a second ago
// is there. It is used from many goroutines. No datestamp lies in the future, and a record that is
// added or changed now gets one that is not before those of lists that were answered already: so
// that whoever asks for all since the last time misses nothing.
type Index interface {
	// Earliest is a lower bound of all datestamps, those of deleted records included. When there is
	// no record it is any moment past.
	Earliest(ctx context.Context) (time.Time, error)

	// Sets yields the sets whose spec sorts (bytewise) behind after, sorted so. It yields ErrNoSets
	// when there is no hierarchy.
	Sets(ctx context.Context, after string) iter.Seq2[protocol.Set, error]

	// Header gives the header of a record, also of a deleted one, or an error that is ErrNotFound.
	Header(ctx context.Context, identifier string) (protocol.Header, error)

	// List yields the headers of a query, sorted by datestamp, then (bytewise) by identifier,
	// deleted ones among them.
	List(ctx context.Context, q Query) iter.Seq2[protocol.Header, error]

	// Count says how many records List would yield from the beginning (After is not regarded),
	// where that costs little; ok is false otherwise.
	Count(ctx context.Context, q Query) (n int64, ok bool, err error)
}

// Backend is what a provider hands out.
type Backend interface {
	Index

	// Formats are all formats, oai_dc among them.
	Formats() []protocol.Format

	// FormatsOf are those of one record; of a deleted one, none.
	FormatsOf(ctx context.Context, identifier string) ([]protocol.Format, error)

	// Write writes one record as one element of XML, without prolog, which declares all namespaces
	// that it uses. An error that is ErrNoFormat says that the record is not had in this format;
	// ErrNotFound, that it has gone meanwhile. Any other error is that of one record, and is told
	// where the record would stand: it never spoils those beside it.
	Write(ctx context.Context, h protocol.Header, prefix string, out io.Writer) error
}

// Query asks for a list.
type Query struct {
	Prefix      string    // of the format
	From, Until time.Time // both included; zero is no bound. Whole seconds; a day's Until is its last second
	Set         string    // and all below it; "" is all
	After       Position  // the last record of the page before; the zero value begins
}

// Position is a place in a list.
type Position struct {
	Datestamp  time.Time
	Identifier string
}

// Errors of a Backend.
var (
	ErrNotFound = errors.New("there is no such record")
	ErrNoFormat = errors.New("the record is not had in this format")
	ErrNoSets   = errors.New("there are no sets")
)

// BusyError says that a list cannot be given yet, because what there is has not been looked at to
// the end: whoever asks gets 503 and Retry-After (clause 3.1.2.2). Sets, Header, List, Count and
// Earliest may yield it, List before its first header only.
type BusyError struct {
	Why   string        // for people
	After time.Duration // when to ask again
}

// Error says why.
func (e *BusyError) Error() string { return e.Why }
