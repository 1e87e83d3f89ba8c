package search

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

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
	d := &w.t.documents[x.document]
	group := []int32{x.document}
	if w.level == Pages {
		group = w.versions(d.group)
	}
	shown, err := w.newest(ctx, group)
	if err != nil || shown == nil {
		return nil, false, err
	}
	c := &w.t.captures[shown.number]
	text, err := w.s.text(ctx, w.t.documents[c.document].id)
	if err != nil || text == nil {
		return nil, false, err
	}
	h := &Hit{
		URL: shown.full.URL, Host: w.t.hosts[w.t.urls[c.url].host], Type: text.Type, MIME: shown.full.MIME,
		Language: text.Language, Size: text.Size,
		Capture: shown.full, Score: float64(x.score), Truncated: shown.full.Truncated, Details: []Detail{},
	}
	h.Details = append(h.Details, text.Details...)
	tokens := w.question.tokens("")
	h.Title = highlight(cmp.Or(text.Title, lastOf(h.URL)), append(tokens, w.question.tokens("title")...))
	h.Snippet = snippet(text.Body, text.Description, tokens)
	w.count(h, c, group)
	return h, true, nil
}

// versions returns the matching documents of a group.
func (w *hitBuilder) versions(group int32) (all []int32) {
	pages := w.t.byGroup[:w.t.pages]
	from, _ := slices.BinarySearchFunc(pages, group, func(d, group int32) int {
		return cmp.Compare(w.t.documents[d].group, group)
	})
	for _, d := range pages[from:] {
		if w.t.documents[d].group != group {
			break
		}
		if _, ok := slices.BinarySearchFunc(w.matches.all, d, func(p posting, d int32) int {
			return cmp.Compare(p.document, d)
		}); ok {
			all = append(all, d)
		}
	}
	return all
}

// fulfils reports whether a capture matches, and is open to the reader.
func (w *hitBuilder) fulfils(i int32) bool {
	c := &w.t.captures[i]
	return w.wanted.ofDocument(&w.t.documents[c.document]) == 0 && w.wanted.ofCapture(w.t, c, w.in) == 0 &&
		w.sight.sees(i)
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
		for _, i := range w.t.capturesOf(d) {
			if w.fulfils(i) {
				all = append(all, i)
			}
		}
	}
	slices.SortFunc(all, func(a, b int32) int {
		x, y := &w.t.captures[a], &w.t.captures[b]
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
	c := &w.t.captures[i]
	at := timestamp(c.time)
	q := captures.Query{URL: cmp.Or(c.written, w.t.urls[c.url].url), From: at, To: at,
		Packages: []string{w.t.packages[c.pkg]}}
	for found, err := range w.s.house.Captures(ctx, w.who, q) {
		if err != nil {
			return nil, err
		}
		if found.Allowed && found.Timestamp == at && digestOf(found.Capture) == w.t.documents[c.document].digest {
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
		for _, i := range w.t.capturesOf(d) {
			c := &w.t.captures[i]
			switch {
			case !w.fulfils(i):
				continue
			case c.url == shown.url:
				h.Matching++
				packages[c.pkg] = true
				first, last = min(first, c.time), max(last, c.time)
			case c.document == shown.document:
				elsewhere[c.url] = true
			}
		}
	}
	h.Versions, h.AlsoAt = w.visible(shown.url), len(elsewhere)
	h.First, h.Last = timestamp(first), timestamp(last)
	for p := range packages {
		h.Packages = append(h.Packages, w.t.packages[p])
	}
	slices.Sort(h.Packages)
}

// visible returns the number of captures of a URL that are open to the reader.
func (w *hitBuilder) visible(url int32) (n int) {
	from, _ := slices.BinarySearchFunc(w.t.captures, url, func(c capture, url int32) int {
		return cmp.Compare(c.url, url)
	})
	for i := from; i < len(w.t.captures) && w.t.captures[i].url == url; i++ {
		if w.sight.sees(int32(i)) { //nolint:gosec // there are fewer than 2^31
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

// text reads the stored text of a document; nil if it was removed.
func (s *Search) text(ctx context.Context, id int64) (*stored, error) {
	var t stored
	var details string
	var body []byte
	found := false
	err := each(ctx, s.db, `SELECT type, language, size, title, about, details, body, note FROM document WHERE id = ?`,
		func(rows *sql.Rows) error {
			found = true
			return rows.Scan(&t.Type, &t.Language, &t.Size, &t.Title, &t.Description, &details, &body, &t.Note)
		}, id)
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
