package screenshot

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// Pages is the choice of the pages of a package.
type Pages struct {
	Most int // URLs: seeds first, then those nearest to the root of their host; 0 means all
}

// page is a URL of a package.
type page struct {
	url, key string
	seed     bool
	depth    int // steps below the root; a query is a step
}

func (p *page) compare(other *page) int {
	if p.seed != other.seed {
		if p.seed {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(p.depth, other.depth), cmp.Compare(p.key, other.key))
}

// Of calls found for each capture of the chosen pages of a package that is open to the public. The capture is valid
// during the call.
func (p Pages) Of(ctx context.Context, h *holdings.Holdings, pkg string, found func(*captures.Capture) error) error {
	if p.Most <= 0 {
		return each(ctx, h, captures.Query{Packages: []string{pkg}}, found)
	}
	chosen, err := p.choose(ctx, h, pkg)
	if err != nil {
		return err
	}
	for _, c := range chosen {
		if err := each(ctx, h, captures.Query{URL: c.url, Packages: []string{pkg}}, found); err != nil {
			return err
		}
	}
	return nil
}

// each calls found for each page of a query.
func each(ctx context.Context, h *holdings.Holdings, q captures.Query, found func(*captures.Capture) error) error {
	for c, err := range h.Captures(ctx, holdings.Reader{Class: holdings.Public}, q) {
		if err != nil {
			return err
		}
		if c.Allowed && IsPage(c.Capture) {
			if err := found(c.Capture); err != nil {
				return err
			}
		}
	}
	return nil
}

// IsPage reports whether a capture is a page that a browser shows.
func IsPage(c *captures.Capture) bool {
	return c.Method == "" && (c.Status == 0 || c.Status == 200) && extract.TypeOf(c.MIME, c.URL) == "page" &&
		!strings.Contains(c.URL, "/cdn-cgi/") // checks that a content delivery network puts before a page
}

// choose returns the best URLs of a package. Its memory is bounded by their number.
func (p Pages) choose(ctx context.Context, h *holdings.Holdings, pkg string) (best []page, err error) {
	seeds, err := seedsOf(ctx, h, pkg)
	if err != nil {
		return nil, err
	}
	last := ""
	err = each(ctx, h, captures.Query{Packages: []string{pkg}}, func(c *captures.Capture) error {
		if c.Key == last {
			return nil
		}
		last = c.Key
		n := page{c.URL, c.Key, seeds[c.Key], depth(c.URL)}
		at, _ := slices.BinarySearchFunc(best, n, func(a, b page) int { return a.compare(&b) })
		if best = slices.Insert(best, at, n); len(best) > p.Most {
			best = best[:p.Most]
		}
		return nil
	})
	return best, err
}

func depth(address string) int {
	u, err := url.Parse(address)
	if err != nil {
		return len(address)
	}
	n := len(strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' }))
	if u.RawQuery != "" {
		n++
	}
	return n
}

// maxSeeds limits the seeds of a package that are looked up.
const maxSeeds = 100

// seedsOf returns the keys of the seeds of a package, and of the targets of seeds that redirect.
func seedsOf(ctx context.Context, h *holdings.Holdings, pkg string) (map[string]bool, error) {
	staff := holdings.Reader{Class: holdings.Staff} // only to order pages: nothing of it is shown
	p, err := h.Package(ctx, staff, pkg)
	if err != nil {
		return nil, err
	}
	keys, looked := map[string]bool{}, 0
	for _, harvest := range p.Harvests {
		for _, f := range harvest.Facts {
			if f.Name != "seed" || looked == maxSeeds {
				continue
			}
			looked++
			const hops = 3 // to https, and to www
			for at, n := f.Value, 0; at != "" && n < hops; n++ {
				var key string
				if key, at, err = first(ctx, h, pkg, at); err != nil {
					return nil, err
				}
				keys[key] = true
			}
		}
	}
	return keys, nil
}

// first returns the key of the first capture of a URL in a package, and the target if it redirects.
func first(ctx context.Context, h *holdings.Holdings, pkg, address string) (key, to string, err error) {
	staff := holdings.Reader{Class: holdings.Staff}
	for c, err := range h.Captures(ctx, staff, captures.Query{URL: address, Packages: []string{pkg}}) {
		if err != nil {
			return "", "", err
		}
		return c.Key, c.Location, nil
	}
	return "", "", nil
}
