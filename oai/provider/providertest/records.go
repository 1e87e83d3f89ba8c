// Package providertest has records in memory for tests of providers and harvesters. Either a test
// adds, changes and deletes records, or a million records are computed.
package providertest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/metadata/dc"
	"quire/metadata/xmlstream"
	"quire/oai/protocol"
	"quire/oai/provider"
)

// DC is the format that every provider has.
var DC = protocol.Format{Prefix: "oai_dc", Schema: dc.SchemaLocation, Namespace: dc.OAINamespace}

// Records is a Backend of records in memory. It can be changed during use.
type Records struct {
	// Render writes a record; nil writes an oai_dc with the identifier as title. It must not be
	// changed during use.
	Render func(ctx context.Context, h protocol.Header, prefix string, out io.Writer) error

	mu      sync.RWMutex
	formats []protocol.Format
	byID    map[string]protocol.Header
	sorted  []protocol.Header // by datestamp, then identifier
	sets    map[string]protocol.Set
}

// New returns a Backend without records. Its formats are oai_dc and the given formats.
func New(formats ...protocol.Format) *Records {
	return &Records{formats: append([]protocol.Format{DC}, formats...), byID: map[string]protocol.Header{},
		sets: map[string]protocol.Set{}}
}

// Put adds a record, or replaces the one with this identifier. It creates the record's sets and
// their parents.
func (r *Records) Put(h protocol.Header) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, ok := r.byID[h.Identifier]; ok {
		i, _ := slices.BinarySearchFunc(r.sorted, old, compare)
		r.sorted = slices.Delete(r.sorted, i, i+1)
	}
	h.Datestamp = h.Datestamp.UTC().Truncate(time.Second)
	h.Sets = slices.Clone(h.Sets)
	r.byID[h.Identifier] = h
	i, _ := slices.BinarySearchFunc(r.sorted, h, compare)
	r.sorted = slices.Insert(r.sorted, i, h)
	for _, s := range h.Sets {
		for ; s != ""; s = protocol.SetAbove(s) {
			if _, ok := r.sets[s]; !ok {
				r.sets[s] = protocol.Set{Spec: s, Name: "All of " + s}
			}
		}
	}
}

// Delete marks a record as deleted.
func (r *Records) Delete(identifier string, at time.Time) {
	r.mu.RLock()
	h := r.byID[identifier]
	r.mu.RUnlock()
	h.Identifier, h.Datestamp, h.Deleted = identifier, at, true
	r.Put(h)
}

// PutSet adds or changes the name and description of a set.
func (r *Records) PutSet(s protocol.Set) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sets[s.Spec] = s
}

// Len returns the number of records, including deleted records.
func (r *Records) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.sorted)
}

func compare(a, b protocol.Header) int {
	return cmp.Or(a.Datestamp.Compare(b.Datestamp), strings.Compare(a.Identifier, b.Identifier))
}

// Earliest implements provider.Index.
func (r *Records) Earliest(context.Context) (time.Time, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if len(r.sorted) == 0 {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), nil
	}
	return r.sorted[0].Datestamp, nil
}

// Sets implements provider.Index.
func (r *Records) Sets(_ context.Context, after string) iter.Seq2[protocol.Set, error] {
	return func(yield func(protocol.Set, error) bool) {
		r.mu.RLock()
		sets := maps.Clone(r.sets)
		r.mu.RUnlock()
		if len(sets) == 0 {
			yield(protocol.Set{}, provider.ErrNoSets)
			return
		}
		for _, spec := range slices.Sorted(maps.Keys(sets)) {
			if spec > after && !yield(sets[spec], nil) {
				return
			}
		}
	}
}

// Header implements provider.Index.
func (r *Records) Header(_ context.Context, identifier string) (protocol.Header, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	h, ok := r.byID[identifier]
	if !ok {
		return h, provider.ErrNotFound
	}
	return h, nil
}

// List implements provider.Index. It finds its position and continues record by record, as an index
// on disk does.
func (r *Records) List(ctx context.Context, q provider.Query) iter.Seq2[protocol.Header, error] {
	return func(yield func(protocol.Header, error) bool) {
		at := protocol.Header{Identifier: q.After.Identifier, Datestamp: q.After.Datestamp}
		if q.From.After(at.Datestamp) {
			at = protocol.Header{Datestamp: q.From}
		}
		for {
			h, ok := r.next(at, q)
			if !ok {
				return
			}
			if err := ctx.Err(); err != nil {
				yield(h, err)
				return
			}
			if !yield(h, nil) {
				return
			}
			at = h
		}
	}
}

// next returns the first record of a query after another. It holds the lock only for this step, so
// that records can change during a list.
func (r *Records) next(at protocol.Header, q provider.Query) (protocol.Header, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	i, found := slices.BinarySearchFunc(r.sorted, at, compare)
	if found {
		i++
	}
	for ; i < len(r.sorted); i++ {
		h := r.sorted[i]
		if !q.Until.IsZero() && h.Datestamp.After(q.Until) {
			break
		}
		if inSet(h, q.Set) {
			return h, true
		}
	}
	return protocol.Header{}, false
}

func inSet(h protocol.Header, set string) bool {
	return set == "" || slices.ContainsFunc(h.Sets, func(spec string) bool { return protocol.InSet(spec, set) })
}

// Count implements provider.Index.
func (r *Records) Count(_ context.Context, q provider.Query) (int64, bool, error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	n := int64(0)
	for _, h := range r.sorted {
		if !h.Datestamp.Before(q.From) && (q.Until.IsZero() || !h.Datestamp.After(q.Until)) && inSet(h, q.Set) {
			n++
		}
	}
	return n, true, nil
}

// Formats implements provider.Backend.
func (r *Records) Formats() []protocol.Format { return r.formats }

// FormatsOf implements provider.Backend.
func (r *Records) FormatsOf(ctx context.Context, identifier string) ([]protocol.Format, error) {
	h, err := r.Header(ctx, identifier)
	if err != nil || h.Deleted {
		return nil, err
	}
	return r.formats, nil
}

// Write implements provider.Backend.
func (r *Records) Write(ctx context.Context, h protocol.Header, prefix string, out io.Writer) error {
	if r.Render != nil {
		return r.Render(ctx, h, prefix, out)
	}
	return WriteDC(h.Identifier, out)
}

// WriteDC writes an oai_dc with a title.
func WriteDC(title string, out io.Writer) error {
	_,
		err := fmt.Fprintf(out,
		`<oai_dc:dc xmlns:oai_dc=%q xmlns:dc=%q xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" `+
			`xsi:schemaLocation="%s %s"><dc:title>%s</dc:title></oai_dc:dc>`,
		dc.OAINamespace, dc.Namespace, dc.OAINamespace, dc.SchemaLocation, escape(title))
	return err
}

func escape(s string) []byte {
	b, _ := xmlstream.AppendText(nil, s)
	return b
}
