package site

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/resource"
)

var _ resource.Collection = (*Site)(nil)

// chunk is the maximum number of headers read at once, so that changes wait only briefly. A list
// begins with fewer, because clients mostly need one page.
const (
	chunk      = 1000
	firstChunk = 128
)

// maxCounted is the maximum number of records counted individually.
const maxCounted = 50_000

// Earliest implements provider.Index.
func (s *Site) Earliest(ctx context.Context) (time.Time, error) {
	var first sql.NullInt64
	if err := s.index.db.QueryRowContext(ctx, "SELECT min(datestamp) FROM resource").Scan(&first); err != nil {
		return time.Time{}, err
	}
	if !first.Valid {
		return s.index.now().UTC().Truncate(time.Second), nil
	}
	return time.Unix(first.Int64, 0).UTC(), nil
}

// allSets returns the sets of all resources of a site: by media type, host and year.
func (s *Site) allSets() map[string]bool {
	return map[string]bool{"mime": true, "host": true, "year": true, s.hostSet: true}
}

// Sets implements provider.Index.
func (s *Site) Sets(ctx context.Context, after string) iter.Seq2[protocol.Set, error] {
	return func(yield func(protocol.Set, error) bool) {
		specs, err := s.specs(ctx)
		if err != nil {
			yield(protocol.Set{}, err)
			return
		}
		for _, spec := range specs {
			if spec > after && !yield(protocol.Set{Spec: spec, Name: setName(spec)}, nil) {
				return
			}
		}
	}
}

// maxSets is the maximum number of listed sets. More media types than that are noise.
const maxSets = 10_000

func (s *Site) specs(ctx context.Context) ([]string, error) {
	rows, err := s.index.db.QueryContext(ctx, "SELECT spec FROM member WHERE spec <> '' ORDER BY spec LIMIT ?", maxSets)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err returns the reading error
	var specs []string
	for rows.Next() {
		var spec string
		if err := rows.Scan(&spec); err != nil {
			return nil, err
		}
		specs = append(specs, spec)
	}
	if len(specs) > 0 {
		for spec := range s.allSets() {
			specs = append(specs, spec)
		}
	}
	slices.Sort(specs)
	return specs, rows.Err()
}

func setName(spec string) string {
	switch spec {
	case "mime":
		return "By media type"
	case "host":
		return "By host"
	case "year":
		return "By year of the last change"
	}
	if t, ok := protocol.ParseMIMESet(spec); ok {
		return "Media type " + t
	}
	if h, ok := protocol.ParseHostSet(spec); ok {
		return "Host " + h
	}
	return "Changed in " + strings.TrimPrefix(spec, "year:")
}

// Header implements provider.Index. It looks at the resource first, so the header is current.
func (s *Site) Header(ctx context.Context, identifier string) (protocol.Header, error) {
	r, err := s.known(ctx, identifier)
	if err != nil {
		return protocol.Header{}, err
	}
	if s.needsLook(identifier, r) {
		l, err := s.look(ctx, identifier, nil, false)
		if err != nil {
			return protocol.Header{}, err
		}
		if err := s.index.apply(ctx, []look{l}, false); err != nil {
			return protocol.Header{}, err
		}
		if r, err = s.known(ctx, identifier); err != nil {
			return protocol.Header{}, err
		}
	}
	if r == nil {
		return protocol.Header{}, provider.ErrNotFound
	}
	return s.header(identifier, r.datestamp, r.deleted, protocol.MIMESet(r.mime), r.year), nil
}

func (s *Site) known(ctx context.Context, identifier string) (*row, error) {
	s.index.reading.RLock()
	defer s.index.reading.RUnlock()
	return scanRow(s.index.get.QueryRowContext(ctx, identifier))
}

// needsLook reports whether to request a resource from the handler before showing its record. This
// applies to known resources and to files in the folder. A harvester's request alone does not add a
// resource that no link and no sitemap names.
func (s *Site) needsLook(identifier string, r *row) bool {
	switch {
	case !s.urls.hasRecord(identifier):
		return false
	case r != nil && r.checked >= s.index.now().Unix():
		return false // checked within this second
	case r != nil && !r.deleted:
		return true
	}
	return s.inFolder(identifier)
}

func (s *Site) header(identifier string, datestamp int64, deleted bool, specs ...string) protocol.Header {
	list := append([]string{s.hostSet}, specs...)
	slices.Sort(list)
	return protocol.Header{Identifier: identifier, Datestamp: time.Unix(datestamp, 0).UTC(), Sets: list,
		Deleted: deleted}
}

// query is the SQL text and the arguments of a list.
type query struct {
	where []string
	args  []any
	none  bool // no record can match
}

func (q *query) and(where string, args ...any) {
	q.where = append(q.where, where)
	q.args = append(q.args, args...)
}

func (q *query) text(what, rest string) string {
	text := "SELECT " + what + " FROM resource"
	if len(q.where) > 0 {
		text += " WHERE " + strings.Join(q.where, " AND ")
	}
	return text + " " + rest
}

// where returns the conditions for the set and the dates of a query, without its position.
func (s *Site) where(q provider.Query) query {
	var w query
	switch {
	case q.Set == "" || s.allSets()[q.Set]:
	case strings.HasPrefix(q.Set, "mime:") && strings.Count(q.Set, ":") == 1:
		w.and("mimetop = ?", q.Set)
	case strings.HasPrefix(q.Set, "mime:"):
		w.and("mimeset = ?", q.Set)
	case strings.HasPrefix(q.Set, "year:"):
		w.and("yearset = ?", q.Set)
	default:
		w.none = true
	}
	if !q.From.IsZero() {
		w.and("datestamp >= ?", q.From.Unix())
	}
	if !q.Until.IsZero() {
		w.and("datestamp <= ?", q.Until.Unix())
	}
	return w
}

// List implements provider.Index. A new list waits for a recent scan, if one can finish soon.
func (s *Site) List(ctx context.Context, q provider.Query) iter.Seq2[protocol.Header, error] {
	return func(yield func(protocol.Header, error) bool) {
		if q.After == (provider.Position{}) {
			s.freshen(ctx)
		}
		for n := firstChunk; ; n = min(2*n, chunk) {
			list, err := s.page(ctx, q, n)
			if err != nil {
				yield(protocol.Header{}, err)
				return
			}
			for _, h := range list {
				if !yield(h, nil) {
					return
				}
			}
			if len(list) < n {
				return
			}
			last := list[len(list)-1]
			q.After = provider.Position{Datestamp: last.Datestamp, Identifier: last.Identifier}
		}
	}
}

// page returns the next n headers of a list.
func (s *Site) page(ctx context.Context, q provider.Query, n int) ([]protocol.Header, error) {
	w := s.where(q)
	if w.none {
		return nil, nil
	}
	if q.After != (provider.Position{}) {
		w.and("(datestamp, url) > (?, ?)", q.After.Datestamp.Unix(), q.After.Identifier)
	}
	s.index.reading.RLock()
	defer s.index.reading.RUnlock()
	rows, err := s.index.db.QueryContext(ctx,
		w.text("url, datestamp, deleted, mimeset, yearset", "ORDER BY datestamp, url LIMIT ?"), append(w.args, n)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err returns the reading error
	var list []protocol.Header
	for rows.Next() {
		var url, mime, year string
		var datestamp int64
		var deleted bool
		if err := rows.Scan(&url, &datestamp, &deleted, &mime, &year); err != nil {
			return nil, err
		}
		list = append(list, s.header(url, datestamp, deleted, mime, year))
	}
	return list, rows.Err()
}

// Count implements provider.Index. The counts of whole sets are stored. The records in a part of a
// set are counted up to a limit.
func (s *Site) Count(ctx context.Context, q provider.Query) (n int64, ok bool, err error) {
	w := s.where(q)
	if w.none {
		return 0, true, nil
	}
	s.index.reading.RLock()
	defer s.index.reading.RUnlock()
	if q.From.IsZero() && q.Until.IsZero() {
		spec := q.Set
		if s.allSets()[spec] {
			spec = ""
		}
		err = s.index.db.QueryRowContext(ctx, "SELECT n FROM member WHERE spec = ?", spec).Scan(&n)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, true, nil
		}
		return n, err == nil, err
	}
	err = s.index.db.QueryRowContext(ctx, "SELECT count(*) FROM ("+w.text("1", "LIMIT ?")+")",
		append(w.args, maxCounted+1)...).Scan(&n)
	return n, err == nil && n <= maxCounted, err
}
