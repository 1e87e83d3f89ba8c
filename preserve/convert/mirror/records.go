package mirror

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"strconv"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/source"
)

// Fields of our own, which the standard allows (ISO 28500:2017, clause 4).
const (
	// FieldPart says what a record is of the mirror: one of the Parts.
	FieldPart = "Mirror-Part"
	// FieldGrade says how near the payload is to what the server sent: a source.Grade.
	FieldGrade = "Mirror-Grade"
	// FieldHead says where the head of a response comes from: a Head.
	FieldHead = "Mirror-Head"
)

// The Parts of a mirror, values of [FieldPart].
const (
	PartPayload = "payload" // what is left of a URL, under the URL
	PartFile    = "file"    // a file as found, under its own name
	PartRequest = "request" // the head of the request, as kept
	PartFacts   = "facts"   // what is known of the URL, and from what
)

const (
	typeResponse = "application/http;msgtype=response"
	typeRequest  = "application/http;msgtype=request"
	typeFields   = "application/warc-fields"
)

// record is what is to be written.
type record struct {
	kind, target, date, contentType string
	fields                          []warc.NameValue // behind those
	head                            []byte           // what the block begins with
	body                            *warcbuild.Held  // what it goes on with; nil for nothing
	payload                         string           // digest
}

// write writes a record with an id that is made of its content and its place, so that the same
// mirror gives the same ids.
func (c *conversion) write(r record) (Made, error) {
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
	_, _ = h.Write(r.head) // a hash takes everything
	if r.body != nil {
		if _, err := io.Copy(h, r.body.Reader()); err != nil {
			return Made{}, fmt.Errorf("reading a block again: %w", err)
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
	return Made{Type: r.kind, ID: id, Offset: offset}, err
}

// capture writes a record of a URL or of a file. A capture whose time nothing tells is kept as
// metadata, as in the conversion of ARC files: clause 5.4 asks a capture for its instant, and one
// that is guessed would be replayed as true.
func (c *conversion) capture(p *present, r record) (string, error) {
	r.date = p.date
	if !p.dated {
		r.kind, r.payload = warc.TypeMetadata, "" // 5.9 gives a metadata record no payload
	}
	made, err := c.write(r)
	p.made = append(p.made, made)
	return made.ID, err
}

// payloadRecords writes what is left of the URL: an answer, a resource, or a file as found and what
// was made of it.
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
		r.kind, r.contentType = warc.TypeResource, warcbuild.StatedType(p.MIME)
	default:
		return nil
	}
	if c.truncated(p) {
		r.fields = append(r.fields, warc.NameValue{Name: warc.FieldTruncated, Value: "unspecified"})
	}
	p.primary, err = c.capture(p, r)
	return err
}

// truncated says whether there were more bytes than there are.
func (c *conversion) truncated(p *present) bool {
	return p.damaged || p.Sent > 0 && !p.hasBody || p.Grade == source.Differing && p.size < p.Sent
}

// graded are the fields of our own of a payload.
func graded(p *present) []warc.NameValue {
	return append([]warc.NameValue{{Name: FieldPart, Value: PartPayload}}, grade(p)...)
}

func grade(p *present) []warc.NameValue {
	if p.Grade == "" {
		return nil
	}
	return []warc.NameValue{{Name: FieldGrade, Value: string(p.Grade)}}
}

// fileRecords writes a file as found, under a name that says that it is a file, and beside it the
// conversion (6.8): the same with its links turned back, under the URL.
func (c *conversion) fileRecords(p *present) (err error) {
	file := record{
		kind: warc.TypeResource, target: fileURN(p.File), contentType: warcbuild.StatedType(p.MIME),
		fields: []warc.NameValue{{Name: FieldPart, Value: PartFile}}, body: &c.body, payload: p.payload,
	}
	if p.damaged {
		file.fields = append(file.fields, warc.NameValue{Name: warc.FieldTruncated, Value: "unspecified"})
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
		kind: warc.TypeConversion, target: p.target(), contentType: warcbuild.StatedType(p.MIME), body: &c.turned,
		payload: sum,
		fields:  append([]warc.NameValue{{Name: warc.FieldRefersTo, Value: p.found}}, graded(p)...),
	})
	p.primary = p.converted
	return err
}

// requestRecord writes the head of the request, where it was kept.
func (c *conversion) requestRecord(p *present) error {
	if p.request == nil || p.URL == "" {
		return nil
	}
	c.secretsOf(p.request)
	head, _, ends := rewriteHead(p.request, nil)
	readable := isRequest(head)
	p.keepRequest = !readable || ends && !undoable(p.request)
	if !readable {
		return nil // nobody could read it as a request; the facts have it
	}
	r := record{kind: warc.TypeRequest, target: p.target(), contentType: typeRequest, head: head,
		fields: c.beside(p, PartRequest)}
	how := AsKept
	if ends {
		how = LineEnds
	}
	r.fields = append(r.fields, warc.NameValue{Name: FieldHead, Value: string(how)})
	_, err := c.capture(p, r)
	return err
}

// isRequest says whether a head begins as a request does.
func isRequest(head []byte) bool {
	_, _, err := http1.ParseHead(head, http1.Request, nil)
	return err == nil
}

// factsRecord writes what is known of the URL, and from what.
func (c *conversion) factsRecord(p *present) error {
	_, err := c.capture(p, record{
		kind: warc.TypeMetadata, target: p.target(), contentType: typeFields, head: c.facts(p),
		fields: append(c.beside(p, PartFacts), grade(p)...),
	})
	return err
}

// beside are the fields of a record that says more of another.
func (c *conversion) beside(p *present, part string) []warc.NameValue {
	fields := []warc.NameValue{{Name: FieldPart, Value: part}}
	if p.primary != "" {
		fields = append(fields, warc.NameValue{Name: warc.FieldConcurrentTo, Value: p.primary})
	}
	return fields
}

// target is what the records of a URL are filed under. What nobody knows the time of gets a name
// and no URL: some indexes take any record with a URL for a capture, at the date that the record
// has to have.
func (p *present) target() string {
	switch {
	case p.URL == "":
		return fileURN(p.File)
	case !p.dated:
		return "urn:mirror-undated:" + targetURI(p.URL)
	}
	return targetURI(p.URL)
}

// targetURI writes a URL as RFC 3986 allows it: crawlers keep it as it stood in a page, and send it
// so.
func targetURI(url string) string { return warcbuild.Percent(url, `"<>\^{|}`+"`") }

// fileURN names a file of the mirror: "urn:mirror-file:" and its path. It is no URL: nobody can
// fetch it, and no index takes it for one.
func fileURN(path string) string {
	return "urn:mirror-file:" + warcbuild.Percent(path, `%?#"<>\^{|}[]`+"`")
}
