package arc

import (
	"bytes"
	"fmt"
)

// openVersionBlock parses the version block, which can still be streamed afterwards, and corrects
// its length. In ARC files this length is wrong more often than any other.
func (r *Reader) openVersionBlock(rec *Record) {
	declared := int(min(rec.left, MaxVersionBlock))
	if rec.left > MaxVersionBlock {
		rec.report(MetadataSize, fmt.Sprintf("%d bytes; the first %d are read", rec.left, MaxVersionBlock))
	}
	b, _ := r.in.Peek(declared + window) // the error returns when the bytes are read
	end := declared
	if rec.left <= MaxVersionBlock {
		end = rec.versionEnd(b, declared, len(b) < declared+window)
		rec.left = int64(end)
	}
	block := b[:min(end, len(b))]
	rec.blank = bytes.HasSuffix(block, []byte("\n\n")) || bytes.HasSuffix(block, []byte("\n\r\n"))
	if rec.blank && end == declared {
		rec.report(VersionLength, fmt.Sprintf("%d includes the empty line after the block", declared))
	}
	rec.Version = parseVersionBlock(rec.URL, block, rec.report)
	r.version = rec.Version
}

// versionEnd returns the true length of the version block at the beginning of b. ended means that b
// reaches the end of the file.
func (rec *Record) versionEnd(b []byte, declared int, ended bool) int {
	if endsAt(b, declared, ended) {
		return declared
	}
	lines := versionLines(b)
	if lines > 0 && declared == lines && declared < len(b) && b[declared] != '<' {
		return declared // only the version lines, no metadata: the rest is damaged
	}
	if endsAt(b, declared+lines, ended) {
		rec.report(VersionLength, fmt.Sprintf("%d leaves out the %d bytes of the version lines", declared, lines))
		return declared + lines
	}
	next := firstLine(b)
	if declared > 0 && declared >= lines && declared <= len(b) && (b[declared-1] == '\n' || b[declared-1] == '>') &&
		(next < 0 || next >= declared) {
		return declared // the block is complete; something else follows
	}
	if next >= 0 {
		end := next
		if bytes.HasSuffix(b[:next], []byte("\n\n")) {
			end-- // an empty line separates the two
		}
		rec.report(VersionLength, fmt.Sprintf("the length is %d, but the next record begins after %d", declared, end))
		return end
	}
	return declared
}

// endsAt reports whether a block can end at this position of b: a record follows, or the end.
func endsAt(b []byte, at int, ended bool) bool {
	if at > len(b) || at <= 0 {
		return false
	}
	rest := bytes.TrimLeft(b[at:], "\r\n")
	if len(rest) == 0 {
		return ended
	}
	if b[at-1] != '\n' && at < len(b) && len(rest) == len(b)-at {
		return false // within a line
	}
	return lineIs(rest, (*parsed).likely)
}
