package arc

import (
	"bytes"
	"fmt"
)

// openVersionBlock looks at the version block, which stays to be streamed, and settles its length:
// of all lengths in ARC files this one is wrong most often.
func (r *Reader) openVersionBlock(rec *Record) {
	declared := int(min(rec.left, MaxVersionBlock))
	if rec.left > MaxVersionBlock {
		rec.tell(MetadataSize, fmt.Sprintf("%d bytes; the first %d are read", rec.left, MaxVersionBlock))
	}
	b, _ := r.in.Peek(declared + window) // an error comes again when the bytes are taken
	end := declared
	if rec.left <= MaxVersionBlock {
		end = rec.versionEnd(b, declared, len(b) < declared+window)
		rec.left = int64(end)
	}
	block := b[:min(end, len(b))]
	rec.blank = bytes.HasSuffix(block, []byte("\n\n")) || bytes.HasSuffix(block, []byte("\n\r\n"))
	if rec.blank && end == declared {
		rec.tell(VersionLength, fmt.Sprintf("%d counts in the empty line behind the block", declared))
	}
	rec.Version = parseVersionBlock(rec.URL, block, rec.tell)
	r.version = rec.Version
}

// versionEnd finds how long the version block is that b begins with. ended says that b is all there
// is.
func (rec *Record) versionEnd(b []byte, declared int, ended bool) int {
	if endsAt(b, declared, ended) {
		return declared
	}
	lines := versionLines(b)
	if lines > 0 && declared == lines && declared < len(b) && b[declared] != '<' {
		return declared // nothing but the version lines, and no metadata: what follows is damaged
	}
	if endsAt(b, declared+lines, ended) {
		rec.tell(VersionLength, fmt.Sprintf("%d leaves out the %d bytes of the version lines", declared, lines))
		return declared + lines
	}
	next := firstLine(b)
	if declared > 0 && declared >= lines && declared <= len(b) && (b[declared-1] == '\n' || b[declared-1] == '>') &&
		(next < 0 || next >= declared) {
		return declared // it is whole; what follows is something else
	}
	if next >= 0 {
		end := next
		if bytes.HasSuffix(b[:next], []byte("\n\n")) {
			end-- // an empty line stands between
		}
		rec.tell(VersionLength, fmt.Sprintf("%d is said, the next record begins after %d", declared, end))
		return end
	}
	return declared
}

// endsAt reports whether a block may end at this place of b: a record follows, or nothing.
func endsAt(b []byte, at int, ended bool) bool {
	if at > len(b) || at <= 0 {
		return false
	}
	rest := bytes.TrimLeft(b[at:], "\r\n")
	if len(rest) == 0 {
		return ended
	}
	if b[at-1] != '\n' && at < len(b) && len(rest) == len(b)-at {
		return false // in the midst of a line
	}
	return lineIs(rest, (*parsed).likely)
}
