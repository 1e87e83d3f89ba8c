package replay

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/siterules"
	"quire/format/surt"
	"quire/holdings"
	"quire/holdings/captures"
)

// If no capture matches the exact request, a similar one may do. Scripts invent arguments each
// time, as cache busters or function names, and request bodies differ by a number. Package siterules
// has the rules; the response states that the match is fuzzy, and by which rules.

// Limits of the search for similar captures: captures of the URL with other arguments that are
// examined, and those tried.
const (
	maxAlike = 2000
	maxTried = 8
)

// candidate is a similar capture.
type candidate struct {
	holdings.Judged
	siterules.Alike
	away time.Duration
}

// alike finds a capture similar to the request q: first by its likeness, then by the distance in
// time. It returns nil if there is none.
func (c *call) alike(q captures.Query) (*chosen, error) {
	l, budget := c.lookup(q), math.MaxInt
	found, err := c.similar(l, q, &budget)
	if err != nil {
		return nil, err
	}
	return c.firstToShow(l, found)
}

// lookup returns the look-up of a request by the site rules.
func (c *call) lookup(q captures.Query) *siterules.Lookup {
	return c.o.Rules().Lookup(siterules.Request{URL: q.URL,
		Key: surt.Key(surt.WithRequest(q.URL, q.Method, q.BodyType, q.Body))})
}

// similar returns the most similar captures that the reader may see, the best first. It compares at most maxAlike
// captures of each part of the index, and takes them off the budget. It ends with the budget.
func (c *call) similar(l *siterules.Lookup, q captures.Query, budget *int) (found []candidate, err error) {
	moment, _ := address.Time(q.Closest)
	for _, part := range l.Ranges() {
		looked := 0
		for j, err := range c.archive.Captures(c.r.Context(), c.who,
			captures.Query{URL: part.URL, Match: part.Match, Packages: q.Packages}) {
			if err != nil {
				return nil, err
			}
			if looked++; looked > maxAlike || *budget <= 0 {
				break
			}
			*budget--
			if alike, ok := l.Compare(requestOf(&j)); ok && j.Allowed {
				at, _ := address.Time(j.Timestamp)
				found = append(found, candidate{*kept(j), alike, at.Sub(moment).Abs()})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(a.Compare(b.Alike), cmp.Compare(a.away, b.away))
	})
	return found[:min(len(found), maxTried)], nil
}

func requestOf(j *holdings.Judged) siterules.Request {
	return siterules.Request{URL: j.URL, Key: j.Key, MIME: j.MIME}
}

// firstToShow reads candidates until one can be shown.
func (c *call) firstToShow(l *siterules.Lookup, found []candidate) (*chosen, error) {
	for i := range found {
		j := &found[i]
		if circle, err := c.circle(j.Judged, false); err != nil {
			return nil, err
		} else if circle {
			continue
		}
		content, err := c.archive.Read(c.r.Context(), c.who, j.Capture)
		switch denied := (*holdings.DeniedError)(nil); {
		case errors.As(err, &denied):
		case err != nil && c.r.Context().Err() != nil:
			return nil, err
		case err != nil:
			c.o.Problem(fmt.Errorf("%s %s: %w", j.Timestamp, j.URL, err))
		case useless(content):
			drain(content.Body)
		default:
			out := &chosen{Judged: j.Judged, Content: content, asked: c.q.URL, callbacks: l.Callbacks()}
			notice := fuzzyNotice(j.Differ, l.Names(requestOf(&j.Judged), j.Alike))
			out.Note = strings.TrimPrefix(content.Note+"; "+notice, "; ")
			c.q.URL = j.URL // neighbours are captures of this URL
			return out, nil
		}
	}
	return nil, nil
}

// fuzzyNotice returns the notice that another request was captured, and by which rules it may answer.
func fuzzyNotice(differ int, rules []string) string {
	note := "no capture of exactly this request: this is the response to a similar one (fuzzy match)"
	if differ > 0 {
		note += fmt.Sprintf("; %d of the sent values differ", differ)
	}
	if len(rules) > 0 {
		note += "; by the site rules " + strings.Join(rules, ", ")
	}
	return note
}

// mayBeAlike reports whether a similar capture is acceptable: not for the TimeGate and exact bytes,
// where the response to another request would be wrong.
func (c *call) mayBeAlike() bool {
	return c.q.Kind == address.Capture && c.q.Modifier != address.Identity && c.q.URL != ""
}
