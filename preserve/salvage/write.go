package salvage

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"quire/format/inflate"
	"quire/format/recordfile"
	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/preserve/convert/arcwarc"
)

// typeFields is the content type of blocks of fields.
const typeFields = "application/warc-fields"

// body has the whole records until their number is known: the warcinfo before them states it. Of an
// ARC, it is a new ARC.
type body struct {
	file   *os.File
	buffer *bufio.Writer
	out    *recordfile.Writer
}

// newBody makes the file of a body. Without a path, the body is discarded.
func newBody(path, format string) (b *body, err error) {
	b = &body{buffer: bufio.NewWriterSize(io.Discard, 1<<10)}
	o := recordfile.Options{Compression: inflate.Gzip}
	if format == "ARC" || path == "" {
		o.Compression = inflate.None // the conversion compresses its records
	}
	if path != "" {
		if b.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
			return nil, err
		}
		b.buffer = bufio.NewWriterSize(b.file, 1<<20)
	}
	if b.out, err = recordfile.NewWriter(b.buffer, o); err != nil {
		return nil, errors.Join(err, b.remove())
	}
	return b, nil
}

// add writes a part: its header and its block byte for byte, and the separator of the standard.
func (b *body) add(p *part) error {
	_, _, err := b.out.Record(func(w io.Writer) error {
		if _, err := w.Write(p.head); err != nil {
			return err
		}
		if _, err := io.Copy(w, p.block.Reader()); err != nil {
			return err
		}
		_, err := io.WriteString(w, p.foot)
		return err
	})
	return err
}

// rewind returns to the first record.
func (b *body) rewind() error {
	if err := b.buffer.Flush(); err != nil {
		return err
	}
	_, err := b.file.Seek(0, io.SeekStart)
	return err
}

func (b *body) remove() error {
	if b.file == nil {
		return nil
	}
	return errors.Join(b.file.Close(), os.Remove(b.file.Name()))
}

// id returns the id of a record of the salvage. The same container, software and date give the same.
func (j *job) id(values ...string) string {
	fields := []warc.NameValue{{Name: "salvaged", Value: j.found.SHA512}, {Name: "by", Value: j.software()},
		{Name: "at", Value: warc.FormatDate(j.o.Date)}}
	for _, v := range values {
		fields = append(fields, warc.NameValue{Name: "of", Value: v})
	}
	return warcbuild.RecordID(fields)
}

func (j *job) software() string { return j.o.Agent.Name + " " + j.o.Agent.Version }

// mark adds a metadata record to a record that was found by a search.
func (j *job) mark(p *part) error {
	block := warcbuild.AppendField(nil, "salvage-found", string(BySearch))
	block = warcbuild.AppendField(block, "salvage-source-offset", strconv.FormatInt(p.Offset, 10))
	block = warcbuild.AppendField(block, "description", "the record was found by a search after damage; it can be "+
		"content of the damaged part")
	fields := []warc.NameValue{{Name: warc.FieldType, Value: warc.TypeMetadata},
		{Name: warc.FieldDate, Value: warc.FormatDate(j.o.Date)}, {Name: warc.FieldContentType, Value: typeFields},
		{Name: warc.FieldWarcinfoID, Value: j.info},
		{Name: warc.FieldRecordID, Value: j.id("found", strconv.FormatInt(p.At, 10), strconv.FormatInt(p.Offset, 10))}}
	if p.Record != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldRefersTo, Value: p.Record})
	}
	if p.URL != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldTargetURI, Value: warcbuild.TargetURI(p.URL)})
	}
	_, _, err := j.out.out.Record(func(w io.Writer) error {
		out, err := warc.NewWriter(w, warc.WriterOptions{})
		if err == nil {
			_, _, err = out.WriteBytes(fields, block)
		}
		return err
	})
	return err
}

// about returns the fields of a warcinfo that state the damaged container and the counts.
func (j *job) about() []warc.NameValue {
	r := &j.result
	fields := []warc.NameValue{{Name: "salvage-source-name", Value: filepath.Base(r.Source)},
		{Name: "salvage-source-size", Value: strconv.FormatInt(r.Bytes, 10)},
		{Name: "salvage-source-sha512", Value: r.SHA512}}
	for _, c := range []struct {
		name string
		n    int64
	}{{"kept", r.Kept}, {"inferred", r.Inferred}, {"behind-inferred", r.Behind}, {"unproven", r.Unproven},
		{"damaged", r.Damaged}, {"gaps", r.Gaps}, {"lost-bytes", r.LostBytes}, {"lost-named", r.Lost},
		{"lost-possibly", r.Possible}} {
		fields = append(fields, warc.NameValue{Name: "salvage-" + c.name, Value: strconv.FormatInt(c.n, 10)})
	}
	return fields
}

// warcinfo writes the record that explains a file of the salvage.
func (j *job) warcinfo(w *warc.Writer, id, file, description string, about []warc.NameValue) error {
	b := warcbuild.AppendField(nil, "software", j.software())
	b = warcbuild.AppendField(b, "format", "WARC File Format 1.1")
	b = warcbuild.AppendField(b, "conformsTo",
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	b = warcbuild.AppendField(b, "description", description)
	for _, f := range about {
		b = warcbuild.AppendField(b, f.Name, f.Value)
	}
	fields := []warc.NameValue{{Name: warc.FieldType, Value: warc.TypeWarcinfo}, {Name: warc.FieldRecordID, Value: id},
		{Name: warc.FieldDate, Value: warc.FormatDate(j.o.Date)}, {Name: warc.FieldFilename, Value: file},
		{Name: warc.FieldContentType, Value: typeFields}}
	_, _, err := w.WriteBytes(fields, b)
	return err
}

// write writes the new WARC: the warcinfo, then the whole records.
func (j *job) write(path string) (err error) {
	if err := j.out.rewind(); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buffer := bufio.NewWriterSize(f, 1<<20)
	content := &cancelled{j.ctx, j.out.file}
	if j.found.Format == "ARC" {
		err = j.convert(content, buffer)
	} else {
		err = j.join(content, buffer, filepath.Base(path))
	}
	if err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	return f.Sync()
}

// join writes the warcinfo and the records behind it.
func (j *job) join(content io.Reader, out io.Writer, name string) error {
	w, err := warc.NewWriter(out, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		return err
	}
	if err := j.warcinfo(w, j.info, name, "the whole records of a damaged container, byte for byte",
		j.about()); err != nil {
		return err
	}
	_, err = io.Copy(out, content)
	return err
}

// convert converts the new ARC as quire convert does: the ARC can be restored from the WARC.
func (j *job) convert(content io.Reader, out io.Writer) error {
	_, err := arcwarc.Convert(j.ctx, content, out, arcwarc.Options{Name: j.stem + "-salvaged.arc",
		Software: j.software(), Date: j.o.Date, TempDir: j.dir, About: j.about()})
	return err
}

// aside writes the WARC with the damaged bytes. It is made when the first are found.
type aside struct {
	job  *job
	path string
	out  *warc.Writer
	info string
}

// add writes a range of the file as a record, and returns its id.
func (a *aside) add(from, to int64, why string) (id string, err error) {
	j := a.job
	id = j.id("aside", strconv.FormatInt(from, 10))
	if j.o.DryRun {
		a.info = j.id("warcinfo", "aside")
		return id, nil
	}
	if a.out == nil {
		if a.out, err = warc.Create(a.path, warc.WriterOptions{Scratch: j.dir}); err != nil {
			return "", err
		}
		a.info = j.id("warcinfo", "aside")
		if err := j.warcinfo(a.out, a.info, filepath.Base(a.path),
			"ranges of a damaged container that hold no whole record, byte for byte", j.about()[:3]); err != nil {
			return "", err
		}
	}
	h := warc.NewHash("sha512")
	if _, err := io.Copy(h, &cancelled{j.ctx, io.NewSectionReader(j.file, from, to-from)}); err != nil {
		return "", err
	}
	fields := []warc.NameValue{{Name: warc.FieldType, Value: warc.TypeResource}, {Name: warc.FieldRecordID, Value: id},
		{Name: warc.FieldDate, Value: warc.FormatDate(j.o.Date)},
		{Name: warc.FieldTargetURI, Value: fmt.Sprintf("urn:salvage:%s#bytes=%d-%d", j.result.SHA512, from, to-1)},
		{Name: warc.FieldWarcinfoID, Value: a.info}, {Name: warc.FieldContentType, Value: "application/octet-stream"},
		{Name: warc.FieldBlockDigest, Value: warc.FormatDigest("sha512", h.Sum(nil))},
		{Name: FieldOffset, Value: strconv.FormatInt(from, 10)}, {Name: FieldWhy, Value: warcbuild.Escape(why)}}
	_, _, err = a.out.Write(fields, to-from, &cancelled{j.ctx, io.NewSectionReader(j.file, from, to-from)})
	return id, err
}

// Quire's own fields of the records in the WARC with the damaged bytes.
const (
	FieldOffset = "Salvage-Source-Offset" // of the first byte, in the container
	FieldWhy    = "Salvage-Reason"        // why the bytes are no whole record
)

func (a *aside) close() error {
	if a.out == nil {
		return nil
	}
	return a.out.Close()
}

// fragment keeps a range of the file aside.
func (j *job) fragment(from, to int64, why string) error {
	if from == to {
		return nil
	}
	id, err := j.aside.add(from, to, why)
	if err != nil {
		return err
	}
	j.result.LostBytes += to - from
	line := Line{Kind: Fragment, Offset: from, Length: to - from, At: -1, Why: why, Aside: id}
	if len(j.result.Fragments) < MaxListed {
		j.result.Fragments = append(j.result.Fragments, line)
	}
	j.names.hole()
	return j.lines.add(line)
}

// cancelled reads until the context ends.
type cancelled struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (c *cancelled) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}
