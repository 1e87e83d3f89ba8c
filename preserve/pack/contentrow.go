package pack

import (
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"quire/model"
)

// append writes a row: numbers, digests, then the texts with their lengths. encoding/gob would take
// five times as long.
func (c *content) append(to []byte) []byte {
	for _, n := range c.numbers() {
		to = binary.AppendVarint(to, *n)
	}
	seconds := c.Date.Unix()
	to = binary.AppendVarint(binary.AppendVarint(to, seconds), int64(c.Date.Nanosecond()))
	flags := byte(0)
	if c.Body.Whole {
		flags |= flagWhole
	}
	if c.Date.IsZero() {
		flags |= flagUndated
	}
	if c.wide() {
		flags |= flagWide
	}
	to = append(append(to, flags, byte(len(c.Body.Removed))), c.Body.SHA256[:]...)
	if len(c.Body.Removed) > 0 {
		to = append(to, c.Body.ServedSHA256[:]...)
	}
	if c.wide() {
		to = append(to, c.Body.SHA512[:]...)
		if len(c.Body.Removed) > 0 {
			to = append(to, c.Body.ServedSHA512[:]...)
		}
	}
	for _, text := range c.texts() {
		to = append(binary.AppendUvarint(to, uint64(len(*text))), *text...)
	}
	for _, text := range []string{string(c.Scan), string(c.Body.Stated), strings.Join(c.Body.Removed, " ")} {
		to = append(binary.AppendUvarint(to, uint64(len(text))), text...)
	}
	return to
}

const (
	flagWhole byte = 1 << iota
	flagUndated
	flagWide // with SHA-512
)

// wide reports whether the row has the SHA-512 of the bytestream.
func (c *content) wide() bool { return c.Body.SHA512 != [64]byte{} }

func (c *content) numbers() [8]*int64 {
	return [...]*int64{&c.Order, &c.Offset, &c.Stored, &c.Inflated, &c.Length, &c.BodyAt, &c.Size, &c.Body.ServedLength}
}

func (c *content) texts() [19]*string {
	return [...]*string{
		&c.Type, &c.ID, &c.URI, &c.MIME, &c.Status, &c.Format.Name, &c.Format.Version, &c.Format.PUID,
		&c.Format.Basis, &c.PayloadDigest, &c.RefersTo, &c.Part, &c.Signature, &c.Truncated, &c.Segment,
		&c.RefersToURI, &c.RefersToDate, &c.HeldBy, &c.HeldAt,
	}
}

var errRow = errors.New("a row is damaged")

// parse reads a row. The texts share its memory: a row costs one allocation.
func (c *content) parse(row string) error {
	r := rowReader{rest: row}
	for _, n := range c.numbers() {
		*n = r.number()
	}
	seconds, nanos := r.number(), r.number()
	flags, removed := r.byte(), r.byte()
	c.Date, c.Body.Whole, c.Body.Removed = time.Time{}, flags&flagWhole != 0, c.Body.Removed[:0]
	if flags&flagUndated == 0 {
		c.Date = time.Unix(seconds, nanos).UTC()
	}
	copy(c.Body.SHA256[:], r.take(32))
	if c.Body.ServedSHA256 = [32]byte{}; removed > 0 {
		copy(c.Body.ServedSHA256[:], r.take(32))
	}
	c.Body.SHA512, c.Body.ServedSHA512 = [64]byte{}, [64]byte{}
	if flags&flagWide != 0 {
		copy(c.Body.SHA512[:], r.take(64))
		if removed > 0 {
			copy(c.Body.ServedSHA512[:], r.take(64))
		}
	}
	for _, text := range c.texts() {
		*text = r.text()
	}
	c.Scan, c.Body.Stated = model.ScanOutcome(r.text()), model.Reading(r.text())
	for coding := range strings.FieldsSeq(r.text()) {
		c.Body.Removed = append(c.Body.Removed, coding)
	}
	if r.short || r.rest != "" || len(c.Body.Removed) != int(removed) {
		return errRow
	}
	return nil
}

// rowReader parses a row.
type rowReader struct {
	rest  string
	short bool
}

func (r *rowReader) take(n int) string {
	if n < 0 || n > len(r.rest) {
		r.short, n = true, len(r.rest)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *rowReader) byte() byte {
	if b := r.take(1); b != "" {
		return b[0]
	}
	return 0
}

func (r *rowReader) unsigned() uint64 {
	n := uint64(0)
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		if n |= uint64(b&0x7f) << shift; b < 0x80 {
			return n
		}
	}
	r.short = true
	return 0
}

// number reads the output of binary.AppendVarint.
func (r *rowReader) number() int64 {
	n := r.unsigned()
	return int64(n>>1) ^ -int64(n&1)
}

func (r *rowReader) text() string { return r.take(int(min(r.unsigned(), 1<<31-1))) }
