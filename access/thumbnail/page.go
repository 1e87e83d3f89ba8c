package thumbnail

import (
	"context"
	"encoding/json"
	"errors"

	"quire/access/figures"
	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// Limits of the choice of a picture for a page.
const (
	maxCandidates = 8
	maxTried      = 20 // captures of a candidate
	leastWidth    = 200
	leastHeight   = 100
)

// page returns the thumbnail of a page: the one that a browser made, if this reader may see all that it shows, or
// else the first picture of the page's candidates that this reader may see.
func (t *Thumbnails) page(ctx context.Context, who holdings.Reader, packages []string, c *captures.Capture) ([]byte,
	error) {
	if content, err := t.shots.Of(who, c); !errors.Is(err, ErrNone) {
		return content, err
	}
	list, err := t.kept(ctx, who, c, nameOf(c, "candidates", c.URL), func(payload []byte, contentType string) ([]byte,
		error) {
		return json.Marshal(candidates(figures.Read(payload, contentType, c.URL)))
	})
	if err != nil {
		return nil, err
	}
	var urls []string
	if err := json.Unmarshal(list, &urls); err != nil {
		return nil, ErrNone // the page could not be read
	}
	for _, u := range urls {
		picture, err := t.nearest(ctx, who, packages, c.Timestamp, u)
		if err != nil {
			return nil, err
		}
		if picture == nil {
			continue
		}
		content, err := t.picture(ctx, who, picture, Page)
		if !errors.Is(err, ErrNone) {
			return content, err
		}
	}
	return nil, ErrNone
}

// candidates returns the URLs of the pictures that may stand for a page, the best first: declared by
// the page, large by their declared size, of unknown size.
func candidates(p *figures.Page) []string {
	all := append([]string{}, p.Declared...)
	for _, unknown := range []bool{false, true} {
		for _, i := range p.Images {
			known := i.Width > 0 && i.Height > 0
			small := i.Width > 0 && i.Width < leastWidth || i.Height > 0 && i.Height < leastHeight
			if !small && known != unknown {
				all = append(all, i.URL)
			}
		}
	}
	return all[:min(len(all), maxCandidates)]
}

// nearest returns the capture of a picture nearest to a moment that the reader may see; nil if there
// is none.
func (t *Thumbnails) nearest(ctx context.Context, who holdings.Reader, packages []string, at, url string) (
	*captures.Capture, error) {
	n := 0
	for c, err := range t.h.Captures(ctx, who, captures.Query{URL: url, Closest: at, Packages: packages}) {
		if err != nil {
			return nil, err
		}
		if c.Allowed && (c.Status == 0 || c.Status == 200) && extract.TypeOf(c.MIME, c.URL) == "image" {
			own := *c.Capture
			return &own, nil
		}
		if n++; n == maxTried {
			break
		}
	}
	return nil, nil
}
