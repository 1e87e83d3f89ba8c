package harvest

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/oai/client"
	"quire/oai/crate/schemas"
)

// document writes unchanged metadata.
func (s *warcSink) document(p *page, r *client.Record) error {
	if err := s.room(); err != nil {
		return err
	}
	f := s.fields(warc.TypeMetadata, r.Identifier, p, r, "text/xml")
	id, err := s.putMetadata(p, r, append(f, warc.NameValue{Name: FieldPart, Value: PartMetadata},
		warc.NameValue{Name: fieldPrefix, Value: warcbuild.Escape(p.state.Prefix)}))
	if err != nil {
		return err
	}
	said := func(part, contentType string, block []byte, more ...warc.NameValue) error {
		f := s.fields(warc.TypeMetadata, r.Identifier, p, r, contentType)
		f = append(append(f, warc.NameValue{Name: FieldPart, Value: part}), more...)
		_, err := s.put(append(f, warc.NameValue{Name: warc.FieldConcurrentTo, Value: id}), block)
		return err
	}
	if err := said(PartFacts, "application/warc-fields", p.header(r)); err != nil {
		return err
	}
	return s.abouts(r, said)
}

// whole writes the document of a CRATE as received, behind its parts.
func (s *warcSink) whole(k *crateRecord, fields []warc.NameValue) error {
	_, err := s.putMetadata(k.page, k.record, append(fields,
		warc.NameValue{Name: fieldPrefix, Value: warcbuild.Escape(k.state.Prefix)}))
	return err
}

// putMetadata writes a record with the metadata of an OAI-PMH record as received, and returns its
// id.
func (s *warcSink) putMetadata(p *page, r *client.Record, f []warc.NameValue) (id string, err error) {
	held := p.blocks.get()
	defer func() { err = errors.Join(err, p.blocks.put(held)) }()
	sum1, sum256 := sha1.New(), sha256.New()
	if _, err := io.Copy(io.MultiWriter(held, sum1, sum256), r.Metadata()); err != nil {
		return "", err
	}
	f = append(f, warc.NameValue{Name: warc.FieldBlockDigest, Value: warc.FormatDigest("sha1", sum1.Sum(nil))})
	id = warcbuild.RecordID(append(f, warc.NameValue{Name: "block", Value: hex.EncodeToString(sum256.Sum(nil))}))
	return id, s.write(append(f, warc.NameValue{Name: warc.FieldRecordID, Value: id}), held.Size(), held.Reader())
}

// schemas writes the schemas that a document names, once in each container: those that this program
// has. So the container explains its documents without the server.
func (s *warcSink) schemas(k *crateRecord) error {
	for _, x := range k.newSchemas(s.explained) {
		f := []warc.NameValue{{Name: warc.FieldType, Value: warc.TypeMetadata},
			{Name: warc.FieldTargetURI, Value: x.SWHID}, {Name: warc.FieldDate, Value: warc.FormatDate(k.when)},
			{Name: warc.FieldWarcinfoID, Value: s.info}, {Name: warc.FieldContentType, Value: "application/xml"},
			{Name: FieldPart, Value: PartSchema}}
		if _, err := s.put(f, x.Text); err != nil {
			return err
		}
	}
	return nil
}

// newSchemas returns the schemas that a document names and done lacks, and adds them to it.
func (k *crateRecord) newSchemas(done map[string]bool) (all []schemas.Schema) {
	if k.doc.Generator == nil {
		return nil
	}
	for _, n := range k.doc.Generator.Schemas {
		if x, ok := schemas.Named(n.SWHID); ok && !done[n.SWHID] {
			done[n.SWHID] = true
			all = append(all, x)
		}
	}
	return all
}
