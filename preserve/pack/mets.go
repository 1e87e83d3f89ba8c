package pack

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
	"quire/preserve/characterize"
)

// writeMETS writes the description of the package (docs/reference/310_package-format.md, 2).
func (b *builder) writeMETS(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: b.result.ID, Label: b.result.Title, Type: "Web archives", Profile: b.o.Profile.name(),
		Namespaces: b.o.SchemaVersion.namespaces()})
	w.Header(mets.Header{
		Created: b.now(), RecordStatus: "NEW",
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: b.o.Agent.Name,
			Notes: []string{b.o.Agent.Version}}},
	})
	b.descriptionSection(w, aip.WebsiteDmdID, b.website())
	b.descriptions(w)
	if err := errors.Join(b.sheetSections(w), b.pageDescriptions(w)); err != nil {
		return err
	}
	b.packageSection(w)
	if err := errors.Join(b.containerSections(w), b.fileSections(w)); err != nil {
		return err
	}
	if err := b.files(w); err != nil {
		return err
	}
	if err := b.physical(w); err != nil {
		return err
	}
	if err := b.structure(w); err != nil {
		return err
	}
	if err := b.structLinks(w); err != nil {
		return err
	}
	return w.Close()
}

// packageSection writes the sections about the package as a whole (2.4).
func (b *builder) packageSection(w *mets.Writer) {
	w.StartAmdSec(aip.PackageAmdID)
	b.objectSection(w, aip.WebsiteObjID, b.websiteObject())
	b.objectSection(w, aip.PackageObjID, b.packageObject())
	b.restrictions(w)
	b.statements(w)
	agents := b.agents()
	for _, e := range b.packageEvents(agents) {
		b.eventSection(w, e.id, e.event)
	}
	for _, a := range agents {
		b.agentSection(w, a.id, a.agent)
	}
	w.EndAmdSec()
}

// containerSections writes the sections about each container.
func (b *builder) containerSections(w *mets.Writer) error {
	derived, err := b.derived.reader()
	defer derived.stop()
	if err != nil {
		return err
	}
	return b.spool.Each(func(p packed) error {
		if p.Container == nil {
			return nil
		}
		if err := b.containerSection(w, p, derived); err != nil {
			return err
		}
		return w.Err()
	})
}

// containerSection writes the sections about one container (2.5): in each standard's order, objects
// before events.
func (b *builder) containerSection(w *mets.Writer, p packed, derived *derivedReader) error {
	w.StartAmdSec(aip.ContainerAmdID(p.N))
	b.objectSection(w, aip.ContainerObjID(p.N), b.containerObject(p))
	b.containerMDSection(w, aip.ContainerMDID(p.N),
		characterize.Summary(p.Container, characterize.Options{Agent: b.o.Agent, Name: p.Name}))
	if p.Made != nil {
		b.objectSection(w, aip.SourceObjID(p.N), b.sourceObject(p))
	}
	told, err := b.contentObjects(w, p, derived)
	if err != nil {
		return err
	}
	if p.Made != nil {
		b.eventSection(w, aip.MigrationEventID(p.N), b.migration(p))
	}
	if p.transformed() > 0 {
		b.eventSection(w, aip.TransformationEventID(p.N), b.transformation(p))
	}
	b.eventSection(w, aip.ContainerEventID(p.N), b.validation(p, told))
	if p.Container.Scan != nil {
		b.eventSection(w, aip.VirusEventID(p.N), b.virusCheck(p))
	}
	if p.Contents.revisits(p.Container) > 0 {
		b.eventSection(w, aip.DedupEventID(p.N), b.deduplication(p))
	}
	w.EndAmdSec()
	return nil
}

// files writes the fileSec (2.6): containers, then the originals of converted containers, then the
// other files.
func (b *builder) files(w *mets.Writer) error {
	anyOf, each, stop, err := b.partReaders()
	defer stop()
	if err != nil {
		return err
	}
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: useOf[containers]})
	at := containers
	err = b.spool.Each(func(p packed) error {
		if p.Group != at {
			at = p.Group
			w.EndFileGrp()
			w.StartFileGrp(mets.FileGrp{Use: useOf[at]})
		}
		return b.file(w, p, anyOf, each)
	})
	if err != nil {
		return err
	}
	w.EndFileGrp()
	err = errors.Join(b.apartGroup(w, aip.UseOriginalFiles, aip.OriginalPartsID),
		b.apartGroup(w, aip.UseViral, aip.ViralFileID), b.lineFiles(w))
	if err != nil {
		return err
	}
	w.EndFileSec()
	return w.Err()
}

// file writes a file, and for a container the records within it.
func (b *builder) file(w *mets.Writer, p packed, anyOf, each *derivedReader) error {
	f := b.fileOf(p)
	if p.Container == nil {
		w.File(f)
		return w.Err()
	}
	some, err := b.anyNested(&p, anyOf, "")
	if err != nil {
		return err
	}
	if some && layoutOf(p.Container).shape == apart {
		f.Transforms = nil // each member has its own, at its record, here and in the separate groups
	}
	w.StartFile(f)
	err = b.nested(w, &p, each, aip.UseContainers)
	w.EndFile()
	return err
}

func location(p packed) []mets.FLocat {
	return []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(p.Dest)}}}
}

func (b *builder) fileOf(p packed) mets.File {
	f := mets.File{
		ID: fileID(p.Group, p.N),
		FileCore: mets.FileCore{MIMEType: mimeType(p), Size: xmlstream.IntOf(p.Size), Checksum: p.SHA512,
			ChecksumType: "SHA-512"},
		Locations: location(p),
	}
	switch {
	case p.Container != nil:
		f.GroupID = aip.ContainerFileID(p.N)
		f.AdmID = []string{aip.ContainerObjID(p.N), aip.ContainerMDID(p.N), aip.DigestEventID,
			aip.ContainerEventID(p.N)}
		if p.Container.Scan != nil {
			f.AdmID = append(f.AdmID, aip.VirusEventID(p.N))
		}
		if p.transformed() > 0 {
			f.AdmID = append(f.AdmID, aip.TransformationEventID(p.N))
		}
		f.Transforms = decompression(p.Container)
	case p.SourceOf > 0:
		f.AdmID = []string{aip.SourceObjID(p.SourceOf), aip.DigestEventID}
	default:
		f.AdmID = []string{aip.FileObjID(f.ID), aip.DigestEventID}
	}
	if p.Restricted != "" {
		f.AdmID = append(f.AdmID, b.restriction(p.Restricted))
	}
	if _, path, _ := strings.Cut(p.Dest, "/"); p.Container == nil && path != p.Name {
		f.OwnerID = p.Name
	}
	return f
}

func fileID(g group, n int) string {
	switch g {
	case containers:
		return aip.ContainerFileID(n)
	case originals:
		return aip.OriginalFileID(n)
	case documentation:
		return aip.DocumentFileID(n)
	}
	return aip.LogFileID(n)
}

// ref is a reference to a file in the structMap.
type ref struct {
	group  group
	n      int
	label  string
	rows   span // of a container
	pages  span
	layout layout
}

// structure writes the logical structMap (2.7). The files of a harvest are in the order of the
// fileSec.
func (b *builder) structure(w *mets.Writer) error {
	refs := map[int][]ref{} // by harvest
	err := b.spool.Each(func(p packed) error {
		r := ref{group: p.Group, n: p.N}
		if p.Group == containers {
			r.label, r.rows, r.pages, r.layout = p.Name, p.Contents.Rows, p.Contents.Pages, layoutOf(p.Container)
		}
		refs[p.Harvest] = append(refs[p.Harvest], r)
		return nil
	})
	if err != nil {
		return err
	}
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", Label: b.result.Title,
		DmdID: append([]string{aip.WebsiteDmdID}, b.described.ofWebsite()...),
		AdmID: append(b.websiteSections(), b.rightsOf(0)...)})
	for i := range b.facts.harvests {
		div := mets.Div{Type: "harvest", Label: b.facts.harvests[i].label(),
			DmdID: append(b.descriptionIDs(i+1), b.described.ofHarvest(i+1)...)}
		if b.captured(i + 1) {
			div.AdmID = []string{aip.HarvestEventID(i + 1)}
		}
		div.AdmID = append(div.AdmID, b.rightsOf(i+1)...)
		w.StartDiv(div)
		if err := b.harvestFiles(w, i+1, refs[i+1]); err != nil {
			return err
		}
		w.EndDiv()
	}
	if err := b.harvestFiles(w, 0, refs[0]); err != nil {
		return err
	}
	w.EndDiv()
	w.EndStructMap()
	return w.Err()
}

// divOf is the TYPE of the div for a group's files; each container has its own div.
var divOf = [groups]string{"container", "original", "log", "documentation"}

// harvestFiles writes the files of one harvest (0 means none), followed by their website content if
// the profile includes it.
func (b *builder) harvestFiles(w *mets.Writer, harvest int, refs []ref) error {
	contents(w, refs)
	if !b.o.Profile.itemized() {
		return w.Err()
	}
	for i := range refs {
		if err := b.pages(w, harvest, &refs[i]); err != nil {
			return err
		}
	}
	return w.Err()
}

// contents writes the files of one harvest.
func contents(w *mets.Writer, refs []ref) {
	open := containers
	for _, r := range refs {
		if r.group != open {
			if open != containers {
				w.EndDiv()
			}
			open = r.group
			w.StartDiv(mets.Div{Type: divOf[open]})
		}
		if r.group == containers {
			w.StartDiv(mets.Div{Type: divOf[containers], Label: r.label})
		}
		w.Fptr(mets.Fptr{FileID: fileID(r.group, r.n)})
		if r.group == containers {
			indexDiv(w, r.n)
			w.EndDiv()
		}
	}
	if open != containers {
		w.EndDiv()
	}
}

// label describes the harvest and its time, for people.
func (h *harvest) label() string {
	first, last, ok := h.span()
	if !ok {
		return "harvest without dates"
	}
	return fmt.Sprintf("%s to %s", first.UTC().Format("2006-01-02 15:04:05"),
		last.UTC().Format("2006-01-02 15:04:05 MST"))
}
