// Copyright 2014-2024 Richard Lehane. Licensed under the Apache License, Version 2.0.
// Changed for Quire: see doc.go.

package matcher

import (
	"encoding/binary"
	"errors"
	"time"
)

// decoder reads siegfried's signature format (internal/persist). The first error is kept; later
// reads return zero values.
type decoder struct {
	buf []byte
	err error
}

var (
	errTruncated   = errors.New("the signatures end early")
	errUnsupported = errors.New("signatures of a kind that the fast matcher does not have")
)

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *decoder) get(n int) []byte {
	if d.err != nil || n == 0 {
		return nil
	}
	if n < 0 || n > len(d.buf) {
		d.fail(errTruncated)
		return nil
	}
	b := d.buf[:n:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) byte() byte {
	if b := d.get(1); b != nil {
		return b[0]
	}
	return 0
}

func (d *decoder) bool() bool { return d.byte() == 0xFF }

func (d *decoder) tinyInt() int { return signed(int(d.byte()), 1<<7) }

func (d *decoder) tinyUint() int { return int(d.byte()) }

// count reads the number of elements of a list.
func (d *decoder) count() int {
	n := d.smallInt()
	if n < 0 || n > len(d.buf) {
		d.fail(errTruncated)
		return 0
	}
	return n
}

func (d *decoder) smallInt() int {
	if b := d.get(2); b != nil {
		return signed(int(binary.LittleEndian.Uint16(b)), 1<<15)
	}
	return 0
}

func (d *decoder) int() int {
	if b := d.get(4); b != nil {
		return signed(int(binary.LittleEndian.Uint32(b)), 1<<31)
	}
	return 0
}

// signed returns n with its sign. The format writes the limit itself as a positive number.
func signed(n, limit int) int {
	if n > limit {
		return n - 2*limit
	}
	return n
}

func (d *decoder) bytes() []byte { return d.get(d.smallInt()) }

func (d *decoder) string() string { return string(d.bytes()) }

func (d *decoder) strings() []string {
	list := make([]string, d.count())
	for i := range list {
		list[i] = d.string()
	}
	return list
}

// ints reads numbers of 8, 16 or 32 bits, with or without a sign.
func (d *decoder) ints() []int {
	b := d.bytes()
	if len(b) == 0 {
		return nil
	}
	kind, b := b[0], b[1:]
	width := 1 << (kind / 2)
	if width > 4 {
		d.fail(errUnsupported)
		return nil
	}
	list := make([]int, len(b)/width)
	for i := range list {
		n := 0
		for j := range width {
			n |= int(b[i*width+j]) << (8 * j)
		}
		if kind%2 == 0 {
			n = signed(n, 1<<(8*width-1))
		}
		list[i] = n
	}
	return list
}

// smallInts reads a list of numbers of 16 bits.
func (d *decoder) smallInts() []int {
	list := make([]int, d.count())
	for i := range list {
		list[i] = d.smallInt()
	}
	return list
}

const timeSize = 15

func (d *decoder) time() (t time.Time) {
	if b := d.get(timeSize); b != nil {
		if err := t.UnmarshalBinary(b); err != nil {
			d.fail(err)
		}
	}
	return t
}
