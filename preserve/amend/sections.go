package amend

import (
	"io"
	"slices"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/characterize"
	"quire/preserve/statements"
)

// part writes elements for insertion, one after another.
func (j *job) part(in mets.Parent, write ...func(*mets.Writer)) func(io.Writer) error {
	return func(out io.Writer) error {
		for _, one := range write {
			spaces := mets.WebArchive
			if j.s.dialect == premis.V22 {
				spaces = mets.WebArchiveLegacy
			}
			if in != mets.InMets && in != mets.InAmdSec {
				spaces = nil
			}
			w := mets.NewPart(out, in, spaces, mets.Options{})
			one(w)
			if err := w.Close(); err != nil {
				return err
			}
		}
		return nil
	}
}

// identify returns the identifier of an entity of the package.
func (j *job) identify(id string) premis.Identifier {
	return premis.Identifier{Type: "local", Value: j.s.id + "#" + id}
}

func (j *job) link(id, role string, term func(string) premis.Term) premis.Link {
	return premis.Link{Identifier: j.identify(id), Roles: []premis.Term{term(role)}}
}

func (j *job) wrap(id, mdType string) mets.Section {
	return mets.Section{ID: id, Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: mdType, MDTypeVersion: j.s.dialect.Version()},
		FileCore:     mets.FileCore{MIMEType: "text/xml"},
	}}
}

// grantors returns the grantors of the new statements, in order.
func (j *job) grantors() (names []string) {
	for i := range j.added {
		if name := j.added[i].Agent; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (j *job) grantorID(name string) string {
	return grantorPrefix + decimal(int64(j.s.grantors+1+slices.Index(j.grantors(), name)))
}

// rightsSections returns the sections of new statements. In a document of pages they are those about
// URLs, without their grantors.
func (j *job) rightsSections(some func(*statements.Statement) bool, agents bool) (all []func(*mets.Writer)) {
	for i := range j.added {
		st := &j.added[i]
		if !some(st) {
			continue
		}
		var agent *premis.Link
		if agents && st.Agent != "" {
			link := j.link(j.grantorID(st.Agent), "grantor", premis.Text)
			agent = &link
		}
		all = append(all, func(w *mets.Writer) {
			w.Rights(j.wrap(st.ID, "PREMIS:RIGHTS"), func(x *xmlstream.Writer) error {
				return j.s.dialect.WriteRights(x, st.Premis(j.identify(st.ID), agent))
			})
		})
	}
	return all
}

// history returns the event of the amendment, and its agents.
func (j *job) history() []func(*mets.Writer) {
	e := premis.Event{
		Identifier: j.identify(j.result.Event), Type: premis.EventType(string(model.MetadataChange)),
		DateTime: premis.Time(j.o.Date), Details: []string{strings.Join(j.result.Changes, "; ")},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(model.Success)),
			Notes: append([]string{"reason: " + j.o.Because}, j.sheet.notes()...)}},
		Agents:  []premis.Link{j.link(agentID(j.number, "quire"), "executing program", premis.AgentRole)},
		Objects: []premis.Link{j.link(aip.PackageObjID, "source", premis.ObjectRole)},
	}
	agents := []premis.Agent{{Identifiers: []premis.Identifier{j.identify(agentID(j.number, "quire"))},
		Names: []premis.Term{premis.Text(j.o.Agent.Name)}, Type: premis.AgentType("software"),
		Version: strings.TrimSpace(j.o.Agent.Version)}}
	if j.o.By != "" {
		id := agentID(j.number, "by")
		e.Agents = append(e.Agents, j.link(id, "implementer", premis.AgentRole))
		agents = append(agents, premis.Agent{Identifiers: []premis.Identifier{j.identify(id)},
			Names: []premis.Term{premis.Text(j.o.By)}})
	}
	for _, name := range j.grantors() {
		agents = append(agents, premis.Agent{Identifiers: []premis.Identifier{j.identify(j.grantorID(name))},
			Names: []premis.Term{premis.Text(name)}})
	}
	all := []func(*mets.Writer){func(w *mets.Writer) {
		w.Digiprov(j.wrap(j.result.Event, "PREMIS:EVENT"), func(x *xmlstream.Writer) error {
			return j.s.dialect.WriteEvent(x, e)
		})
	}}
	for _, a := range agents {
		_, id, _ := strings.Cut(a.Identifiers[0].Value[len(j.s.id):], "#")
		all = append(all, func(w *mets.Writer) {
			w.Digiprov(j.wrap(id, "PREMIS:AGENT"), func(x *xmlstream.Writer) error {
				return j.s.dialect.WriteAgent(x, a)
			})
		})
	}
	return all
}

// eachDocument returns one part for each new documentation file.
func (j *job) eachDocument(write func(*mets.Writer, *newFile)) (all []func(*mets.Writer)) {
	for _, f := range j.documents {
		all = append(all, func(w *mets.Writer) { write(w, f) })
	}
	return all
}

// fileSection writes the object of a new documentation file.
func (j *job) fileSection(w *mets.Writer, f *newFile) {
	id := aip.FileObjID(f.id)
	o := premis.Object{
		Category: premis.File, Identifiers: []premis.Identifier{j.identify(id)}, OriginalName: f.name,
		Characteristics: []premis.Characteristics{{
			CompositionLevel: xmlstream.IntOf(0), Size: xmlstream.IntOf(f.size),
			Fixity: []premis.Fixity{{Algorithm: premis.Text(string(model.SHA512)), Digest: f.sha512,
				Originator: premis.Text(j.o.Agent.Name)}},
			Formats: []premis.Format{{Name: premis.Text(characterize.TypeByName(f.name)),
				Notes: []string{"by the name of the file"}}}}},
		Relationships: []premis.Relationship{{Type: premis.Text("structural"),
			SubType: premis.Text("is included in"),
			Objects: []premis.RelatedObject{{Identifier: j.identify(aip.PackageObjID)}}}},
		Events: []premis.Link{{Identifier: j.identify(j.result.Event)}},
	}
	w.StartAmdSec(aip.FileAmdID(f.id))
	w.Tech(j.wrap(id, "PREMIS:OBJECT"), func(x *xmlstream.Writer) error { return j.s.dialect.WriteObject(x, o) })
	w.EndAmdSec()
}

// fileElement writes a new documentation file.
func (j *job) fileElement(w *mets.Writer, f *newFile) {
	w.File(mets.File{ID: f.id, AdmID: []string{aip.FileAmdID(f.id)},
		FileCore: mets.FileCore{MIMEType: characterize.TypeByName(f.name), Size: xmlstream.IntOf(f.size),
			Checksum: f.sha512, ChecksumType: string(model.SHA512)},
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(f.path)}}}})
}

// fileGroup writes the group of documentation with the new files.
func (j *job) fileGroup(w *mets.Writer) {
	w.StartFileGrp(mets.FileGrp{Use: aip.UseDocuments})
	for _, f := range j.documents {
		j.fileElement(w, f)
	}
	w.EndFileGrp()
}

// documentationDiv writes the new documentation files into the logical structMap.
func (j *job) documentationDiv(w *mets.Writer) {
	w.StartDiv(mets.Div{Type: "documentation"})
	for _, f := range j.documents {
		w.Fptr(mets.Fptr{FileID: f.id})
	}
	w.EndDiv()
}

// folderType is the TYPE of the div of a folder (clause 2.7).
const folderType = "Directory"

// itemDiv writes the new documentation files into the structMap of the files as stored.
func (j *job) itemDiv(w *mets.Writer) {
	w.StartDiv(mets.Div{Type: folderType, Label: aip.DocumentsDir})
	for _, f := range j.documents {
		w.StartDiv(mets.Div{Type: "Item", Label: f.name})
		w.Fptr(mets.Fptr{FileID: f.id})
		w.EndDiv()
	}
	w.EndDiv()
}

// note writes the note into the description of the website.
func (j *job) note(out io.Writer) error {
	x := xmlstream.NewWriter(out, xmlstream.Options{Fragment: true})
	x.Declare("mods", modsSpace)
	x.Element("mods:note", j.o.Note)
	return x.Close()
}
