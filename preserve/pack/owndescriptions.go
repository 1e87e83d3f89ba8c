package pack

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"path/filepath"

	"quire/format/warc"
	"quire/metadata/mets"
	"quire/metadata/oclc"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe"
)

// The limits of the descriptions that other systems stored in the containers. Each is read again from
// its record, and is kept until the METS is written.
const (
	maxOwnRecords = 1000      // records of JSON that may be descriptions
	maxOwnBytes   = 256 << 10 // of a record
	maxOwn        = 100       // descriptions in the METS
)

// ownDescriptions are the descriptions that other systems stored as JSON in metadata records
// (docs/reference/340_describe.md).
type ownDescriptions struct {
	records  []ownRecord
	sections []ownSection
	more     int // descriptions or records beyond the limits
}

// ownRecord is the place of a record of JSON.
type ownRecord struct {
	dest       string // the container, as a path in the package
	n, harvest int    // of the container
	order      int64
	offset     int64
	id         string
}

// ownSection is a description with its dmdSec.
type ownSection struct {
	ownRecord
	dmdID  string
	of     describe.OwnJSON
	losses []describe.Loss
}

// see adds a record of the pass, if it may be a description.
func (o *ownDescriptions) see(p *packed, r *model.Record) {
	if r.Type != warc.TypeMetadata || r.Describes != "" || r.BadMember || p.Made != nil {
		return
	}
	if t, _, err := mime.ParseMediaType(r.ContentType); err != nil || !describe.IsOwnJSON(t) {
		return
	}
	if len(o.records) == maxOwnRecords || r.Block > maxOwnBytes {
		o.more++
		return
	}
	o.records = append(o.records, ownRecord{p.Dest, p.N, p.Harvest, r.Order, r.Offset, r.ID})
}

// readOwn reads the descriptions from their records. A record that cannot be read is no description:
// the inspection of its container reports its faults.
func (b *builder) readOwn() (err error) {
	in := ownReader{dir: b.temp}
	defer func() { err = errors.Join(err, in.close()) }()
	for _, at := range b.own.records {
		document, err := in.block(&at)
		if err != nil {
			return fmt.Errorf("reading the metadata record %s in %s: %w", at.id, at.dest, err)
		}
		found, err := describe.ReadOwnJSON(document, nil)
		if err != nil {
			continue
		}
		for i := range found {
			b.addOwn(at, found[i], i)
		}
	}
	return nil
}

// addOwn adds description i of a record, from 0.
func (b *builder) addOwn(at ownRecord, d describe.OwnJSON, i int) {
	if len(b.own.sections) == maxOwn {
		b.own.more++
		return
	}
	s := ownSection{ownRecord: at, dmdID: aip.OwnDmdID(at.n, at.order), of: d}
	if i > 0 {
		s.dmdID += fmt.Sprintf("-%d", i+1)
	}
	s.of.ID = s.dmdID
	_, s.losses = describe.ToMODS(s.of.Description, b.o.SchemaVersion.mods())
	b.own.sections = append(b.own.sections, s)
}

// ownReader reads blocks of records in the order of the containers. Records that share a gzip member
// are read in one pass over it.
type ownReader struct {
	dir    string
	dest   string // of the open container
	offset int64  // of the last record
	in     *warc.Reader
}

func (r *ownReader) close() error {
	if r.in == nil {
		return nil
	}
	return r.in.Close()
}

// block returns the block of a record; nil if the record cannot be found, or is damaged.
func (r *ownReader) block(at *ownRecord) ([]byte, error) {
	if at.dest != r.dest {
		if err := r.close(); err != nil {
			return nil, err
		}
		var err error
		if r.in, err = warc.Open(filepath.Join(r.dir, filepath.FromSlash(at.dest))); err != nil {
			return nil, err
		}
		r.dest, r.offset = at.dest, -1
	}
	var record *warc.Record
	var err error
	if at.offset == r.offset {
		record, err = r.in.Next()
	} else {
		record, err = r.in.At(at.offset)
	}
	r.offset = at.offset
	for err == nil && record.ID() != at.id && record.Offset <= at.offset {
		record, err = r.in.Next()
	}
	if err != nil || record.ID() != at.id {
		r.offset = -1
		return nil, nil //nolint:nilerr // damaged
	}
	block, err := io.ReadAll(io.LimitReader(record, maxOwnBytes))
	if err != nil {
		return nil, nil //nolint:nilerr // damaged
	}
	return block, nil
}

// ownSections writes a dmdSec for each description.
func (b *builder) ownSections(w *mets.Writer) {
	for i := range b.own.sections {
		s := &b.own.sections[i]
		record, _ := describe.ToMODS(s.of.Description, b.o.SchemaVersion.mods()) // the losses were reported
		b.descriptionSection(w, s.dmdID, record)
	}
}

// ofHarvest returns the sections of a harvest, from 1.
func (o *ownDescriptions) ofHarvest(n int) (ids []string) {
	for i := range o.sections {
		if o.sections[i].harvest == n {
			ids = append(ids, o.sections[i].dmdID)
		}
	}
	return ids
}

// title returns the title of the only description, and its source; "" without one, or for several.
func (o *ownDescriptions) title() named {
	if len(o.sections) != 1 {
		return named{}
	}
	s := &o.sections[0]
	titles := s.of.Record.Values(oclc.Title)
	if len(titles) == 0 || s.of.Level == describe.Page {
		return named{}
	}
	return named{titles[0], fmt.Sprintf("the metadata record %s in %s", s.id, s.dest)}
}

// notes returns the place of each description, the names that are no elements, and the values that
// MODS cannot hold.
func (o *ownDescriptions) notes() (notes []string) {
	for i := range o.sections {
		s := &o.sections[i]
		notes = append(notes, fmt.Sprintf("%s: JSON of another system in the metadata record %s in %s", s.dmdID, s.id,
			s.dest))
		for _, name := range s.of.Unread {
			notes = append(notes,
				fmt.Sprintf("%s, not in MODS: the value of %.100q, which is no element", s.dmdID, name))
		}
		for _, l := range s.losses {
			notes = append(notes,
				fmt.Sprintf("%s, not in MODS: %s %.200q: %s", s.dmdID, l.Element.Label(), l.Value, l.Why))
		}
	}
	if len(notes) > maxListed {
		notes = append(notes[:maxListed], fmt.Sprintf("and %d more of these", len(notes)-maxListed))
	}
	if o.more > 0 {
		notes = append(notes, fmt.Sprintf("records of JSON that may be descriptions, and were not read: %d", o.more))
	}
	return notes
}
