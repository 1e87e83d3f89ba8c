package crawl

import (
	"errors"
	"fmt"
	"io"

	"quire/access/export"
	"quire/format/gzipmember"
	"quire/format/warc"
	"quire/internal/warcbuild"
)

// sink is the target of a file.
type sink interface {
	io.Writer
	Close() error
}

// volumes are the WARC files of an export: when one is full, the next begins. The first record of
// each describes the export.
type volumes struct {
	create func(name string) (sink, error)
	stem   string // of the file names
	about  []warc.NameValue
	date   string
	limit  int64

	records *warc.Writer       // writes our own records
	members *gzipmember.Writer // writes copied records as members

	n     int
	name  string // of the current file
	out   sink
	bytes int64 // in it

	waiting stretch // records that are still to be copied as stored
	buffer  []byte  // for copying
}

// stretch is a part of a container with records that follow one another.
type stretch struct {
	from           io.ReaderAt
	offset, length int64
}

// maxRun is the length of a run that is copied at once, in bytes.
const maxRun = 1 << 20

// spot is the position of a record in the export.
type spot struct {
	file           string
	offset, length int64
	made           string // id of the response that replaces a revisit; "" for a copied record
}

func newVolumes(s *export.Source, out *export.Output, title string, create func(name string) (sink, error)) (*volumes,
	error) {
	limit := out.Options.VolumeSize
	if limit <= 0 {
		limit = export.DefaultVolume
	}
	v := &volumes{
		create: create, stem: s.FileStem(), limit: limit, date: warc.FormatDate(s.Version().Created),
		about: []warc.NameValue{
			{Name: "software", Value: s.Software()},
			{Name: "format", Value: "WARC File Format 1.1"},
			{Name: "conformsTo",
				Value: "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
			{Name: "isPartOf", Value: warcbuild.Escape(s.ID())},
			{Name: "description", Value: warcbuild.Escape(fmt.Sprintf(
				"%s of version v%d of package %s, of what readers of class %s may have; records are as they were "+
					"stored, "+
					"and the warcinfo records of the files in which they were stored stand before them", title,
				s.Version().Number, s.ID(), s.Who.Class))},
		},
	}
	return v, v.writers()
}

// writers makes the writers of records.
func (v *volumes) writers() (err error) {
	if v.records, err = warc.NewWriter(v, warc.WriterOptions{Compression: warc.Gzip}); err != nil {
		return err
	}
	v.members, err = gzipmember.NewWriter(v, gzipmember.DefaultLevel)
	return err
}

// room makes sure that the current file has room for a record of that size, as stored.
func (v *volumes) room(size int64) error {
	if err := v.flush(); err != nil {
		return err
	}
	if v.out != nil && (v.bytes+size <= v.limit || v.bytes == 0) {
		return nil
	}
	if err := v.close(); err != nil {
		return err
	}
	v.n++
	v.name = fmt.Sprintf("%s-%05d.warc.gz", v.stem, v.n)
	out, err := v.create(v.name)
	if err != nil {
		return err
	}
	v.out, v.bytes = out, 0
	var block []byte
	for _, f := range v.about {
		block = warcbuild.AppendField(block, f.Name, f.Value)
	}
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeWarcinfo}, {Name: warc.FieldDate, Value: v.date},
		{Name: warc.FieldFilename, Value: v.name}, {Name: warc.FieldContentType, Value: "application/warc-fields"},
	}
	id := warcbuild.RecordID(append(fields, v.about...))
	fields = append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id})
	_, err = v.write(fields, block)
	return err
}

// Write implements io.Writer over the current file.
func (v *volumes) Write(p []byte) (int, error) {
	n, err := v.out.Write(p)
	v.bytes += int64(n)
	return n, err
}

// raw copies a record as stored in its container: a separate member. Records that follow one another there
// are copied together: the container must stay open until flush.
func (v *volumes) raw(from io.ReaderAt, offset, length int64) (spot, error) {
	w := &v.waiting
	if w.from != from || w.offset+w.length != offset || w.length >= maxRun || v.bytes+w.length+length > v.limit {
		if err := v.room(length); err != nil {
			return spot{}, err
		}
		*w = stretch{from: from, offset: offset}
	}
	at := spot{file: v.name, offset: v.bytes + w.length, length: length}
	w.length += length
	return at, nil
}

// flush copies the records that wait.
func (v *volumes) flush() error {
	w := v.waiting
	v.waiting = stretch{}
	if w.length == 0 {
		return nil
	}
	if v.buffer == nil {
		v.buffer = make([]byte, 256<<10)
	}
	in := io.NewSectionReader(w.from, w.offset, w.length)
	n, err := io.CopyBuffer(struct{ io.Writer }{v}, struct{ io.Reader }{in}, v.buffer)
	if err == nil && n != w.length {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// member writes a record into a new member.
func (v *volumes) member(size int64, write func(io.Writer) error) (spot, error) {
	if err := v.room(size); err != nil {
		return spot{}, err
	}
	at := spot{file: v.name, offset: v.bytes}
	if err := v.members.Begin(); err != nil {
		return at, err
	}
	if err := write(v.members); err != nil {
		return at, err
	}
	_, _, err := v.members.End()
	at.length = v.bytes - at.offset
	return at, err
}

// write writes one of our records, with a short block.
func (v *volumes) write(fields []warc.NameValue, block []byte) (spot, error) {
	at := spot{file: v.name, offset: v.bytes}
	_, length, err := v.records.WriteBytes(fields, block)
	at.length = length
	return at, err
}

// stream writes one of our records.
func (v *volumes) stream(fields []warc.NameValue, size int64, block io.Reader) (spot, error) {
	if err := v.room(size); err != nil {
		return spot{}, err
	}
	at := spot{file: v.name, offset: v.bytes}
	_, length, err := v.records.Write(fields, size, block)
	at.length = length
	return at, err
}

// close ends the current file.
func (v *volumes) close() error {
	if v.out == nil {
		return nil
	}
	out := v.out
	v.out = nil
	return out.Close()
}

// finish ends the last file; an export has at least one, even without records.
func (v *volumes) finish() error { return errors.Join(v.room(0), v.close()) }
