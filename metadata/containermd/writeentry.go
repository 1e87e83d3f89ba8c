package containermd

import (
	"slices"
	"strconv"

	"quire/metadata/xmlstream"
)

var entryTypes = []string{"file", "directory", "hardLink", "symbolicLink", "characterSpecial", "blockSpecial", "fifo",
	"other"}

// WriteEntry writes one entry, between [Begin] and [End].
func WriteEntry(x *xmlstream.Writer, e Entry) error {
	w := writer{x}
	if e.Order < 1 || !slices.Contains(entryTypes, e.Type) {
		w.failf("entry %q has order %d and type %q: want an order from 1 and a type of the list", e.Name, e.Order,
			e.Type)
	}
	w.Start("cmd:entry")
	w.id(e.ID)
	w.AttrInt("order", e.Order)
	w.Attr("type", e.Type)
	w.size("begin", e.Begin)
	w.size("end", e.End)
	w.Attr("name", e.Name)
	w.AttrTimeOpt("creationDateTime", e.Created)
	w.AttrTimeOpt("lastModificationDateTime", e.Modified)
	w.fixities(e.Fixity)
	w.formats(e.Formats)
	w.encodings(e.Encodings)
	for i := range e.Permissions {
		w.permission(&e.Permissions[i])
	}
	w.arcEntry(e.ARC)
	w.recordHeader(e.Record, e.Order)
	for i := range e.Metadata {
		w.mdSec(&e.Metadata[i])
	}
	w.End("cmd:entry")
	return w.Err()
}

// permission writes the schema's one exception: its children have no namespace.
func (w writer) permission(p *Permission) {
	w.Start("cmd:permission")
	w.ElementOpt("mode", p.Mode)
	for _, o := range p.Owners {
		w.Element("owner", o)
	}
	for _, g := range p.Groups {
		w.Element("group", g)
	}
	w.End("cmd:permission")
}

func (w writer) arcEntry(a *ARCEntry) {
	if a == nil {
		return
	}
	w.Start("cmd:entryExtension")
	w.Start("cmd:ARCEntry")
	w.ElementOpt("cmd:declaredMimeType", a.DeclaredMIMEType)
	w.ElementOpt("cmd:host", a.Host)
	if a.Response != nil {
		w.response(a.Response)
	}
	w.End("cmd:ARCEntry")
	w.End("cmd:entryExtension")
}

// recordHeaderType is the type in mdWrap for the metadata of a RecordHeader.
const recordHeaderType = "WARC record"

// recordHeader writes Quire's own mdSec. Its ID, which the schema requires, is derived from the
// entry's order.
func (w writer) recordHeader(h *RecordHeader, order int64) {
	if h == nil {
		return
	}
	if h.Type == "" {
		w.failf("the record of entry %d needs a type", order)
	}
	w.mdSec(&MDSec{ID: "record-" + strconv.FormatInt(order, 10), MDType: "OTHER", OtherMDType: recordHeaderType,
		Payload: func(x *xmlstream.Writer) error {
			x.Declare("qr", RecordNamespace)
			x.Start("qr:record")
			x.Attr("type", h.Type)
			x.AttrOpt("id", h.ID)
			x.AttrOpt("contentType", h.ContentType)
			x.AttrOpt("identifiedPayloadType", h.IdentifiedType)
			x.AttrOpt("blockDigest", h.BlockDigest)
			x.AttrOpt("payloadDigest", h.PayloadDigest)
			w.size("blockSize", h.BlockSize)
			w.size("payloadSize", h.PayloadSize)
			x.AttrOpt("truncated", h.Truncated)
			x.AttrOpt("segment", h.Segment)
			if h.Sound != nil {
				x.Attr("sound", strconv.FormatBool(*h.Sound))
			}
			x.End("qr:record")
			return x.Err()
		}})
}
