package bytesource

import "bytes"

// Echo remembers places in decoded content that look like the beginning of a compressed member,
// such as a compressed page or a container within a container. An encoder stores such content
// unchanged, so a search through the compressed bytes of a damaged member finds it again. Echo
// keeps the search from mistaking this content for a member of the file.
type Echo struct {
	magic []byte
	tail  []byte // end of the last noted bytes, shorter than an entry
	seen  map[echoEntry]struct{}
}

// echoLength is how many bytes are compared. A gzip trailer and half a header do not occur twice.
const echoLength = 18

// echoMax bounds the number of places remembered for one member.
const echoMax = 4096

type echoEntry [echoLength]byte

// NewEcho returns an Echo for members that begin with magic.
func NewEcho(magic []byte) *Echo { return &Echo{magic: magic, seen: map[echoEntry]struct{}{}} }

// Reset forgets all places; call it where another member begins.
func (e *Echo) Reset() {
	e.tail = e.tail[:0]
	if len(e.seen) > 0 {
		clear(e.seen)
	}
}

// Note searches the next bytes of the content.
func (e *Echo) Note(content []byte) {
	if len(e.tail) > 0 { // a beginning split between two calls
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

// Has reports whether b begins like a noted place.
func (e *Echo) Has(b []byte) bool {
	if len(e.seen) == 0 || len(b) < echoLength {
		return false
	}
	_, ok := e.seen[echoEntry(b[:echoLength])]
	return ok
}
