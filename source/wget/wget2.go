package wget

import (
	"net/url"
	"regexp"
	"strings"
)

// The lines of Wget2's log. Several threads write it, so that lines of different responses mix: only
// the first and the last line of a request name its URL. No line has a time. A line break in a name
// is written as it is.
var (
	line2Begin   = regexp.MustCompile(`(?s)^\[(\d+)\] [^'‘«„“]*['‘«„“]((?:https?|ftp)://.*)['’»“”] ?[.…]+$`)
	line2Opens   = regexp.MustCompile(`^\[\d+\] [^'‘«„“]*['‘«„“](?:https?|ftp)://`)
	line2Saving  = regexp.MustCompile(`(?s)^Saving '(.*)'$`)
	line2Answer  = regexp.MustCompile(`(?s)^HTTP [^\d\[]*(\d{3})(?: (.*))? \[((?:https?|ftp)://.*)\]$`)
	line2Head    = regexp.MustCompile(`^(?:\d+\.\d+\.\d+ )?# (got header|sent) \d+ bytes:$`)
	line2Short   = regexp.MustCompile(`^Just got (\d+) of (\d+) bytes$`)
	line2Large   = regexp.MustCompile(`^Body too large: (\d+) instead of (\d+) bytes$`)
	line2Convert = regexp.MustCompile(`^convert (.+) (?:https?|ftp)://\S.*$`)
	line2End     = regexp.MustCompile(`^Downloaded: \d+ files?, `)
)

// maxJoined bounds the lines of one entry that has line breaks in its name.
const maxJoined = 4

// maxOpen bounds the names and heads that no response has claimed.
const maxOpen = 100

// log2 reads a log of Wget2. Names and heads precede the line of their response, but those of other
// threads may stand between them.
type log2 struct {
	*logReader
	opened  string // an entry whose name has line breaks, so far
	from    int64  // its first line, and offset
	at      int64
	joined  int
	names   []saved2   // files for responses that follow
	open    []request2 // begun, without a response so far
	full    bool       // requests are missing in open
	heads   []head2
	head    *head2 // being read
	sent    bool   // within a request
	body    *body2 // of the response in the next line
	convert string // the file whose converted links follow
	changed bool
	moved   map[string]bool // the names of files for URLs that redirect
}

// head2 is the head of a response.
type head2 struct {
	span
	status, reason string
	location, mime string
	length         string // Content-Length
	coded          bool   // the file has other bytes than the response
	shared         bool   // other heads may belong to the same response
}

// body2 states that the length of a body is wrong.
type body2 struct {
	got, length int64
	problem     string
	short       bool
}

// begins2 reports whether a line is one of Wget2's log.
func begins2(line string) bool { return line2Begin.MatchString(line) }

// line processes a line.
func (l *log2) line(raw string) {
	if l.heading(raw) {
		return
	}
	if l.opened != "" {
		raw = l.opened + "\n" + raw
	} else {
		l.from, l.at, l.joined = l.l.Number, l.l.Offset, 0
	}
	if l.joined < maxJoined && opens2(raw) {
		l.opened = raw
		l.joined++
		return
	}
	l.opened = ""
	body := l.body
	l.body = nil
	switch {
	case l.begin(raw), l.saving(raw), l.answered(raw, body):
	case l.wrongLength(raw):
		return
	default:
		l.behind(raw)
	}
	if body != nil && l.body == nil && line2Answer.FindString(raw) == "" {
		l.unplaced(body.problem)
	}
}

// opens2 reports whether an entry goes on in the next line.
func opens2(raw string) bool {
	return line2Opens.MatchString(raw) && !line2Begin.MatchString(raw) ||
		strings.HasPrefix(raw, "Saving '") && !strings.HasSuffix(raw, "'") ||
		strings.HasPrefix(raw, "HTTP ") && strings.Contains(raw, " [http") && !strings.HasSuffix(raw, "]")
}

// heading processes the lines of heads, which -S and -d write as they were received or sent.
func (l *log2) heading(raw string) bool {
	if m := line2Head.FindStringSubmatch(raw); m != nil {
		l.sent = m[1] == "sent"
		if !l.sent {
			if len(l.heads) == maxOpen {
				l.heads = l.heads[1:]
			}
			l.heads = append(l.heads, head2{span: span{From: l.l.End, To: l.l.End, Exact: true}})
			l.head = &l.heads[len(l.heads)-1]
		}
		return true
	}
	text := strings.TrimSuffix(raw, "\r")
	switch {
	case l.sent && text == "":
		l.sent = false
	case l.sent:
		name, value, _ := strings.Cut(text, ":")
		if strings.EqualFold(name, "User-Agent") && l.journal.Agent == "" {
			l.journal.Agent = strings.TrimSpace(value)
		}
		if revealingHeader.MatchString(text) && len(l.journal.Revealing) < maxFindings {
			l.journal.Revealing = append(l.journal.Revealing, l.l.Offset)
		}
	case l.head == nil:
		return false
	case text == "":
		l.head.To = l.l.End
		l.head = nil
	default:
		l.head.read(text)
	}
	return true
}

// read takes over a line of a head.
func (h *head2) read(text string) {
	if m := lineStatus.FindStringSubmatch(text); m != nil && h.status == "" {
		h.status, h.reason = m[1], m[2]
		return
	}
	name, value, _ := strings.Cut(text, ":")
	switch value = strings.TrimSpace(value); strings.ToLower(name) {
	case "location":
		h.location = value
	case "content-type":
		h.mime = value
	case "content-length":
		h.length = value
	case "content-encoding", "transfer-encoding":
		h.coded = true
	}
}

// begin processes the line with which a thread begins a request.
func (l *log2) begin(raw string) bool {
	m := line2Begin.FindStringSubmatch(raw)
	if m == nil {
		return false
	}
	l.journal.Threads = l.journal.Threads || m[1] != "0"
	l.journal.Software = "Wget2"
	l.journal.Verbose = true
	l.begun(requested(m[2]))
	return true
}

// wrongLength processes a line about a body; the line of its response follows.
func (l *log2) wrongLength(raw string) bool {
	m := line2Short.FindStringSubmatch(raw)
	short := m != nil
	if !short {
		m = line2Large.FindStringSubmatch(raw)
	}
	if m != nil {
		l.body = &body2{number(m[1]), number(m[2]), raw, short}
	}
	return m != nil
}

// answered processes the line that ends a request.
func (l *log2) answered(raw string, body *body2) bool {
	m := line2Answer.FindStringSubmatch(raw)
	if m == nil {
		return false
	}
	a := &attempt{URL: requested(m[3]), Status: int(number(m[1])), Reason: m[2], Length: -1, Got: -1, Line: l.from,
		Offset: l.at, Short: true, Second: true}
	if h := l.headOf(m[1], m[2]); h != nil {
		a.Head, a.Location, a.MIME = h.span, h.location, h.mime
		if !h.coded {
			a.Length = number(h.length)
		}
	}
	if a.Status/100 == 3 {
		if l.moved == nil {
			l.moved = map[string]bool{}
		}
		l.moved[name2(a.URL)] = true
	}
	if a.Status/100 == 2 {
		a.Named = l.nameOf(a.URL)
		a.Saved = a.Named != ""
	}
	if body != nil {
		a.Got, a.Length, a.Problem = body.got, body.length, body.problem
		a.Saved = a.Saved && !body.short
	}
	l.ended(a.URL)
	l.journal.Requests++
	l.report(a)
	return true
}

// headOf returns the head of a response, if no other head can be it.
func (l *log2) headOf(status, reason string) *head2 {
	var found []int
	for i := range l.heads {
		if h := &l.heads[i]; h.status == status && (h.reason == reason || h.reason == "") {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, i := range found {
		l.heads[i].shared = l.heads[i].shared || len(found) > 1
	}
	h := l.heads[found[0]]
	l.heads = append(l.heads[:found[0]], l.heads[found[0]+1:]...)
	if h.shared {
		return nil
	}
	return &h
}

// unplaced notes a line about a response that is not known.
func (l *log2) unplaced(text string) {
	if len(l.journal.Loose) < maxFindings {
		l.journal.Loose = append(l.journal.Loose, loose{l.from - 1, text})
	}
}

// behind processes the lines behind the requests: converted links, and the last line.
func (l *log2) behind(raw string) {
	switch m := line2Convert.FindStringSubmatch(raw); {
	case m != nil:
		l.converted()
		l.convert = m[1]
	case l.convert != "" && strings.HasPrefix(raw, "  "):
		l.changed = l.changed || strings.Contains(raw, " -> ")
	case line2End.MatchString(raw):
		l.journal.Complete, l.journal.End = true, "Downloaded"
		l.journal.Summary = []string{raw}
	}
}

// converted reports the file whose converted links have been listed.
func (l *log2) converted() {
	if l.convert != "" && l.turned != nil {
		result := "nothing to do"
		if l.changed {
			result = "1"
		}
		l.turned(l.convert, result)
	}
	l.convert, l.changed = "", false
}

// requested returns a URL of the log, in which most escapes are decoded, in the form of a URL.
func requested(logged string) string {
	i := strings.Index(logged, "://") + len("://")
	return logged[:i] + escapeRest(logged[i:])
}

// escapeRest escapes the characters that no URL has, and leaves those that separate its parts.
func escapeRest(s string) string {
	path, query, asked := strings.Cut(s, "?")
	path = escape(path, "")
	if asked {
		path += "?" + escape(query, "?")
	}
	return path
}

// name2 returns the name that Wget2 gives to the file of a URL, without any escapes. It has no port.
func name2(u string) string {
	_, rest, _ := strings.Cut(withoutUser(u), "://")
	rest, query, asked := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	if path == "" || strings.HasSuffix(path, "/") {
		path += "index.html"
	}
	if asked {
		path += "?" + query
	}
	return unescaped(host + "/" + path)
}

// unescaped decodes all valid escapes.
func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+3 <= len(s) {
			if plain, err := url.PathUnescape(s[i : i+3]); err == nil && s[i] == '%' {
				b.WriteString(plain)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
