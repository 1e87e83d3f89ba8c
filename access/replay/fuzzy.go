package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quire/access/address"
	"quire/format/surt"
	"quire/holdings"
	"quire/holdings/captures"
)

// If no capture matches the exact request, a similar one may do. Scripts invent arguments each
// time, as cache busters or function names, and request bodies differ by a number.
// docs/reference/545_replay.md has the rules; the response states that the match is fuzzy.

// Limits of the search for similar captures: captures of the URL with other arguments that are
// examined, and those tried.
const (
	maxAlike = 2000
	maxTried = 8
)

// madeUp are argument names, in lower case, that scripts invent: as cache busters, or as the
// callback function (JSONP).
var madeUp = map[string]bool{
	"_": true, "__": true, "_cb": true, "__cb": true, "cb": true, "callback": true, "_callback": true, "jsonp": true,
	"_jsonp": true, "jsoncallback": true, "json_callback": true, "jsonpcallback": true,
	"cachebuster": true, "cache_buster": true, "cachebust": true, "cb_": true, "nocache": true, "no_cache": true,
	"uncache": true, "bust": true, "_dc": true, "_ts": true, "rand": true, "random": true, "rnd": true,
	"utm_source": true, "utm_medium": true, "utm_campaign": true, "utm_term": true, "utm_content": true,
}

// times are argument names that often carry the time, and then have no meaning.
var times = map[string]bool{"t": true, "ts": true, "time": true, "timestamp": true, "r": true, "v": true, "d": true}

// argument is one argument after the question mark of a key.
type argument struct{ name, value string }

// similarity holds the parts that must be equal in two requests, and those that may differ.
type similarity struct {
	path      string // of the key, before the question mark
	method    string // request method; "" means GET
	arguments []argument
}

// similarityOf parses a key of the index.
func similarityOf(key string) similarity {
	path, query, _ := strings.Cut(key, "?")
	a := similarity{path: path}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, named := strings.Cut(pair, "=")
		switch {
		case pair == "" || madeUp[name] || times[name] && isTime(value) || !named && isTime(name):
		case name == "__wb_method":
			a.method = value
		default:
			a.arguments = append(a.arguments, argument{name, value})
		}
	}
	slices.SortFunc(a.arguments, func(x, y argument) int {
		return cmp.Or(strings.Compare(x.name, y.name), strings.Compare(x.value, y.value))
	})
	return a
}

// isTime reports whether a value is a script's time: seconds or milliseconds since 1970.
func isTime(s string) bool {
	return len(s) >= 10 && len(s) <= 16 && strings.Trim(s, "0123456789.") == ""
}

// differ returns the number of values that differ between two requests, or -1 if the requests are
// not similar. Similar GET requests have the same meaningful values. Similar request bodies differ
// in fewer than half of their values.
func (a *similarity) differ(b *similarity) int {
	if a.path != b.path || a.method != b.method || len(a.arguments) != len(b.arguments) {
		return -1
	}
	n := 0
	for i := range a.arguments {
		if a.arguments[i].name != b.arguments[i].name {
			return -1
		}
		if a.arguments[i].value != b.arguments[i].value {
			n++
		}
	}
	if n > 0 && (a.method == "" || 2*n >= len(a.arguments)) {
		return -1
	}
	return n
}

// candidate is a similar capture.
type candidate struct {
	holdings.Judged
	differ int
	away   time.Duration
}

// alike finds a capture similar to the request q: first by the number of differences, then by the
// distance in time. It returns nil if there is none.
func (c *call) alike(q captures.Query) (*chosen, error) {
	asked := similarityOf(surt.Key(surt.WithRequest(q.URL, q.Method, q.BodyType, q.Body)))
	moment, _ := address.Time(q.Closest)
	base, _, _ := strings.Cut(q.URL, "?")
	base, _, _ = strings.Cut(base, "#")
	var found []candidate
	looked := 0
	for _, query := range []captures.Query{{URL: base, Packages: q.Packages},
		{URL: base + "?", Match: captures.Prefix, Packages: q.Packages}} {
		for j, err := range c.archive.Captures(c.r.Context(), c.who, query) {
			if err != nil {
				return nil, err
			}
			if looked++; looked > maxAlike {
				break
			}
			its := similarityOf(j.Key)
			if differ := asked.differ(&its); differ >= 0 && j.Allowed {
				at, _ := address.Time(j.Timestamp)
				found = append(found, candidate{*kept(j), differ, at.Sub(moment).Abs()})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.differ, b.differ), cmp.Compare(a.away, b.away))
	})
	return c.firstToShow(found[:min(len(found), maxTried)])
}

// firstToShow reads candidates until one can be shown.
func (c *call) firstToShow(found []candidate) (*chosen, error) {
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
			out := &chosen{Judged: j.Judged, Content: content, asked: c.q.URL}
			out.Note = strings.TrimPrefix(content.Note+"; "+fuzzyNotice(j.differ), "; ")
			c.q.URL = j.URL // neighbours are captures of this URL
			return out, nil
		}
	}
	return nil, nil
}

// fuzzyNotice returns the notice that another request was captured.
func fuzzyNotice(differ int) string {
	note := "no capture of exactly this request: this is the response to a similar one (fuzzy match); " +
		"arguments invented by scripts differ"
	if differ > 0 {
		note += fmt.Sprintf(", and %d of the sent values", differ)
	}
	return note
}

// mayBeAlike reports whether a similar capture is acceptable: not for the TimeGate and exact bytes,
// where the response to another request would be wrong.
func (c *call) mayBeAlike() bool {
	return c.q.Kind == address.Capture && c.q.Modifier != address.Identity && c.q.URL != ""
}
