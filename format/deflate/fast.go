package deflate

import "encoding/binary"

// The bytes that the fast loop may read and write in one round without checks: three refills of
// eight bytes; three literals and the longest match, which is written in pieces of 16 bytes.
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
//
// The next symbol is looked up before a match is copied, so that the processor does both at once.
// Only the lowest byte of count is the number of bits: whole entries are subtracted from it, whose
// lowest byte is the number to consume. It never goes below zero.
func (d *Decoder) fast() (done bool, err error) {
	var (
		src, dst   = d.src, d.dst
		in, out    = d.in, d.out
		buf, count = d.bits, d.count
		literals   = &d.literals
		dists      = &d.dists
		mask       = d.literalMask & (literalSize - 1)
		distMask   = d.distMask & (distSize - 1)
	)
	if in > len(src)-fastInput || out > len(dst)-fastOutput {
		return false, nil
	}
	in, buf, count = load(src, in, buf, count)
	e := literals[buf&mask]
loop:
	for in <= len(src)-fastInput && out <= len(dst)-fastOutput {
		if e&entryLiteral != 0 {
			buf, count = buf>>(e&63), count-uint(e)
			dst[out] = byte(e >> entryValue)
			out++
			if e = literals[buf&mask]; e&entryLiteral != 0 {
				buf, count = buf>>(e&63), count-uint(e)
				dst[out] = byte(e >> entryValue)
				out++
				if e = literals[buf&mask]; e&entryLiteral != 0 {
					buf, count = buf>>(e&63), count-uint(e)
					dst[out] = byte(e >> entryValue)
					out++
					in, buf, count = load(src, in, buf, count)
					e = literals[buf&mask]
					continue
				}
			}
		}
		in, buf, count = load(src, in, buf, count)
		if e&entrySpecial != 0 {
			if e&entrySub != 0 {
				buf, count = buf>>(e&63), count-uint(e)
				e = literals[(uint64(e>>entryValue)+buf&(1<<(e>>entryCode&31)-1))&(literalSize-1)]
			}
			switch {
			case e&entryLiteral != 0:
				buf, count = buf>>(e&63), count-uint(e)
				dst[out] = byte(e >> entryValue)
				out++
				in, buf, count = load(src, in, buf, count)
				e = literals[buf&mask]
				continue
			case e&entryEnd != 0:
				buf, count = buf>>(e&63), count-uint(e)
				done = true
				break loop
			case e&entrySpecial != 0:
				err = errCorrupt
				break loop
			}
		}
		length := int(e>>entryValue) + int(buf&(1<<(e&63)-1)>>(e>>entryCode&31))
		buf, count = buf>>(e&63), count-uint(e)
		e = dists[buf&distMask]
		if e&entrySub != 0 {
			buf, count = buf>>(e&63), count-uint(e)
			e = dists[(uint64(e>>entryValue)+buf&(1<<(e>>entryCode&31)-1))&(distSize-1)]
		}
		dist := int(e>>entryValue) + int(buf&(1<<(e&63)-1)>>(e>>entryCode&31))
		buf, count = buf>>(e&63), count-uint(e)
		if e&entrySpecial != 0 || dist > out {
			err = errCorrupt
			break
		}
		in, buf, count = load(src, in, buf, count)
		e = literals[buf&mask]
		from := out - dist
		if dist >= 16 {
			a, b := dst[from:][:fastOutput-3], dst[out:][:fastOutput-3]
			*(*[16]byte)(b) = *(*[16]byte)(a)
			if length > 16 {
				*(*[16]byte)(b[16:]) = *(*[16]byte)(a[16:])
				for i := 32; i < length; i += 16 {
					*(*[16]byte)(b[i:]) = *(*[16]byte)(a[i:])
				}
			}
		} else {
			copyMatch(dst[from:out+length+8], length, dist)
		}
		out += length
	}
	count &= 63
	d.in, d.out, d.bits, d.count = in, out, buf&(1<<count-1), count
	return done, err
}

// load fills bits with the word at src[in].
func load(src []byte, in int, bits uint64, count uint) (int, uint64, uint) {
	return in + 7 - int(count>>3&7), bits | binary.LittleEndian.Uint64(src[in:])<<(count&63), count | 56
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
