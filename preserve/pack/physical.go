package pack

import (
	"path"
	"strings"

	"quire/metadata/mets"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// physical writes the structMap of the files as stored: folders, and the files in them. Its TYPEs
// Directory and Item are those of Archivematica, so its reader (metsrw) lists all files
// (docs/reference/310_package-format.md, 2.7).
func (b *builder) physical(w *mets.Writer) error {
	w.StartStructMap(mets.StructMap{Type: "physical"})
	w.StartDiv(mets.Div{Type: divFolder, Label: b.result.ID, AdmID: []string{aip.PackageAmdID}})
	f := folderDivs{w: w}
	err := b.spool.Each(func(p packed) error {
		f.enter(p.Dest)
		if p.Container != nil && b.o.METS == Single {
			return b.physicalContainer(w, &p, divFile)
		}
		f.file(p.Dest, fileID(p.Group, p.N))
		return w.Err()
	})
	if err != nil {
		return err
	}
	err = b.spool.Each(func(p packed) error {
		if p.Container != nil {
			f.enter(p.Lines.Path)
			f.file(p.Lines.Path, aip.IndexFileID(p.N))
		}
		return w.Err()
	})
	if err != nil {
		return err
	}
	err = b.eachDocument(func(d *aip.MadeFile) {
		f.enter(d.Path)
		f.file(d.Path, d.ID)
	})
	if err != nil {
		return err
	}
	f.enter("")
	w.EndDiv()
	w.EndStructMap()
	return w.Err()
}

// The TYPEs of divs in the physical structMap.
const (
	divFolder = "Directory"
	divFile   = "Item"
)

// folderDivs writes a div for each folder.
type folderDivs struct {
	w    *mets.Writer
	open []string // names of the open folders
}

// enter opens the folders of a path, and closes those of the path before.
func (f *folderDivs) enter(name string) {
	var folders []string
	if dir := path.Dir(name); dir != "." {
		folders = strings.Split(dir, "/")
	}
	common := 0
	for common < min(len(folders), len(f.open)) && folders[common] == f.open[common] {
		common++
	}
	for range f.open[common:] {
		f.w.EndDiv()
	}
	for _, folder := range folders[common:] {
		f.w.StartDiv(mets.Div{Type: divFolder, Label: folder})
	}
	f.open = folders
}

// file writes a file of the open folder.
func (f *folderDivs) file(name, id string) {
	f.w.StartDiv(mets.Div{Type: divFile, Label: path.Base(name)})
	f.w.Fptr(mets.Fptr{FileID: id})
	f.w.EndDiv()
}

// physicalContainer writes a container and, if the profile has links, the member of each record, or
// the record if it has no separate member.
func (b *builder) physicalContainer(w *mets.Writer, p *packed, divType string) error {
	w.StartDiv(mets.Div{Type: divType, Label: path.Base(p.Dest)})
	w.Fptr(mets.Fptr{FileID: fileID(p.Group, p.N)})
	if l := p.layout(); b.linked() {
		err := b.contents.each(p.Contents.Rows, func(c *content) error {
			if !l.holds(c) || b.o.METS != Single && b.inPackage(c) { // mets.xml has the file
				return nil
			}
			div, id := mets.Div{Type: "record", Order: xmlstream.IntOf(c.Order)}, aip.RecordFileID(p.N, c.Order)
			if l.shape == apart {
				div.Type, id = "member", aip.MemberFileID(p.N, c.Order)
			}
			w.StartDiv(div)
			w.Fptr(mets.Fptr{FileID: id})
			w.EndDiv()
			return w.Err()
		})
		if err != nil {
			return err
		}
	}
	w.EndDiv()
	return w.Err()
}
