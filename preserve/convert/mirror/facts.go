package mirror

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/source"
)

// facts writes the block of a metadata record: the known facts of the URL and their sources, under
// the names that docs/reference/430_mirrors.md explains.
func (c *conversion) facts(p *present) []byte {
	var b []byte
	add := func(name, value string) { b = appendFact(b, name, value) }
	add("grade", string(p.Grade))
	if p.URL != p.target() {
		add("url", p.URL)
	}
	add("assumed", p.Assumed)
	add("file", p.File)
	if p.Status != 0 {
		add("status", strconv.Itoa(p.Status))
	}
	add("reason", p.Reason)
	add("location", p.Location)
	add("content-type", p.MIME)
	add("content-type-identified", p.identified)
	if p.Sent >= 0 {
		add("sent-bytes", strconv.FormatInt(p.Sent, 10))
	}
	add("via", p.Via)
	add("date-from", p.TimeFrom)
	if p.dated && p.Leeway > 0 {
		add("date", p.Time.UTC().Format(time.RFC3339))
		add("date-leeway", p.Leeway.String())
	}
	if !p.dated {
		add("date-unknown", "nothing tells when this was captured; the dates of its records are that of the conversion")
	}
	add("head", string(p.head))
	if p.turned != nil && p.converted != "" {
		add("links", note(p.turned))
	}
	for _, f := range p.Facts {
		add(f.Name, f.Value)
	}
	if p.response != nil && (p.head == "" || p.keepHead) {
		b = appendEscaped(b, "response-head", string(p.response))
	}
	if p.keepRequest {
		b = appendEscaped(b, "request-head", string(p.request))
	}
	for _, w := range p.Why {
		add("evidence", w)
	}
	if u, err := url.Parse(p.URL); err == nil && u.User != nil {
		if _, set := u.User.Password(); set {
			c.secret("passwords")
		}
	}
	return b
}

// appendFact adds a field (Annex B). If the value cannot be written unchanged, it is escaped, and
// the field name shows this.
func appendFact(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	carried := utf8.ValidString(value) && strings.TrimSpace(value) == value &&
		!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f })
	if !carried {
		return appendEscaped(b, name, value)
	}
	return append(append(append(append(b, name...), ": "...), value...), "\r\n"...)
}

func appendEscaped(b []byte, name, value string) []byte {
	return append(append(append(append(b, name...), "-escaped: "...), warcbuild.Escape(value)...), "\r\n"...)
}

// writeWarcinfo writes the first record (6.2): the software, the mirror, and the known facts of the
// crawl.
func (c *conversion) writeWarcinfo() error {
	a := c.about
	b := warcbuild.AppendField(nil, "software", c.o.Software)
	b = warcbuild.AppendField(b, "format", "WARC File Format 1.1")
	b = warcbuild.AppendField(b, "conformsTo",
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	b = warcbuild.AppendField(b, "description", c.description())
	for _, f := range [][2]string{
		{"isPartOf", a.Collection}, {"operator", a.Operator}, {"hostname", a.Host}, {"robots", a.Robots},
		{"http-header-user-agent", a.UserAgent}, {"http-header-from", a.Contact},
		{"source-name", c.o.Name}, {"mirror-system", string(a.System)}, {"mirror-id", a.ID}, {"mirror-title", a.Title},
		{"mirror-software", a.Software}, {"mirror-organization", a.Organization},
		{"mirror-documentation", string(a.Documentation)}, {"mirror-start", moment(a.Start)},
		{"mirror-end", moment(a.End)}, {"mirror-end-reason", a.EndReason},
	} {
		b = warcbuild.AppendField(b, f[0], f[1])
	}
	for _, seed := range a.Seeds[:min(len(a.Seeds), maxSeeds)] {
		b = warcbuild.AppendField(b, "mirror-seed", seed)
	}
	made, err := c.write(record{kind: warc.TypeWarcinfo, date: warc.FormatDate(c.o.Date), contentType: typeFields,
		head: b})
	c.warcinfo = made.ID
	return err
}

// maxSeeds bounds the seeds in the warcinfo. The crawler's configuration has all of them.
const maxSeeds = 1000

func (c *conversion) description() string {
	what := "a folder of files"
	if c.about.Software != "" || slices.Contains([]source.Style{source.StyleHTTrack, source.StyleWget},
		style(c.mirror)) {
		what = "a website mirror"
	}
	return "converted from " + what + ": what is left of each URL, with its grade (" + FieldGrade +
		") and its evidence in a metadata record; no field that nobody kept is invented"
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return warc.FormatDate(t)
}

func style(m source.Mirror) source.Style {
	if s, ok := m.(source.Styled); ok {
		return s.Style()
	}
	return source.StyleNone
}
