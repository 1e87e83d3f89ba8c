package mirror

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"strconv"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/blockbuffer"
	"quire/internal/warcbuild"
	"quire/source"
)

// Quire's own fields, which the standard allows (ISO 28500:2017, clause 4).
const (
	// FieldPart states which part of the mirror a record is: one of the Parts.
	FieldPart = "Mirror-Part"
	// FieldGrade states how close the payload is to the bytes that the server sent: a source.Grade.
	FieldGrade = "Mirror-Grade"
	// FieldHead states the origin of a response's head: a Head.
	FieldHead = "Mirror-Head"
)

// The Parts of a mirror, which are the values of [FieldPart].
const (
	PartPayload = "payload" // the remaining content of a URL, under the URL
	PartFile    = "file"    // a file as found, under its own name
	PartRequest = "request" // the head of the request, as kept
	PartFacts   = "facts"   // the known facts of the URL, and their sources
)

const (
	typeResponse = "application/http;msgtype=response"
	typeRequest  = "application/http;msgtype=request"
	typeFields   = "application/warc-fields"
)

// record is a record to be written.
type record struct {
	kind, target, date, contentType string
	fields                          []warc.NameValue    // after those
	head                            []byte              // the beginning of the block
	body                            *blockbuffer.Buffer // the rest of the block; nil if empty
	payload                         string              // digest
}

// write writes a record. Its id is computed from its content and position, so the same mirror gives
// the same ids.
func (c *conversion) write(r record) (WrittenRecord, error) {
	fields := []warc.NameValue{{Name: warc.FieldType, Value: r.kind}}
	if r.target != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldTargetURI, Value: r.target})
	}
	fields = append(fields, warc.NameValue{Name: warc.FieldDate, Value: r.date})
	if r.contentType != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldContentType, Value: r.contentType})
	}
	if c.warcinfo != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldWarcinfoID, Value: c.warcinfo})
	}
	fields = append(fields, r.fields...)
	h := sha1.New()
	block, size := io.Reader(bytes.NewReader(r.head)), int64(len(r.head))
	_, _ = h.Write(r.head) // a hash never fails
	if r.body != nil {
		if _, err := io.Copy(h, r.body.Reader()); err != nil {
			return WrittenRecord{}, fmt.Errorf("reading a block again: %w", err)
		}
		block, size = io.MultiReader(block, r.body.Reader()), size+r.body.Size()
	}
	fields = append(fields, warc.NameValue{Name: warc.FieldBlockDigest,
		Value: warc.FormatDigest(algorithm, h.Sum(nil))})
	if r.payload != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldPayloadDigest, Value: r.payload})
	}
	id := warcbuild.RecordID(append([]warc.NameValue{{Name: c.o.Name, Value: strconv.FormatInt(c.count, 10)}},
		fields...))
	fields = append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id})
	offset, _, err := c.out.Write(fields, size, block)
	c.count++
	c.report.Records++
	c.report.Types[r.kind]++
	return WrittenRecord{Type: r.kind, ID: id, Offset: offset}, err
}

// capture writes a record of a URL or of a file. A capture without a date is kept as metadata, as
// in the conversion of ARC files: clause 5.4 requires the time of a capture, and replay would show
// a guessed time as true.
func (c *conversion) capture(p *present, r record) (string, error) {
	r.date = p.date
	if !p.dated {
		r.kind, r.payload = warc.TypeMetadata, "" // 5.9 defines no payload for metadata records
	}
	made, err := c.write(r)
	p.made = append(p.made, made)
	return made.ID, err
}

// payloadRecords writes the remaining content of the URL: an answer, a resource, or a file as found
// with its conversion.
func (c *conversion) payloadRecords(p *present) (err error) {
	if p.hasBody && (p.Rewritten || p.URL == "") {
		return c.fileRecords(p)
	}
	if p.URL == "" {
		return nil
	}
	r := record{target: p.target(), fields: graded(p), body: &c.body, payload: p.payload}
	switch r.head = c.responseHead(p); {
	case r.head != nil:
		r.kind, r.contentType = warc.TypeResponse, typeResponse
		r.fields = append(r.fields, warc.NameValue{Name: FieldHead, Value: string(p.head)})
		if r.payload == "" {
			r.payload = warc.FormatDigest(algorithm, sha1.New().Sum(nil)) // of an answer without a body
		}
		c.report.Heads[p.head]++
	case p.hasBody:
		r.kind, r.contentType = warc.TypeResource, p.contentType()
	default:
		return nil
	}
	r.fields = append(r.fields, c.truncated(p)...)
	p.primary, err = c.capture(p, r)
	return err
}

// truncated returns the field for a payload with missing bytes (5.13), with the reason if known.
func (c *conversion) truncated(p *present) []warc.NameValue {
	reason := p.Truncated
	if reason == "" && (p.damaged || p.Sent > 0 && !p.hasBody || p.Grade == source.Differing && p.size < p.Sent) {
		reason = "unspecified"
	}
	if reason == "" {
		return nil
	}
	return []warc.NameValue{{Name: warc.FieldTruncated, Value: reason}}
}

// graded returns Quire's own fields for a payload.
func graded(p *present) []warc.NameValue {
	return append([]warc.NameValue{{Name: FieldPart, Value: PartPayload}}, grade(p)...)
}

func grade(p *present) []warc.NameValue {
	if p.Grade == "" {
		return nil
	}
	return []warc.NameValue{{Name: FieldGrade, Value: string(p.Grade)}}
}

// fileRecords writes a file as found, under a name that marks it as a file. If links were restored,
// it also writes a conversion record (6.8) under the URL: the same file with restored links.
func (c *conversion) fileRecords(p *present) (err error) {
	file := record{
		kind: warc.TypeResource, target: fileURN(p.File), contentType: p.contentType(),
		fields: []warc.NameValue{{Name: FieldPart, Value: PartFile}}, body: &c.body, payload: p.payload,
	}
	if p.damaged || p.Truncated != "" {
		file.fields = append(file.fields, c.truncated(p)...)
	}
	if p.found, err = c.capture(p, file); err != nil {
		return err
	}
	p.primary = p.found
	if p.turned == nil || p.URL == "" {
		return nil
	}
	sum, err := c.sum(c.turned.Reader(), nil)
	if err != nil {
		return fmt.Errorf("reading a page again: %w", err)
	}
	p.converted, err = c.capture(p, record{
		kind: warc.TypeConversion, target: p.target(), contentType: p.contentType(), body: &c.turned,
		payload: sum,
		fields:  append([]warc.NameValue{{Name: warc.FieldRefersTo, Value: p.found}}, graded(p)...),
	})
	p.primary = p.converted
	return err
}

// requestRecord writes the head of the request, if it was kept.
func (c *conversion) requestRecord(p *present) error {
	if p.request == nil || p.URL == "" {
		return nil
	}
	c.secretsOf(p.request)
	head, _, ends := rewriteHead(p.request, nil)
	readable := isRequest(head)
	p.keepRequest = !readable || ends && !undoable(p.request)
	if !readable {
		return nil // not readable as a request; the facts contain it
	}
	r := record{kind: warc.TypeRequest, target: p.target(), contentType: typeRequest, head: head,
		fields: c.relatedFields(p, PartRequest)}
	how := AsKept
	if ends {
		how = LineEnds
	}
	r.fields = append(r.fields, warc.NameValue{Name: FieldHead, Value: string(how)})
	_, err := c.capture(p, r)
	return err
}

// isRequest reports whether a head begins like a request.
func isRequest(head []byte) bool {
	_, _, err := http1.ParseHead(head, http1.Request, nil)
	return err == nil
}

// factsRecord writes the known facts of the URL, and their sources.
func (c *conversion) factsRecord(p *present) error {
	_, err := c.capture(p, record{
		kind: warc.TypeMetadata, target: p.target(), contentType: typeFields, head: c.facts(p),
		fields: append(c.relatedFields(p, PartFacts), grade(p)...),
	})
	return err
}

// relatedFields returns the fields of a record that describes another record.
func (c *conversion) relatedFields(p *present, part string) []warc.NameValue {
	fields := []warc.NameValue{{Name: FieldPart, Value: part}}
	if p.primary != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldConcurrentTo, Value: p.primary})
	}
	return fields
}

// target returns the target URI for the records of a URL. A capture without a date gets a URN
// instead of its URL. Some indexes treat any record with a URL as a capture, at the record's date,
// which here would be wrong.
func (p *present) target() string {
	switch {
	case p.URL == "":
		return fileURN(p.File)
	case !p.dated:
		return "urn:mirror-undated:" + targetURI(p.URL)
	}
	return targetURI(p.URL)
}

// targetURI writes a URL in the form that RFC 3986 allows. Crawlers store and send URLs exactly as
// they are written in a page.
func targetURI(url string) string { return warcbuild.Percent(url, `"<>\^{|}`+"`") }

// fileURN names a file of the mirror: "urn:mirror-file:" and its path. It is not a URL: it cannot
// be fetched, and indexes ignore it.
func fileURN(path string) string {
	return "urn:mirror-file:" + warcbuild.Percent(path, `%?#"<>\^{|}[]`+"`")
}
