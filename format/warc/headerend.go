package warc

import "bytes"

// headerEnd finds the end of the header that b starts with: just behind its first blank line, or,
// not whole, where another record begins first, for then the header was cut. -1 when neither is
// within b. What lies before from was searched already.
func headerEnd(b []byte, from int) (end int, whole bool) {
	for i := min(max(from-startMax, 0), len(b)); ; {
		j := bytes.IndexByte(b[i:], '\n')
		if j < 0 {
			return -1, false
		}
		if at := cutWithin(b, i+j); at > 0 {
			return at, false
		}
		i += j + 1
		switch {
		case i < len(b) && b[i] == '\n':
			return i + 1, true
		case i+1 < len(b) && b[i] == '\r' && b[i+1] == '\n':
			return i + 2, true
		case i < len(b) && b[i]|0x20 == 'w' && isVersionLine(b[i:]):
			return i, false
		}
	}
}

// cutWithin is where a record begins within the line of a header that ends at b[lf]; 0 where none
// does. Bytes that were lost from the middle of a file join half a line and a version line. A field
// may also have a version for its value, but none that the standard defines has.
func cutWithin(b []byte, lf int) int {
	end := lf
	if end > 0 && b[end-1] == '\r' {
		end--
	}
	for _, length := range []int{len("WARC/1.0"), len("WARC/0.17")} {
		at := end - length
		if at <= 0 || b[at]|0x20 != 'w' || b[at-1] == '\n' || !startsRecord(b[at:], false) {
			continue
		}
		line := b[bytes.LastIndexByte(b[:at], '\n')+1 : at]
		if ofStandard := hasPrefixFold(line, "WARC") || hasPrefixFold(line, "Content-"); ofStandard ||
			!bytes.HasSuffix(line, []byte(": ")) {
			return at
		}
	}
	return 0
}
