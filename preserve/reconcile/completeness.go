package reconcile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"quire/format/cdx"
	"quire/internal/extsort"
	"quire/model"
	"quire/source"
	"quire/source/detect"
)

// Completeness compares the lists, the indexes and the logs of harvests with their containers. It
// reads no container: another pass does, and passes each container and each record. So it compares
// less than [One] (docs/reference/455_reconcile.md, Completeness of a package). Harvests have the
// index in which they were given.
//
// The order of calls is Fetch for each line of the logs, Record for each record of a container and
// Container after these, Results, Close.
type Completeness struct {
	harvests []*side
	urls     *extsort.Sorter // URLs of the logs and of the records, by harvest
	compare  comparison
	key      []byte
}

// side is the comparison of one harvest.
type side struct {
	*run
	byPath map[string]int // index in the shelf of each container
	result Complete
}

// comparison is the state of the comparison of one URL of a harvest.
type comparison struct {
	url              []byte
	recorded, logged bool
	at               int64 // of the earliest line, in milliseconds; noTime
}

// urlMemory is the memory for sorting URLs, in bytes. It is less than the sorter's default, because
// another pass runs meanwhile.
const urlMemory = 8 << 20

// The sources of a URL, in their order after the URL.
const (
	urlRecorded = 'a'
	urlLogged   = 'b'
)

// NewCompleteness begins the comparison of harvests of s. It reads the lists and the indexes. dir
// is the folder for temporary files; "" is the system's. The caller must close the result.
func NewCompleteness(ctx context.Context, s *detect.Source, harvests []detect.Harvest, dir string) (*Completeness,
	error) {
	c := &Completeness{urls: extsort.New(extsort.Options{Dir: dir, Memory: urlMemory}), compare: comparison{at: noTime}}
	near := neighboursIn(s)
	for _, h := range harvests {
		o := Options{Dir: dir, elsewhere: near.otherThan(h.Found)}
		one := &side{run: newRun(ctx, h.Harvest, h.Found.Tree, o), byPath: map[string]int{},
			result: Complete{Lists: []string{}, Indexes: []string{}, Missed: []Absentee{},
				Gaps: []string{}, Unlisted: []string{}, Sizes: []string{}, Examples: []string{}}}
		c.harvests = append(c.harvests, one)
		for _, step := range []func() error{one.shelve, one.readLists,
			func() error { return one.readIndexes(one.entry) }} {
			if err := errors.Join(step(), ctx.Err()); err != nil {
				return nil, errors.Join(err, c.Close())
			}
		}
		for id, at := range one.shelf.all {
			if at.present {
				one.byPath[at.path] = id
			}
		}
	}
	return c, nil
}

// Close removes the temporary files.
func (c *Completeness) Close() error {
	err := c.urls.Close()
	for _, r := range c.harvests {
		err = errors.Join(err, r.urls.Close(), r.places.Close(), r.counts.Close(), r.away.Close())
	}
	return err
}

// entry counts an entry of an index for the container that it names.
func (r *side) entry(e *cdx.Entry, _ string) error {
	if id := r.shelf.find(e.File); id >= 0 {
		r.shelf.all[id].entries++
	}
	return nil
}

// Fetch takes a line of the log of a harvest.
func (c *Completeness) Fetch(harvest int, f *model.Fetch) error {
	if len(f.Notes) > 0 && f.Notes[0] == source.NotePage { // lists of pages are no log
		return nil
	}
	r := c.harvests[harvest]
	out := &r.result
	out.Lines++
	if f.Status <= 0 {
		return nil
	}
	if r.notStored(f) {
		out.NotStored++
		return nil
	}
	out.Stored++
	if id := r.shelf.find(f.Container); id >= 0 {
		r.shelf.all[id].lines++
	}
	return c.add(harvest, f.URI, urlLogged, millis(f.Time))
}

// notStored reports whether the log states that a fetch needs no record of its own: the content is
// a duplicate, was not written, or is empty; or the body of a redirect or error, which mirrors omit.
func (r *side) notStored(f *model.Fetch) bool {
	s := sighting{content: -1}
	for _, note := range f.Notes {
		s.take(note)
	}
	return f.Duplicate != nil || f.Miss == model.MissUnwritten || s.is(isDuplicate) || s.is(isUnwritten) ||
		s.content == 0 || r.isMirror && f.Status >= 300
}

// Record takes a record of a container of a harvest, at this path in the source. For a mirror it
// takes the records of the WARC made from it, which has no path there.
func (c *Completeness) Record(harvest int, name string, rec *model.Record) error {
	if marksOf(rec, "")&isAuxiliary != 0 {
		return nil
	}
	r, at := c.harvests[harvest], &container{}
	if id, ok := r.byPath[name]; ok {
		at = r.shelf.all[id]
	}
	if at.metadata {
		return nil
	}
	r.span(at, rec)
	if r.result.Stored == 0 { // there is nothing to compare it with
		return nil
	}
	return c.add(harvest, rec.URI, urlRecorded, noTime)
}

// Container takes the result of the pass over the container at this path in the source. inflated is
// the size of the container without compression, in bytes; for a converted ARC, of the ARC.
func (c *Completeness) Container(harvest int, name string, read *model.Container, inflated int64) {
	r := c.harvests[harvest]
	id, ok := r.byPath[name]
	if !ok {
		return
	}
	at := r.shelf.all[id]
	at.outcome, at.inflated, at.records = read.Outcome, inflated, read.Records.Total
	at.gzipped = at.size != inflated
	r.nameWithin(id, at, read)
}

// add stores a URL: the key is the harvest, the URL and its source; the value is the time in
// milliseconds.
func (c *Completeness) add(harvest int, uri string, of byte, at int64) error {
	form, _ := canonical(uri)
	c.key = append(append(binary.BigEndian.AppendUint32(c.key[:0], uint32(harvest)), form...), 0, of)
	var value [8]byte
	binary.BigEndian.PutUint64(value[:], uint64(at))
	return c.urls.Add(c.key, value[:])
}

// harvestSize is the size of the harvest in a key.
const harvestSize = 4

// matchURLs counts the URLs of the logs without a record.
func (c *Completeness) matchURLs() error {
	err := c.urls.Each(func(key, value []byte) error {
		url, of := key[:len(key)-2], key[len(key)-1]
		m := &c.compare
		if !bytes.Equal(url, m.url) {
			c.endURL()
			*m = comparison{url: append(m.url[:0], url...), at: noTime}
		}
		if of == urlRecorded {
			m.recorded = true
			return nil
		}
		m.logged = true
		if at := int64(binary.BigEndian.Uint64(value)); at != noTime && (m.at == noTime || at < m.at) {
			m.at = at
		}
		return nil
	})
	c.endURL()
	return err
}

// endURL counts one URL.
func (c *Completeness) endURL() {
	m := &c.compare
	if !m.logged {
		return
	}
	r, url := c.harvests[binary.BigEndian.Uint32(m.url)], string(m.url[harvestSize:])
	out := &r.result
	if isLookup(url) && r.records.lookups == 0 && r.records.content > 0 {
		out.Lookups++ // no container has one: the crawler was configured not to write them
		return
	}
	out.URLs++
	if m.recorded {
		return
	}
	out.Missing++
	if !r.isMirror && m.at != noTime && r.records.content > 0 && floorSecond(m.at) > floorSecond(r.records.last) {
		out.Late++
	}
	if len(out.Examples) < DefaultMax {
		out.Examples = append(out.Examples, url)
	}
}

// Results compares everything, and returns the result of each harvest. It is called once.
func (c *Completeness) Results() ([]*Complete, error) {
	if err := c.matchURLs(); err != nil {
		return nil, err
	}
	var all []*Complete
	for _, r := range c.harvests {
		for _, l := range r.out.Witnesses.Lists {
			r.result.Lists = append(r.result.Lists, l.File)
		}
		slices.Sort(r.result.Lists)
		for _, f := range r.out.Witnesses.Index.Files {
			r.result.Indexes = append(r.result.Indexes, f.File)
		}
		r.judge()
		all = append(all, &r.result)
	}
	return all, nil
}
