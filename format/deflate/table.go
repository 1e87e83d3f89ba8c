package deflate

import "math/bits"

// Entries of the look-up tables for codes. One uint32 holds everything about a symbol:
//
//	bits 0-7    number of bits to consume: the code's and the extra bits after it
//	bits 8-12   the code's alone; for a sub-table, the width of its index
//	bits 13-15  other kind of entry: neither literal nor length nor distance
//	bits 16-30  a literal, the base of a length or distance, or the start of a sub-table
//	bit  31     a literal
const (
	entryLiteral = 1 << 31
	entrySpecial = 1 << 15 // one of the two below, or not a symbol
	entrySub     = 1 << 14
	entryEnd     = 1 << 13
	entryValue   = 16 // where the value starts
	entryCode    = 8  // where the length of the code starts
	perCodeBit   = 1<<entryCode | 1
)

// Sizes of the codes (RFC 1951, 3.2.5 to 3.2.7) and of their tables. A code that is longer than the
// main table's index continues in a sub-table. Each sub-table holds at least two symbols, so there
// are at most half as many sub-tables as symbols.
const (
	maxCode     = 15
	maxLiterals = 286
	maxDists    = 30
	literalBits = 11
	distBits    = 9
	lengthBits  = 7

	literalSize = 1 << 13 // >= 1<<11 + 143 sub-tables of 1<<4; a power of two avoids the index check
	distSize    = 1 << 11 // >= 1<<9 + 15 sub-tables of 1<<6
)

// The meaning of each symbol, without the length of its code.
var literalMeaning, distMeaning, lengthMeaning = meanings()

// meanings computes the tables of RFC 1951, 3.2.5: each base follows from the previous base and its
// extra bits.
func meanings() (literals [288]uint32, dists [32]uint32, lengths [19]uint32) {
	for i := range 256 {
		literals[i] = entryLiteral | uint32(i)<<entryValue
	}
	literals[256] = entrySpecial | entryEnd
	base := uint32(3)
	for i := range 28 {
		extra := uint32(max(i/4-1, 0))
		literals[257+i] = base<<entryValue | extra
		base += 1 << extra
	}
	literals[285] = 258 << entryValue
	literals[286], literals[287] = entrySpecial, entrySpecial
	base = 1
	for i := range maxDists {
		extra := uint32(max(i/2-1, 0))
		dists[i] = base<<entryValue | extra
		base += 1 << extra
	}
	dists[30], dists[31] = entrySpecial, entrySpecial
	for i := range lengths {
		lengths[i] = uint32(i) << entryValue
	}
	return literals, dists, lengths
}

// build fills table for the code with these lengths of symbols; 0 means an unused symbol. It
// returns the number of index bits of the main part, at most width. It returns false for a set of
// lengths that is not a code: oversubscribed or incomplete. Like compress/flate it accepts two
// incomplete sets: a single code of one bit, and no code. Their unassigned codes cannot be decoded.
func build(table []uint32, width int, lengths []uint8, meaning []uint32) (int, bool) {
	var count, next [maxCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	longest := maxCode
	for longest > 0 && count[longest] == 0 {
		longest--
	}
	code, total := 0, 0
	for n := 1; n <= longest; n++ {
		code <<= 1
		next[n] = total // start of each length in the sorted symbols
		code += count[n]
		total += count[n]
	}
	if longest == 0 {
		table[0], table[1] = entrySpecial, entrySpecial
		return 1, true
	}
	if code != 1<<longest && (code != 1 || longest != 1) {
		return 0, false
	}
	var sorted [288]uint16
	for symbol, n := range lengths {
		if n > 0 {
			sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	if code == 1 {
		table[0], table[1] = meaning[sorted[0]]+perCodeBit, entrySpecial|perCodeBit
		return 1, true
	}
	width = min(width, longest)
	code, done := fillMain(table, width, sorted[:total], &count, meaning)
	if done < total {
		fillSubs(table, width, longest, code, sorted[done:total], lengths, meaning)
	}
	return width, true
}

// fillMain fills the main part with the codes that are not longer than its index, in order of
// length. A table for n bits is the one for n-1 bits twice, plus the codes of n bits. It returns
// the first code that is one bit longer, and the number of symbols placed.
func fillMain(table []uint32, width int, sorted []uint16, count *[maxCode + 1]int, meaning []uint32) (code, done int) {
	for n := 1; n <= width; n++ {
		half := 1 << (n - 1)
		copy(table[half:2*half], table[:half])
		code <<= 1
		for _, symbol := range sorted[done : done+count[n]] {
			table[bits.Reverse16(uint16(code))>>(16-n)] = meaning[symbol] + uint32(n)*perCodeBit
			code++
		}
		done += count[n]
	}
	return code << 1, done
}

// fillSubs fills sub-tables with the codes that are longer than the main part's index. All
// sub-tables have the size for the longest code.
func fillSubs(table []uint32, width, longest, code int, sorted []uint16, lengths []uint8, meaning []uint32) {
	var (
		sub  = 1 << width // start of the current sub-table
		size = 1 << (longest - width)
		at   = width + 1 // bits of code
		main = -1        // the entry that the current sub-table belongs to
	)
	sub -= size
	for _, symbol := range sorted {
		n := int(lengths[symbol])
		code <<= n - at
		at = n
		reversed := int(bits.Reverse16(uint16(code)) >> (16 - n))
		if prefix := reversed & (1<<width - 1); prefix != main {
			main = prefix
			sub += size
			table[main] = entrySpecial | entrySub | uint32(sub)<<entryValue | uint32(longest-width)<<entryCode | uint32(
				width)
		}
		entry := meaning[symbol] + uint32(n-width)*perCodeBit
		for i := reversed >> width; i < size; i += 1 << (n - width) {
			table[sub+i] = entry
		}
		code++
	}
}
