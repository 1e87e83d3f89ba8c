package pack

import (
	"encoding/hex"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// recordFile writes a record: its member, if it has a separate one; the record; its body as sent;
// the body as served.
func (b *builder) recordFile(w *mets.Writer, p *packed, c *content, l layout) {
	begin := c.Inflated
	if l.shape == apart {
		begin = 0
		w.StartFile(mets.File{
			ID: aip.MemberFileID(p.N, c.Order), Begin: xmlstream.IntOf(c.Offset),
			End: xmlstream.IntOf(c.Offset + c.Stored - 1),
			FileCore: mets.FileCore{MIMEType: characterize.CompressionType(p.Container.Compression),
				Size: xmlstream.IntOf(c.Stored)},
			Transforms: decompression(p.Container),
		})
	}
	w.StartFile(mets.File{
		ID: aip.RecordFileID(p.N, c.Order), Begin: xmlstream.IntOf(begin), End: xmlstream.IntOf(begin + c.Length - 1),
		OwnerID:  bareID(c.ID),
		FileCore: mets.FileCore{MIMEType: characterize.MediaType(p.Container), Size: xmlstream.IntOf(c.Length)},
	})
	if c.Size > 0 {
		b.bodyFile(w, p, c)
	}
	w.EndFile()
	if l.shape == apart {
		w.EndFile()
	}
}

// bodyFile writes the body of a record as sent and as it would be served.
func (b *builder) bodyFile(w *mets.Writer, p *packed, c *content) {
	object := aip.BodyObjID(p.N, c.Order)
	f := mets.File{
		ID: aip.BodyFileID(p.N, c.Order), Begin: xmlstream.IntOf(c.BodyAt), End: xmlstream.IntOf(c.BodyAt + c.Size - 1),
		OwnerID: c.URI,
		FileCore: mets.FileCore{MIMEType: c.MIME, Size: xmlstream.IntOf(c.Size),
			Checksum: hex.EncodeToString(c.Body.SHA256[:]), ChecksumType: string(model.SHA256)},
		AdmID:      b.contentSections(p, c, object),
		Transforms: b.transforms[:0],
	}
	for i, coding := range c.Body.Removed {
		f.Transforms = append(f.Transforms,
			mets.Transform{Type: "decompression", Algorithm: coding, Order: int64(i + 1)})
	}
	b.transforms = f.Transforms
	w.StartFile(f)
	if len(c.Body.Removed) > 0 {
		w.File(mets.File{
			ID: aip.ServedFileID(p.N, c.Order), AdmID: []string{object},
			FileCore: mets.FileCore{
				MIMEType: c.MIME, Size: xmlstream.IntOf(c.Body.ServedLength),
				Checksum: hex.EncodeToString(c.Body.ServedSHA256[:]), ChecksumType: string(model.SHA256),
			},
		})
	}
	w.EndFile()
}

// decompression returns the transformations that decode a container or a member; none if it is not
// compressed.
func decompression(c *model.Container) []mets.Transform {
	if algorithm := characterize.CompressionType(c.Compression); algorithm != "" {
		return []mets.Transform{{Type: "decompression", Algorithm: algorithm, Order: 1}}
	}
	return nil
}

// The forms of the file with the content of a record.
const (
	asSent   = 'b' // the body as sent
	asServed = 's' // as served, if that differs
	asRecord = 'r' // the record: its content is stored elsewhere
)

// form returns the form of the file with the content of a record.
func (c *content) form() byte {
	switch {
	case c.Size == 0:
		return asRecord
	case len(c.Body.Removed) > 0:
		return asServed
	}
	return asSent
}

// shownFileID returns the ID of the file with the content of the record at a place.
func shownFileID(at place, form byte) string {
	switch form {
	case asRecord:
		return aip.RecordFileID(at.container, at.order)
	case asServed:
		return aip.ServedFileID(at.container, at.order)
	}
	return aip.BodyFileID(at.container, at.order)
}

// shownID returns the ID of the file with the content as served, or as sent if both are the same.
func (c *content) shownID(container int) string {
	return shownFileID(place{container, c.Order}, c.form())
}

// contentSections returns the sections about a bytestream in the same document. Its object names all
// its events.
func (b *builder) contentSections(p *packed, c *content, object string) []string {
	if !b.inPackage(c) {
		return []string{object}
	}
	return append([]string{object}, b.contentEvents(p, c)...)
}

// shownCore describes the file with the content as served, or as sent if both are the same. record is
// the media type of a record.
func (c *content) shownCore(record string) mets.FileCore {
	switch c.form() {
	case asRecord:
		return mets.FileCore{MIMEType: record, Size: xmlstream.IntOf(c.Length)}
	case asServed:
		return mets.FileCore{MIMEType: c.MIME, Size: xmlstream.IntOf(c.Body.ServedLength),
			Checksum: hex.EncodeToString(c.Body.ServedSHA256[:]), ChecksumType: string(model.SHA256)}
	}
	return mets.FileCore{MIMEType: c.MIME, Size: xmlstream.IntOf(c.Size),
		Checksum: hex.EncodeToString(c.Body.SHA256[:]), ChecksumType: string(model.SHA256)}
}
