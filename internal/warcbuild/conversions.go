package warcbuild

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"quire/format/warc"
	"quire/internal/blockbuffer"
)

// Conversions writes a WARC of conversion records: bytestreams derived from other records (ISO
// 28500:2017, 6.8).
type Conversions struct {
	out  *warc.Writer
	date string
	info string // id of the warcinfo record
}

// Converted is one bytestream derived from another.
type Converted struct {
	TargetURI   string // of the source record, as found
	RefersTo    string // id of the source record
	ContentType string // "" if unknown
	Content     *blockbuffer.Buffer
}

// NewConversions writes the warcinfo record, with the fields of every Quire WARC and then about.
// name is the file's name.
func NewConversions(w io.Writer, name string, date time.Time, software string, about []warc.NameValue) (*Conversions,
	error) {
	out, err := warc.NewWriter(w, warc.WriterOptions{Compression: warc.Gzip})
	if err != nil {
		return nil, err
	}
	c := &Conversions{out: out, date: warc.FormatDate(date)}
	b := AppendField(nil, "software", software)
	b = AppendField(b, "format", "WARC File Format 1.1")
	b = AppendField(b, "conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	for _, f := range about {
		b = AppendField(b, f.Name, f.Value)
	}
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeWarcinfo}, {Name: warc.FieldDate, Value: c.date},
		{Name: warc.FieldFilename, Value: name}, {Name: warc.FieldContentType, Value: "application/warc-fields"},
	}
	sum := sha256.Sum256(b)
	c.info = RecordID(append(fields, warc.NameValue{Name: "block", Value: hex.EncodeToString(sum[:])}))
	_, _, err = out.WriteBytes(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: c.info}), b)
	return c, err
}

// Write writes a conversion record. It returns the record's id, derived from its content and its
// references, and the SHA-256 of the content.
func (c *Conversions) Write(r Converted) (id, sha256Hex string, err error) {
	sha1Sum, sha256Sum := sha1.New(), sha256.New()
	if _, err := io.Copy(io.MultiWriter(sha1Sum, sha256Sum), r.Content.Reader()); err != nil {
		return "", "", err
	}
	sha256Hex = hex.EncodeToString(sha256Sum.Sum(nil))
	stated := warc.FormatDigest("sha1", sha1Sum.Sum(nil))
	fields := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeConversion}, {Name: warc.FieldTargetURI, Value: TargetURI(r.TargetURI)},
		{Name: warc.FieldDate, Value: c.date}, {Name: warc.FieldRefersTo, Value: r.RefersTo},
		{Name: warc.FieldWarcinfoID, Value: c.info},
	}
	if r.ContentType != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldContentType, Value: r.ContentType})
	}
	fields = append(fields, warc.NameValue{Name: warc.FieldBlockDigest, Value: stated},
		warc.NameValue{Name: warc.FieldPayloadDigest, Value: stated}) // without a head, the block is the payload
	id = RecordID(append(fields, warc.NameValue{Name: "block", Value: sha256Hex}))
	_, _, err = c.out.Write(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id}), r.Content.Size(),
		r.Content.Reader())
	return id, sha256Hex, err
}
