package http1

import "bytes"

// finder looks for the end of a head in a buffer that grows. It looks at each byte once or twice,
// however the head trickles in.
type finder struct {
	kind  Kind
	start int  // first byte that is not blank
	sure  bool // a start line was seen at start
	lf    bool // lines end in LF, with or without CR before it
	line  int  // where the present line begins
	scan  int  // bytes before this have been looked at
	run   int  // where the CRs end that begin at scan, as far as they came
}

type found int

const (
	more   found = iota // cannot be said yet
	none                // there is no head
	whole               // head ends at the given offset
	ragged              // no more input, and no empty line: all of it is head
	raggedCR
	wholeCR // as whole, and lines end in CR alone
)

// find looks for the end of the head in b, which begins with the bytes of the earlier calls. final
// says that no more will come; the answer is then never more.
func (f *finder) find(b []byte, final bool) (end int, is found) {
	for !f.sure {
		for f.start < len(b) && isBlank(b[f.start]) {
			f.start++
		}
		switch looksLikeStart(b[f.start:], f.kind, final) {
		case maybe:
			return 0, more
		case no:
			return 0, none
		case yes:
			f.sure, f.line, f.scan = true, f.start, f.start
		}
	}
	if !f.lf {
		if end, is = f.lineEnds(b, final); !f.lf {
			return end, is
		}
	}
	return f.emptyLine(b, final)
}

// lineEnds settles how lines end. A lone CR is part of its line (RFC 9112, 2.2), except where the
// head comes to an empty line before it comes to any LF: then the server ended its lines with CR,
// as early ones on the Macintosh did.
func (f *finder) lineEnds(b []byte, final bool) (end int, is found) {
	for {
		next := bytes.IndexAny(b[f.scan:], "\r\n")
		if next < 0 {
			f.scan = len(b)
			break
		}
		f.scan += next
		if b[f.scan] == '\n' {
			f.lf, f.scan = true, f.line
			return 0, more
		}
		run := f.runEnd(b)
		if run == len(b) && !final {
			return 0, more // what follows the CRs decides
		}
		if run-f.scan > 1 && (run == len(b) || b[run] != '\n') {
			return f.scan + 2, wholeCR
		}
		f.scan = run
	}
	switch {
	case !final:
		return 0, more
	case bytes.IndexByte(b[f.start:], '\r') >= 0:
		return len(b), raggedCR
	}
	return len(b), ragged
}

// runEnd returns where the CRs end that begin at scan. It remembers how far it came.
func (f *finder) runEnd(b []byte) int {
	f.run = max(f.run, f.scan)
	for f.run < len(b) && b[f.run] == '\r' {
		f.run++
	}
	return f.run
}

// emptyLine looks for a line of nothing but CR and LF.
func (f *finder) emptyLine(b []byte, final bool) (end int, is found) {
	for {
		next := bytes.IndexByte(b[f.scan:], '\n')
		if next < 0 {
			break
		}
		lf := f.scan + next
		if f.line > f.start && onlyCR(b[f.line:lf]) {
			return lf + 1, whole
		}
		f.line, f.scan = lf+1, lf+1
	}
	f.scan = len(b)
	if final {
		return len(b), ragged
	}
	return 0, more
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func onlyCR(line []byte) bool {
	for _, c := range line {
		if c != '\r' {
			return false
		}
	}
	return true
}

type answer int

const (
	maybe answer = iota
	yes
	no
)

// looksLikeStart tells whether b begins with a start line; maybe asks for more bytes, unless final.
func looksLikeStart(b []byte, kind Kind, final bool) answer {
	is := no
	if kind != Request {
		is = looksLikeStatus(b)
	}
	if is == no && kind != Response {
		is = looksLikeRequest(b)
	}
	if is == maybe && final {
		return no
	}
	return is
}

// looksLikeStatus takes "HTTP/", "HTTP " and "ICY ", in any case, for the begin of a status line.
func looksLikeStatus(b []byte) answer {
	is := no
	for _, prefix := range [...]string{"http/", "http ", "icy "} {
		n := min(len(b), len(prefix))
		if !equalFold(b[:n], prefix[:n]) {
			continue
		}
		if n == len(prefix) {
			return yes
		}
		is = maybe
	}
	return is
}

// maxMethod bounds the first word of a request line; the longest registered method is
// BASELINE-CONTROL.
const maxMethod = 64

// looksLikeRequest takes a token followed by a space for the begin of a request line.
func looksLikeRequest(b []byte) answer {
	for i, c := range b {
		switch {
		case c == ' ' && i > 0:
			return yes
		case !isTchar(c) || i == maxMethod:
			return no
		}
	}
	return maybe
}

func equalFold(b []byte, lower string) bool {
	for i := range b {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// isTchar reports whether c may stand in a token (RFC 9110, 5.6.2).
func isTchar(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c != 0 && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0
}
