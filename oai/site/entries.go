package site

import (
	"context"
	"database/sql"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"quire/metadata/xmlstream"
	"quire/oai/protocol"
)

// maxLoc is the maximum length of a URL in a sitemap, in characters, by its schema.
const maxLoc = 2048

// entry is a resource in a list.
type entry struct {
	url             string
	datestamp, born int64
	deleted         bool
	mime            string
	modified        sql.NullInt64
	size            int64
	sha256          []byte
}

// entriesQuery returns the query of a part of a list.
func entriesQuery(k kind, after, to place, since int64) query {
	var q query
	if k.changes {
		q.and("datestamp >= ?", since)
	} else {
		q.and("deleted = 0")
	}
	switch {
	case k.changes && after != (place{}):
		q.and("(datestamp, url) > (?, ?)", after.datestamp, after.url)
	case after != (place{}):
		q.and("url > ?", after.url)
	}
	switch {
	case k.changes && to != (place{}):
		q.and("(datestamp, url) <= (?, ?)", to.datestamp, to.url)
	case to != (place{}):
		q.and("url <= ?", to.url)
	}
	return q
}

func (k kind) order() string {
	if k.changes {
		return "ORDER BY datestamp, url LIMIT ?"
	}
	return "ORDER BY url LIMIT ?"
}

// entries writes a part of a list, in batches.
func (s *Site) entries(ctx context.Context, x *xmlstream.Writer, k kind, after, to place) error {
	since, err := s.index.fact(ctx, "seen "+s.urls.root)
	if err != nil {
		return err
	}
	for n := 0; n < maxSitemapEntries; { // growth of a part since the reading of its index appears the next time
		list, err := s.someEntries(ctx, k, after, to, since, min(chunk, maxSitemapEntries-n))
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			e := &list[i]
			if len(e.url) <= maxLoc && len(e.url) >= len("http://a.xy/") {
				e.write(x, k)
			}
		}
		if err := x.Err(); err != nil {
			return err
		}
		n += len(list)
		last := &list[len(list)-1]
		after = place{url: last.url}
		if k.changes {
			after.datestamp = last.datestamp
		}
	}
	return nil
}

func (s *Site) someEntries(ctx context.Context, k kind, after, to place, since int64, n int) ([]entry, error) {
	q := entriesQuery(k, after, to, since)
	s.index.reading.RLock()
	defer s.index.reading.RUnlock()
	rows, err := s.index.db.QueryContext(ctx,
		q.text("url, datestamp, born, deleted, mime, modified, size, sha256", k.order()), append(q.args, n)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err returns the reading error
	var list []entry
	for rows.Next() {
		var e entry
		if err := rows.Scan(&e.url, &e.datestamp, &e.born, &e.deleted, &e.mime, &e.modified, &e.size,
			&e.sha256); err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// write writes one entry. Its lastmod is the server's time, or else the time when the change was
// detected.
func (e *entry) write(x *xmlstream.Writer, k kind) {
	x.Start("sm:url")
	x.Element("sm:loc", e.url)
	at := time.Unix(e.datestamp, 0)
	if e.modified.Valid && !e.deleted {
		at = time.Unix(e.modified.Int64, 0)
	}
	x.Element("sm:lastmod", protocol.FormatDatestamp(at))
	if k.rs {
		writeMD(x, e.md(k))
	}
	x.End("sm:url")
}

func (e *entry) md(k kind) (md [][2]string) {
	if k.changes {
		md = append(md, [2]string{"change", e.change()},
			[2]string{"datetime", protocol.FormatDatestamp(time.Unix(e.datestamp, 0))})
	}
	if e.deleted {
		return md
	}
	if e.sha256 != nil {
		md = append(md, [2]string{"hash", "sha-256:" + hex.EncodeToString(e.sha256)})
	}
	if e.size >= 0 {
		md = append(md, [2]string{"length", strconv.FormatInt(e.size, 10)})
	}
	return append(md, [2]string{"type", e.mime})
}

func (e *entry) change() string {
	switch {
	case e.deleted:
		return "deleted"
	case e.born == e.datestamp:
		return "created"
	}
	return "updated"
}

// parts are the ends of a list's parts, valid for a state of the index.
type parts struct {
	ends    []place
	changes int64
	at      time.Time
}

// partsAge is how long parts stay in use although the index has changed, because finding them needs
// a pass over the whole index.
const partsAge = time.Minute

// partsOf returns the parts of a list, found now or before.
func (p *Publisher) partsOf(ctx context.Context, k kind) ([]place, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.site.index.reading.RLock()
	changes := p.site.index.changes
	p.site.index.reading.RUnlock()
	if have := p.parts[k.changes]; !have.at.IsZero() && (have.changes == changes || time.Since(have.at) < partsAge) {
		return have.ends, nil
	}
	found := parts{changes: changes, at: time.Now()}
	since, err := p.site.index.fact(ctx, "seen "+p.site.urls.root)
	if err != nil {
		return nil, err
	}
	after, n, size := place{}, 0, 0
	for {
		q := entriesQuery(k, after, place{}, since)
		list, err := p.site.places(ctx, q, k)
		if err != nil {
			return nil, err
		}
		for _, at := range list {
			n, size = n+1, size+len(at.url)+4*strings.Count(at.url, "&")
			if n == p.perPart || size >= partBytes {
				found.ends = append(found.ends, at)
				n, size = 0, 0
			}
			after = at
		}
		if len(list) < maxPending {
			break
		}
	}
	if n > 0 {
		found.ends = append(found.ends, after)
	}
	p.parts[k.changes] = found
	return found.ends, nil
}

// places returns the positions of some entries.
func (s *Site) places(ctx context.Context, q query, k kind) ([]place, error) {
	rows, err := s.index.db.QueryContext(ctx, q.text("url, datestamp", k.order()), append(q.args, maxPending)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // Err returns the reading error
	var list []place
	for rows.Next() {
		var at place
		if err := rows.Scan(&at.url, &at.datestamp); err != nil {
			return nil, err
		}
		if !k.changes {
			at.datestamp = 0
		}
		list = append(list, at)
	}
	return list, rows.Err()
}
