package cdxserver

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strconv"
	"strings"

	"quire/holdings/captures"
)

// question is a client's query.
type question struct {
	query      captures.Query
	filters    []filter
	collapse   *collapse
	form       form
	fields     []string // nil means all
	limit      int      // -1 means none
	last       bool     // return the last captures, in their order
	offset     int      // captures on earlier pages
	pageSize   int
	countPages bool
	resumable  bool
	behind     mark // position to resume after
	originals  bool // add the places of the payloads of revisits
}

// Limits and defaults.
const (
	defaultPage = 5000 // captures
	mostPage    = 100_000
	mostLast    = 100_000 // captures buffered to reverse the order
	mostFilters = 50
)

// parse reads the parameters. It ignores unknown parameters, because clients also send parameters
// of other servers.
func parse(v url.Values) (*question, error) {
	q := &question{limit: -1, pageSize: defaultPage}
	if v.Get("url") == "" {
		return nil, errors.New("a parameter is missing: url=, for example url=example.org&matchType=host")
	}
	for _, read := range []func(url.Values) error{q.readURL, q.readTimes, q.readAmount, q.readForm, q.readChoice} {
		if err := read(v); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// readURL parses the URL of the query: url=*.example.org means the domain, url=example.org/a* all
// URLs with that prefix.
func (q *question) readURL(v url.Values) error {
	address := v.Get("url")
	match := captures.Match(v.Get("matchType"))
	if match == "" {
		if rest, ok := strings.CutPrefix(address, "*."); ok {
			address, match = rest, captures.Domain
		} else if rest, ok := strings.CutSuffix(address, "*"); ok {
			address, match = rest, captures.Prefix
		}
	}
	switch match {
	case "", captures.Exact, captures.Prefix, captures.Host, captures.Domain:
	default:
		return fmt.Errorf("matchType=%.40q: must be exact, prefix, host or domain", match)
	}
	q.query.URL, q.query.Match = address, match
	q.query.Method, q.query.Body, q.query.BodyType = v.Get("method"), []byte(v.Get("requestBody")), v.Get("requestType")
	if q.query.Method == "" && len(q.query.Body) > 0 {
		q.query.Method = "POST"
	}
	return nil
}

// readTimes parses the time range and the order.
func (q *question) readTimes(v url.Values) error {
	q.query.From, q.query.To, q.query.Closest = first(v, "from", "from_ts"), v.Get("to"), v.Get("closest")
	for _, t := range []string{q.query.From, q.query.To, q.query.Closest} {
		if len(t) > 14 || strings.Trim(t, "0123456789") != "" {
			return fmt.Errorf("%.40q is not a timestamp: use up to 14 digits, such as 2015 or 20150102030405", t)
		}
	}
	switch sort := v.Get("sort"); sort {
	case "", "default":
	case "reverse":
		q.query.Reverse = true
	case "closest":
		if q.query.Closest == "" {
			return errors.New("sort=closest needs closest=, such as closest=20150102030405")
		}
	default:
		return fmt.Errorf("sort=%.40q: must be closest or reverse", sort)
	}
	if q.query.Closest != "" {
		if q.query.Match != "" && q.query.Match != captures.Exact {
			return errors.New("closest= works for one URL only: use matchType=exact")
		}
		q.query.Reverse = false
		q.query.Closest += "10000101000000"[min(len(q.query.Closest), 14):]
	} else {
		q.query.Reverse = q.query.Reverse || isTrue(v.Get("reverse"))
	}
	return nil
}

// readAmount parses the limit and the page.
func (q *question) readAmount(v url.Values) error {
	var err error
	number := func(name string, least, most, none int) int {
		text := v.Get(name)
		if text == "" {
			return none
		}
		n, numberErr := strconv.Atoi(text)
		if numberErr != nil || n < least || n > most {
			err = fmt.Errorf("%s=%.40q: must be a number from %d to %d", name, text, least, most)
		}
		return n
	}
	q.limit = number("limit", -mostLast, 1<<30, -1)
	if v.Get("limit") != "" && q.limit < 0 { // as in Wayback
		if q.query.Closest != "" || q.query.Reverse {
			return errors.New("a limit below 0 returns the last captures; it excludes sort=")
		}
		q.limit, q.last, q.query.Reverse = -q.limit, true, true
	}
	q.pageSize = number("pageSize", 1, mostPage, defaultPage)
	if q.countPages = isTrue(v.Get("showNumPages")); !q.countPages && v.Get("page") != "" {
		q.offset = number("page", 0, 1<<20, 0) * q.pageSize
		if q.limit < 0 || q.limit > q.pageSize {
			q.limit = q.pageSize
		}
	}
	if err != nil {
		return err
	}
	q.resumable = isTrue(v.Get("showResumeKey")) && !q.last
	if key := v.Get("resumeKey"); key != "" {
		q.behind, err = readResumeKey(key)
		q.query.After = &captures.Capture{Key: q.behind.Key, Timestamp: q.behind.Timestamp}
		if q.query.Reverse { // the last capture of that key and time
			q.query.After.Timestamp += "~"
		}
	}
	return err
}

// readChoice parses the filters and the collapse.
func (q *question) readChoice(v url.Values) (err error) {
	if len(v["filter"]) > mostFilters {
		return fmt.Errorf("more than %d filters", mostFilters)
	}
	long := 0
	for _, text := range v["filter"] {
		f, err := readFilter(text)
		if err != nil {
			return err
		}
		if long += f.steps; long > maxSteps {
			return errSteps
		}
		q.filters = append(q.filters, f)
	}
	q.collapse, err = readCollapse(v.Get("collapse"), v.Get("collapseTime"))
	q.originals = isTrue(v.Get("resolveRevisits"))
	return err
}

// chosen omits captures by the filters, and captures collapsed into the previous one.
func (q *question) chosen(all iter.Seq2[*captures.Capture, error]) iter.Seq2[*captures.Capture, error] {
	return func(yield func(*captures.Capture, error) bool) {
		last, some := "", false
		for c, err := range all {
			if err == nil && !passes(q.filters, c) {
				continue
			}
			if err == nil && q.collapse != nil {
				like := q.collapse.of(c)
				if some && like == last {
					continue
				}
				last, some = like, true
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

func first(v url.Values, names ...string) string {
	for _, n := range names {
		if v.Get(n) != "" {
			return v.Get(n)
		}
	}
	return ""
}

func isTrue(text string) bool {
	switch strings.ToLower(text) {
	case "1", "true", "t", "yes", "y", "on":
		return true
	}
	return false
}

// mark is the content of a resume key: the position of a capture in the order.
type mark struct {
	Key       string `json:"k"`
	Timestamp string `json:"t"`
	// captures of this key and time so far; offsets in containers stay hidden
	Given int `json:"n"`
}

// of returns the mark of a capture written after the one of m.
func (m mark) of(c *captures.Capture) mark {
	if m.Key == c.Key && m.Timestamp == c.Timestamp {
		m.Given++
		return m
	}
	return mark{c.Key, c.Timestamp, 1}
}

// resumeKey returns the key to resume after a capture, in characters valid in a URL.
func (m mark) resumeKey() string {
	if m.Key == "" {
		return ""
	}
	text, _ := json.Marshal(m) // strings and a number always encode
	return base64.RawURLEncoding.EncodeToString(text)
}

func readResumeKey(key string) (m mark, err error) {
	text, err := base64.RawURLEncoding.DecodeString(key)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil || len(m.Timestamp) != 14 {
		return m, errors.New("resumeKey= is not a key of this server")
	}
	return m, nil
}
