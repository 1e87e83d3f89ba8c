package pack

import (
	"bytes"
	"encoding/binary"
	"maps"
	"slices"

	"quire/internal/extsort"
	"quire/preserve/pages"
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

// class returns the kind of target that the link has.
func (l *webLink) class() linkClass {
	switch {
	case linkKinds[l.kind] == pages.Embedded:
		return includes
	case l.inline:
		return inlines
	}
	return leads
}

// note keeps the target of a link.
func (g *linkGraph) note(l *pendingLink, to *webCapture, listed bool) error {
	if l.kind == includes {
		if to.place == l.from {
			return nil
		}
		g.key = to.place.append(l.from.append(appendHarvest(g.key[:0], l.harvest)))
		return g.embedded.Add(g.key, append(g.value[:0], to.form))
	}
	if to.place != l.from {
		g.inlined = g.inlined || l.kind == inlines
		g.key = to.place.append(appendHarvest(g.key[:0], to.harvest))
		if err := g.reached.Add(g.key, append(g.value[:0], byte(l.kind))); err != nil {
			return err
		}
	}
	if !listed {
		return nil
	}
	if err := g.counted(l, to); err != nil {
		return err
	}
	g.key = l.from.append(appendHarvest(g.key[:0], l.harvest))
	g.key = binary.BigEndian.AppendUint64(g.key, uint64(l.number)) //nolint:gosec // counted from 1
	g.value = append(to.place.append(g.value[:0]), l.through...)
	return g.found.Add(g.key, g.value)
}

// counted counts a link to a target in the package, and keeps a target in another harvest.
func (g *linkGraph) counted(l *pendingLink, to *webCapture) error {
	g.count.inside++
	if l.hops > 0 {
		g.count.through++
	}
	if to.harvest == l.harvest {
		return nil
	}
	g.key = to.place.append(appendHarvest(g.key[:0], l.harvest))
	return g.elsewhere.Add(g.key, nil)
}

// appendHarvest appends a harvest, as the beginning of a key.
func appendHarvest(key []byte, n int) []byte {
	return binary.BigEndian.AppendUint32(key, harvestKey(n))
}

// harvestKey returns a harvest as it sorts: those without a harvest come last, as in the structMap.
func harvestKey(n int) uint32 { return uint32(n) - 1 } //nolint:gosec // 0 becomes the greatest

func foundOf(key, value []byte) foundLink {
	const size = containerSize + 8
	return foundLink{
		harvest: int(binary.BigEndian.Uint32(key) + 1), from: placeOf(key[harvestSize:]),
		number: int64(binary.BigEndian.Uint64(key[harvestSize+size:])), to: placeOf(value),
		through: string(value[size:]),
	}
}

// foundReader reads the resolved links, harvest by harvest. It is empty if links are not resolved.
type foundReader struct {
	links, elsewhere, embedded, reached, originals sortedReader

	loaded, targets *targetReader // instead of embedded and links, if links were resolved in memory
	containers      map[int][]int // their numbers by harvest, in order
	inlines         map[place]bool
}

// sortedReader reads a sorter in steps.
type sortedReader struct {
	in         *extsort.Cursor
	key, value []byte // key is nil after the last
	err        error
}

// foundLinks starts reading the resolved links.
func (b *builder) foundLinks() *foundReader {
	r := &foundReader{}
	if b.web != nil {
		r.links.begin(b.web.graph.found)
		r.elsewhere.begin(b.web.graph.elsewhere)
		r.embedded.begin(b.web.graph.embedded)
		r.reached.begin(b.web.graph.reached)
		r.originals.begin(b.derived.originals)
		if rows := b.web.graph.targets; rows != nil {
			r.loaded, r.targets = &targetReader{rows: rows}, &targetReader{rows: rows}
			r.inlines = b.web.graph.inlineOnly
			r.containers = map[int][]int{}
			for _, n := range slices.Sorted(maps.Keys(b.harvestOf)) {
				r.containers[b.harvestOf[n]] = append(r.containers[b.harvestOf[n]], n)
			}
		}
	}
	return r
}

func (r *sortedReader) begin(s *extsort.Sorter) {
	if r.in, r.err = s.Cursor(); r.err == nil {
		r.advance()
	}
}

func (r *sortedReader) advance() {
	var more bool
	if r.key, r.value, more, r.err = r.in.Next(); !more {
		r.key = nil
	}
}

// each visits the entries with the beginning of a key. Beginnings must be queried in order.
func (r *sortedReader) each(beginning []byte, visit func(key, value []byte) error) error {
	for r.key != nil {
		order := bytes.Compare(r.key[:len(beginning)], beginning)
		if order > 0 {
			break
		}
		if order == 0 {
			if err := visit(r.key, r.value); err != nil {
				return err
			}
		}
		r.advance()
	}
	return r.err
}

// ofHarvest returns the beginning of the keys of a harvest.
func ofHarvest(n int) []byte { return appendHarvest(nil, n) }

// original returns the capture that a revisit record repeats, and the form of its file; zero if it is
// not in the package. Records must be queried in order.
func (r *foundReader) original(harvest int, at place) (original place, form byte, err error) {
	err = r.originals.each(at.append(ofHarvest(harvest)), func(_, value []byte) error {
		original, form = placeOf(value), value[len(value)-1]
		return nil
	})
	return original, form, err
}

// inlineOnly reports whether links lead to a page by iframes only. Pages must be queried in order.
func (r *foundReader) inlineOnly(harvest int, page place) (bool, error) {
	if r.targets != nil {
		return r.inlines[page], nil
	}
	some, others := false, false
	err := r.reached.each(page.append(ofHarvest(harvest)), func(_, value []byte) error {
		some = true
		others = others || len(value) != 1 || linkClass(value[0]) != inlines
		return nil
	})
	return some && !others, err
}

// embeddedFile is a file that a page loads.
type embeddedFile struct {
	at   place
	form byte
}

// eachEmbedded visits the files that a page loads, each once. Pages must be queried in order.
func (r *foundReader) eachEmbedded(harvest int, page place, visit func(embeddedFile) error) error {
	if r.loaded != nil {
		return r.loaded.eachLoad(page, visit)
	}
	const size = harvestSize + containerSize + 8
	last := place{}
	return r.embedded.each(page.append(ofHarvest(harvest)), func(key, value []byte) error {
		at := placeOf(key[size:])
		if at == last || len(value) != 1 {
			return nil
		}
		last = at
		return visit(embeddedFile{at, value[0]})
	})
}

// eachLink visits the resolved links of a harvest, in the order of the links.
func (r *foundReader) eachLink(harvest int, visit func(foundLink) error) error {
	if r.targets != nil {
		for _, n := range r.containers[harvest] {
			if err := r.targets.eachLink(harvest, n, visit); err != nil {
				return err
			}
		}
		return nil
	}
	return r.links.each(ofHarvest(harvest), func(key, value []byte) error { return visit(foundOf(key, value)) })
}

// eachElsewhere visits the targets in other harvests of a harvest's links, each once.
func (r *foundReader) eachElsewhere(harvest int, visit func(place) error) error {
	last := place{}
	return r.elsewhere.each(ofHarvest(harvest), func(key, _ []byte) error {
		to := placeOf(key[harvestSize:])
		if to == last {
			return nil
		}
		last = to
		return visit(to)
	})
}
