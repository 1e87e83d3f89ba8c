package relink

import (
	"bytes"
	"regexp"
	"strings"

	"quire/format/weburl"
)

// insertions removes the texts that HTTrack adds to a page, with the line ends around them:
//
//	EOL <!-- Mirrored from HOST/PATH by HTTrack Website Copier/3.x [XR&CO'YEAR], DATE --> EOL
//	<!-- Added by HTTrack --><meta http-equiv="content-type" content="text/html;charset=CHARSET" /><!-- /Added by HTTrack --> EOL
//
// They are before <head>, or else before <body> or <meta>; the first is repeated before </html.
// Until 3.33 the meta element ends without a slash, and in 3.30 it has no comments around it. EOL
// is CR LF if the page contains a CR, otherwise LF.
//
// A "Mirrored from" with the name of another page belongs to the page itself, which was made from a
// mirror. A user's own footer (-%F) is found by Page.Footer if it is a comment.
type insertions struct {
	w    *writer
	open int64 // offset of "Added by HTTrack"; -1 if none is open
	tail int64 // end of an insertion with a line end to check; -1 if none
	bare bool  // it was a footer, which the meta element of 3.30 may follow
}

// maxTail is how many bytes after an insertion are needed; maxAdded is the greatest length of an
// insertion.
const (
	maxTail  = 256
	maxAdded = 512
)

// settled returns the offset up to which the editor may write. The bytes from this offset on may
// still be part of an insertion.
func (in *insertions) settled(scanner int64) int64 {
	e := in.w.edit
	if in.tail >= 0 {
		if e.End()-in.tail < maxTail {
			return in.tail
		}
		in.finish()
	}
	if in.open >= 0 {
		if e.End()-in.open < maxAdded {
			return in.open
		}
		in.open = -1
	}
	return scanner
}

// comment removes a comment that is an insertion.
func (in *insertions) comment(start, end int64, text []byte) {
	in.finish()
	e := in.w.edit
	switch {
	case string(text) == " Added by HTTrack ":
		in.open = start
	case string(text) == " /Added by HTTrack ":
		if in.open >= e.Base() && isAdded(e.At(in.open, end)) {
			in.remove(in.open, end, false)
		}
		in.open = -1
	default:
		if in.isFooter(string(text)) && start >= e.Base() {
			in.remove(start-in.lineEndBefore(start), end, true)
		}
	}
}

func (in *insertions) remove(start, end int64, bare bool) {
	in.w.edit.Replace(start, end, nil)
	in.w.result.Insertions++
	in.tail, in.bare = end, bare
}

// isFooter reports whether a comment is the footer and names this page.
func (in *insertions) isFooter(text string) bool {
	if in.w.page.Footer != "" {
		return fits("<!--"+text+"-->", in.w.page.Footer)
	}
	url, ok := footer(text)
	return ok && (in.w.page.URL == "" || sameAddress(url, in.w.page.URL))
}

// blanks matches the placeholders in a template.
var blanks = regexp.MustCompile(`(%s|\{[a-z]+\})+`)

// fits reports whether a comment matches a template.
func fits(comment, template string) bool {
	pieces := blanks.Split(template, -1)
	first, last := pieces[0], pieces[len(pieces)-1]
	if len(pieces) == 1 {
		return comment == template
	}
	if !strings.HasPrefix(comment, first) || len(comment) < len(first)+len(last) || !strings.HasSuffix(comment, last) {
		return false
	}
	comment = comment[len(first) : len(comment)-len(last)]
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, rest, ok := strings.Cut(comment, piece)
		if !ok {
			return false
		}
		comment = rest
	}
	return true
}

// sameAddress compares without scheme and password, which the comment omits, and ignores
// differences in escaping.
func sameAddress(a, b string) bool {
	plain := func(u string) string {
		if _, rest, ok := strings.Cut(u, "://"); ok {
			u = rest
		}
		host, rest, _ := strings.Cut(u, "/")
		host = host[strings.LastIndexByte(host, '@')+1:]
		return strings.ToLower(host) + "/" + weburl.Unescape(rest)
	}
	return plain(a) == plain(b)
}

func (in *insertions) lineEndBefore(start int64) int64 {
	e := in.w.edit
	before := e.At(max(e.Base(), start-2), start)
	switch {
	case bytes.HasSuffix(before, []byte("\r\n")):
		return 2
	case bytes.HasSuffix(before, []byte("\n")):
		return 1
	}
	return 0
}

// finish removes the line end that follows an insertion, if it was already read.
func (in *insertions) finish() {
	if in.tail < 0 {
		return
	}
	e := in.w.edit
	rest := e.At(in.tail, min(e.End(), in.tail+maxTail))
	n := lineEnd(rest)
	if in.bare && n > 0 {
		if m := bareMeta(rest[n:]); m > 0 {
			n += m
			in.w.result.Insertions++
		}
	}
	e.Drop(in.tail + int64(n))
	in.tail = -1
}

func lineEnd(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("\r\n")):
		return 2
	case bytes.HasPrefix(b, []byte("\n")):
		return 1
	}
	return 0
}

const metaBegins = `<meta http-equiv="content-type" content="text/html;charset=`

// metaLength returns the length of HTTrack's meta element at the start of b, or 0.
func metaLength(b []byte) int {
	if !bytes.HasPrefix(b, []byte(metaBegins)) {
		return 0
	}
	quote := bytes.IndexByte(b[len(metaBegins):], '"')
	if quote < 0 || bytes.ContainsAny(b[len(metaBegins):len(metaBegins)+quote], "<>\n") {
		return 0
	}
	n := len(metaBegins) + quote + 1
	for _, end := range []string{">", " />"} {
		if bytes.HasPrefix(b[n:], []byte(end)) {
			return n + len(end)
		}
	}
	return 0
}

// bareMeta returns the length of the meta element of 3.30 and its line end. HTTrack puts it only
// before <head> and </html; anywhere else the element belongs to the page.
func bareMeta(b []byte) int {
	n := metaLength(b)
	if n == 0 {
		return 0
	}
	eol := lineEnd(b[n:])
	n += eol
	for _, tag := range []string{"<head>", "</html"} {
		if eol > 0 && len(b) >= n+len(tag) && strings.EqualFold(string(b[n:n+len(tag)]), tag) {
			return n
		}
	}
	return 0
}

func isAdded(b []byte) bool {
	b, ok := bytes.CutPrefix(b, []byte("<!-- Added by HTTrack -->"))
	if !ok {
		return false
	}
	n := metaLength(b)
	return n > 0 && string(b[n:]) == "<!-- /Added by HTTrack -->"
}
