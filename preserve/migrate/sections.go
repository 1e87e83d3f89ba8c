package migrate

import (
	"errors"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// legacy reports whether the package uses the older versions of the standards; additions then use
// them, too.
func (j *job) legacy() bool { return j.outline.dialect == premis.V22 }

// sections writes the amdSec of the new container: its object, and the events of the migration.
func (j *job) sections(w *mets.Writer) error {
	n := j.number
	w.StartAmdSec(aip.ContainerAmdID(n))
	j.object(w, aip.ContainerObjID(n), j.containerObject())
	j.containerMD(w)
	for _, e := range []premis.Event{j.fixity(), j.digestion(), j.migration(), j.identification(), j.validation()} {
		j.event(w, e)
	}
	if err := j.failures(w); err != nil {
		return err
	}
	for _, a := range j.agents() {
		j.agent(w, a)
	}
	w.EndAmdSec()
	return w.Err()
}

// indexSection writes the amdSec of the CDXJ index.
func (j *job) indexSection(w *mets.Writer) error {
	w.StartAmdSec(aip.FileAmdID(aip.IndexFileID(j.number)))
	j.object(w, aip.IndexObjID(j.number), j.indexObject())
	w.EndAmdSec()
	return w.Err()
}

// documentSection writes the amdSec of the METS of the container's records.
func (j *job) documentSection(w *mets.Writer) error {
	id := aip.ContainerMETSFileID(j.number)
	w.StartAmdSec(aip.FileAmdID(id))
	j.object(w, aip.FileObjID(id), j.documentObject(aip.FileObjID(id)))
	w.EndAmdSec()
	return w.Err()
}

// records writes the amdSec of the bytestreams: those that were converted, if the METS had no object
// for them, and the conversions.
func (j *job) records(w *mets.Writer) error {
	w.StartAmdSec(aip.RecordsAmdID(j.number))
	err := j.lacking(func(d done) error {
		id := aip.BodyObjID(d.Of.Container, d.Of.Order)
		j.object(w, id, j.sourceObject(id, &d))
		return w.Err()
	})
	if err != nil {
		return err
	}
	err = j.placed.Each(func(p placed) error {
		id := aip.BodyObjID(j.number, p.Order)
		j.object(w, id, j.madeObject(id, &p))
		return w.Err()
	})
	w.EndAmdSec()
	return errors.Join(err, w.Err())
}

// wrap wraps a PREMIS element in a METS section.
func (j *job) wrap(id, mdType string) mets.Section {
	return mets.Section{ID: id, Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: mdType, MDTypeVersion: j.outline.dialect.Version()},
		FileCore:     mets.FileCore{MIMEType: "text/xml"},
	}}
}

func (j *job) object(w *mets.Writer, id string, o premis.Object) {
	w.Tech(j.wrap(id, "PREMIS:OBJECT"), func(x *xmlstream.Writer) error { return j.outline.dialect.WriteObject(x, o) })
}

func (j *job) event(w *mets.Writer, e premis.Event) {
	w.Digiprov(j.wrap(j.local(e.Identifier), "PREMIS:EVENT"), func(x *xmlstream.Writer) error {
		return j.outline.dialect.WriteEvent(x, e)
	})
}

func (j *job) agent(w *mets.Writer, a premis.Agent) {
	w.Digiprov(j.wrap(j.local(a.Identifiers[0]), "PREMIS:AGENT"), func(x *xmlstream.Writer) error {
		return j.outline.dialect.WriteAgent(x, a)
	})
}

func (j *job) containerMD(w *mets.Writer) {
	version := containermd.Version12
	if j.legacy() {
		version = containermd.Version11
	}
	s := mets.Section{ID: aip.ContainerMDID(j.number), Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: "OTHER", OtherMDType: "containerMD", MDTypeVersion: string(version)},
		FileCore:     mets.FileCore{MIMEType: "text/xml"},
	}}
	w.Tech(s, func(x *xmlstream.Writer) error {
		return containermd.Write(x, characterize.Summary(j.container, characterize.Options{Agent: j.o.Agent}),
			containermd.Options{Version: version})
	})
}

// identify returns the identifier of an entity of the package: the package's identifier, and the ID
// in its METS.
func (j *job) identify(id string) premis.Identifier {
	return premis.Identifier{Type: "local", Value: j.old.ID + "#" + id}
}

// local returns the ID within the package: the identifier without the package's ID in front.
func (j *job) local(i premis.Identifier) string { return i.Value[len(j.old.ID)+1:] }

func (j *job) link(id, role string, term func(string) premis.Term) premis.Link {
	return premis.Link{Identifier: j.identify(id), Roles: []premis.Term{term(role)}}
}

func (j *job) eventLink(id string) premis.Link { return premis.Link{Identifier: j.identify(id)} }
