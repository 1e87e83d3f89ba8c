package bytesource

import "bytes"

// Echo remembers where the content that a decoder gives looks like the beginning of a compressed
// member: a page that came compressed, a container within a container. An encoder stores such
// content as it is, so that a search through the compressed bytes of a damaged member meets it;
// what was content must not be taken for a member of the file.
type Echo struct {
	magic []byte
	tail  []byte // the end of what was noted last, shorter than an entry
	seen  map[echoEntry]struct{}
}

// echoLength is how many bytes are compared; a gzip trailer and half a header are not the same
// twice.
const echoLength = 18

// echoMax bounds how many places of one member are remembered.
const echoMax = 4096

type echoEntry [echoLength]byte

// NewEcho makes an Echo for members that begin with magic.
func NewEcho(magic []byte) *Echo { return &Echo{magic: magic, seen: map[echoEntry]struct{}{}} }

// Reset forgets everything: another member begins.
func (e *Echo) Reset() {
	e.tail = e.tail[:0]
	if len(e.seen) > 0 {
		clear(e.seen)
	}
}

// Note looks through the next bytes of the content.
func (e *Echo) Note(content []byte) {
	if len(e.tail) > 0 { // what begins at the edge
		n := min(len(content), echoLength-1)
		edge := append(e.tail, content[:n]...)
		e.find(edge)
		if n == len(content) {
			e.tail = append(e.tail[:0], edge[max(len(edge)-echoLength+1, 0):]...)
			return
		}
	}
	e.find(content)
	e.tail = append(e.tail[:0], content[max(len(content)-echoLength+1, 0):]...)
}

func (e *Echo) find(b []byte) {
	for len(e.seen) < echoMax {
		i := bytes.Index(b, e.magic)
		if i < 0 || len(b)-i < echoLength {
			return
		}
		e.seen[echoEntry(b[i:i+echoLength])] = struct{}{}
		b = b[i+1:]
	}
}

// Has says whether b begins like a place that was noted.
func (e *Echo) Has(b []byte) bool {
	if len(e.seen) == 0 || len(b) < echoLength {
		return false
	}
	_, ok := e.seen[echoEntry(b[:echoLength])]
	return ok
}
