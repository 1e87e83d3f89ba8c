package pack

import (
	"fmt"
	"io"
	"strings"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/characterize"
	"quire/preserve/folder"
)

// writeMETS writes the description of the package (docs/package-format.md, 2).
func (b *builder) writeMETS(out io.Writer) error {
	w := mets.NewWriter(out, mets.Options{})
	w.Start(mets.Root{ObjID: b.result.ID, Label: b.result.Title, Type: "Web archives", Profile: folder.Profile})
	w.Header(mets.Header{
		Created: b.now(), RecordStatus: "NEW",
		Agents: []mets.Agent{{Role: "CREATOR", Type: "OTHER", OtherType: "SOFTWARE", Name: b.o.Agent.Name, Notes: []string{b.o.Agent.Version}}},
	})
	w.Dmd(wrap(folder.WebsiteDmdID, "MODS", mods.Version), func(x *xmlstream.Writer) error { return mods.Write(x, b.website()) })
	b.packageSection(w)
	if err := b.spool.Each(func(p packed) error { b.containerSection(w, p); return w.Err() }); err != nil {
		return err
	}
	if err := b.files(w); err != nil {
		return err
	}
	if err := b.structure(w); err != nil {
		return err
	}
	return w.Close()
}

// wrap frames metadata of a standard that METS has a name for.
func wrap(id, mdType, version string) mets.Section {
	return mets.Section{ID: id, Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: mdType, MDTypeVersion: version}, FileCore: mets.FileCore{MIMEType: "text/xml"},
	}}
}

// packageSection writes what concerns the package as a whole (2.4).
func (b *builder) packageSection(w *mets.Writer) {
	w.StartAmdSec(folder.PackageAmdID)
	w.Tech(wrap(folder.WebsiteObjID, "PREMIS:OBJECT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, b.websiteObject())
	})
	w.Tech(wrap(folder.PackageObjID, "PREMIS:OBJECT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, b.packageObject())
	})
	b.restrictions(w)
	agents := b.agents()
	for _, e := range b.packageEvents(agents) {
		w.Digiprov(wrap(e.id, "PREMIS:EVENT", premis.Version), func(x *xmlstream.Writer) error { return premis.WriteEvent(x, e.event) })
	}
	for _, a := range agents {
		w.Digiprov(wrap(a.id, "PREMIS:AGENT", premis.Version), func(x *xmlstream.Writer) error { return premis.WriteAgent(x, a.agent) })
	}
	w.EndAmdSec()
}

// containerSection writes what concerns one container (2.5).
func (b *builder) containerSection(w *mets.Writer, p packed) {
	if p.Container == nil {
		return
	}
	w.StartAmdSec(folder.ContainerAmdID(p.N))
	w.Tech(wrap(folder.ContainerObjID(p.N), "PREMIS:OBJECT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteObject(x, b.containerObject(p))
	})
	cmd := mets.Section{ID: folder.ContainerMDID(p.N), Wrap: &mets.Wrap{
		MetadataType: mets.MetadataType{MDType: "OTHER", OtherMDType: "containerMD", MDTypeVersion: string(containermd.Version12)},
		FileCore:     mets.FileCore{MIMEType: "text/xml"},
	}}
	w.Tech(cmd, func(x *xmlstream.Writer) error {
		summary := characterize.Summary(p.Container, characterize.Options{Agent: b.o.Agent, Name: p.Name})
		return containermd.Write(x, summary, containermd.Options{Version: containermd.Version12})
	})
	if p.Made != nil {
		w.Tech(wrap(folder.SourceObjID(p.N), "PREMIS:OBJECT", premis.Version), func(x *xmlstream.Writer) error {
			return premis.WriteObject(x, b.sourceObject(p))
		})
		w.Digiprov(wrap(folder.MigrationEventID(p.N), "PREMIS:EVENT", premis.Version), func(x *xmlstream.Writer) error {
			return premis.WriteEvent(x, b.migration(p))
		})
	}
	w.Digiprov(wrap(folder.ContainerEventID(p.N), "PREMIS:EVENT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteEvent(x, b.validation(p))
	})
	if p.Container.Scan != nil {
		w.Digiprov(wrap(folder.VirusEventID(p.N), "PREMIS:EVENT", premis.Version), func(x *xmlstream.Writer) error {
			return premis.WriteEvent(x, b.virusCheck(p))
		})
	}
	w.EndAmdSec()
}

// files writes the fileSec (2.6): containers, then the originals of those that were made, then what lay beside them.
func (b *builder) files(w *mets.Writer) error {
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: useOf[containers]})
	at := containers
	err := b.spool.Each(func(p packed) error {
		if p.Group != at {
			at = p.Group
			w.EndFileGrp()
			w.StartFileGrp(mets.FileGrp{Use: useOf[at]})
		}
		w.File(b.fileOf(p))
		return w.Err()
	})
	w.EndFileGrp()
	w.EndFileSec()
	return err
}

func (b *builder) fileOf(p packed) mets.File {
	f := mets.File{
		ID:        fileID(p.Group, p.N),
		FileCore:  mets.FileCore{MIMEType: mimeType(p), Size: xmlstream.IntOf(p.Size), Checksum: p.SHA512, ChecksumType: "SHA-512"},
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(p.Dest)}}},
	}
	switch {
	case p.Container != nil:
		f.AdmID = []string{folder.ContainerObjID(p.N), folder.ContainerMDID(p.N), folder.DigestEventID, folder.ContainerEventID(p.N)}
		if p.Container.Scan != nil {
			f.AdmID = append(f.AdmID, folder.VirusEventID(p.N))
		}
		if algorithm := characterize.CompressionType(p.Container.Compression); algorithm != "" {
			f.Transforms = []mets.Transform{{Type: "decompression", Algorithm: algorithm, Order: 1}}
		}
	case p.SourceOf > 0:
		f.AdmID = []string{folder.SourceObjID(p.SourceOf), folder.DigestEventID}
	default:
		f.AdmID = []string{folder.DigestEventID}
	}
	if p.Restricted != "" {
		f.AdmID = append(f.AdmID, b.restriction(p.Restricted))
	}
	if p.Container == nil && strings.TrimPrefix(p.Dest, folderOf[p.Group]+"/") != p.Name {
		f.OwnerID = p.Name
	}
	return f
}

func fileID(g group, n int) string {
	switch g {
	case containers:
		return folder.ContainerFileID(n)
	case originals:
		return folder.OriginalFileID(n)
	}
	return folder.LogFileID(n)
}

// ref is a file in the structMap.
type ref struct {
	group group
	n     int
	label string
}

// structure writes the logical structMap (2.7). The files of a harvest stand in it in the order of the fileSec.
func (b *builder) structure(w *mets.Writer) error {
	refs := map[int][]ref{} // by harvest
	err := b.spool.Each(func(p packed) error {
		r := ref{group: p.Group, n: p.N}
		if p.Group == containers {
			r.label = p.Name
		}
		refs[p.Harvest] = append(refs[p.Harvest], r)
		return nil
	})
	if err != nil {
		return err
	}
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", Label: b.result.Title, DmdID: []string{folder.WebsiteDmdID}, AdmID: []string{folder.WebsiteObjID, folder.PackageObjID}})
	for i := range b.facts.harvests {
		div := mets.Div{Type: "harvest", Label: b.facts.harvests[i].label()}
		if b.captured(i + 1) {
			div.AdmID = []string{folder.HarvestEventID(i + 1)}
		}
		w.StartDiv(div)
		contents(w, refs[i+1])
		w.EndDiv()
	}
	contents(w, refs[0])
	w.EndDiv()
	w.EndStructMap()
	return w.Err()
}

// divOf is what the div of a group's files is called; the containers have one each.
var divOf = [groups]string{"container", "original", "documentation"}

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
			w.EndDiv()
		}
	}
	if open != containers {
		w.EndDiv()
	}
}

// label says which harvest it is, and when it was, for people.
func (h *harvest) label() string {
	first, last, ok := h.span()
	if !ok {
		return "harvest without dates"
	}
	return fmt.Sprintf("%s to %s", first.UTC().Format("2006-01-02 15:04:05"), last.UTC().Format("2006-01-02 15:04:05 MST"))
}
