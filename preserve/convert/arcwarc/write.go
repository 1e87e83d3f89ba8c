package arcwarc

import (
	"fmt"
	"io"
	"strconv"

	"quire/format/arc"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/warc"
	"quire/format/zstdframe"
	"quire/internal/blockbuffer"
	"quire/internal/warcbuild"
)

// writeRecord writes the held record. separated means that the bytes after it fit in a field.
func (c *conversion) writeRecord(separated bool) error {
	rec := c.record
	if err := c.digest(&c.block); err != nil {
		return err
	}
	fields := describe(&rec.Header, c.sums.answered(), warc.FormatDate(c.o.Date))
	kind := fields[0].Value
	fields = append(fields,
		warc.NameValue{Name: warc.FieldWarcinfoID, Value: c.warcinfo},
		warc.NameValue{Name: FieldPart, Value: PartRecord},
		warc.NameValue{Name: FieldLine, Value: warcbuild.Escape(rec.Line)})
	if rec.LineEnd != "\n" {
		fields = append(fields, warc.NameValue{Name: FieldLineEnd, Value: warcbuild.Escape(rec.LineEnd)})
	}
	separator := ""
	if separated {
		separator = string(c.between.Bytes())
	}
	if separator != "\n" {
		fields = append(fields, warc.NameValue{Name: FieldSeparator, Value: warcbuild.Escape(separator)})
		c.report.Between += int64(len(separator))
	}
	if c.truncated {
		fields = append(fields, warc.NameValue{Name: warc.FieldTruncated, Value: "unspecified"})
	}
	c.count(rec, kind)
	c.restores(rec.Line+rec.LineEnd, &c.block, separator)
	return c.write(append(fields, c.sums.fields(kind)...), rec.InflatedOffset, &c.block)
}

// count adds a record to the report.
func (c *conversion) count(rec *arc.Record, kind string) {
	c.report.Records++
	c.report.Types[kind]++
	if captureDate(&rec.Header) == "" {
		c.report.Undated++
	}
}

// writeBetween writes bytes between records as a metadata record (6.6): they describe the file and
// are not a capture.
func (c *conversion) writeBetween() error {
	if err := c.digest(&c.between); err != nil {
		return err
	}
	fields := c.metadata(PartBetween, "application/octet-stream")
	at := c.report.InflatedSize
	c.report.Between += c.between.Size()
	c.restores("", &c.between, "")
	return c.write(append(fields, c.sums.fields(warc.TypeMetadata)...), at, &c.between)
}

// metadata returns the fields of a record about the file.
func (c *conversion) metadata(part, contentType string) []warc.NameValue {
	return []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeMetadata},
		{Name: warc.FieldDate, Value: warc.FormatDate(c.o.Date)},
		{Name: warc.FieldRefersTo, Value: c.warcinfo},
		{Name: warc.FieldWarcinfoID, Value: c.warcinfo},
		{Name: warc.FieldContentType, Value: contentType},
		{Name: FieldPart, Value: part},
	}
}

// digest reads a block to compute the fields before it.
func (c *conversion) digest(block *blockbuffer.Buffer) error {
	c.sums.reset()
	if _, err := io.Copy(c.sums, block.Reader()); err != nil {
		return fmt.Errorf("reading a block again: %w", err)
	}
	c.sums.finish()
	return nil
}

// restores adds a record to the digest of the restored ARC.
func (c *conversion) restores(line string, block *blockbuffer.Buffer, separator string) {
	c.inflatedText(line)
	c.report.InflatedSize += block.Size()
	c.inflatedErr(io.Copy(c.inflated, block.Reader()))
	c.inflatedText(separator)
}

func (c *conversion) inflatedText(s string) {
	n, err := io.WriteString(c.inflated, s)
	c.report.InflatedSize += int64(n)
	c.inflatedErr(int64(n), err)
}

// inflatedErr keeps an error of rereading a temporary file.
func (c *conversion) inflatedErr(_ int64, err error) {
	if err != nil && c.err == nil {
		c.err = err
	}
}

// write writes a record. Its id is computed from its content and position, so the same ARC gives
// the same ids.
func (c *conversion) write(fields []warc.NameValue, at int64, block *blockbuffer.Buffer) error {
	if c.err != nil {
		return c.err
	}
	id := warcbuild.RecordID(append([]warc.NameValue{{Name: c.o.Name, Value: strconv.FormatInt(at, 10)}}, fields...))
	fields = append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id})
	_, _, err := c.out.Write(fields, block.Size(), block.Reader())
	return err
}

// writeWarcinfo writes the first record (6.2): the software, the ARC, and the contents of its
// version block. The version block itself follows as a separate record.
func (c *conversion) writeWarcinfo(v *arc.VersionBlock) error {
	block := infoBlock(&c.o, v)
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeWarcinfo},
		{Name: warc.FieldDate, Value: warc.FormatDate(c.o.Date)},
		{Name: warc.FieldContentType, Value: typeFields},
	}
	c.warcinfo = warcbuild.RecordID(append(fields, warc.NameValue{Name: c.o.Name, Value: string(block)}))
	_, _, err := c.out.WriteBytes(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: c.warcinfo}), block)
	return err
}

// maxFacts bounds the ARC metadata copied to the warcinfo, in bytes. The record of the version
// block has all of it.
const maxFacts = 64 << 10

func infoBlock(o *Options, v *arc.VersionBlock) []byte {
	b := warcbuild.AppendField(nil, "software", o.Software)
	b = warcbuild.AppendField(b, "format", "WARC File Format 1.1")
	b = warcbuild.AppendField(b, "conformsTo",
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	b = warcbuild.AppendField(b, "description", "converted from an ARC file, one record to one record")
	b = warcbuild.AppendField(b, "source-name", o.Name)
	if o.Size > 0 {
		b = warcbuild.AppendField(b, "source-size", strconv.FormatInt(o.Size, 10))
	}
	b = warcbuild.AppendField(b, "source-sha512", o.SHA512)
	for _, f := range o.About {
		b = warcbuild.AppendField(b, f.Name, f.Value)
	}
	if v == nil {
		return b
	}
	b = warcbuild.AppendField(b, "arc-name", v.Name)
	b = warcbuild.AppendField(b, "arc-version", v.Version)
	b = warcbuild.AppendField(b, "arc-origin", v.Origin)
	for _, f := range v.Fields {
		if len(b)+len(f.Name)+len(f.Value) < maxFacts {
			b = warcbuild.AppendField(b, "arc-"+f.Name, f.Value)
		}
	}
	return b
}

// writeSummary writes the last record: the expected result of Restore.
func (c *conversion) writeSummary() error {
	r := c.report
	b := warcbuild.AppendField(nil, "source-name", c.o.Name)
	b = warcbuild.AppendField(b, "source-size", strconv.FormatInt(r.Size, 10))
	b = warcbuild.AppendField(b, "source-sha512", r.SHA512)
	b = warcbuild.AppendField(b, summarySize, strconv.FormatInt(r.InflatedSize, 10))
	b = warcbuild.AppendField(b, summarySHA512, r.InflatedSHA)
	b = warcbuild.AppendField(b, summaryRecords, strconv.FormatInt(r.Records, 10))
	fields := c.metadata(PartSummary, typeFields)
	id := warcbuild.RecordID(append(fields, warc.NameValue{Name: c.o.Name, Value: string(b)}))
	_, _, err := c.out.WriteBytes(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id}), b)
	return err
}

// Fields of the summary for checking a restored ARC.
const (
	summarySize    = "inflated-size"
	summarySHA512  = "inflated-sha512"
	summaryRecords = "records"
)

// losing reports whether a fault means that compressed bytes could not be inflated, or may be
// inflated wrongly.
func losing(code fault.Code) bool {
	switch code {
	case gzipmember.FaultMethod, gzipmember.FaultHeader, gzipmember.FaultDeflate, gzipmember.FaultTruncated,
		gzipmember.FaultCRC32, gzipmember.FaultSize, gzipmember.FaultGarbage,
		zstdframe.FaultFrame, zstdframe.FaultTruncated, zstdframe.FaultGarbage, zstdframe.FaultDictionary:
		return true
	}
	return false
}
