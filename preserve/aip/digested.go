package aip

import (
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"io"
)

// digested counts the bytes that are read through it and computes their digest.
type digested struct {
	src  io.Reader
	hash hash.Hash
	size int64
}

func newDigested(src io.Reader) *digested { return &digested{src: src, hash: sha512.New()} }

// Read implements io.Reader.
func (d *digested) Read(p []byte) (int, error) {
	n, err := d.src.Read(p)
	d.hash.Write(p[:n])
	d.size += int64(n)
	return n, err
}

// hex returns the SHA-512 of the bytes read so far.
func (d *digested) hex() string { return hex.EncodeToString(d.hash.Sum(nil)) }
