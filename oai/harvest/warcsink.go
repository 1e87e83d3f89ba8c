package harvest

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/oai/client"
	"quire/oai/crate"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/source/oaiharvest"
)

// warcSink writes records into containers.
type warcSink struct {
	*containers
	seen *seen
}

// newSink opens the output of the harvest.
func (h *harvest) newSink(ctx context.Context) (sink, error) {
	h.blocks.dir = h.folder.path
	index, err := openSeen(ctx, h.folder.at(oaiharvest.SeenFile), h.pagesRead())
	if err != nil {
		return nil, err
	}
	if h.As == Files {
		return &fileSink{harvest: h, seen: index, folders: map[string]bool{}, explained: map[string]bool{}}, nil
	}
	c, err := openContainers(h)
	if err != nil {
		return nil, errors.Join(err, index.close())
	}
	return &warcSink{c, index}, nil
}

func (s *warcSink) index() *seen { return s.seen }

func (s *warcSink) commit() error {
	if s.window.Ended != nil {
		if err := s.finish(); err != nil {
			return err
		}
	}
	return errors.Join(s.sync(), s.seen.commit())
}

func (s *warcSink) close() error { return errors.Join(s.abort(), s.seen.close()) }

// fields returns the first header fields of a record.
func (s *warcSink) fields(kind, uri string, p *page, r *client.Record, contentType string) []warc.NameValue {
	f := []warc.NameValue{
		{Name: warc.FieldType, Value: kind}, {Name: warc.FieldTargetURI, Value: warcbuild.TargetURI(uri)},
		{Name: warc.FieldDate, Value: warc.FormatDate(p.when)}, {Name: warc.FieldWarcinfoID, Value: s.info},
		{Name: fieldIdentifier, Value: warcbuild.Escape(r.Identifier)},
		{Name: fieldDatestamp, Value: warcbuild.Escape(r.DatestampText)},
	}
	if t := warcbuild.StatedType(contentType); t != "" {
		f = append(f, warc.NameValue{Name: warc.FieldContentType, Value: t})
	}
	return f
}

// put writes a record with a block in memory, and returns its id.
func (s *warcSink) put(fields []warc.NameValue, block []byte) (id string, err error) {
	sum := sha256.Sum256(block)
	id = warcbuild.RecordID(append(fields, warc.NameValue{Name: "block", Value: hex.EncodeToString(sum[:])}))
	return id, s.writeBytes(append(fields, warc.NameValue{Name: warc.FieldRecordID, Value: id}), block)
}

// crate writes the content of a CRATE: its bytes as resource records, and its statements as
// concurrent metadata records.
func (s *warcSink) crate(k *crateRecord) error {
	if err := s.room(); err != nil {
		return err
	}
	about := "" // id of the record that the metadata describe
	uri := k.uri()
	for _, b := range k.bodies {
		if b.held == nil {
			continue
		}
		id, err := s.resource(k, b)
		if err != nil {
			return err
		}
		if about == "" {
			about, uri = id, b.uri
		}
	}
	describes := func(part, contentType string, more ...warc.NameValue) []warc.NameValue {
		f := s.fields(warc.TypeMetadata, uri, k.page, k.record, contentType)
		f = append(append(append(f, warc.NameValue{Name: FieldPart, Value: part}), more...), k.several()...)
		if about != "" {
			f = append(f, warc.NameValue{Name: warc.FieldConcurrentTo, Value: about})
		}
		return f
	}
	said := func(part, contentType string, block []byte, more ...warc.NameValue) error {
		id, err := s.put(describes(part, contentType, more...), block)
		if about == "" { // no bytes: the others are concurrent to the facts
			about = id
		}
		return err
	}
	if err := said(PartFacts, "application/warc-fields", k.facts()); err != nil {
		return err
	}
	if k.doc.Head != nil {
		if err := said(PartHead, "application/http; msgtype=response", headBytes(k.doc.Head)); err != nil {
			return err
		}
	}
	for i := range k.doc.Results {
		r := &k.doc.Results[i]
		if err := said(PartOutput, r.MIMEType, r.Bytes, toolFields(r)...); err != nil {
			return err
		}
	}
	for i := range k.doc.Sources {
		if err := said(PartSource, "text/xml", []byte(k.doc.Sources[i].XML)); err != nil {
			return err
		}
	}
	for _, st := range k.doc.Statements {
		if err := said(PartStatement, statementType(&st), []byte(st.Content+st.Ref),
			warc.NameValue{Name: "DIDL-Place", Value: warcbuild.Escape(st.Place)}); err != nil {
			return err
		}
	}
	if err := s.abouts(k.record, said); err != nil {
		return err
	}
	if s.state.Documents {
		if err := s.whole(k, describes(PartDocument, "text/xml")); err != nil {
			return err
		}
	}
	return s.schemas(k)
}

// toolFields returns the fields of a tool's output.
func toolFields(r *plugin.Result) []warc.NameValue {
	f := []warc.NameValue{{Name: FieldLabel, Value: warcbuild.Escape(r.Label)},
		{Name: FieldVersion, Value: warcbuild.Escape(r.Version)}}
	began := ""
	if !r.Began.IsZero() {
		began = warc.FormatDate(r.Began)
	}
	for _, o := range []warc.NameValue{{Name: FieldOutcome, Value: string(r.Outcome)},
		{Name: FieldReason, Value: r.Reason}, {Name: FieldTool, Value: r.Tool},
		{Name: FieldCommand, Value: r.Command}, {Name: FieldBegan, Value: began}, {Name: FieldJail, Value: r.Jail}} {
		if o.Value != "" {
			f = append(f, warc.NameValue{Name: o.Name, Value: warcbuild.Escape(o.Value)})
		}
	}
	return f
}

// several returns a field with the resources of a record with several. Access to one of them is
// then no access to the descriptions of all.
func (k *crateRecord) several() []warc.NameValue {
	if len(k.bodies) < 2 {
		return nil
	}
	var all []string
	for _, b := range k.bodies {
		all = append(all, warcbuild.TargetURI(b.uri))
	}
	return []warc.NameValue{{Name: FieldResources, Value: strings.Join(all, " ")}}
}

// statementType returns the media type of a stored statement. Elements are always stored as XML.
func statementType(s *crate.Statement) string {
	if strings.HasPrefix(strings.TrimSpace(s.Content), "<") && !strings.Contains(s.MIMEType, "xml") {
		return "text/xml"
	}
	return s.MIMEType
}

// abouts writes the about containers.
func (s *warcSink) abouts(r *client.Record,
	said func(part, contentType string, block []byte, more ...warc.NameValue) error) error {
	for i := range r.Abouts() {
		block, err := io.ReadAll(io.LimitReader(r.About(i), maxAbout))
		if err != nil {
			return err
		}
		if err := said(PartAbout, "text/xml", block); err != nil {
			return err
		}
	}
	return nil
}

// maxAbout is the maximum stored size of an about container in bytes.
const maxAbout = 16 << 20

// uri returns the URI of the declared resource, or the record's identifier.
func (k *crateRecord) uri() string {
	if k.doc.Identifier != "" {
		return k.doc.Identifier
	}
	return k.record.Identifier
}

// resource writes bytes. Bytes with a content coding are unreadable without their HTTP head, so
// they become a response record.
func (s *warcSink) resource(k *crateRecord, b *body) (id string, err error) {
	sum := sha1.New()
	if _, err := io.Copy(sum, b.held.Reader()); err != nil {
		return "", err
	}
	payload := warc.FormatDigest("sha1", sum.Sum(nil))
	kind, contentType, head := warc.TypeResource, b.MIMEType, []byte(nil)
	if len(b.Coding) > 0 && k.doc.Head != nil && k.doc.Head.Status > 0 {
		kind, contentType, head = warc.TypeResponse, "application/http; msgtype=response",
			codedHead(k.doc.Head, b.held.Size())
	}
	block := payload
	if head != nil {
		sum.Reset()
		_, _ = sum.Write(head) // a hash never fails
		if _, err := io.Copy(sum, b.held.Reader()); err != nil {
			return "", err
		}
		block = warc.FormatDigest("sha1", sum.Sum(nil))
	}
	f := s.fields(kind, b.uri, k.page, k.record, contentType)
	f = append(f, warc.NameValue{Name: warc.FieldBlockDigest, Value: block},
		warc.NameValue{Name: warc.FieldPayloadDigest, Value: payload})
	if len(b.Coding) > 0 {
		f = append(f, warc.NameValue{Name: fieldCoding, Value: warcbuild.Escape(strings.Join(b.Coding, " "))})
	}
	id = warcbuild.RecordID(append(f, warc.NameValue{Name: "block", Value: b.found.SHA256}))
	f = append(f, warc.NameValue{Name: warc.FieldRecordID, Value: id})
	return id, s.write(f, int64(len(head))+b.held.Size(), io.MultiReader(bytes.NewReader(head), b.held.Reader()))
}

// facts returns the known facts of a record as fields (ISO 28500:2017, Annex B).
func (k *crateRecord) facts() []byte {
	b := k.header(k.record)
	for _, body := range k.bodies {
		b = warcbuild.AppendField(b, "resource", body.uri)
		b = warcbuild.AppendField(b, "resource-name", body.Name)
		if !body.Modified.IsZero() {
			b = warcbuild.AppendField(b, "resource-modified", protocol.FormatDatestamp(body.Modified))
		}
		if body.Size() >= 0 {
			b = warcbuild.AppendField(b, "resource-size", strconv.FormatInt(body.Size(), 10))
		}
		b = warcbuild.AppendField(b, "resource-sha256", body.found.SHA256)
		b = warcbuild.AppendField(b, "stated-size", stated(body.Stated))
		b = warcbuild.AppendField(b, "stated-sha256", body.Stated.SHA256)
		b = warcbuild.AppendField(b, "stated-sha512", body.Stated.SHA512)
		if body.fetched {
			b = warcbuild.AppendField(b, "fetched-from", body.Ref)
		} else {
			b = warcbuild.AppendField(b, "refers-to", body.Ref)
		}
		if body.held == nil {
			b = warcbuild.AppendField(b, "missing", body.problem)
		} else {
			b = warcbuild.AppendField(b, "differs", body.problem)
		}
	}
	b = warcbuild.AppendField(b, "document-id", k.doc.ID)
	if !k.doc.Created.IsZero() {
		b = warcbuild.AppendField(b, "document-created", protocol.FormatDatestamp(k.doc.Created))
	}
	if g := k.doc.Generator; g != nil {
		b = warcbuild.AppendField(b, "document-generator", strings.TrimSpace(g.Name+" "+g.Version))
		for _, n := range g.Schemas {
			b = warcbuild.AppendField(b, "document-schema", n.Namespace+" "+n.SWHID)
		}
	}
	for _, n := range k.doc.Notices {
		b = warcbuild.AppendField(b, "notice", string(n.Code)+": "+n.Text)
	}
	for _, p := range k.doc.Problems {
		b = warcbuild.AppendField(b, "problem", p)
	}
	return b
}

// Size returns the number of stored bytes, or -1 if they are missing.
func (b *body) Size() int64 {
	if b.held == nil {
		return -1
	}
	return b.held.Size()
}

func stated(f crate.Fixity) string {
	if f.Size < 0 {
		return ""
	}
	return strconv.FormatInt(f.Size, 10)
}

// header returns the fields common to all OAI-PMH records.
func (p *page) header(r *client.Record) []byte {
	b := warcbuild.AppendField(nil, "oai-identifier", r.Identifier)
	b = warcbuild.AppendField(b, "oai-datestamp", r.DatestampText)
	for _, s := range r.Sets {
		b = warcbuild.AppendField(b, "oai-set", s)
	}
	if r.Deleted {
		b = warcbuild.AppendField(b, "oai-status", "deleted")
	}
	b = warcbuild.AppendField(b, "oai-metadata-prefix", p.state.Prefix)
	return warcbuild.AppendField(b, "via", p.answer.URL)
}

// headBytes returns an HTTP head in its wire format.
func headBytes(h *crate.Head) []byte { return headWith(h, func(string) bool { return true }) }

// codedHead returns the head for bytes without their transfer codings.
func codedHead(h *crate.Head, size int64) []byte {
	b := headWith(h, func(name string) bool {
		return !strings.EqualFold(name, "Transfer-Encoding") && !strings.EqualFold(name, "Content-Length")
	})
	return append(b[:len(b)-2], "Content-Length: "+strconv.FormatInt(size, 10)+"\r\n\r\n"...)
}

func headWith(h *crate.Head, wanted func(name string) bool) []byte {
	proto := h.Proto
	if proto == "" {
		proto = "HTTP/1.1"
	}
	clean := strings.NewReplacer("\r", " ", "\n", " ")
	// The reason phrase is unknown; the space before it is mandatory (RFC 9112, 4).
	b := []byte(clean.Replace(proto) + " " + strconv.Itoa(h.Status) + " \r\n")
	for _, f := range h.Fields {
		if wanted(f.Name) {
			b = append(b, clean.Replace(f.Name)+": "+clean.Replace(f.Value)+"\r\n"...)
		}
	}
	return append(b, "\r\n"...)
}

// deleted writes the deletion of a record.
func (s *warcSink) deleted(p *page, r *client.Record) error {
	if err := s.room(); err != nil {
		return err
	}
	f := s.fields(warc.TypeMetadata, r.Identifier, p, r, "application/warc-fields")
	_, err := s.put(append(f, warc.NameValue{Name: FieldPart, Value: PartDeleted}), p.header(r))
	return err
}

// firstRecordID returns the id of the first record of a container, or "" if it is unreadable.
func firstRecordID(f *os.File) string {
	rec, err := warc.NewReader(f).Next()
	if err != nil {
		return ""
	}
	return rec.Get(warc.FieldRecordID)
}
