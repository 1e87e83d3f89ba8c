package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"

	"quire/internal/extsort"
)

// foundLink is a link with its target.
type foundLink struct {
	harvest int // of its page
	from    place
	number  int64
	to      place
	through string
}

// harvestSize is how many bytes of a key identify the harvest.
const harvestSize = 4

func (g *linkGraph) note(l *pendingLink, to *webCapture) error {
	g.count.inside++
	if l.hops > 0 {
		g.count.through++
	}
	of := binary.BigEndian.AppendUint32(nil, uint32(l.harvest)) //nolint:gosec // counted from 0
	if to.harvest != l.harvest {
		if err := g.elsewhere.Add(to.place.append(bytes.Clone(of)), nil); err != nil {
			return err
		}
	}
	key := binary.BigEndian.AppendUint64(l.from.append(of), uint64(l.number)) //nolint:gosec // counted from 1
	return g.found.Add(key, append(to.place.append(nil), l.through...))
}

func foundOf(key, value []byte) foundLink {
	const size = containerSize + 8
	return foundLink{
		harvest: int(binary.BigEndian.Uint32(key)), from: placeOf(key[harvestSize:]),
		number: int64(binary.BigEndian.Uint64(key[harvestSize+size:])), to: placeOf(value),
		through: string(value[size:]),
	}
}

// foundReader reads the resolved links, harvest by harvest. It is empty if links are not resolved.
type foundReader struct{ links, elsewhere sortedReader }

// sortedReader reads a sorter in steps.
type sortedReader struct {
	next       func() ([]byte, []byte, bool)
	stop       func()
	key, value []byte // nil after the last
	err        error
}

// foundLinks starts reading the resolved links.
func (b *builder) foundLinks() *foundReader {
	r := &foundReader{}
	if b.linked() {
		r.links.begin(b.web.graph.found)
		r.elsewhere.begin(b.web.graph.elsewhere)
	}
	return r
}

func (r *foundReader) stop() {
	for _, s := range []*sortedReader{&r.links, &r.elsewhere} {
		if s.stop != nil {
			s.stop()
		}
	}
}

func (r *sortedReader) begin(s *extsort.Sorter) {
	ended := errors.New("the caller stopped reading")
	r.next, r.stop = iter.Pull2(func(yield func([]byte, []byte) bool) {
		err := s.Each(func(key, value []byte) error {
			if !yield(key, value) {
				return ended
			}
			return nil
		})
		if !errors.Is(err, ended) {
			r.err = err
		}
	})
	r.advance()
}

func (r *sortedReader) advance() {
	var more bool
	if r.key, r.value, more = r.next(); !more {
		r.key = nil
	}
}

// each visits the entries of a harvest. Harvests must be queried in order.
func (r *sortedReader) each(harvest int, visit func(key, value []byte) error) error {
	for r.key != nil && int(binary.BigEndian.Uint32(r.key)) <= harvest {
		if int(binary.BigEndian.Uint32(r.key)) == harvest {
			if err := visit(r.key, r.value); err != nil {
				return err
			}
		}
		r.advance()
	}
	return r.err
}

// eachLink visits the resolved links of a harvest, in the order of the links.
func (r *foundReader) eachLink(harvest int, visit func(foundLink) error) error {
	return r.links.each(harvest, func(key, value []byte) error { return visit(foundOf(key, value)) })
}

// eachElsewhere visits the targets in other harvests of a harvest's links, each once.
func (r *foundReader) eachElsewhere(harvest int, visit func(place) error) error {
	last := place{}
	return r.elsewhere.each(harvest, func(key, _ []byte) error {
		to := placeOf(key[harvestSize:])
		if to == last {
			return nil
		}
		last = to
		return visit(to)
	})
}
