package replay

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"quire/access/address"
	"quire/holdings"
)

// around are the captures named in Link (RFC 7089, 2.2.4); all are open to the reader.
type around struct{ first, prev, this, next, last *holdings.Judged }

// neighbours finds the captures around one. It needs a few look-ups, however many captures there
// are.
func (c *call) neighbours(this holdings.Judged) (a around, err error) {
	a.this = &this
	q := c.query(c.q.URL)
	if a.first, err = c.nearest(q); err != nil {
		return a, err
	}
	q.Reverse = true
	if a.last, err = c.nearest(q); err != nil {
		return a, err
	}
	if a.first == nil || a.last == nil || a.first.Timestamp == a.last.Timestamp {
		return a, nil
	}
	if a.first.Timestamp < this.Timestamp {
		q.To = before(this.Timestamp)
		if a.prev, err = c.nearest(q); err != nil {
			return a, err
		}
	}
	if this.Timestamp < a.last.Timestamp {
		q = c.query(c.q.URL)
		q.From = after(this.Timestamp)
		a.next, err = c.nearest(q)
	}
	return a, err
}

// before returns the second before a timestamp, and after the second after it.
func before(timestamp string) string { return moved(timestamp, -time.Second) }
func after(timestamp string) string  { return moved(timestamp, time.Second) }

func moved(timestamp string, by time.Duration) string {
	t, _ := address.Time(timestamp)
	return address.Timestamp(t.Add(by))
}

// httpDate formats a timestamp as an HTTP date in the fixed form (RFC 9110, 5.6.7): other engines
// read no other form.
func httpDate(timestamp string) string {
	t, ok := address.Time(timestamp)
	if !ok {
		return ""
	}
	return t.Format(http.TimeFormat)
}

// link formats one value of the field Link. It escapes characters in the URL that could end it.
func link(url, rel, more string) string {
	return "<" + unlinked.Replace(url) + `>; rel="` + rel + `"` + more
}

var unlinked = strings.NewReplacer(",", "%2C", ";", "%3B", "<", "%3C", ">", "%3E", `"`, "%22")

// links formats the field Link of a memento or TimeGate: original, TimeGate, TimeMap, and the
// captures around.
func (c *call) links(original string, a around) string {
	all := []string{
		link(address.EscapeURL(original), "original", ""),
		link(c.base.TimeGate(c.q.In, "", original), "timegate", ""),
		link(c.base.TimeMap(c.q.In, "link", "", original), "timemap", `; type="application/link-format"`),
	}
	var seen []string
	for _, m := range []*holdings.Judged{a.first, a.prev, a.this, a.next, a.last} {
		if m == nil || len(seen) > 0 && seen[len(seen)-1] == m.Timestamp {
			continue
		}
		seen = append(seen, m.Timestamp)
		all = append(all, link(c.memento(m), a.relation(m), fmt.Sprintf(`; datetime="%s"`, httpDate(m.Timestamp))))
	}
	return headerSafe(strings.Join(all, ", "))
}

// memento returns the address of a capture in the requested form.
func (c *call) memento(m *holdings.Judged) string {
	return c.base.Capture(c.q.In, m.Timestamp, c.shape(), m.URL)
}

// shape returns the modifier for addresses of captures: the requested modifier, or the modifier of
// a page.
func (c *call) shape() address.Modifier {
	if c.q.Modifier == "" {
		return address.Page
	}
	return c.q.Modifier
}

// relation returns the link relation of a capture to the one shown: "first memento", "prev
// memento".
func (a around) relation(m *holdings.Judged) string {
	var rel []string
	for _, one := range []struct {
		name string
		is   *holdings.Judged
	}{{"first", a.first}, {"prev", a.prev}, {"next", a.next}, {"last", a.last}} {
		if one.is != nil && one.is.Timestamp == m.Timestamp {
			rel = append(rel, one.name)
		}
	}
	return strings.Join(append(rel, "memento"), " ")
}

// timeGate redirects to the capture nearest to Accept-Datetime; without it, to the newest (RFC
// 7089, 4.1, pattern 2.1).
func (c *call) timeGate() error {
	h := c.w.Header()
	c.vary("accept-datetime")
	timestamp := ""
	if asked := c.r.Header.Get("Accept-Datetime"); asked != "" {
		t, ok := datetime(asked)
		if !ok {
			c.refuse(http.StatusBadRequest, refusal{key: "datetime"})
			return nil
		}
		timestamp = address.Timestamp(t)
	}
	c.prefer()
	found, err := c.choose(timestamp)
	if err != nil {
		return err
	}
	drain(found.Body)
	a, err := c.neighbours(found.Judged)
	if err != nil {
		return err
	}
	h.Set("Link", c.links(found.URL, a))
	c.private(found.Verdict)
	c.lead(c.memento(&found.Judged))
	return nil
}

// datetime parses the value of Accept-Datetime.
func datetime(s string) (time.Time, bool) {
	t, err := http.ParseTime(s)
	return t, err == nil && t.Year() >= 1 && t.Year() <= 9999
}

// preferences maps values of the field Prefer (RFC 7240) to modifiers: the values of pywb, and the
// values of "Memento raw" for unmodified content.
var preferences = map[string]address.Modifier{
	"original-content": address.Identity, "original-links": address.Identity, "original-headers": address.Identity,
	"raw":       address.Identity,
	"rewritten": address.Page, "banner-only": address.Page,
}

// prefer applies the field Prefer and acknowledges it. It does so only if the address has no
// modifier, or the modifier of a page.
func (c *call) prefer() {
	c.vary("Prefer")
	if c.q.Modifier != "" && c.q.Modifier != address.Page {
		return
	}
	for _, line := range c.r.Header.Values("Prefer") {
		for word := range strings.SplitSeq(line, ",") {
			word, _, _ = strings.Cut(word, ";")
			word = strings.ToLower(strings.TrimSpace(word))
			if m, ok := preferences[word]; ok && word != "banner-only" { // another page has the banner here
				c.q.Modifier = m
				c.w.Header().Set("Preference-Applied", word)
				return
			}
		}
	}
}
