package lookup

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"
)

// Which selects among several captures of a URL.
type Which string

// The choices.
const (
	First   Which = "first"
	Last    Which = "last"
	Nearest Which = "nearest" // to the date of the Want; without a date, the first
	All     Which = "all"
)

// Want is a URL to find.
type Want struct {
	URL      string
	Which    Which
	From, To time.Time // the date is in this span, To not included; zero without a date
}

// Found is the result for a Want.
type Found struct {
	Captured int      // number of captures of the URL, with any response
	Chosen   []Chosen // empty if no capture leads to a page
	Why      string   // the reason for no result
	Near     []string // similar captured URLs for one not captured, the most similar first
}

// Chosen is the capture of a page, and the way to it.
type Chosen struct {
	Capture
	How     string    // the way from the wanted URL, as text
	Through []Capture // the redirects on the way
}

// Find looks for all wanted URLs. The results are in the same order.
func (x *Index) Find(wants []Want) ([]Found, error) {
	urls := make([]string, len(wants))
	for i := range wants {
		urls[i] = normal(wants[i].URL)
	}
	h, err := x.load(urls)
	if err != nil {
		return nil, err
	}
	found := make([]Found, len(wants))
	lacking := map[int]string{}
	for i, w := range wants {
		if found[i] = h.find(w, urls[i]); found[i].Captured == 0 {
			lacking[i] = urls[i]
		}
	}
	if len(lacking) == 0 {
		return found, nil
	}
	near, err := x.near(lacking)
	for i := range lacking {
		found[i].Near = near[i]
	}
	return found, err
}

func (h *held) find(w Want, url string) Found {
	all := h.byURL[url]
	f := Found{Captured: len(all)}
	if len(all) == 0 {
		f.Why = "it was not captured"
		return f
	}
	known := map[string]bool{} // several captures can lead to the same one
	for _, c := range w.inOrder(all) {
		chosen, why := h.follow(c)
		if why != "" {
			f.Why = cmp.Or(f.Why, why)
			continue
		}
		place := fmt.Sprint(chosen.Container, " ", chosen.Offset, " ", chosen.ID)
		if known[place] {
			continue
		}
		known[place] = true
		chosen.How = w.how(c, chosen)
		if f.Chosen = append(f.Chosen, *chosen); w.Which != All {
			break
		}
	}
	if len(f.Chosen) > 0 {
		f.Why = ""
	}
	return f
}

// inOrder sorts captures, which come in the order of time, into the order of trying.
func (w *Want) inOrder(all []Capture) []Capture {
	switch w.Which {
	case Last:
		all = slices.Clone(all)
		slices.Reverse(all)
	case Nearest:
		if !w.From.IsZero() {
			all = slices.Clone(all)
			slices.SortStableFunc(all, func(a, b Capture) int {
				return cmp.Compare(w.distance(a.Date), w.distance(b.Date))
			})
		}
	}
	return all
}

// distance returns the distance of a time from the wanted span. A capture without a date is
// farthest.
func (w *Want) distance(t time.Time) time.Duration {
	switch {
	case t.IsZero():
		return 1<<63 - 1
	case t.Before(w.From):
		return w.From.Sub(t)
	case !w.To.IsZero() && !t.Before(w.To):
		return t.Sub(w.To) + 1
	case w.To.IsZero():
		return t.Sub(w.From)
	}
	return 0
}

// follow follows redirects from a capture to a page. Among several captures of a target, it uses
// the nearest in time, because the crawler follows at once. why has the reason for no result.
func (h *held) follow(c Capture) (_ *Chosen, why string) {
	out := &Chosen{}
	been := map[string]bool{}
	for {
		if c.isPage() {
			out.Capture = c
			return out, ""
		}
		target, ok := c.target()
		switch {
		case !c.isRedirect():
			return nil, fmt.Sprintf("the answer was %d%s", c.Status, after(out.Through))
		case !ok:
			return nil, fmt.Sprintf("the answer was a redirect to no URL: %.200q", c.Location)
		case len(out.Through) >= maxHops:
			return nil, fmt.Sprintf("there are more than %d redirects", maxHops)
		}
		been[normal(c.URI)] = true
		out.Through = append(out.Through, c)
		next, ok := h.nearest(target, c.Date, been[target])
		switch {
		case !ok && been[target]:
			return nil, "the redirects lead back to where they began: " + target
		case !ok:
			return nil, "it is a redirect to " + target + ", which was not captured"
		}
		c = next
	}
}

func after(through []Capture) string {
	if len(through) == 0 {
		return ""
	}
	return " of the redirect target: " + through[len(through)-1].Location
}

// nearest returns the capture of a URL nearest to a time. It uses errors only as a last resort. If
// pages is true, it uses only pages, neither redirects nor errors. The caller sets pages if the
// redirects already led through this URL: servers set a cookie and redirect back.
func (h *held) nearest(url string, t time.Time, pages bool) (Capture, bool) {
	s := h.sift(url)
	for _, list := range [][]int{s.leading, s.errors} {
		if pages {
			list = s.pages
		}
		if len(list) == 0 {
			continue
		}
		all := h.byURL[url]
		i := sort.Search(len(list), func(i int) bool { return !all[list[i]].Date.Before(t) })
		if i == len(list) || i > 0 && t.Sub(all[list[i-1]].Date) < all[list[i]].Date.Sub(t) {
			i--
		}
		return all[list[i]], true
	}
	return Capture{}, false
}

// sifted are the captures of a URL by kind, each list in the order of time.
type sifted struct{ leading, pages, errors []int }

func (h *held) sift(url string) *sifted {
	if s := h.sifted[url]; s != nil {
		return s
	}
	s := &sifted{}
	for i := range h.byURL[url] {
		switch c := &h.byURL[url][i]; {
		case c.isPage():
			s.leading, s.pages = append(s.leading, i), append(s.pages, i)
		case c.isRedirect():
			s.leading = append(s.leading, i)
		default:
			s.errors = append(s.errors, i)
		}
	}
	h.sifted[url] = s
	return s
}

// how describes the way to a capture.
func (w *Want) how(first Capture, c *Chosen) string {
	how := "its URL"
	if first.URI != w.URL {
		how = "its URL, which the record writes " + first.URI
	}
	for _, r := range c.Through {
		how += fmt.Sprintf(", a redirect (%d) to %s", r.Status, r.Location)
	}
	if c.Type == "revisit" {
		how += ", a revisit: it was as it had been"
	}
	return how
}
