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

// mirroredFrom matches the comment that HTTrack writes into each page, with the URL; before 2026
// without its scheme. The option -%F can change or remove this text.
var mirroredFrom = regexp.MustCompile(`<!-- Mirrored from ([^\s<>]+(?: [^\s<>]+)*?) by HTTrack Website Copier[^>` +
	`]*?(?:, ([^,>\]]+, [^>]+ GMT))? -->`)

// Footer has the facts from the comment that HTTrack writes into a page.
type Footer struct {
	URL     string
	Assumed bool      // the comment has no scheme, and http was added
	Time    time.Time // time of writing, which is the time of download; zero if not stated
}

// MirroredFrom parses the comment in a page; the beginning of the page is enough. In a mirror of a
// mirror, the first comment belongs to the last mirror. ok is false without a comment.
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

// movedTo marks the page that HTTrack, until 3.3x, wrote instead of a redirect.
var movedTo = []byte("<TITLE>Page has moved</TITLE>")

// isPlaceholder reports whether a file is a page that HTTrack wrote instead of a redirect.
func (m *Mirror) isPlaceholder(p string) bool {
	b, err := m.beginning(p)
	return err == nil && bytes.Contains(b, movedTo) && bytes.Contains(b, []byte("HTTrack"))
}

// deriveURL finds the URL of a file that neither cache nor log names. It uses the URL in the file's
// comment, or else derives the URL from the path. If a URL already has bytes, it keeps these bytes. A
// name that HTTrack made because of another name gives no URL. deriveURL returns the result, for a
// finding.
func (m *Mirror) deriveURL(p string) (result string) {
	if m.isPlaceholder(p) {
		m.moved[p] = true
		return ": it is a page that HTTrack wrote instead of a redirect"
	}
	b, _ := m.beginning(p) // unreadable files have no comment; reading the body reports them
	f, ok := MirroredFrom(b)
	basis := BasisComment
	if !ok {
		if m.isRenamed(p) {
			return ": HTTrack may have added its number because another name differs in case alone, so the path does " +
				"not give the URL"
		}
		f.URL, f.Assumed, basis = urlOfPath(m.within(p)), true, BasisPath
		result = ": its URL is assumed from the path"
	}
	if f.URL == "" {
		return ""
	}
	known := len(m.Captures)
	c := m.capture(f.URL, f.Assumed)
	switch {
	case len(m.Captures) > known || c.File == "" && !c.Kept() && basis == BasisComment:
		c.Assumed = c.Assumed && basis == BasisComment
		c.Partial = m.unfinished
		m.claim(c, p, basis)
	case basis == BasisComment:
		m.twins[p] = c
	}
	return result
}

// port matches the port that HTTrack writes after a host name.
var port = regexp.MustCompile(`_(\d{1,5})$`)

// urlOfPath derives a URL from the path of a file in the mirror, or returns "" if the path does not
// begin with a host name. The file index.html is the page of its folder. HTTrack's changes to the
// name cannot be undone: an added ending, or a query replaced by four digits.
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

// escapePath escapes characters of a file name that have a meaning in a URL.
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

// saved returns the mirror path that links in other pages use for a capture, or "". If the file is
// missing, saved returns the file's former path.
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

// rowLocal returns the path in the log, which is escaped there.
func (c *Capture) rowLocal() string {
	if c.Row == nil {
		return ""
	}
	return weburl.Unescape(c.Row.Local)
}
