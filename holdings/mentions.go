package holdings

import (
	"context"

	"quire/format/surt"
	"quire/holdings/captures"
)

// Mentions decides which URLs may be named to a reader, for lists made from open content, such as the
// targets of links. It is for one goroutine, and valid for one pass, because rules change.
type Mentions struct {
	h     *Holdings
	who   Reader
	j     *judging
	asked int
	open  bool // everything in the repository is open to the reader
	// whether captures of a key allow that it is named; cleared at maxMentions
	known map[string]bool
}

// maxMentions bounds the memory of Mentions: the pages of a site have the same menus.
const maxMentions = 1 << 16

// noType is a media type that no rule names: rules on types cover captures without one.
const noType = "?/?"

// Mentions returns the Mentions of a reader.
func (h *Holdings) Mentions(who Reader) *Mentions {
	m := &Mentions{h: h, who: who, j: h.judging(), known: map[string]bool{}}
	all := &briefJudge{judging: h.judging(), who: &who, known: map[place]Decision{}}
	m.open = all.allOpen()
	return m
}

// May reports whether content of a package, captured in a harvest at a timestamp of 14 digits, may name a
// URL. Two conditions hold then: the reader would have access to a capture of the URL in that package. And
// the repository has no capture of it, or one that is open to the reader.
func (m *Mentions) May(ctx context.Context, pkg string, harvest int, timestamp, url string) (bool, error) {
	if m.asked++; m.asked%judgedAtOnce == 0 {
		m.j.begin()
	}
	key := surt.Key(url)
	if !m.there(pkg, harvest, timestamp, url, key) {
		return false, nil
	}
	if m.open {
		return true, nil
	}
	may, ok := m.known[key]
	if ok {
		return may, nil
	}
	may, err := m.captured(ctx, url)
	if err != nil {
		return false, err
	}
	if len(m.known) >= maxMentions {
		clear(m.known)
	}
	m.known[key] = may
	return may, nil
}

// there reports whether a capture of the URL in the package would be open to the reader.
func (m *Mentions) there(pkg string, harvest int, timestamp, url, key string) bool {
	m.h.mu.RLock()
	defer m.h.mu.RUnlock()
	p := m.h.packages[pkg]
	if _, closed := m.j.closed(p); closed {
		return false
	}
	// Rules on media types, digests and scans are not about the URL. They decide on real captures below.
	d := m.j.Decide(m.j.question(p, "", &about{place: &captures.Place{}, pkg: pkg, url: url, key: key,
		timestamp: timestamp, harvest: harvest, capture: &captures.Capture{MIME: noType}}))
	return m.who.In(pkg).May(d.Verdict)
}

// captured reports whether the repository has no capture of a URL, or one that is open to the reader.
func (m *Mentions) captured(ctx context.Context, url string) (bool, error) {
	none := true
	for c, err := range m.h.index.Captures(ctx, captures.Query{URL: url}) {
		if err != nil {
			return false, err
		}
		if m.j.decide(&m.who, c).Allowed {
			return true, nil
		}
		none = false
	}
	return none, nil
}
