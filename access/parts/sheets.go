package parts

import (
	"bytes"
	"context"
	"slices"

	"quire/access/lookup"
	"quire/format/csslink"
	"quire/format/htmllink"
	"quire/format/weburl"
)

// Limits of the style sheets of a page that are read for further parts.
const (
	maxSheets = 20
	maxSheet  = 1 << 20 // bytes of each
)

// isSheet reports whether a part is a style sheet, with parts of its own.
func isSheet(k htmllink.Kind) bool { return k == htmllink.Stylesheet || k == htmllink.Import }

// sheetParts returns the URLs that a style sheet loads, by @import, url() and others, each with its kind.
// A sheet that cannot be read has none. Fonts count as pictures: browsers load only those that they use.
func (p *Page) sheetParts(ctx context.Context, sheet *Part) map[string]htmllink.Kind {
	if sheet.Capture == nil || !sheet.Capture.Allowed || sheet.Capture.Status >= 400 {
		return nil
	}
	base, err := weburl.Parse(sheet.Capture.URL, nil, nil)
	if err != nil {
		return nil
	}
	body, _, err := lookup.Body(ctx, p.Archive, p.Reader, sheet.Capture.Capture, maxSheet)
	if err != nil {
		return nil
	}
	found := map[string]htmllink.Kind{}
	s := csslink.NewScanner(bytes.NewReader(body))
	for len(found) < MaxParts {
		l, err := s.Next()
		if err != nil {
			break
		}
		u, err := weburl.Parse(string(l.Value), base, nil)
		if err != nil || l.Cut || u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		kind := htmllink.CSS
		if l.Kind == csslink.Import {
			kind = htmllink.Import
		}
		if _, known := found[u.Resource()]; !known {
			found[u.Resource()] = kind
		}
	}
	return found
}

// queue is the parts that are to be examined: those of the page by URL, then those of its style sheets.
type queue struct {
	waiting []Part
	seen    map[string]bool
}

func (q *queue) add(kinds map[string]htmllink.Kind) {
	begin := len(q.waiting)
	for u, kind := range kinds {
		if !q.seen[u] {
			q.seen[u] = true
			q.waiting = append(q.waiting, Part{URL: u, Kind: kind})
		}
	}
	slices.SortFunc(q.waiting[begin:], func(a, b Part) int { return compareURL(&a, &b) })
}
