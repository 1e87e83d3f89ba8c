package pack

import (
	"quire/internal/secret"
	"quire/metadata/containermd"
	"quire/metadata/dc"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"slices"
)

// The functions below wrap metadata for the METS, one for each kind of section. The versions of the
// standards are chosen here, and nowhere else in this package (versions.go).

// wrap wraps metadata of a standard that has a name in METS.
func wrap(id, mdType, version string) mets.Section {
	return mets.Section{ID: id, Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: mdType, MDTypeVersion: version},
		FileCore:     mets.FileCore{MIMEType: "text/xml"},
	}}
}

// descriptionSection writes a dmdSec with MODS. admIDs are the restrictions of the section itself.
func (b *builder) descriptionSection(w *mets.Writer, id string, r mods.Record, admIDs ...string) {
	r = b.o.SchemaVersion.description(r)
	s := wrap(id, "MODS", r.Version)
	s.AdmID = admIDs
	w.Dmd(s, func(x *xmlstream.Writer) error { return mods.Write(x, r) })
}

// dublinCoreSection writes a dmdSec with simple Dublin Core.
func (b *builder) dublinCoreSection(w *mets.Writer, id string, r dc.Record) {
	w.Dmd(wrap(id, "DC", ""), func(x *xmlstream.Writer) error { return dc.Write(x, r) })
}

// objectSection writes a techMD with a premis:object. It omits objects that the version of PREMIS
// does not have.
func (b *builder) objectSection(w *mets.Writer, id string, o premis.Object) {
	if !b.o.SchemaVersion.hasObject(&o) {
		return
	}
	o, in := b.object(o), b.o.SchemaVersion.premis()
	w.Tech(wrap(id, "PREMIS:OBJECT", in.Version()), func(x *xmlstream.Writer) error { return in.WriteObject(x, o) })
}

// containerMDSection writes a techMD with containerMD, which has no name in METS.
func (b *builder) containerMDSection(w *mets.Writer, id string, d containermd.ContainerMD) {
	version := b.o.SchemaVersion.containerMD()
	s := wrap(id, "OTHER", string(version))
	s.Wrap.OtherMDType = "containerMD"
	w.Tech(s, func(x *xmlstream.Writer) error {
		return containermd.Write(x, d, containermd.Options{Version: version})
	})
}

// rightsSection writes a rightsMD with premis:rights. admIDs are the restrictions of the section
// itself.
func (b *builder) rightsSection(w *mets.Writer, id string, r premis.Rights, admIDs ...string) {
	in := b.o.SchemaVersion.premis()
	s := wrap(id, "PREMIS:RIGHTS", in.Version())
	s.AdmID = admIDs
	w.Rights(s, func(x *xmlstream.Writer) error { return in.WriteRights(x, r) })
}

// eventSection writes a digiprovMD with a premis:event. Its texts may repeat URLs of the crawl, so
// their passwords are concealed.
func (b *builder) eventSection(w *mets.Writer, id string, e premis.Event) {
	e, in := b.event(e), b.o.SchemaVersion.premis()
	e = concealed(e)
	w.Digiprov(wrap(id, "PREMIS:EVENT", in.Version()), func(x *xmlstream.Writer) error { return in.WriteEvent(x, e) })
}

// concealed returns an event with concealed passwords.
func concealed(e premis.Event) premis.Event {
	texts := func(all []string) []string {
		var out []string
		for _, s := range all {
			out = append(out, secret.Conceal(s))
		}
		return out
	}
	e.Details = texts(e.Details)
	e.Outcomes = slices.Clone(e.Outcomes)
	for i := range e.Outcomes {
		e.Outcomes[i].Notes = texts(e.Outcomes[i].Notes)
	}
	return e
}

// agentSection writes a digiprovMD with a premis:agent.
func (b *builder) agentSection(w *mets.Writer, id string, a premis.Agent) {
	in := b.o.SchemaVersion.premis()
	w.Digiprov(wrap(id, "PREMIS:AGENT", in.Version()), func(x *xmlstream.Writer) error { return in.WriteAgent(x, a) })
}
