package httrack

import (
	"bytes"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"quire/format/weburl"
)

// mirroredFrom is the comment that HTTrack puts into each page, with the URL: without its scheme
// until 2026. Who calls HTTrack can choose another text (-%F), or none.
var mirroredFrom = regexp.MustCompile(`<!-- Mirrored from ([^\s<>]+(?: [^\s<>]+)*?) by HTTrack Website Copier[^>` +
	`]*?(?:, ([^,>\]]+, [^>]+ GMT))? -->`)

// Footer is what HTTrack says of a page in the comment that it puts in.
type Footer struct {
	URL     string
	Assumed bool      // the scheme is: the comment has none, and http was put before it
	Time    time.Time // when HTTrack wrote the page, which is when it came; zero when it does not say
}

// MirroredFrom reads the comment in a page, of which the beginning is enough. Of a mirror of a
// mirror, the first comment is that of the last. ok is false when there is none.
func MirroredFrom(page []byte) (f Footer, ok bool) {
	m := mirroredFrom.FindSubmatch(page)
	if m == nil {
		return f, false
	}
	f.URL, f.Assumed = withScheme(string(m[1]))
	if t, err := http.ParseTime(string(m[2])); err == nil {
		f.Time = t.UTC()
	}
	return f, true
}

// movedTo marks the page that HTTrack, until 3.3x, wrote in the place of a redirect.
var movedTo = []byte("<TITLE>Page has moved</TITLE>")

// isPlaceholder says whether a file is such a page.
func (m *Mirror) isPlaceholder(p string) bool {
	b, err := m.beginning(p)
	return err == nil && bytes.Contains(b, movedTo) && bytes.Contains(b, []byte("HTTrack"))
}

// adopt finds the URL of a file that no witness names: that in its comment, else that which its
// path gives. A URL that has its bytes already keeps them.
func (m *Mirror) adopt(p string) {
	if m.isPlaceholder(p) {
		m.moved[p] = true
		return
	}
	b, _ := m.beginning(p) // what cannot be read has no comment; that it cannot be read is told when its body is
	f, ok := MirroredFrom(b)
	basis := BasisComment
	if !ok {
		f.URL, f.Assumed, basis = urlOfPath(m.within(p)), true, BasisPath
	}
	if f.URL == "" {
		return
	}
	known := len(m.Captures)
	c := m.capture(f.URL, f.Assumed)
	switch {
	case len(m.Captures) > known || c.File == "" && !c.Kept() && basis == BasisComment:
		c.Assumed = c.Assumed && basis == BasisComment
		m.claim(c, p, basis)
	case basis == BasisComment:
		m.twins[p] = c
	}
}

// port is how HTTrack writes one behind the name of a host.
var port = regexp.MustCompile(`_(\d{1,5})$`)

// urlOfPath makes a URL of the path of a file within the mirror; "" when it does not begin with the
// name of a host. Of a folder, index.html is the page. What HTTrack did to the name, nobody knows:
// an ending put behind it, a query made four digits.
func urlOfPath(p string) string {
	host, rest, ok := strings.Cut(p, "/")
	bare := port.ReplaceAllString(host, "")
	if !ok || bare != "localhost" && !strings.Contains(strings.Trim(bare, "."), ".") ||
		strings.ContainsAny(bare, " ?#%@:\\\"") {
		return ""
	}
	if path.Base(rest) == "index.html" {
		rest = strings.TrimSuffix(rest, "index.html")
	}
	return "http://" + port.ReplaceAllString(host, ":$1") + "/" + escapePath(rest)
}

// escapePath writes what in a file name is itself and in a URL would be a sign.
func escapePath(p string) string {
	var b strings.Builder
	for i := range len(p) {
		switch c := p[i]; {
		case mustEscape(c) || c == '?' || c == '#' || c == '%' && !isEscape(p[i:]):
			b.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// saved is the path within the mirror by which the links of other pages lead to a capture; "" when
// none does. Where the file is gone, it is the one that it had.
func (m *Mirror) saved(c *Capture) string {
	if c.placeholder != "" {
		return m.within(c.placeholder)
	}
	if c.File != "" {
		return m.within(c.File)
	}
	for _, p := range []string{c.entrySave(), c.rowLocal(), c.Recorded} {
		if p == "" || leadsOut(p) || delayed.MatchString(p) {
			continue
		}
		p = strings.ReplaceAll(p, `\`, "/")
		if rest, ok := strings.CutPrefix(p, m.output+"/"); ok && m.output != "" {
			p = rest
		}
		if i := strings.Index("/"+p, "/"+hostFolder(c.URL)+"/"); i >= 0 {
			p = p[i:]
		}
		if p = path.Clean(p); !path.IsAbs(p) && !isDrive(p) {
			return p
		}
	}
	return ""
}

func (c *Capture) entrySave() string {
	if c.Entry == nil {
		return ""
	}
	return c.Entry.Save
}

// rowLocal is the path in the log, which escapes it.
func (c *Capture) rowLocal() string {
	if c.Row == nil {
		return ""
	}
	return weburl.Unescape(c.Row.Local)
}
