package warc

import (
	"bytes"
	"fmt"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/format/recordsource"
)

// skipGarbage skips and reports bytes that are not a record.
func (r *Reader) skipGarbage(at inflate.Position) error {
	r.lost = true
	err := r.skip()
	if !recordsource.OfContent(err) {
		return err
	}
	end, _ := r.in.Position() // the error returns with the next record
	if n := end.Inflated - at.Inflated; n > 0 {
		r.add(fault.Fault{Code: FaultGarbage, Offset: at.File,
			Detail: fmt.Sprintf("%d bytes belong to no record", n)})
	}
	return err
}

// skip moves to the next beginning of a record: a version line at the start of a line or of a
// member, or anywhere if a WARC field follows it.
func (r *Reader) skip() error {
	lineStart := false
	for first := true; ; first = false {
		at, err := r.in.Position()
		if err != nil {
			return err
		}
		if !first {
			head, _ := r.in.Peek(startMax) // the error returns with the bytes
			sure := lineStart || r.in.Compression() != inflate.None && at.AtMemberStart()
			if startsRecord(head, sure) {
				return nil
			}
		}
		b, err := r.in.Buffered()
		if err != nil {
			return err
		}
		chunk, err := r.in.Chunk(int64(nextMagic(b)))
		if err != nil {
			return err
		}
		lineStart = chunk[len(chunk)-1] == '\n'
	}
}

// startMax is how much startsRecord examines: a version line and the beginning of the next field.
const startMax = 32

// startsRecord reports whether a record begins with b. In a sure place a version line is enough.
// Elsewhere a WARC field must follow, because texts can mention WARC too.
func startsRecord(b []byte, sure bool) bool {
	if !isVersionLine(b) {
		return false
	}
	if sure {
		return true
	}
	_, field, _ := bytes.Cut(b, []byte{'\n'})
	return hasPrefixFold(field, "WARC-") || hasPrefixFold(field, "Content-")
}

func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && nameIs(b[:len(prefix)], prefix)
}

// magics are the beginnings of a version line. Case does not matter, but no known writer mixes it.
var magics = [][]byte{[]byte("WARC/"), []byte("warc/")}

// nextMagic returns how far to skip without passing the beginning of a version line, at least one
// byte. It stops at the next "WARC/" after the first byte, or at a possible beginning of it at the
// end of b.
func nextMagic(b []byte) int {
	n, found := len(b), false
	for _, magic := range magics {
		if i := bytes.Index(b[1:n], magic); i >= 0 { // stop at the other's position: never search twice
			n, found = 1+i, true
		}
	}
	for half := min(len(magics[0]), len(b)) - 1; half > 0 && !found; half-- {
		end := b[max(len(b)-half, 1):]
		if len(end) == half && nameIs(end, string(magics[0][:half])) {
			return len(b) - half
		}
	}
	return n
}

// Index returns the position in b, some inflated bytes of a file, of the first record, or -1.
func Index(b []byte) int {
	for at := 0; at < len(b); {
		if startsRecord(b[at:], at == 0 || b[at-1] == '\n') {
			return at
		}
		at += nextMagic(b[at:])
	}
	return -1
}
