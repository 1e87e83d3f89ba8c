package aip

import (
	"encoding/binary"
	"errors"
)

// errItem reports that an item on disk differs from the one written.
var errItem = errors.New("a temporary file was changed while it was in use")

// appendText appends a text with its length.
func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// items reads the values that the append functions wrote. After an error it returns zeros, and
// wrong is set.
type items struct {
	rest  []byte
	wrong bool
}

func (i *items) int() int64 {
	n, size := binary.Varint(i.rest)
	i.skip(size)
	return n
}

func (i *items) uint() uint64 {
	n, size := binary.Uvarint(i.rest)
	i.skip(size)
	return n
}

func (i *items) skip(size int) {
	if size <= 0 || size > len(i.rest) {
		i.wrong, i.rest = true, nil
		return
	}
	i.rest = i.rest[size:]
}

func (i *items) bytes(n uint64) []byte {
	if n > uint64(len(i.rest)) {
		i.wrong, i.rest = true, nil
		return nil
	}
	b := i.rest[:n]
	i.rest = i.rest[n:]
	return b
}

// byte returns the next byte; 0 at the end.
func (i *items) byte() byte {
	if b := i.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (i *items) text() string { return string(i.bytes(i.uint())) }

func (i *items) key() (k key) {
	copy(k[:], i.bytes(uint64(len(k))))
	return k
}

func (i *items) err() error {
	if i.wrong {
		return errItem
	}
	return nil
}
