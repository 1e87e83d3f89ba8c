package parts

import (
	"context"
	"net/http"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/lookup"
	"quire/access/siterules"
	"quire/format/htmllink"
	"quire/holdings"
	"quire/holdings/captures"
)

// Coherence states whether a part belongs to its page in time.
type Coherence string

// The kinds of coherence, and of parts without one.
const (
	Coherent  Coherence = "yes"     // prima facie coherent: it existed like this when the page was captured
	Possibly  Coherence = "maybe"   // possibly coherent: captured before the page
	Unknown   Coherence = "unknown" // probably violative: captured after the page, and no date says when it changed
	Violative Coherence = "no"      // prima facie violative: changed after the page was captured
	Unread    Coherence = "unread"  // unknown, because the time was over
	Missing   Coherence = "missing" // not captured, or an error
	Closed    Coherence = "closed"  // closed to the reader
	Similar   Coherence = "similar" // not captured; the answer to a similar request shows in its place
)

// Part is a part of a page, and its capture nearest to that of the page.
type Part struct {
	URL       string
	Kind      htmllink.Kind
	Capture   *holdings.Judged // nil if there is none
	Offset    time.Duration    // of the part from the page
	Coherence Coherence
}

// Page is a page whose parts are wanted.
type Page struct {
	Archive  lookup.Archive
	Reader   holdings.Reader
	Capture  *holdings.Judged // open to the reader
	Packages []string         // with the captures of parts; nil means all
	Time     time.Duration    // for all parts; those that it does not reach are Unread
	// Rules find answers to similar requests; nil means our own
	Rules func() *siterules.Set
}

// Parts returns the parts of the page, by URL, and then those of its style sheets. cut reports that some
// were left out. A page without readable HTML has none.
func (p *Page) Parts(ctx context.Context) (all []Part, cut bool, err error) {
	body, contentType, err := lookup.Body(ctx, p.Archive, p.Reader, p.Capture.Capture, MaxPage)
	if err != nil || !strings.Contains(contentType, "html") && contentType != "" {
		return nil, false, nil // the page itself says that it is unreadable
	}
	kinds, cut := embeddedKinds(body, p.Capture.URL)
	cut = cut || len(body) == MaxPage
	limited, cancel := context.WithTimeout(ctx, p.Time)
	defer cancel()
	waiting, sheets := &queue{seen: map[string]bool{}}, 0
	waiting.add(kinds)
	for n := 0; n < len(waiting.waiting); n++ {
		if len(all) == MaxParts {
			return all, true, nil
		}
		part := waiting.waiting[n]
		switch err := p.examine(limited, &part); {
		case ctx.Err() != nil:
			return nil, cut, ctx.Err()
		case limited.Err() != nil: // the time is over
			part.Capture, part.Offset, part.Coherence = nil, 0, Unread
		case err != nil:
			return nil, cut, err
		}
		all = append(all, part)
		if isSheet(part.Kind) && limited.Err() == nil {
			if sheets++; sheets > maxSheets {
				cut = true
				continue
			}
			waiting.add(p.sheetParts(limited, &part))
		}
	}
	return all, cut, nil
}

// examine finds the capture of a part, and decides on its coherence.
func (p *Page) examine(ctx context.Context, part *Part) (err error) {
	if err = ctx.Err(); err != nil {
		return err
	}
	query := captures.Query{URL: part.URL, Packages: p.Packages}
	if part.Capture, err = lookup.At(ctx, p.Archive, p.Reader, query, p.Capture.Timestamp); err != nil {
		return err
	}
	if part.Coherence, err = p.coherence(ctx, part); err == nil && part.Capture == nil {
		err = p.similar(ctx, part)
	}
	return err
}

// coherence decides whether a part existed as shown when the page was captured.
func (p *Page) coherence(ctx context.Context, part *Part) (Coherence, error) {
	switch {
	case part.Capture == nil:
		return Missing, nil
	case !part.Capture.Allowed:
		return Closed, nil
	}
	at, _ := address.Time(p.Capture.Timestamp)
	when, ok := address.Time(part.Capture.Timestamp)
	if !ok {
		return Unknown, nil
	}
	part.Offset = when.Sub(at)
	switch {
	case part.Capture.Status >= 400:
		return Missing, nil
	case part.Offset == 0:
		return Coherent, nil
	}
	// The same answer on the other side of the page: it did not change in between.
	query := captures.Query{URL: part.URL, Packages: p.Packages}
	if part.Offset < 0 {
		query.From = p.Capture.Timestamp
	} else {
		query.To, query.Reverse = p.Capture.Timestamp, true
	}
	other, err := lookup.Open(ctx, p.Archive, p.Reader, query, 1)
	if err != nil {
		return "", err
	}
	switch {
	case len(other) > 0 && sameAnswer(other[0].Capture, part.Capture.Capture):
		return Coherent, nil
	case part.Offset < 0:
		return Possibly, nil
	}
	modified, ok := p.lastModified(ctx, part.Capture)
	switch {
	case !ok:
		return Unknown, nil
	case modified.After(at):
		return Violative, nil
	}
	return Coherent, nil
}

// sameAnswer reports whether two captures show the same answer of the server. All empty bodies have one
// digest, so the digest of an empty body shows nothing; a redirect is the same if it has the same target.
func sameAnswer(a, b *captures.Capture) bool {
	status := func(c *captures.Capture) int {
		if c.Type == "revisit" && c.Status == http.StatusNotModified {
			return http.StatusOK // the revisit stands for the answer before
		}
		return c.Status
	}
	code := status(a)
	switch {
	case code != status(b) || a.Digest == "" || a.Digest != b.Digest:
		return false
	case code >= 300 && code < 400:
		return a.Location != "" && a.Location == b.Location
	}
	return a.Length > 0 && b.Length > 0
}

// lastModified reads the header field Last-Modified of a capture. A date behind the capture itself
// is not credible.
func (p *Page) lastModified(ctx context.Context, c *holdings.Judged) (t time.Time, ok bool) {
	if ctx.Err() != nil {
		return t, false
	}
	content, err := p.Archive.Read(ctx, p.Reader, c.Capture)
	if err != nil {
		return t, false
	}
	defer func() { _ = content.Body.Close() }() // only the header is read
	captured, _ := address.Time(c.Timestamp)
	value, ok := lookup.Header(content, "Last-Modified")
	if !ok {
		return t, false
	}
	t, err = http.ParseTime(value)
	return t, err == nil && !t.After(captured)
}
