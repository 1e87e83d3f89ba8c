package warc

import "bytes"

// HeaderEnd returns the length of the header at the start of b, with its blank line, as Reader reads
// it. ok is false if b has no such end, or another record begins first. The first searched bytes of
// b had no end before: a caller with a growing b passes its earlier length.
func HeaderEnd(b []byte, searched int) (length int, ok bool) { return headerEnd(b, searched) }

// headerEnd returns the end of the header at the start of b: just after its first blank line. If
// another record begins first, the header was cut, and whole is false. It returns -1 if b contains
// neither. Bytes before from were searched already.
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

// cutWithin returns the position of a record that begins inside the header line ending at b[lf], or
// 0. If bytes were lost from the middle of a file, the version line of a later record can directly
// follow the first half of a header line. A line such as "Name: WARC/1.0" can also be a complete
// field, but only of a field that the standard does not define.
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
