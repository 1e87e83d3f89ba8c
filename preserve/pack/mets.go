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
	w.Digiprov(wrap(folder.ContainerEventID(p.N), "PREMIS:EVENT", premis.Version), func(x *xmlstream.Writer) error {
		return premis.WriteEvent(x, b.validation(p))
	})
	w.EndAmdSec()
}

// files writes the fileSec (2.6): containers first, then what lay beside them.
func (b *builder) files(w *mets.Writer) error {
	w.StartFileSec("")
	w.StartFileGrp(mets.FileGrp{Use: folder.UseContainers})
	logs := false
	err := b.spool.Each(func(p packed) error {
		if p.Container == nil && !logs {
			logs = true
			w.EndFileGrp()
			w.StartFileGrp(mets.FileGrp{Use: folder.UseLogs})
		}
		w.File(fileOf(p))
		return w.Err()
	})
	w.EndFileGrp()
	w.EndFileSec()
	return err
}

func fileOf(p packed) mets.File {
	f := mets.File{
		ID:        fileID(p),
		FileCore:  mets.FileCore{MIMEType: mimeType(p), Size: xmlstream.IntOf(p.Size), Checksum: p.SHA512, ChecksumType: "SHA-512"},
		AdmID:     []string{folder.DigestEventID},
		Locations: []mets.FLocat{{Location: mets.Location{LocType: "URL", Href: mets.Href(p.Dest)}}},
	}
	if p.Container == nil {
		if strings.TrimPrefix(p.Dest, folder.LogsDir+"/") != p.Name {
			f.OwnerID = p.Name
		}
		return f
	}
	f.AdmID = []string{folder.ContainerObjID(p.N), folder.ContainerMDID(p.N), folder.DigestEventID, folder.ContainerEventID(p.N)}
	if algorithm := characterize.CompressionType(p.Container.Compression); algorithm != "" {
		f.Transforms = []mets.Transform{{Type: "decompression", Algorithm: algorithm, Order: 1}}
	}
	return f
}

func fileID(p packed) string {
	if p.Container == nil {
		return folder.LogFileID(p.N)
	}
	return folder.ContainerFileID(p.N)
}

// structure writes the logical structMap (2.7). The files stand in it in the order of the fileSec.
func (b *builder) structure(w *mets.Writer) error {
	w.StartStructMap(mets.StructMap{Type: "logical"})
	w.StartDiv(mets.Div{Type: "website", Label: b.result.Title, DmdID: []string{folder.WebsiteDmdID}, AdmID: []string{folder.WebsiteObjID, folder.PackageObjID}})
	harvest := mets.Div{Type: "harvest", Label: b.span()}
	if b.result.First != nil {
		harvest.AdmID = []string{folder.CaptureEventID}
	}
	w.StartDiv(harvest)
	logs := false
	err := b.spool.Each(func(p packed) error {
		if p.Container != nil {
			w.StartDiv(mets.Div{Type: "container", Label: p.Name})
			w.Fptr(mets.Fptr{FileID: fileID(p)})
			w.EndDiv()
			return w.Err()
		}
		if !logs {
			logs = true
			w.StartDiv(mets.Div{Type: "documentation"})
		}
		w.Fptr(mets.Fptr{FileID: fileID(p)})
		return w.Err()
	})
	if logs {
		w.EndDiv()
	}
	w.EndDiv()
	w.EndDiv()
	w.EndStructMap()
	return err
}

// span says when the harvest was, for people.
func (b *builder) span() string {
	if b.result.First == nil {
		return "harvest without dates"
	}
	return fmt.Sprintf("%s to %s", b.result.First.UTC().Format("2006-01-02 15:04:05"), b.result.Last.UTC().Format("2006-01-02 15:04:05 MST"))
}
