package collection

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"io"

	"quire/internal/humanize"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/aip"
)

// The values in the METS of a collection (docs/reference/320_collections.md).
const (
	metsType    = "Web archive collection"
	useExpected = "Expected"

	dmdID     = "DMD-collection"
	amdID     = "AMD-collection"
	objID     = "OBJ-collection"
	eventID   = "EVT-collection"
	packerID  = aip.AgentIDPrefix + "packer"
	grantorID = aip.AgentIDPrefix + "grantor-"

	otherLocType = "OBJID" // of a mptr: the identifier of a package
)

func (b *builder) writeMETS(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: b.file.ID, Label: b.file.Title, Type: metsType, Profile: aip.CollectionProfile})
	w.Header(mets.Header{Created: b.now(), RecordStatus: "NEW", Agents: []mets.Agent{
		{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: b.o.Agent.Name,
			Notes: []string{b.o.Agent.Version}}}})
	var failed error
	w.Dmd(section(dmdID, "MODS", mods.Version), func(x *xmlstream.Writer) error {
		return mods.Write(x, mods.Record{Content: b.described(), Constituents: b.constituents(&failed)})
	})
	for i, r := range b.sheet {
		w.Dmd(section(aip.SheetDmdID(i+1), "MODS", mods.Version), func(x *xmlstream.Writer) error {
			return mods.Write(x, r)
		})
	}
	if failed != nil {
		return failed
	}
	b.administration(w)
	if err := b.fileSec(w); err != nil {
		return err
	}
	if err := b.structure(w); err != nil {
		return err
	}
	return w.Close()
}

func (b *builder) now() time.Time { return b.o.Now().UTC().Truncate(time.Second) }

func section(id, mdType, version string) mets.Section {
	return mets.Section{ID: id, Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: mdType, MDTypeVersion: version},
		FileCore:     mets.FileCore{MIMEType: "text/xml"}}}
}

// described returns the MODS of the collection.
func (b *builder) described() mods.Content {
	c := mods.Content{
		Titles: []mods.Title{{Title: b.file.Title}},
		Genres: []mods.Term{mods.Text("web archives"), {Text: "collection", Type: "level"}},
		Physical: []mods.Physical{{Extents: []string{humanize.Count(b.result.Harvests, "harvest"),
			humanize.Count(b.result.Containers, "container")}, DigitalOrigin: "born digital"}},
		Identifiers: []mods.Identifier{{Type: "local", Text: b.file.ID}},
		Notes:       []mods.Note{{Type: "source of description", Text: b.file.name}},
	}
	for _, name := range b.file.Curators {
		c.Names = append(c.Names, mods.Name{Parts: []mods.NamePart{{Text: name}},
			Roles: []mods.Role{mods.Marc("curator")}})
	}
	if b.file.Description != "" {
		c.Abstracts = []mods.Note{{Text: b.file.Description}}
	}
	for _, s := range b.file.Subjects {
		c.Subjects = append(c.Subjects, mods.Subject{Topics: []mods.Term{mods.Text(s)}})
	}
	return c
}

// constituents returns the harvests as related items, read from disk one by one.
func (b *builder) constituents(failed *error) iter.Seq[mods.RelatedItem] {
	return func(yield func(mods.RelatedItem) bool) {
		for r, err := range b.harvests.All() {
			if err != nil {
				*failed = err
				return
			}
			item := mods.RelatedItem{Type: "constituent",
				Content: mods.Content{Identifiers: []mods.Identifier{{Type: "local", Text: r.ID}}}}
			if r.Label != "" {
				item.Titles = []mods.Title{{Title: r.Label}}
			}
			if !yield(item) {
				return
			}
		}
	}
}

func (b *builder) identify(id string) premis.Identifier {
	return premis.Identifier{Type: "local", Value: b.file.ID + "#" + id}
}

// administration writes the collection's PREMIS object, its rights, and the event that made it.
func (b *builder) administration(w *mets.Writer) {
	w.StartAmdSec(amdID)
	w.Tech(section(objID, "PREMIS:OBJECT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, premis.Object{Category: premis.IntellectualEntity,
			Identifiers: []premis.Identifier{b.identify(objID)}, OriginalName: b.file.Title})
	})
	var grantors []string
	for i := range b.rights {
		s := &b.rights[i]
		var agent *premis.Link
		if s.Agent != "" {
			if !slices.Contains(grantors, s.Agent) {
				grantors = append(grantors, s.Agent)
			}
			id := grantorID + strconv.Itoa(slices.Index(grantors, s.Agent)+1)
			agent = &premis.Link{Identifier: b.identify(id), Roles: []premis.Term{premis.Text("grantor")}}
		}
		w.Rights(section(s.ID, "PREMIS:RIGHTS", premis.Version), func(x *xmlstream.Writer) error {
			return premis.WriteRights(x, s.Premis(b.identify(s.ID), agent))
		})
	}
	w.Digiprov(section(eventID, "PREMIS:EVENT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteEvent(x, b.event())
	})
	b.agent(w, packerID, premis.Agent{Names: []premis.Term{premis.Text(b.o.Agent.Name)},
		Type: premis.AgentType("software"), Version: b.o.Agent.Version})
	for i, name := range grantors {
		b.agent(w, grantorID+strconv.Itoa(i+1), premis.Agent{Names: []premis.Term{premis.Text(name)}})
	}
	w.EndAmdSec()
}

func (b *builder) agent(w *mets.Writer, id string, a premis.Agent) {
	a.Identifiers = []premis.Identifier{b.identify(id)}
	w.Digiprov(section(id, "PREMIS:AGENT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteAgent(x, a)
	})
}

func (b *builder) event() premis.Event {
	notes := []string{
		fmt.Sprintf("by %s: %s", b.file.name, humanize.Count(b.result.Harvests, "harvest")),
		fmt.Sprintf("%s expected, %d with a digest; %s asked what they hold",
			humanize.Count(b.result.Containers, "container"), b.result.Digests,
			humanize.Count(b.result.Packages, "package")),
	}
	notes = append(notes, b.rules...)
	for _, l := range b.result.Losses {
		notes = append(notes, fmt.Sprintf("not in MODS: %s of row %d of the sheet: %s: %s", l.Element, l.Row, l.Value,
			l.Why))
	}
	return premis.Event{
		Identifier: b.identify(eventID), Type: premis.EventType(string(model.PackageMaking)),
		DateTime: premis.Time(b.now()),
		Details:  []string{"profile " + aip.CollectionProfile},
		Outcomes: []premis.Outcome{{Outcome: premis.EventOutcome(string(model.Success)), Notes: notes}},
		Agents: []premis.Link{{Identifier: b.identify(packerID),
			Roles: []premis.Term{premis.AgentRole("executing program")}}},
		Objects: []premis.Link{{Identifier: b.identify(objID), Roles: []premis.Term{premis.ObjectRole("outcome")}}},
	}
}

// walk visits the harvests and their containers, each with its number from 1.
func (b *builder) walk(harvest func(n int, r row) error, container func(n int64, e Expected) error, end func()) error {
	next, stop := iter.Pull2(b.containers.All())
	defer stop()
	h, n := 0, int64(0)
	for r, err := range b.harvests.All() {
		if err != nil {
			return err
		}
		h++
		if err := harvest(h, r); err != nil {
			return err
		}
		for range r.Containers {
			e, err, ok := next()
			if err != nil || !ok {
				return fmt.Errorf("reading the containers from the temporary file: %w", err)
			}
			n++
			if err := container(n, e); err != nil {
				return err
			}
		}
		end()
	}
	return nil
}

// fileSec lists the expected containers, with a group for each harvest. They are not stored with
// the collection, so they have no FLocat.
func (b *builder) fileSec(w *mets.Writer) error {
	if b.result.Containers == 0 {
		return nil
	}
	open := false
	w.StartFileSec("")
	err := b.walk(func(n int, r row) error {
		if open = r.Containers > 0; open {
			w.StartFileGrp(mets.FileGrp{ID: groupID(n), Use: useExpected})
		}
		return w.Err()
	}, func(n int64, e Expected) error {
		f := mets.File{ID: aip.ContainerFileID(int(n)), OwnerID: e.Name}
		if e.Size >= 0 {
			f.Size = xmlstream.IntOf(e.Size)
		}
		if !e.Digest.IsZero() {
			f.Checksum, f.ChecksumType = e.Digest.Value, string(e.Digest.Algorithm)
		}
		w.File(f)
		return w.Err()
	}, func() {
		if open {
			w.EndFileGrp()
		}
	})
	w.EndFileSec()
	return err
}

func groupID(n int) string { return "GRP-h" + strconv.Itoa(n) }

// structure writes the structMap: collection, harvests, containers.
func (b *builder) structure(w *mets.Writer) error {
	root := mets.Div{Type: "collection", Label: b.file.Title, DmdID: []string{dmdID},
		AdmID: append([]string{objID}, b.rightsOf(0)...)}
	for i := range b.sheet {
		root.DmdID = append(root.DmdID, aip.SheetDmdID(i+1))
	}
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(root)
	err := b.walk(func(n int, r row) error {
		w.StartDiv(mets.Div{Type: "harvest", Label: r.Label, OrderLabel: r.ID, AdmID: b.rightsOf(n)})
		for _, id := range r.Packages {
			w.Mptr(mets.Mptr{Location: mets.Location{LocType: "OTHER", OtherLocType: otherLocType,
				Href: mets.Href(id)}})
		}
		return w.Err()
	}, func(n int64, e Expected) error {
		w.StartDiv(mets.Div{Type: "container", Label: e.Name})
		w.Fptr(mets.Fptr{FileID: aip.ContainerFileID(int(n))})
		w.EndDiv()
		return w.Err()
	}, w.EndDiv)
	w.EndDiv()
	w.EndStructMap()
	return err
}

func (b *builder) rightsOf(harvest int) []string {
	var ids []string
	for i := range b.rights {
		if b.rights[i].Scope.Harvest == harvest {
			ids = append(ids, b.rights[i].ID)
		}
	}
	return ids
}
