package deflate

import "encoding/binary"

// The bytes that the fast loop may read and write in one round without checks: three refills of
// eight bytes; three literals and the longest match, which is written in words of eight bytes.
const (
	fastInput  = 32
	fastOutput = 3 + 258 + 16
)

// fast inflates symbols while both buffers are far from their ends. It reports whether the block is
// complete; if not, the careful loop continues from there.
//
// Bits are loaded eight bytes at a time. The word at src[in] is combined with the remaining bits,
// and in advances by the whole bytes that fit. The bits of a byte that fits only in part are loaded
// again next time. Then bits holds 56 bits or more, enough for three literals and the look-up after
// them, or for the longest match: 15+5+15+13 bits.
func (d *Decoder) fast() (done bool, err error) {
	var (
		src, dst   = d.src, d.dst
		in, out    = d.in, d.out
		buf, count = d.bits, d.count
		literals   = &d.literals
		dists      = &d.dists
		mask       = d.literalMask & (literalSize - 1)
	)
loop:
	for in <= len(src)-fastInput && out <= len(dst)-fastOutput {
		buf |= binary.LittleEndian.Uint64(src[in:]) << (count & 63)
		in += int(63-count) >> 3
		count |= 56
		e := literals[buf&mask]
		for range 3 {
			if e&entryLiteral == 0 {
				break
			}
			buf >>= e & 63
			count -= uint(e & 63)
			dst[out] = byte(e >> entryValue)
			out++
			e = literals[buf&mask]
		}
		if e&entryLiteral != 0 {
			continue
		}
		buf |= binary.LittleEndian.Uint64(src[in:]) << (count & 63)
		in += int(63-count) >> 3
		count |= 56
		if e&entrySpecial != 0 {
			if e&entrySub != 0 {
				buf >>= e & 63
				count -= uint(e & 63)
				e = literals[(uint64(e>>entryValue)+buf&(1<<(e>>entryCode&31)-1))&(literalSize-1)]
			}
			switch {
			case e&entryLiteral != 0:
				buf >>= e & 63
				count -= uint(e & 63)
				dst[out] = byte(e >> entryValue)
				out++
				continue
			case e&entryEnd != 0:
				buf >>= e & 63
				count -= uint(e & 63)
				done = true
				break loop
			case e&entrySpecial != 0:
				err = errCorrupt
				break loop
			}
		}
		length := int(e>>entryValue) + int(buf&(1<<(e&63)-1)>>(e>>entryCode&31))
		buf >>= e & 63
		count -= uint(e & 63)
		e = dists[buf&d.distMask&(distSize-1)]
		if e&entrySub != 0 {
			buf >>= e & 63
			count -= uint(e & 63)
			e = dists[(uint64(e>>entryValue)+buf&(1<<(e>>entryCode&31)-1))&(distSize-1)]
		}
		dist := int(e>>entryValue) + int(buf&(1<<(e&63)-1)>>(e>>entryCode&31))
		if e&entrySpecial != 0 {
			err = errCorrupt
			break
		}
		buf >>= e & 63
		count -= uint(e & 63)
		if dist > out {
			err = errCorrupt
			break
		}
		copyMatch(dst[out-dist:out+length+8], length, dist)
		out += length
	}
	d.in, d.out, d.bits, d.count = in, out, buf&(1<<count-1), count
	return done, err
}

// copyMatch repeats the first dist bytes of b after them, length bytes in total. It may write up to
// eight bytes more.
func copyMatch(b []byte, length, dist int) {
	to := b[dist:]
	switch {
	case dist >= 8:
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(b[i:]))
		}
	case dist == 1:
		word := uint64(b[0]) * 0x0101010101010101
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], word)
		}
	default:
		for i := range to[:length] {
			to[i] = b[i]
		}
	}
}
