package crawl

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"quire/format/warc"
	"quire/holdings"
	"quire/internal/blockbuffer"
	"quire/internal/warcbuild"
)

// resolve writes a revisit as a response with the payload, if the payload is not in the export
// otherwise. The HTTP header is taken from the revisit, and the payload from its original in the
// repository. A metadata record documents this.
func (c *container) resolve(ctx context.Context, capture *holdings.Judged, rec *warc.Record) error {
	fields := warc.ParseHeader(bytes.Clone(rec.Raw()))
	content, err := c.source.Read(ctx, capture.Capture)
	if err != nil {
		return c.source.Fail(capture.Capture, err)
	}
	defer func() { _ = content.Body.Close() }() // only read
	block := blockbuffer.Buffer{Dir: c.scratch}
	defer func() { _ = block.Close() }() // a temporary file
	_, _ = block.Write(headOf(content))  // held in memory
	payload := sha1.New()
	if _, err := io.Copy(io.MultiWriter(&block, payload), content.Body); err != nil {
		return c.source.Fail(capture.Capture, err)
	}
	sums := [2]string{}
	first, second := sha1.New(), sha256.New()
	if _, err := io.Copy(io.MultiWriter(first, second), block.Reader()); err != nil {
		return err
	}
	sums[0], sums[1] = warc.FormatDigest("sha1", first.Sum(nil)), hex.EncodeToString(second.Sum(nil))
	made := []warc.NameValue{{Name: warc.FieldType, Value: warc.TypeResponse}}
	for _, f := range []string{warc.FieldTargetURI, warc.FieldDate, warc.FieldIPAddress, warc.FieldWarcinfoID} {
		if v := fields.Get(f); v != "" {
			made = append(made, warc.NameValue{Name: f, Value: v})
		}
	}
	made = append(made, warc.NameValue{Name: warc.FieldContentType, Value: "application/http; msgtype=response"},
		warc.NameValue{Name: warc.FieldPayloadDigest, Value: warc.FormatDigest("sha1", payload.Sum(nil))},
		warc.NameValue{Name: warc.FieldBlockDigest, Value: sums[0]})
	id := warcbuild.RecordID(append(made, warc.NameValue{Name: "block", Value: sums[1]},
		warc.NameValue{Name: "revisit", Value: fields.Get(warc.FieldRecordID)}))
	at, err := c.out.stream(append(made, warc.NameValue{Name: warc.FieldRecordID, Value: id}), block.Size(),
		block.Reader())
	if err != nil {
		return err
	}
	at.made = id
	c.counts.made++
	if err := c.explain(capture, fields, id); err != nil {
		return err
	}
	return c.copied(capture, at)
}

// explain writes the metadata record about the origin of a response.
func (c *container) explain(capture *holdings.Judged, revisit *warc.Header, id string) error {
	block := warcbuild.AppendField(nil, "made-from", "revisit "+revisit.Get(warc.FieldRecordID))
	block = warcbuild.AppendField(block, "payload-package", warcbuild.Escape(capture.Payload.Package))
	if c.source.Who.Class == holdings.Staff { // names of containers can reveal their other content
		block = warcbuild.AppendField(block, "payload-record-at",
			fmt.Sprintf("%s, byte %d", warcbuild.Escape(capture.Payload.Container), capture.Payload.Offset))
	}
	block = warcbuild.AppendField(block, "note",
		"the head is that of the revisit, the payload that of the record it stands for")
	made := []warc.NameValue{
		{Name: warc.FieldType, Value: warc.TypeMetadata},
		{Name: warc.FieldTargetURI, Value: revisit.Get(warc.FieldTargetURI)},
		{Name: warc.FieldDate, Value: revisit.Get(warc.FieldDate)}, {Name: warc.FieldRefersTo, Value: id},
		{Name: warc.FieldContentType, Value: "application/warc-fields"},
	}
	made = append(made, warc.NameValue{Name: warc.FieldRecordID,
		Value: warcbuild.RecordID(append(made, warc.NameValue{Name: "block", Value: string(block)}))})
	if err := c.out.room(int64(len(block))); err != nil {
		return err
	}
	_, err := c.out.write(made, block)
	return err
}

// headOf returns the HTTP head of a content. It still names the original transfer coding, which the
// body no longer has.
func headOf(content *holdings.Content) []byte {
	proto := content.Proto
	if proto == "" {
		proto = "HTTP/1.1"
	}
	b := fmt.Appendf(nil, "%s %03d \r\n", proto, content.Status)
	for _, f := range content.Header {
		name := f.Name
		if strings.EqualFold(name, "Transfer-Encoding") {
			name = "X-Archive-Orig-" + name
		}
		b = append(append(append(append(b, name...), ": "...),
			strings.NewReplacer("\r", " ", "\n", " ").Replace(f.Value)...), "\r\n"...)
	}
	return append(b, "\r\n"...)
}
