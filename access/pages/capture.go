package pages

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"quire/access/lookup"
	"quire/access/search/extract"
	"quire/holdings"
	"quire/holdings/captures"
)

// row is a capture in a list of captures.
type row struct {
	URL       string // of the banner; "" if closed to the reader
	When      string
	Timestamp string
	Kind      string
	Answer    string // "404 Not Found"
	To, ToURL string // target of a redirect
	Size      string
	Thumb     string // address of the thumbnail; "" for none

	Locked  bool
	Lock    string // class of readers, in words; "" if open to all
	Message string // for the public
	Why     string // for staff

	CanCompare    bool
	First, Second bool // selected for comparison
}

// row describes a capture within the reader's rights: for a denied capture, only its existence and
// the reason.
func (s *site) row(q *request, in string, c *holdings.Judged) row {
	r := row{When: s.words.When(c.Timestamp), Timestamp: c.Timestamp, Locked: !c.Allowed, Lock: s.verdict(c.Decision)}
	if q.who.Class == holdings.Staff {
		r.Why = c.Why
	}
	if r.Locked {
		r.Kind, r.Message = locked, c.Message
		return r
	}
	r.Kind, r.Size = kindOf(c.Capture), s.words.Size(c.Length)
	r.URL = s.ui.Banner(in, c.Timestamp, c.URL)
	if r.Kind == good {
		r.Thumb = s.thumbnail(in, c.Capture)
	}
	if c.Status > 0 {
		r.Answer = statusWords(c.Status)
	}
	if c.Truncated {
		r.Answer = strings.TrimSpace(r.Answer + " (" + s.words.T("capture.truncated") + ")")
	}
	if r.Kind == moved && c.Location != "" {
		r.To, r.ToURL = c.Location, s.ui.Versions(in, c.Location)
	}
	return r
}

// thumbnail returns the address of the thumbnail of a capture; "" if it has none.
func (s *site) thumbnail(in string, c *captures.Capture) string {
	kind := extract.TypeOf(c.MIME, c.URL)
	if !s.Thumbnails || kind != "page" && kind != "image" || c.Status != 0 && (c.Status < 200 || c.Status > 299) {
		return ""
	}
	return s.ui.Thumbnail(in, c.Timestamp, c.URL)
}

// statusWords returns a status code with its name.
func statusWords(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}

// verdict names the readers with access, in words; "" if open to all.
func (s *site) verdict(d holdings.Decision) string {
	if d.Infected && !d.Allowed {
		return s.words.T("verdict.infected")
	}
	text := ""
	if d.Verdict != holdings.Open {
		text = s.words.T("verdict." + string(d.Verdict))
	}
	if d.Until != "" && !d.Allowed {
		text = s.words.T("verdict.until", text, s.words.When(strings.ReplaceAll(d.Until, "-", "")))
	}
	return text
}

// refusal returns the HTTP status for a denial.
func refusal(d holdings.Decision) int {
	if d.Verdict == holdings.Reading || d.Infected {
		return http.StatusForbidden
	}
	return http.StatusUnavailableForLegalReasons
}

// query selects the captures of a URL in a collection. An unknown collection has none.
func (s *site) query(collection, url string) (captures.Query, error) {
	packages, known := s.h.InCollection(collection)
	if !known {
		return captures.Query{}, errNotFound
	}
	return captures.Query{URL: url, Packages: packages}, nil
}

// first returns the first wanted capture, or nil if there is none.
func (s *site) first(ctx context.Context, who holdings.Reader, q captures.Query,
	wanted func(*holdings.Judged) bool) (*holdings.Judged, error) {
	return lookup.First(ctx, s.h, who, q, wanted)
}

// at returns the capture for a timestamp ([lookup.At]).
func (s *site) at(q *request, query captures.Query, timestamp string) (*holdings.Judged, error) {
	return lookup.At(q.Context(), s.h, q.who, query, timestamp)
}
