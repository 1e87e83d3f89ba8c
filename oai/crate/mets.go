package crate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/oai/plugin"
	"quire/oai/resource"
)

// The IDs of the sections. The result of [idOf] is appended to each ID, because an OAI-PMH answer
// is one document, in which IDs must be unique.
const (
	dmdID    = "DMD"
	objectID = "OBJECT"
	rightsID = "RIGHTS"
	fileID   = "FILE"
)

// idOf returns an ID for a resource.
func idOf(name string, r *resource.Resource) string {
	sum := sha256.Sum256([]byte(r.Identifier))
	return fmt.Sprintf("%s-%x", name, sum[:8])
}

// writeMETS writes mets: a small METS with one file, at its URL. Its description is the same as in
// the format mods. Its PREMIS object describes the bytes; its PREMIS events are the events from the
// archive.
func (d *Disseminator) writeMETS(ctx context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	m, err := d.describe(ctx, r)
	if err != nil {
		return err
	}
	c := &Crate{Fixity: Fixity{Size: -1}}
	if r.Withheld == "" {
		if err := d.look(ctx, r, c); err != nil {
			return err
		}
	}
	w := mets.NewInside(x)
	w.Start(mets.Root{ObjID: r.Identifier, Label: r.URL, Type: "web resource", Namespaces: []mets.NamespaceDecl{
		{Prefix: "mods", URI: mods.Namespace, SchemaLocation: modsSchema},
		{Prefix: "premis", URI: premis.Namespace, SchemaLocation: "http://www.loc.gov/standards/premis/premis.xsd"},
	}})
	w.Header(mets.Header{Created: c.Created,
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: "Quire"}}})
	w.Dmd(mets.Section{ID: idOf(dmdID, r),
		Wrap: &mets.Wrap{MetadataType: mets.MetadataType{MDType: "MODS", MDTypeVersion: mods.Version}}},
		func(x *xmlstream.Writer) error { return mods.Write(x, m) })
	ids := writeAdministration(w, r, c)
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: "web resource"})
	w.File(d.fileOf(r, c, ids))
	w.EndFileGrp()
	w.EndFileSec()
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "web resource", DmdID: []string{idOf(dmdID, r)}, AdmID: ids})
	w.Fptr(mets.Fptr{FileID: idOf(fileID, r)})
	w.EndDiv()
	w.EndStructMap()
	return w.Close()
}

// look reads the bytes for their size, digests and formats.
func (d *Disseminator) look(ctx context.Context, r *resource.Resource, c *Crate) error {
	c.Created = d.Now()
	k, err := d.keep(ctx, r, c)
	if k == nil || err != nil {
		return err
	}
	if tools := d.identifiers(); tools != nil {
		err = d.ask(ctx, tools, r, k, c)
	}
	if closed := k.Close(); err == nil {
		err = closed
	}
	return err
}

// identifiers returns the PRONOM tools if they can be distinguished; otherwise all tools.
func (d *Disseminator) identifiers() plugin.Examiner {
	if all, ok := d.Tools.(interface {
		Only(builtin string) plugin.Examiner
	}); ok {
		return all.Only("pronom")
	}
	return d.Tools
}

// fileOf returns the file with the URL of the bytes. For captured bytes without such a URL it uses
// the original URL.
func (d *Disseminator) fileOf(r *resource.Resource, c *Crate, ids []string) mets.File {
	f := mets.File{ID: idOf(fileID, r), AdmID: ids, DmdID: []string{idOf(dmdID, r)},
		FileCore:  mets.FileCore{MIMEType: cmp.Or(r.MIMEType, unknownType)},
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: cmp.Or(d.reference(r), asURI(r.URL))}}}}
	if c.Fixity.Size >= 0 {
		f.Size, f.Checksum, f.ChecksumType = xmlstream.IntOf(c.Fixity.Size), c.Fixity.SHA512, "SHA-512"
	}
	if !r.Captured.IsZero() {
		f.Created = r.Captured
	}
	return f
}

// writeAdministration writes the amdSec and returns its IDs in the order of METS: object, rights,
// events.
func writeAdministration(w *mets.Writer, r *resource.Resource, c *Crate) []string {
	ids := []string{idOf(objectID, r)}
	wrap := func(kind string) *mets.Wrap {
		return &mets.Wrap{MetadataType: mets.MetadataType{MDType: "PREMIS:" + kind, MDTypeVersion: premis.Version}}
	}
	w.StartAmdSec("")
	w.Tech(mets.Section{ID: ids[0], Wrap: wrap("OBJECT")}, func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, objectOf(r, c))
	})
	if r.Withheld != "" {
		ids = append(ids, idOf(rightsID, r))
		w.Rights(mets.Section{ID: ids[1], Wrap: wrap("RIGHTS")}, func(x *xmlstream.Writer) error {
			return premis.WriteRights(x, rightsOf(r))
		})
	}
	for i, e := range r.Events {
		id := idOf(fmt.Sprintf("EVENT%d", i+1), r)
		ids = append(ids, id)
		w.Digiprov(mets.Section{ID: id, Wrap: wrap("EVENT")}, func(x *xmlstream.Writer) error {
			return premis.WriteEvent(x, eventOf(r, i, e))
		})
	}
	w.EndAmdSec()
	return ids
}

func identifierOf(r *resource.Resource) premis.Identifier {
	return premis.Identifier{Type: "URI", Value: r.Identifier}
}

// objectOf returns the PREMIS object with the known facts on the bytes.
func objectOf(r *resource.Resource, c *Crate) premis.Object {
	ch := premis.Characteristics{Formats: formatsOf(r, c)}
	switch {
	case c.Fixity.Size >= 0:
		ch.Size = xmlstream.IntOf(c.Fixity.Size)
	case r.Size >= 0:
		ch.Size = xmlstream.IntOf(r.Size)
	}
	for _, d := range []struct{ name, digest string }{{"SHA-256", c.Fixity.SHA256}, {"SHA-512", c.Fixity.SHA512}} {
		if d.digest != "" {
			ch.Fixity = append(ch.Fixity, premis.Fixity{Algorithm: premis.HashFunction(d.name), Digest: d.digest,
				Originator: premis.Text("Quire")})
		}
	}
	if r.Coding != "" {
		ch.CompositionLevel = xmlstream.IntOf(1)
	}
	o := premis.Object{Category: premis.File, Identifiers: []premis.Identifier{identifierOf(r)}, OriginalName: r.URL,
		Characteristics: []premis.Characteristics{ch}}
	for _, n := range c.Notices {
		o.SignificantProperties = append(o.SignificantProperties,
			premis.Property{Type: premis.Text(string(n.Code)), Value: n.Text})
	}
	return o
}

// formatsOf returns PRONOM's formats, if a tool identified them, and the declared media type.
func formatsOf(r *resource.Resource, c *Crate) []premis.Format {
	var all []premis.Format
	for i := range c.Results {
		all = append(all, identified(&c.Results[i])...)
	}
	declared := premis.Format{Name: premis.Text(cmp.Or(r.MIMEType, unknownType)), Notes: []string{"declared"}}
	if r.Coding != "" {
		declared.Notes = append(declared.Notes, "content coding: "+r.Coding)
	}
	return append(all, declared)
}

// identified returns the formats in the JSON output of the built-in PRONOM tool.
func identified(said *plugin.Result) []premis.Format {
	if said.Outcome != plugin.Good || !strings.HasPrefix(said.Version, "quire-pronom ") {
		return nil
	}
	var found struct {
		Software string
		Formats  []struct{ PUID, Name, Version, Basis string }
	}
	if json.Unmarshal(said.Bytes, &found) != nil {
		return nil
	}
	var all []premis.Format
	for _, f := range found.Formats {
		all = append(all, premis.Format{Name: premis.Text(f.Name), Version: f.Version,
			Notes: []string{"identified by " + found.Software, "basis: " + f.Basis},
			Registry: premis.Registry{Name: premis.Text("PRONOM"), Key: premis.Text(f.PUID),
				Role: premis.Text("specification")}})
	}
	return all
}

// rightsOf returns the reason why the bytes are withheld.
func rightsOf(r *resource.Resource) premis.Rights {
	return premis.Rights{Statements: []premis.Statement{{
		Identifier: premis.Identifier{Type: "URI", Value: strings.TrimSuffix(r.Identifier, "#") + "#rights"},
		Basis:      premis.RightsBasis("other"),
		Other:      &premis.OtherRights{Basis: premis.Text("policy"), Notes: []string{r.Withheld}},
		Granted: []premis.Grant{{Act: premis.Text("disseminate"),
			Restrictions: []premis.Term{premis.Text("disallow")}, Notes: []string{r.Withheld}}},
		Objects: []premis.Link{{Identifier: identifierOf(r)}},
	}}}
}

func eventOf(r *resource.Resource, i int, e resource.Event) premis.Event {
	out := premis.Event{
		Identifier: premis.Identifier{Type: "URI", Value: fmt.Sprintf("%s#event-%d", r.Identifier, i+1)},
		Type:       premis.EventType(cmp.Or(e.Type, "unknown")),
		DateTime:   cmp.Or(premis.Time(e.Time), "unknown"),
		Objects:    []premis.Link{{Identifier: identifierOf(r)}},
	}
	if e.Detail != "" {
		out.Details = []string{e.Detail}
	}
	if e.Outcome != "" {
		out.Outcomes = []premis.Outcome{{Outcome: premis.EventOutcome(e.Outcome)}}
	}
	return out
}
