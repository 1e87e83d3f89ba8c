package pdf

// unASCII85 decodes ASCII85Decode (7.4.3), as far as possible.
func unASCII85(b []byte) []byte {
	out := make([]byte, 0, len(b)*4/5)
	var group uint32
	n := 0
	for _, c := range b {
		switch {
		case c == '~':
			return partOfGroup(out, group, n)
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case c >= '!' && c <= 'u':
			group = group*85 + uint32(c-'!')
			if n++; n == 5 {
				out = append(out, byte(group>>24), byte(group>>16), byte(group>>8), byte(group))
				group, n = 0, 0
			}
		}
	}
	return partOfGroup(out, group, n)
}

// partOfGroup decodes a group of fewer than five letters.
func partOfGroup(out []byte, group uint32, n int) []byte {
	if n < 2 {
		return out
	}
	for range 5 - n {
		group = group*85 + 84
	}
	for i := range n - 1 {
		out = append(out, byte(group>>(24-8*i))) //nolint:gosec // one byte of it
	}
	return out
}

// unHex decodes ASCIIHexDecode (7.4.2).
func unHex(b []byte) []byte {
	var out []byte
	half, odd := byte(0), false
	for _, c := range b {
		if c == '>' {
			break
		}
		n := hexDigit(c)
		if n < 0 {
			continue
		}
		if odd {
			out = append(out, half<<4|byte(n))
		}
		half, odd = byte(n), !odd
	}
	if odd {
		out = append(out, half<<4)
	}
	return out
}

// unRunLength decodes RunLengthDecode (7.4.5).
func unRunLength(b []byte, most int) (out []byte) {
	const end = 128
	for len(b) > 1 && len(out) < most {
		n := int(b[0])
		switch {
		case n == end:
			return out
		case n < end:
			n = min(n+1, len(b)-1)
			out = append(out, b[1:1+n]...)
			b = b[1+n:]
		default:
			for range 257 - n {
				out = append(out, b[1])
			}
			b = b[2:]
		}
	}
	return out
}

// unLZW decodes LZWDecode (7.4.4), as far as possible. early means that codes become longer one
// code earlier than necessary.
func unLZW(b []byte, early bool, most int) (out []byte) {
	const reset, end, first, table = 256, 257, 258, 4096
	type entry struct{ from, length int } // in out: each entry is a section of the output
	var entries [table]entry
	next, width := first, 9
	last := entry{}
	bits, have := uint32(0), 0
	ahead := 0
	if early {
		ahead = 1
	}
	for len(out) < most {
		for have < width {
			if len(b) == 0 {
				return out
			}
			bits, b, have = bits<<8|uint32(b[0]), b[1:], have+8
		}
		code := int(bits >> (have - width) & (1<<width - 1)) //nolint:gosec // at most 12 bits
		have -= width
		begin := len(out)
		switch {
		case code == reset:
			next, width, last = first, 9, entry{}
			continue
		case code == end:
			return out
		case code < reset:
			out = append(out, byte(code))
		case code < next:
			e := entries[code]
			out = append(out, out[e.from:e.from+e.length]...)
		case code == next && last.length > 0:
			out = append(append(out, out[last.from:last.from+last.length]...), out[last.from])
		default:
			return out
		}
		if last.length > 0 && next < table {
			entries[next] = entry{last.from, last.length + 1} // the last entry and the letter after it
			next++
		}
		last = entry{begin, len(out) - begin}
		for width < 12 && next+ahead >= 1<<width {
			width++
		}
	}
	return out
}
