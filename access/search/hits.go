package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"sort"

	"quire/holdings"
	"quire/holdings/captures"
)

// hitBuilder converts groups to hits.
type hitBuilder struct {
	s        *Search
	t        *table
	who      holdings.Reader
	sight    *readerView
	question *question
	wanted   *conditions
	in       *membership
	level    Level
	matches  *matched
}

// hit converts a group; ok is false if it turns out to be closed to the reader.
func (w *hitBuilder) hit(ctx context.Context, x group) (*Hit, bool, error) {
	group := []int32{x.document}
	if w.level == Pages {
		group = w.versions(w.t.group(x.document))
	}
	shown, err := w.newest(ctx, group)
	if err != nil || shown == nil {
		return nil, false, err
	}
	c := w.t.captures.at(shown.number)
	text, err := w.s.text(ctx, w.t.documents.at(c.document).id, digestOf(shown.full))
	if err != nil || text == nil {
		return nil, false, err
	}
	h := &Hit{
		URL: shown.full.URL, Host: name(w.t.hosts, w.t.hostOf(c.url)), Type: text.Type, MIME: shown.full.MIME,
		Language: text.Language, Size: text.Size,
		Capture: shown.full, Score: float64(x.score), Truncated: shown.full.Truncated, Details: []Detail{},
	}
	h.Details = append(h.Details, text.Details...)
	w.question.describe(h, text.Title, text.Body, text.Description)
	w.count(h, &c, group)
	return h, true, nil
}

// versions returns the matching documents of a group.
func (w *hitBuilder) versions(group int32) (all []int32) {
	pages := w.t.byGroup.part(0, int32(w.t.pages)) //nolint:gosec // there are fewer than 2^31
	from, _ := sort.Find(pages.len(), func(i int) int {
		return cmp.Compare(group, w.t.group(pages.at(int32(i)))) //nolint:gosec // there are fewer than 2^31
	})
	rest := pages.part(int32(from), int32(w.t.pages)) //nolint:gosec // there are fewer than 2^31
	rest.each(func(d int32) bool {
		if w.t.group(d) != group {
			return false
		}
		if _, ok := slices.BinarySearchFunc(w.matches.all, d, func(p posting, d int32) int {
			return cmp.Compare(p.document, d)
		}); ok {
			all = append(all, d)
		}
		return true
	})
	return all
}

// fulfils reports whether a capture matches, and is open to the reader.
func (w *hitBuilder) fulfils(i int32) bool {
	c := w.t.captures.at(i)
	d, b := w.t.documents.at(c.document), w.t.brief(&c)
	return w.wanted.ofDocument(&d) == 0 && w.wanted.ofCapture(&b, w.in) == 0 && w.sight.sees(i)
}

// found is a capture, with its entry in the index of captures.
type found struct {
	number int32
	full   *captures.Capture
}

// newest finds the newest capture open to the reader, using the index of captures.
func (w *hitBuilder) newest(ctx context.Context, documents []int32) (*found, error) {
	var all []int32
	for _, d := range documents {
		w.t.capturesOf(d).each(func(i int32) bool {
			if w.fulfils(i) {
				all = append(all, i)
			}
			return true
		})
	}
	slices.SortFunc(all, func(a, b int32) int {
		x, y := w.t.captures.at(a), w.t.captures.at(b)
		return cmp.Or(cmp.Compare(y.time, x.time), cmp.Compare(a, b))
	})
	const tries = 20 // the index of captures may be newer than this one
	for _, i := range all[:min(len(all), tries)] {
		full, err := w.full(ctx, i)
		if err != nil {
			return nil, err
		}
		if full != nil {
			return &found{i, full}, nil
		}
	}
	return nil, nil
}

// full finds a capture in the index of captures; nil if it is missing or closed to the reader.
func (w *hitBuilder) full(ctx context.Context, i int32) (*captures.Capture, error) {
	c := w.t.captures.at(i)
	at, digest := timestamp(c.time), w.t.text(w.t.documents.at(c.document).digest)
	q := captures.Query{URL: cmp.Or(w.t.text(c.written), w.t.text(w.t.urls.at(c.url).url)), From: at, To: at,
		Packages: []string{name(w.t.packages, c.pkg)}}
	for found, err := range w.s.house.Captures(ctx, w.who, q) {
		if err != nil {
			return nil, err
		}
		if found.Allowed && found.Timestamp == at && digestOf(found.Capture) == digest {
			return kept(found.Capture), nil
		}
	}
	return nil, nil
}

// count sets the number of versions, the other URLs, and the dates of a hit.
func (w *hitBuilder) count(h *Hit, shown *capture, group []int32) {
	packages := map[int32]bool{}
	elsewhere := map[int32]bool{}
	first, last := shown.time, shown.time
	for _, d := range group {
		w.t.capturesOf(d).each(func(i int32) bool {
			c := w.t.captures.at(i)
			switch {
			case !w.fulfils(i):
			case c.url == shown.url:
				h.Matching++
				packages[c.pkg] = true
				first, last = min(first, c.time), max(last, c.time)
			case c.document == shown.document:
				elsewhere[c.url] = true
			}
			return true
		})
	}
	h.Versions, h.AlsoAt = w.visible(shown.url), len(elsewhere)
	h.First, h.Last = timestamp(first), timestamp(last)
	for p := range packages {
		h.Packages = append(h.Packages, name(w.t.packages, p))
	}
	slices.Sort(h.Packages)
}

// visible returns the number of captures of a URL that are open to the reader.
func (w *hitBuilder) visible(url int32) (n int) {
	all := int32(w.t.captures.len()) //nolint:gosec // there are fewer than 2^31
	from, _ := sort.Find(int(all), func(i int) int {
		return cmp.Compare(url, w.t.captures.at(int32(i)).url) //nolint:gosec // there are fewer than 2^31
	})
	for i := int32(from); i < all && w.t.captures.at(i).url == url; i++ { //nolint:gosec // there are fewer than 2^31
		if w.sight.sees(i) {
			n++
		}
	}
	return n
}

// stored is the stored text of a document.
type stored struct {
	Type, Language, Title, Description, Body, Note string
	Size                                           int64
	Details                                        []Detail
}

// text reads the stored text of a document; nil if it was removed. The digest is that of the capture
// which the reader may see: a damaged table must not lead to the text of another.
func (s *Search) text(ctx context.Context, id int64, digest string) (*stored, error) {
	var t stored
	var details string
	var body []byte
	found := false
	err := each(ctx, s.db, `SELECT type, language, size, title, about, details, body, note FROM document
		WHERE id = ? AND digest = ?`,
		func(rows *sql.Rows) error {
			found = true
			return rows.Scan(&t.Type, &t.Language, &t.Size, &t.Title, &t.Description, &details, &body, &t.Note)
		}, id, digest)
	if err != nil || !found {
		return nil, err
	}
	if err := json.Unmarshal([]byte(details), &t.Details); err != nil {
		return nil, err
	}
	if t.Body, err = s.packer.unpack(body); err != nil {
		return nil, err
	}
	return &t, nil
}
