package warc

import (
	"bytes"
	"fmt"

	"quire/format/fault"
	"quire/format/inflate"
)

// skipGarbage passes over what is no record, and reports it.
func (r *Reader) skipGarbage(at inflate.Position) error {
	err := r.skip()
	if !ofContent(err) {
		return err
	}
	end, _ := r.in.Position() // an error comes again when the next record is asked for
	if n := end.Inflated - at.Inflated; n > 0 {
		r.Report.Add(fault.Fault{Code: FaultGarbage, Offset: at.File,
			Detail: fmt.Sprintf("%d bytes that belong to no record", n)})
	}
	return err
}

// skip moves on to the next place where a record begins: a version line at the beginning of a line
// or of a member, or anywhere when a field of WARC follows it.
func (r *Reader) skip() error {
	lineStart := false
	for first := true; ; first = false {
		at, err := r.in.Position()
		if err != nil {
			return err
		}
		if !first {
			head, _ := r.in.Peek(startMax) // an error comes again with the bytes
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

// startMax is how much startsRecord looks at: a version line and the beginning of the field behind
// it.
const startMax = 32

// startsRecord says whether a record begins with b. A version line in a sure place is enough;
// elsewhere a field that belongs to WARC must follow, for texts speak of WARC too.
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

// magics are how a version line begins: the case does not matter, but nobody is known to have mixed
// it.
var magics = [][]byte{[]byte("WARC/"), []byte("warc/")}

// nextMagic is how far to go so as not to pass the beginning of a version line, at least one byte:
// to the next "WARC/" behind the first byte, or to what may become one at the end of b.
func nextMagic(b []byte) int {
	n, found := len(b), false
	for _, magic := range magics {
		if i := bytes.Index(b[1:n], magic); i >= 0 { // no further than the other was found: a search is never repeated
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

// Index is where in b, some inflated bytes of a file, the first record begins; -1 when nowhere.
func Index(b []byte) int {
	for at := 0; at < len(b); {
		if startsRecord(b[at:], at == 0 || b[at-1] == '\n') {
			return at
		}
		at += nextMagic(b[at:])
	}
	return -1
}
