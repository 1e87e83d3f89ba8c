package replay

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quire/access/address"
	"quire/holdings"
)

// pageOfMap is the approximate number of captures on a page of a TimeMap. All captures of one
// second stay on the same page.
const pageOfMap = 10000

// mapped writes one format of TimeMaps in a stream, without buffering captures.
type mapped interface {
	begin(m *mapping)
	capture(m *mapping, j *holdings.Judged, first, last bool)
	end(m *mapping)
}

// mapping is the data common to all formats.
type mapping struct {
	*bufio.Writer
	c           *call
	from, until string // timestamps of the range of this page
	next        string // start of the next page; "" for the last
	count       int
}

var formats = map[string]struct {
	mime string
	make func() mapped
}{
	"link": {"application/link-format", func() mapped { return linkMap{} }},
	"json": {"application/json", func() mapped { return &jsonMap{} }},
	"cdxj": {"application/x-cdxj", func() mapped { return cdxjMap{} }},
}

// timeMap lists the captures of a URL open to the reader (RFC 7089, 5).
func (c *call) timeMap() error {
	format, ok := formats[c.q.Format]
	if !ok {
		c.refuse(http.StatusNotFound, refusal{key: "timemap"})
		return nil
	}
	h := c.w.Header()
	q := c.query(c.q.URL)
	q.From = c.q.From
	one, err := c.nearest(q) // to report an empty list before the response starts
	if err != nil {
		return err
	}
	if one == nil {
		c.notFound(nil)
		return nil
	}
	c.private(holdings.Open)
	h.Set("Content-Type", format.mime)
	h.Set("Link", headerSafe(strings.Join([]string{
		link(address.EscapeURL(c.q.URL), "original", ""), link(c.base.TimeGate(c.q.In, "", c.q.URL), "timegate", ""),
		link(c.base.TimeMap(c.q.In, c.q.Format, c.q.From, c.q.URL), "self", fmt.Sprintf(`; type="%s"`, format.mime)),
	}, ", ")))
	if c.r.Method == http.MethodHead {
		return nil
	}
	m := &mapping{Writer: bufio.NewWriterSize(c.w, 32<<10), c: c}
	out := format.make()
	out.begin(m)
	if err := m.write(out); err != nil {
		// A response under way cannot become an error: break it off, so the client cannot mistake
		// it for complete.
		c.o.Problem(err)
		panic(http.ErrAbortHandler)
	}
	out.end(m)
	return m.Flush()
}

// write passes the captures of one page to the format. It passes each capture only after reading
// the next, because the last capture needs special treatment.
func (m *mapping) write(out mapped) error {
	q := m.c.query(m.c.q.URL)
	q.From = m.c.q.From
	whole := m.c.q.From == ""
	var held *holdings.Judged
	for j, err := range m.c.archive.Captures(m.c.r.Context(), m.c.who, q) {
		if err != nil {
			return err
		}
		if !j.Allowed {
			continue
		}
		if held != nil {
			if m.count >= pageOfMap-1 && held.Timestamp != j.Timestamp {
				m.next = j.Timestamp
				break
			}
			if held.Timestamp != j.Timestamp || held.URL != j.URL { // the same moment in two packages has one address
				m.give(out, held, whole && m.count == 0, false)
			}
		}
		held = kept(j)
	}
	if held != nil {
		m.give(out, held, whole && m.count == 0, m.next == "")
	}
	return nil
}

func (m *mapping) give(out mapped, j *holdings.Judged, first, last bool) {
	if m.from == "" {
		m.from = j.Timestamp
	}
	m.until = j.Timestamp
	out.capture(m, j, first, last)
	m.count++
}

func relation(first, last bool) string {
	rel := "memento"
	if last {
		rel = "last " + rel
	}
	if first {
		rel = "first " + rel
	}
	return rel
}

func (m *mapping) original() string { return address.EscapeURL(m.c.q.URL) }
func (m *mapping) gate() string     { return m.c.base.TimeGate(m.c.q.In, "", m.c.q.URL) }
func (m *mapping) at(format, from string) string {
	return m.c.base.TimeMap(m.c.q.In, format, from, m.c.q.URL)
}
func (m *mapping) memento(j *holdings.Judged) string {
	return m.c.base.Capture(m.c.q.In, j.Timestamp, address.Page, j.URL)
}

// linkMap is application/link-format (RFC 6690, RFC 7089, 5).
type linkMap struct{}

func (linkMap) begin(m *mapping) {
	m.print(link(m.original(), "original", ""), ",\n", link(m.gate(), "timegate", ""))
}

func (linkMap) capture(m *mapping, j *holdings.Judged, first, last bool) {
	m.print(",\n", link(m.memento(j), relation(first, last), `; datetime="`+httpDate(j.Timestamp)+`"`))
}

func (linkMap) end(m *mapping) {
	m.print(",\n", link(m.at("link", m.c.q.From), "self",
		fmt.Sprintf(`; type="application/link-format"; from="%s"; until="%s"`, httpDate(m.from), httpDate(m.until))))
	if m.next != "" {
		m.print(",\n", link(m.at("link", m.next), "timemap",
			fmt.Sprintf(`; type="application/link-format"; from="%s"`, httpDate(m.next))))
	}
	m.print("\n")
}

func (m *mapping) print(texts ...string) {
	for _, s := range texts {
		_, _ = io.WriteString(m, s) // Flush returns the error
	}
}

// jsonMap is the JSON of Memento aggregators.
type jsonMap struct{ first, last string }

func quoted(s string) string {
	b, _ := json.Marshal(s) // encoding a string cannot fail
	return string(b)
}

func (m *mapping) maps() string {
	return fmt.Sprintf(`{"link_format": %s, "json_format": %s, "cdxj_format": %s}`, quoted(m.at("link", "")),
		quoted(m.at("json", "")), quoted(m.at("cdxj", "")))
}

func isoDate(timestamp string) string {
	t, _ := address.Time(timestamp)
	return t.Format("2006-01-02T15:04:05Z")
}

func (f *jsonMap) begin(m *mapping) {
	m.print("{\n", `"original_uri": `, quoted(m.original()), ",\n", `"self": `, quoted(m.at("json", m.c.q.From)), ",\n",
		`"timegate_uri": `, quoted(m.gate()), ",\n")
	m.print(`"timemap_uri": `, m.maps(), ",\n", `"mementos": {`, "\n", `"list": [`)
}

func (f *jsonMap) capture(m *mapping, j *holdings.Judged, first, last bool) {
	if m.count > 0 {
		m.print(",")
	}
	entry := fmt.Sprintf(`{"datetime": %s, "uri": %s}`, quoted(isoDate(j.Timestamp)), quoted(m.memento(j)))
	if first {
		f.first = entry
	}
	if last {
		f.last = entry
	}
	m.print("\n", entry)
}

func (f *jsonMap) end(m *mapping) {
	m.print("\n]")
	if f.first != "" {
		m.print(",\n", `"first": `, f.first)
	}
	if f.last != "" {
		m.print(",\n", `"last": `, f.last)
	}
	m.print("\n}")
	if m.next != "" {
		m.print(",\n", `"next": `, quoted(m.at("json", m.next)))
	}
	m.print("\n}\n")
}

// cdxjMap is the CDXJ of Memento aggregators.
type cdxjMap struct{}

func (cdxjMap) begin(m *mapping) {
	m.print(`!context ["https://tools.ietf.org/html/rfc7089"]`, "\n", `!id {"uri": `, quoted(m.at("cdxj", m.c.q.From)),
		"}\n", `!keys ["memento_datetime_YYYYMMDDhhmmss"]`, "\n")
	m.print(`!meta {"original_uri": `, quoted(m.original()), "}\n", `!meta {"timegate_uri": `, quoted(m.gate()), "}\n",
		`!meta {"timemap_uri": `, m.maps(), "}\n")
}

func (cdxjMap) capture(m *mapping, j *holdings.Judged, first, last bool) {
	m.print(j.Timestamp, fmt.Sprintf(` {"uri": %s, "rel": %s, "datetime": %s}`, quoted(m.memento(j)),
		quoted(relation(first, last)), quoted(httpDate(j.Timestamp))), "\n")
}

func (cdxjMap) end(m *mapping) {
	if m.next != "" {
		m.print(`!meta {"next": `, quoted(m.at("cdxj", m.next)), "}\n")
	}
}
