package containermd

import (
	"slices"

	"quire/metadata/xmlstream"
)

var entryTypes = []string{"file", "directory", "hardLink", "symbolicLink", "characterSpecial", "blockSpecial", "fifo",
	"other"}

// WriteEntry writes one entry, between [Begin] and [End].
func WriteEntry(x *xmlstream.Writer, e Entry) error {
	w := writer{x}
	if e.Order < 1 || !slices.Contains(entryTypes, e.Type) {
		w.failf("entry %q has order %d and type %q: want an order from 1 and a type of the list", e.Name, e.Order, e.Type)
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
	for i := range e.Metadata {
		w.mdSec(&e.Metadata[i])
	}
	w.End("cmd:entry")
	return w.Err()
}

// permission is the schema's one exception: what it holds has no namespace.
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
