package warc

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"time"

	"quire/format/http1"
)

// Builder is a record to be written by [Writer.WriteRecord], which adds the digests and the length.
// Create a Builder with NewResponse or a similar function, or as a literal with a Type. Then set or
// add the other fields. A Builder is written once.
type Builder struct {
	Type        string    // one of [Types], or another
	ID          string    // with angle brackets; NewID when ""
	Date        time.Time // now when zero; written to the second
	TargetURI   string
	ContentType string
	// Fields are further fields, in the order in which they are written. If Fields contains a
	// digest field, the Writer does not compute that digest.
	Fields []NameValue
	Block  io.Reader // nil is an empty block

	used bool // the block was read
}

// NewID returns a new record id: a random UUID (RFC 9562, 5.4) as a URN, in angle brackets.
func NewID() string {
	var u [16]byte
	_, _ = rand.Read(u[:]) // never fails
	u[6], u[8] = u[6]&0x0f|0x40, u[8]&0x3f|0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// NewWarcinfo returns a warcinfo record, which describes the records after it (clause 6.2). fields
// are the fields in its block: software, format, operator and so on. If the Writer knows the name
// of the file, it adds WARC-Filename.
func NewWarcinfo(fields ...NameValue) *Builder {
	var b bytes.Buffer
	for _, f := range fields {
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, strings.NewReplacer("\r", " ", "\n", " ").Replace(f.Value))
	}
	return &Builder{Type: TypeWarcinfo, ID: NewID(), ContentType: "application/warc-fields", Block: &b}
}

// NewResponse returns a response record (clause 6.3). message is the server's response as sent,
// beginning with the status line.
func NewResponse(uri string, date time.Time, message io.Reader) *Builder {
	return &Builder{Type: TypeResponse, ID: NewID(), Date: date, TargetURI: uri,
		ContentType: "application/http;msgtype=response", Block: message}
}

// NewRequest returns the request record (clause 6.5) for a response. message is the request as
// sent. The record has the URI and the date of the response, and refers to it in
// WARC-Concurrent-To.
func NewRequest(response *Builder, message io.Reader) *Builder {
	b := &Builder{Type: TypeRequest, ID: NewID(), Date: response.Date, TargetURI: response.TargetURI,
		ContentType: "application/http;msgtype=request", Block: message}
	return b.Add(FieldConcurrentTo, response.ID)
}

// NewResource returns a resource record (clause 6.4). content is the resource without the protocol
// with which it was fetched.
func NewResource(uri string, date time.Time, contentType string, content io.Reader) *Builder {
	return &Builder{Type: TypeResource, ID: NewID(), Date: date, TargetURI: uri, ContentType: contentType,
		Block: content}
}

// NewMetadata returns a metadata record (clause 6.6) about another record, which h is the header
// of.
func NewMetadata(h *Header, date time.Time, contentType string, block io.Reader) *Builder {
	b := &Builder{Type: TypeMetadata, ID: NewID(), Date: date, TargetURI: h.TargetURI(), ContentType: contentType,
		Block: block}
	return b.Add(FieldRefersTo, h.ID())
}

// NewConversion returns a conversion record (clause 6.8): content is another version of the content
// of the record which h is the header of.
func NewConversion(h *Header, date time.Time, contentType string, content io.Reader) *Builder {
	b := NewMetadata(h, date, contentType, content)
	b.Type = TypeConversion
	return b
}

// NewRevisit returns a revisit record (clause 6.7.2, profile identical-payload-digest). At that
// date the server sent the payload of the record with header h again. head is the answer up to the
// empty line behind its fields; it may be nil.
func NewRevisit(h *Header, date time.Time, head io.Reader) *Builder {
	b := &Builder{Type: TypeRevisit, ID: NewID(), Date: date, TargetURI: h.TargetURI(),
		ContentType: "application/http;msgtype=response", Block: head}
	b.Add(FieldProfile, ProfileIdenticalPayload11)
	for _, f := range []NameValue{
		{FieldRefersTo, h.ID()}, {FieldRefersToTargetURI, h.TargetURI()}, {FieldRefersToDate, h.Get(FieldDate)},
		{FieldPayloadDigest, h.Get(FieldPayloadDigest)},
	} {
		if f.Value != "" {
			b.Add(f.Name, f.Value)
		}
	}
	return b
}

// Add adds a field after the other fields, and returns b.
func (b *Builder) Add(name, value string) *Builder {
	b.Fields = append(b.Fields, NameValue{name, value})
	return b
}

// has reports whether a field of that name was added.
func (b *Builder) has(name string) bool {
	for _, f := range b.Fields {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// WriteRecord writes b. It returns the offset and the length of the record in the output. It sets
// ID and Date if they are missing, and adds the length, the WARC-Block-Digest and the
// WARC-Payload-Digest. In a response or request, the payload is the body without its transfer
// coding. In a resource or conversion, it is the block. Other records have no payload. The block is
// read completely before anything is written.
//
// WriteRecord refuses a record that breaks the standard, with an error that names the field, and
// does not read its block. Values are UTF-8 without control characters. The ID is a URI in angle
// brackets, the year of the Date has four digits, and the TargetURI has no spaces. Only
// WARC-Concurrent-To may be repeated, of the fields of the standard. The header has at most
// MaxHeader bytes.
func (w *Writer) WriteRecord(b *Builder) (offset, length int64, err error) {
	if err := w.out.Err(); err != nil {
		return 0, 0, err
	}
	if err := b.check(); err != nil {
		return 0, 0, err
	}
	if b.ID == "" {
		b.ID = NewID()
	}
	if b.Date.IsZero() {
		b.Date = time.Now().UTC()
	}
	if b.used {
		return 0, 0, fmt.Errorf("%s record %s was written already; make a new Builder", b.Type, b.ID)
	}
	fields := b.fields(w, strings.Repeat("0", digestMax), "")
	if err := checkValues(fields); err != nil {
		return 0, 0, err
	}
	if _, err := formatHeader(fields, 0); err != nil {
		return 0, 0, err
	}
	b.used = true
	block, payload, err := w.hold(b)
	if err != nil {
		return 0, 0, fmt.Errorf("reading the block of %s record %s: %w", b.Type, b.ID, err)
	}
	return w.Write(b.fields(w, block, payload), w.block.Size(), w.block.Reader())
}

// digestMax is how long a digest field is at most: "sha512:" and hexadecimal digits.
const digestMax = 7 + 128

// check reports an error if the record lacks a required field (clause 5, and clause 6 for each
// type).
func (b *Builder) check() error {
	switch b.Type {
	case "":
		return errors.New("a record to be written has no Type")
	case TypeResponse, TypeRequest, TypeResource, TypeRevisit, TypeConversion, TypeContinuation:
		if b.TargetURI == "" {
			return fmt.Errorf("a %s record to be written has no TargetURI", b.Type)
		}
	}
	return nil
}

// hold reads the block, and computes the digests; a digest that is not wanted is "".
func (w *Writer) hold(b *Builder) (block, payload string, err error) {
	w.block.Cut(0)
	if b.Block == nil {
		b.Block = strings.NewReader("")
	}
	sum := NewHash(w.digest)
	var of hash.Hash
	to := []io.Writer{&w.block, sum}
	var split *http1.Splitter
	var unframed *http1.Payload
	if kind, is := b.message(); is && !b.has(FieldPayloadDigest) {
		of = NewHash(w.digest)
		split = http1.NewSplitter(kind, func(h *http1.Head) io.Writer {
			unframed = http1.NewPayload(h, of)
			return unframed
		})
		to = append(to, split)
	}
	if _, err := io.CopyBuffer(io.MultiWriter(to...), struct{ io.Reader }{b.Block}, w.copy); err != nil {
		return "", "", err
	}
	block = FormatDigest(w.digest, sum.Sum(nil))
	switch {
	case b.has(FieldPayloadDigest):
	case split != nil:
		if err := split.Close(); err != nil {
			return "", "", err
		}
		if unframed != nil && unframed.Close() == nil { // broken framing has no payload that all would agree on
			payload = FormatDigest(w.digest, of.Sum(nil))
		}
	case b.Type == TypeResource, b.Type == TypeConversion:
		payload = block
	}
	return block, payload, nil
}

// message reports whether the block is an HTTP message with a payload of its own. It also returns
// the kind of message.
func (b *Builder) message() (http1.Kind, bool) {
	media, _, _ := strings.Cut(b.ContentType, ";")
	if !strings.EqualFold(strings.TrimSpace(media), "application/http") || b.has(FieldSegmentNumber) {
		return http1.Any, false
	}
	switch b.Type {
	case TypeResponse:
		return http1.Response, true
	case TypeRequest:
		return http1.Request, true
	}
	return http1.Any, false
}

// fields returns the fields of the record except the length.
func (b *Builder) fields(w *Writer, block, payload string) []NameValue {
	fields := []NameValue{{FieldType, b.Type}, {FieldRecordID, b.ID}, {FieldDate, FormatDate(b.Date)}}
	if b.TargetURI != "" {
		fields = append(fields, NameValue{FieldTargetURI, b.TargetURI})
	}
	if b.Type == TypeWarcinfo && w.name() != "" && !b.has(FieldFilename) {
		fields = append(fields, NameValue{FieldFilename, w.name()})
	}
	fields = append(fields, b.Fields...)
	if b.ContentType != "" && !b.has(FieldContentType) {
		fields = append(fields, NameValue{FieldContentType, b.ContentType})
	}
	if !b.has(FieldBlockDigest) {
		fields = append(fields, NameValue{FieldBlockDigest, block})
	}
	if payload != "" {
		fields = append(fields, NameValue{FieldPayloadDigest, payload})
	}
	return fields
}
