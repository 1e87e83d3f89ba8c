package pages

import (
	"errors"
	"net/url"
	"strings"

	"quire/access/address"
	"quire/access/lookup"
	"quire/access/parts"
	"quire/access/textdiff"
	"quire/holdings"
	"quire/holdings/captures"
)

// comparison is two captures of a URL, and their differences.
type comparison struct {
	URL           string
	Sides         []side
	Same          string
	Problem       string
	Compared      bool
	TextWords     string
	Cut           string
	Lines         []textLine
	ResourceWords string
	Resources     []change
	All           string
}

type side struct{ Name, URL, When, Title, Facts, Note string }

// change is an embedded resource that differs between the two.
type change struct{ Change, URL, All, Earlier, Later string }

// half is one of the two captures, with its content.
type half struct {
	*holdings.Judged
	text   textdiff.Text
	embeds []string
	cut    bool // there are more embeds
	broken error
}

func (s *site) compare(q *request) (answer, error) {
	v, _ := url.ParseQuery(q.place.Arguments) // unreadable parts are not from our pages
	at, ok := address.ReadURL(v.Get("url"))
	if !ok {
		return answer{}, errNotFound
	}
	in := q.place.In.Collection
	query, err := s.query(in, at)
	if err != nil {
		return answer{}, err
	}
	a, err := s.at(q, query, v.Get("a"))
	if err != nil {
		return answer{}, err
	}
	b, err := s.at(q, query, v.Get("b"))
	if err != nil {
		return answer{}, err
	}
	if a == nil || b == nil {
		return answer{redirect: s.ui.Versions(in, at)}, nil
	}
	if a.Timestamp > b.Timestamp {
		a, b = b, a
	}
	c := &comparison{URL: at, All: s.ui.Versions(in, at)}
	out := answer{template: "compare.html", title: s.words.T("compare.title.of", at), body: c, private: true,
		crumbs: []link{{s.Name, s.ui.Front()}, {s.words.T("versions.heading"), c.All},
			{s.words.T("compare.title"), ""}}}
	for _, j := range []*holdings.Judged{a, b} {
		if !j.Allowed {
			out.status = refusal(j.Decision)
			c.Problem = s.words.T("compare.denied", s.words.When(j.Timestamp), s.message(j.Decision)[0])
		}
	}
	if c.Problem != "" {
		c.Sides = []side{{Name: s.words.T("compare.earlier"), When: s.words.When(a.Timestamp)},
			{Name: s.words.T("compare.later"), When: s.words.When(b.Timestamp)}}
		return out, nil
	}
	return out, s.fillComparison(q, c, in, a, b)
}

func (s *site) fillComparison(q *request, c *comparison, in string, a, b *holdings.Judged) error {
	earlier, later := s.half(q, a), s.half(q, b)
	if err := q.Context().Err(); err != nil {
		return err
	}
	c.Sides = []side{s.side(in, "compare.earlier", earlier), s.side(in, "compare.later", later)}
	if s.unreadable(c, errors.Join(earlier.broken, later.broken)) {
		return nil
	}
	if a.Digest != "" && a.Digest == b.Digest {
		c.Same = s.words.T("compare.same")
	} else if !readable(a) || !readable(b) {
		c.Same = s.words.T("compare.bytes")
		return nil
	}
	c.Compared = true
	s.compareText(c, earlier, later)
	return s.compareResources(q, c, in, earlier, later)
}

// unreadable marks the comparison as impossible, if there is an error. The payload of a revisit may
// be missing from the archive from the start: that is not our error.
func (s *site) unreadable(c *comparison, err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, captures.ErrNotFound):
		c.Problem = s.words.T("compare.missing")
	default:
		c.Problem = s.words.T("compare.unreadable")
		s.Problem(err)
	}
	return true
}

// readable reports whether the type of a capture has comparable text.
func readable(c *holdings.Judged) bool {
	return strings.HasPrefix(c.MIME, "text/") || c.MIME == "application/xhtml+xml" || c.MIME == ""
}

// half reads the compared part of a capture.
func (s *site) half(q *request, c *holdings.Judged) *half {
	h := &half{Judged: c}
	body, contentType, err := lookup.Body(q.Context(), s.h, q.who, c.Capture, textdiff.MaxBytes)
	if err != nil {
		h.broken = err
		return h
	}
	if readable(c) {
		if contentType == "" {
			contentType = "text/html"
		}
		h.text = textdiff.Read(body, strings.ToLower(contentType))
	}
	if strings.Contains(contentType, "html") {
		h.embeds, h.cut = parts.Embedded(body, c.URL)
	}
	return h
}

func (s *site) side(in, name string, h *half) side {
	facts := []string{}
	if h.Status > 0 {
		facts = append(facts, statusWords(h.Status))
	}
	facts = append(facts, h.MIME, s.words.Size(h.Length))
	out := side{Name: s.words.T(name), URL: s.ui.Banner(in, h.Timestamp, h.Judged.URL), When: s.words.When(h.Timestamp),
		Title: h.text.Title,
		Facts: strings.Join(withoutEmpty(facts), " · ")}
	if k := kindOf(h.Capture); k != good {
		out.Note = s.words.T("kind." + k + ".text")
	}
	return out
}

func withoutEmpty(all []string) (some []string) {
	for _, t := range all {
		if t != "" {
			some = append(some, t)
		}
	}
	return some
}

// textLine is a line of the comparison.
type textLine struct {
	Class string
	Words []textdiff.Piece
}

func (s *site) compareText(c *comparison, a, b *half) {
	d := textdiff.Compare(a.text.Lines, b.text.Lines)
	switch {
	case len(a.text.Lines)+len(b.text.Lines) == 0:
		c.TextWords = s.words.T("compare.notext")
		return
	case d.Added+d.Removed == 0:
		c.TextWords = s.words.T("compare.text.same")
		return
	}
	c.TextWords = s.words.T("compare.text.differs", s.words.N("compare.lines.added", int64(d.Added)),
		s.words.N("compare.lines.removed", int64(d.Removed)))
	if d.Whole {
		c.TextWords = s.words.T("compare.text.other")
	}
	for _, l := range d.Lines {
		if l.Class == textdiff.Gap {
			l.Pieces = []textdiff.Piece{{Text: s.words.N("compare.gap", int64(l.Hidden))}}
		}
		c.Lines = append(c.Lines, textLine{string(l.Class), l.Pieces})
	}
	if a.text.More || b.text.More || d.More {
		c.Cut = s.words.T("compare.cut")
	}
}
