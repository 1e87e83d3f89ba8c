package dspace

import (
	"context"
	"hash/maphash"
	"io"
	"strings"

	"quire/access/export/unpack"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/metadata/mods"
	"quire/preserve/pages"
)

// Front returns the URL of the front page, or "" if there is no page. It is the first address in the
// description that is a page of the website. Without one, it is on the host of the first captured
// page, because a crawl begins with its seed: the page there with the shortest path, and the first by
// key of several. Pages that are only shown in frames, such as those of share buttons, do not count.
func Front(ctx context.Context, site *unpack.Site, description *mods.Content) (string, error) {
	framed, err := framesOf(ctx, site)
	if err != nil {
		return "", err
	}
	if url, err := described(ctx, site, description, framed); url != "" || err != nil {
		return url, err
	}
	home, err := home(ctx, site, framed)
	if err != nil {
		return "", err
	}
	front, first, shortest := "", false, 0
	for c, err := range site.Captures(ctx) {
		if err != nil {
			return "", err
		}
		if !isPage(c.Capture) || framed.only(c.Capture) {
			continue
		}
		here := home != "" && host(c.URL) == home
		if n := depth(c.URL); front == "" || here && !first || here == first && n < shortest {
			front, first, shortest = c.URL, here, n
		}
	}
	return front, nil
}

// described returns the first page among the addresses of the website in its description.
func described(ctx context.Context, site *unpack.Site, description *mods.Content, framed *frames) (string, error) {
	for _, l := range description.Locations {
		for _, u := range l.URLs {
			if strings.TrimSpace(u.Text) == "" {
				continue
			}
			c, err := site.Find(ctx, strings.TrimSpace(u.Text))
			if err != nil {
				return "", err
			}
			if c != nil && isPage(c) && !framed.only(c) {
				return c.URL, nil
			}
		}
	}
	return "", nil
}

// home returns the host of the page that was captured first; "" if there is none.
func home(ctx context.Context, site *unpack.Site, framed *frames) (string, error) {
	first := ""
	var page *captures.Capture
	for c, err := range site.Source.Captures(ctx) {
		if err != nil {
			return "", err
		}
		if c.Allowed && isPage(c.Capture) && unpack.IsContent(c.Capture) && !framed.only(c.Capture) &&
			(page == nil || c.Timestamp < first) {
			page, first = c.Capture, c.Timestamp
		}
	}
	if page == nil {
		return "", nil
	}
	return host(page.URL), nil
}

func isPage(c *captures.Capture) bool { return pages.IsHTML("", c.MIME) }

// host returns the host of a URL, with its port, in lower case.
func host(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return strings.ToLower(rest)
}

// depth returns the length of a URL after its host; a query weighs more than any path.
func depth(url string) int {
	_, rest, _ := strings.Cut(url, "://")
	_, path, _ := strings.Cut(rest, "/")
	if strings.Contains(path, "?") {
		return len(path) + 1<<16
	}
	return len(path)
}

// frames knows the pages of a website that are shown in frames of others, and those with hyperlinks to
// them. It remembers a hash of 8 bytes for each.
type frames struct {
	seed           maphash.Seed
	framed, linked map[uint64]bool
}

// only reports whether a page is shown in frames, and no other page has a hyperlink to it.
func (f *frames) only(c *captures.Capture) bool {
	h := maphash.String(f.seed, c.Key)
	return f.framed[h] && !f.linked[h]
}

// framesOf reads the links of all pages. Pages that cannot be read have none: unpacking lists them.
func framesOf(ctx context.Context, site *unpack.Site) (*frames, error) {
	f := &frames{maphash.MakeSeed(), map[uint64]bool{}, map[uint64]bool{}}
	for c, err := range site.Captures(ctx) {
		if err != nil {
			return nil, err
		}
		if !isPage(c.Capture) {
			continue
		}
		if err := f.page(ctx, site, &c); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// maxRead limits the bytes of a page that are read for its links.
const maxRead = 16 << 20

// page adds the links of one page.
func (f *frames) page(ctx context.Context, site *unpack.Site, c *holdings.Judged) error {
	content, err := site.Source.Read(ctx, c.Capture)
	if err != nil {
		return ctx.Err() // unpacking reads the page again, and reports this
	}
	defer func() { _ = content.Body.Close() }() // only read
	type found struct {
		kind pages.Kind
		href string
	}
	var links []found
	p := pages.New(pages.Options{ContentType: unpack.HeaderField(content.Header, "Content-Type"),
		Link: func(l pages.Link) error {
			if !l.Cut {
				links = append(links, found{l.Kind, string(l.Href)})
			}
			return nil
		}})
	_, _ = io.Copy(p, io.LimitReader(site.Source.Decoded(content), maxRead)) // as far as it can be read
	declared, err := p.Close()
	if err != nil {
		return err
	}
	to := declared.Resolver(c.URL)
	for _, l := range links {
		target, ok := to.Resolve([]byte(l.href))
		if !ok {
			continue
		}
		other, err := site.Find(ctx, target.URL)
		if err != nil {
			return err
		}
		if other == nil || other.Key == c.Key {
			continue
		}
		h := maphash.String(f.seed, other.Key)
		if l.kind == pages.Frame {
			f.framed[h] = true
		} else {
			f.linked[h] = true
		}
	}
	return ctx.Err()
}
