package providertest

import (
	"context"
	"fmt"
	"io"
	"iter"
	"sort"
	"strconv"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
)

// Synthetic is a Backend of the given number of records, all computed on demand. Three of them
// share each second; one in a hundred is deleted; they are in the sets s:0 to s:9 in turn.
type Synthetic int

// start is the datestamp of the first.
var start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

const perSecond = 3

// At returns the header of a record, by number from 0.
func (s Synthetic) At(i int) protocol.Header {
	return protocol.Header{
		Identifier: fmt.Sprintf("urn:x-synthetic:%09d", i),
		Datestamp:  start.Add(time.Duration(i/perSecond) * time.Second),
		Sets:       []string{"s:" + strconv.Itoa(i%10)},
		Deleted:    i%100 == 99,
	}
}

// Earliest implements provider.Index.
func (s Synthetic) Earliest(context.Context) (time.Time, error) { return start, nil }

// Sets implements provider.Index.
func (s Synthetic) Sets(_ context.Context, after string) iter.Seq2[protocol.Set, error] {
	return func(yield func(protocol.Set, error) bool) {
		for _, spec := range []string{"s", "s:0", "s:1", "s:2", "s:3", "s:4", "s:5", "s:6", "s:7", "s:8", "s:9"} {
			if spec > after && !yield(protocol.Set{Spec: spec, Name: "Part " + spec}, nil) {
				return
			}
		}
	}
}

// Header implements provider.Index.
func (s Synthetic) Header(_ context.Context, identifier string) (protocol.Header, error) {
	var i int
	if _, err := fmt.Sscanf(identifier, "urn:x-synthetic:%09d", &i); err != nil || i < 0 || i >= int(s) ||
		s.At(i).Identifier != identifier {
		return protocol.Header{}, provider.ErrNotFound
	}
	return s.At(i), nil
}

// List implements provider.Index.
func (s Synthetic) List(ctx context.Context, q provider.Query) iter.Seq2[protocol.Header, error] {
	return func(yield func(protocol.Header, error) bool) {
		first := sort.Search(int(s), func(i int) bool {
			h := s.At(i)
			return !h.Datestamp.Before(q.From) &&
				(h.Datestamp.After(q.After.Datestamp) || h.Datestamp.Equal(q.After.Datestamp) &&
					h.Identifier > q.After.Identifier)
		})
		for i := first; i < int(s); i++ {
			h := s.At(i)
			if !q.Until.IsZero() && h.Datestamp.After(q.Until) {
				return
			}
			if inSet(h, q.Set) && !yield(h, ctx.Err()) {
				return
			}
		}
	}
}

// Count implements provider.Index. It knows the count only for queries without a set and without
// dates.
func (s Synthetic) Count(_ context.Context, q provider.Query) (int64, bool, error) {
	return int64(s), q.Set == "" && q.From.IsZero() && q.Until.IsZero(), nil
}

// Formats implements provider.Backend.
func (s Synthetic) Formats() []protocol.Format { return []protocol.Format{DC} }

// FormatsOf implements provider.Backend.
func (s Synthetic) FormatsOf(ctx context.Context, identifier string) ([]protocol.Format, error) {
	h, err := s.Header(ctx, identifier)
	if err != nil || h.Deleted {
		return nil, err
	}
	return s.Formats(), nil
}

// Write implements provider.Backend.
func (s Synthetic) Write(_ context.Context, h protocol.Header, _ string, out io.Writer) error {
	return WriteDC(h.Identifier, out)
}
