package pack

import (
	"encoding/binary"
	"errors"
	"iter"
	"time"

	"quire/format/warc"
	"quire/internal/extsort"
	"quire/metadata/xmlstream"
)

// derivations resolves derived bytestreams. Conversions and pages with restored links refer to
// another record by its id. The ids are sorted on disk: first the ids of one container, then the
// rest. If a container is packed twice, all its ids occur twice. An id of two records is not
// resolved, because it is ambiguous.
type derivations struct {
	within *extsort.Sorter // by id and container
	across *extsort.Sorter // by id
	found  *extsort.Sorter // by position, in the order of the objects in the METS
	// of revisit records, by harvest and position; nil if the METS has no pages
	originals *extsort.Sorter
	harvestOf map[int]int // of containers
	byDate    bool        // some revisit records name no id, but a URI and a date
}

// place is the position of a record in the package.
type place struct {
	container int
	order     int64
}

// containerSize is how many bytes of a place identify the container.
const containerSize = 4

// append writes a place, so that places sort in the order of the package.
func (p place) append(to []byte) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(to, uint32(p.container)), uint64(p.order))
}

func placeOf(b []byte) place {
	return place{int(binary.BigEndian.Uint32(b)), int64(binary.BigEndian.Uint64(b[4:]))}
}

// derived records that a record is derived from another, or that another is derived from it.
type derived struct {
	of     place
	source place // zero if not known
	isUsed bool  // the reverse: another record is derived from it
}

// derivationMemory is the memory of each sorter, in bytes.
const derivationMemory = 4 << 20

// derives reports whether the record is derived from the one that it refers to. A revisit record is
// not derived: it refers to content that it does not hold.
func (c *content) derives() bool {
	return c.RefersTo != "" && c.Size > 0 && (c.Type == warc.TypeConversion || c.rewritten())
}

// repeats reports whether the record is a revisit record that names the capture that it repeats.
func (c *content) repeats() bool {
	return c.Type == warc.TypeRevisit && (c.RefersTo != "" || c.RefersToURI != "" && c.RefersToDate != "")
}

// derive finds the source of each derived record, and the capture that each revisit record repeats.
func (b *builder) derive() (err error) {
	o := extsort.Options{Memory: derivationMemory, Dir: b.temp}
	d := &derivations{within: extsort.New(o), across: extsort.New(o), found: extsort.New(o)}
	b.derived = d
	if b.o.Profile.itemized() {
		d.originals, d.harvestOf = extsort.New(o), b.harvestOf
	}
	defer func() { err = errors.Join(err, d.within.Close(), d.across.Close()) }()
	some := false
	err = b.eachContent(func(p *packed, c *content) error {
		some = some || c.derives() || c.repeats()
		d.byDate = d.byDate || c.repeats() && c.RefersTo == ""
		b.harvestOf[p.N] = p.Harvest
		return nil
	})
	if err != nil || !some {
		return err
	}
	if err := b.eachContent(d.source); err != nil {
		return err
	}
	if err := b.eachContent(d.reference); err != nil {
		return err
	}
	if err := d.resolve(d.within, containerSize); err != nil {
		return err
	}
	return d.resolve(d.across, 0)
}

// eachContent visits every record that is in the METS.
func (b *builder) eachContent(visit func(*packed, *content) error) error {
	return b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		l := p.layout()
		return b.contents.each(p.Contents.Rows, func(c *content) error {
			if !l.holds(c) {
				return nil
			}
			return visit(&p, c)
		})
	})
}

// Prefixes of a place in a value. All sources of an id sort before the first reference to it.
const (
	asSource byte = iota
	asReference
	asRevisit
)

func (d *derivations) source(p *packed, c *content) error {
	if c.Size == 0 {
		return nil
	}
	at, form := place{p.N, c.Order}, byte(0)
	if c.page() || c.associated() {
		form = c.form()
	}
	if c.ID != "" {
		if err := d.add(at, c.ID, asSource, form); err != nil {
			return err
		}
	}
	if d.byDate && form != 0 && c.URI != "" {
		return d.add(at, dateKey(c.URI, c.Date.Format(time.RFC3339Nano)), asSource, form)
	}
	return nil
}

// dateKey is the key of a capture in the place of a record id, which has no zero byte.
func dateKey(uri, date string) string { return uri + "\x00" + date }

func (d *derivations) reference(p *packed, c *content) error {
	at := place{p.N, c.Order}
	switch {
	case c.derives(), c.repeats() && c.RefersTo != "":
		return d.add(at, c.RefersTo, c.referenceKind(), 0)
	case c.repeats():
		if date, err := xmlstream.ParseTime(c.RefersToDate); err == nil {
			return d.add(at, dateKey(c.RefersToURI, date.UTC().Format(time.RFC3339Nano)), asRevisit, 0)
		}
	}
	return nil
}

// referenceKind distinguishes derived records from repeating ones.
func (c *content) referenceKind() byte {
	if c.derives() {
		return asReference
	}
	return asRevisit
}

func (d *derivations) add(at place, id string, as, form byte) error {
	value := append(at.append([]byte{as}), form)
	key := append([]byte(bareID(id)), value[1:1+containerSize]...)
	if err := d.within.Add(key, value); err != nil {
		return err
	}
	if as != asSource {
		return nil // while its own container may still have the target
	}
	return d.across.Add(key[:len(key)-containerSize], value)
}

// resolve reads the sorted ids. suffix is the length of the part of a key that is not the id.
func (d *derivations) resolve(by *extsort.Sorter, suffix int) error {
	var id []byte
	var source place
	var form byte
	sources := 0
	return by.Each(func(key, value []byte) error {
		if string(id) != string(key) {
			id, sources = append(id[:0], key...), 0
		}
		at := placeOf(value[1:])
		switch {
		case value[0] == asSource:
			source, form = at, value[len(value)-1]
			sources++
			return nil
		case sources == 1 && source != at && value[0] == asRevisit:
			if form == 0 { // it repeats a record that is no part of the website
				return nil
			}
			return d.repeat(at, source, form)
		case sources == 1 && source != at:
			return d.note(at, source)
		case sources == 0 && suffix > 0:
			return d.across.Add(key[:len(key)-suffix], value)
		case value[0] == asRevisit:
			return nil // it is stored elsewhere
		}
		return d.found.Add(at.append(nil), place{}.append([]byte{asReference}))
	})
}

// close releases memory and disk.
func (d *derivations) close() error {
	if d.originals == nil {
		return d.found.Close()
	}
	return errors.Join(d.found.Close(), d.originals.Close())
}

// repeat keeps the capture that a revisit record repeats, and the form of its file.
func (d *derivations) repeat(at, original place, form byte) error {
	if d.originals == nil {
		return nil
	}
	key := at.append(ofHarvest(d.harvestOf[at.container]))
	return d.originals.Add(key, append(original.append(nil), form))
}

// note keeps a derivation, for both of its ends.
func (d *derivations) note(of, source place) error {
	if err := d.found.Add(of.append(nil), source.append([]byte{asReference})); err != nil {
		return err
	}
	return d.found.Add(source.append(nil), of.append([]byte{asSource}))
}

// all returns the derivations, in the order of the package.
func (d *derivations) all() iter.Seq2[derived, error] {
	stopped := errors.New("the caller stopped reading")
	return func(yield func(derived, error) bool) {
		err := d.found.Each(func(key, value []byte) error {
			if !yield(derived{placeOf(key), placeOf(value[1:]), value[0] == asSource}, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(derived{}, err)
		}
	}
}

// derivedReader reads the derivations in parallel to the records.
type derivedReader struct {
	next func() (derived, error, bool)
	stop func()
	head derived
	more bool
}

func (d *derivations) reader() (*derivedReader, error) {
	r := &derivedReader{}
	r.next, r.stop = iter.Pull2(d.all())
	return r, r.advance()
}

func (r *derivedReader) advance() (err error) {
	r.head, err, r.more = r.next()
	return err
}

// of returns the derivations of the record at a place: its source, whether it refers to a record at
// all, and the last record derived from it (zero if none). Places must be queried in the order of
// the package.
func (r *derivedReader) of(at place) (source place, refers bool, used place, err error) {
	for r.more && r.head.of.before(at) && err == nil {
		err = r.advance()
	}
	for r.more && r.head.of == at && err == nil {
		if r.head.isUsed {
			used = r.head.source
		} else {
			source, refers = r.head.source, true
		}
		err = r.advance()
	}
	return source, refers, used, err
}

func (p place) before(q place) bool {
	return p.container < q.container || p.container == q.container && p.order < q.order
}
