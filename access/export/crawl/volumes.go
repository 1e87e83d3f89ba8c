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

// sink is where a file goes.
type sink interface {
	io.Writer
	Close() error
}

// volumes are the WARC files of an export: the next begins when one is full. The first record of
// each says what the export is.
type volumes struct {
	create func(name string) (sink, error)
	stem   string // of their names
	about  []warc.NameValue
	date   string
	limit  int64

	records *warc.Writer       // writes records of ours
	members *gzipmember.Writer // and members of records that are copied

	n     int
	name  string // of the file at hand
	out   sink
	bytes int64 // in it
}

// spot is where a record lies in the export.
type spot struct {
	file           string
	offset, length int64
	made           string // id of the response that was made of a revisit; "" of a record that was copied
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
	var err error
	if v.records, err = warc.NewWriter(v, warc.WriterOptions{Gzip: true}); err != nil {
		return nil, err
	}
	v.members, err = gzipmember.NewWriter(v, gzipmember.DefaultLevel)
	return v, err
}

// room makes sure that there is a file at hand in which a record of that many bytes, as stored, may
// go.
func (v *volumes) room(size int64) error {
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

// Write implements io.Writer over the file at hand.
func (v *volumes) Write(p []byte) (int, error) {
	n, err := v.out.Write(p)
	v.bytes += int64(n)
	return n, err
}

// raw copies a record as it lies in a container: a member of its own.
func (v *volumes) raw(r io.Reader, length int64) (spot, error) {
	if err := v.room(length); err != nil {
		return spot{}, err
	}
	at := spot{file: v.name, offset: v.bytes, length: length}
	n, err := io.Copy(v, r)
	if err == nil && n != length {
		err = io.ErrUnexpectedEOF
	}
	return at, err
}

// member writes a record that had no member of its own.
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

// write writes a record of ours whose block is short.
func (v *volumes) write(fields []warc.NameValue, block []byte) (spot, error) {
	at := spot{file: v.name, offset: v.bytes}
	_, length, err := v.records.WriteBytes(fields, block)
	at.length = length
	return at, err
}

// stream writes a record of ours.
func (v *volumes) stream(fields []warc.NameValue, size int64, block io.Reader) (spot, error) {
	if err := v.room(size); err != nil {
		return spot{}, err
	}
	at := spot{file: v.name, offset: v.bytes}
	_, length, err := v.records.Write(fields, size, block)
	at.length = length
	return at, err
}

// close ends the file at hand.
func (v *volumes) close() error {
	if v.out == nil {
		return nil
	}
	out := v.out
	v.out = nil
	return out.Close()
}

// finish ends the last file; there is one, even when nothing could be handed out.
func (v *volumes) finish() error { return errors.Join(v.room(0), v.close()) }
