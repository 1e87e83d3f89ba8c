package http1

import "bytes"

// finder searches for the end of a head in a growing buffer. It examines each byte once or twice,
// however small the pieces are.
type finder struct {
	kind  Kind
	start int  // first byte that is not blank
	sure  bool // a start line was found at start
	lf    bool // lines end in LF, with or without CR before it
	line  int  // start of the current line
	scan  int  // bytes before this were examined
	run   int  // end of the CRs that begin at scan, as far as known
}

type found int

const (
	more   found = iota // more bytes are needed
	none                // no head
	whole               // head ends at the given offset
	ragged              // input ended without an empty line: all of it is head
	raggedCR
	wholeCR // like whole, with lines that end in CR alone
)

// find searches for the end of the head in b. b begins with the bytes of the earlier calls. final
// means that no more bytes will follow: find then never returns more.
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

// lineEnds determines how lines end. A lone CR is part of its line (RFC 9112, 2.2), unless the head
// has an empty line before any LF. Then the server ended its lines with CR, as early servers on the
// Macintosh did.
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
			return 0, more // the bytes after the CRs decide
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

// runEnd returns the end of the CRs that begin at scan. It remembers how far it has searched.
func (f *finder) runEnd(b []byte) int {
	f.run = max(f.run, f.scan)
	for f.run < len(b) && b[f.run] == '\r' {
		f.run++
	}
	return f.run
}

// emptyLine searches for a line of only CR and LF.
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

// looksLikeStart reports whether b begins with a start line. maybe means that more bytes are
// needed; it is not returned if final is set.
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

// looksLikeStatus reports whether b begins like a status line: "HTTP/", "HTTP " or "ICY ", in any
// case.
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

// looksLikeRequest reports whether b begins like a request line: a token and a space.
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

// isTchar reports whether c can be part of a token (RFC 9110, 5.6.2).
func isTchar(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return c != 0 && bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0
}
