package holdings

import (
	"context"

	"quire/holdings/captures"
	"quire/internal/secret"
	"quire/preserve/aip"
	"quire/preserve/inspect"
)

// title returns the title of a package for a reader. A title from a page is content. For a closed
// package, readers get the identifier instead, because hosts are not shown either. For an open
// package with a closed page, they get the host of the page, or the identifier if the URL is
// hidden.
func (h *Holdings) title(ctx context.Context, who Reader, p *pkg, d Decision) string {
	if p.titleSource == nil {
		return p.title
	}
	source := p.titleSource
	switch listed, allowed := h.mayRead(ctx, who, p, source); {
	case allowed:
		return p.title
	case listed && d.Allowed && inspect.Host(source.URL) != "":
		return inspect.Host(source.URL)
	}
	return p.id
}

// mayRead reports whether the captures of a title's page are visible to a reader, and whether all
// are open. Both are false for a page that is not in the index, or not yet.
func (h *Holdings) mayRead(ctx context.Context, who Reader, p *pkg, s *aip.TitleSource) (listed, allowed bool) {
	q := captures.Query{URL: s.URL, Packages: []string{p.id}}
	if !s.Captured.IsZero() {
		q.From = s.Captured.UTC().Format("20060102150405")
		q.To = q.From
	}
	for c, err := range h.Captures(ctx, who, q) {
		if err != nil {
			return false, false
		}
		if c.URL != secret.Without(s.URL) {
			continue // another URL with the same key
		}
		if !c.Allowed {
			return true, false
		}
		listed, allowed = true, true
	}
	return listed, allowed
}
