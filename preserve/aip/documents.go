package aip

import (
	"errors"
	"fmt"
	"strings"

	"quire/metadata/mets"
)

// documentKind is the content of a METS document.
type documentKind int

// The kinds of documents (clauses 2.1 and 2.18).
const (
	ofPackage   documentKind = iota // mets.xml
	ofContainer                     // the records of a container
	ofPages                         // the pages of a harvest
)

// profile returns mets/@PROFILE of a document below [METSDir].
func (k documentKind) profile() string {
	if k == ofPages {
		return ProfilePagesMETS
	}
	return ProfileContainerMETS
}

// named is a METS document that mets.xml names.
type named struct {
	path string
	kind documentKind
	n    int // of the container
}

// name adds a file of the group METS to the documents to read.
func (d *description) name(f *mets.File, path string) {
	switch n, ok := NumberOf(f.ID, ContainerMETSFileID); {
	case ok && f.GroupID != ContainerFileID(n):
		d.findings.add(breaks(CodeDocument, path, "is the METS of container %d as file %s, but has the GROUPID %q", n,
			clip(f.ID), clip(f.GroupID)))
	case ok:
		d.named = append(d.named, named{path, ofContainer, n})
	case strings.HasPrefix(f.ID, strings.TrimSuffix(PagesMETSFileID(0), "0")):
		d.named = append(d.named, named{path: path, kind: ofPages})
	default:
		d.findings.add(breaks(CodeDocument, path,
			"is in the group %s as file %s, an ID that clause 2.18 does not have; it was not read", UseMETS,
			clip(f.ID)))
	}
}

// readDocuments reads the documents that mets.xml names.
func (d *description) readDocuments() error {
	for _, n := range d.named {
		d.cross.document(n.path)
	}
	for _, n := range d.named {
		if err := d.readDocument(n); err != nil {
			return err
		}
	}
	return nil
}

// readDocument reads one document, and judges its own references.
func (d *description) readDocument(n named) error {
	in := &description{validation: d.validation, document: n.path, within: d, of: n.kind, refs: newReferences(n.path),
		listing: d.listing, cross: d.cross, entities: d.entities, described: d.described}
	f, err := openRegular(d.root, n.path)
	if err != nil {
		d.unread(n.path) // reading the files reports it
		return nil
	}
	defer f.Close() //nolint:errcheck // it was only read
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("reading %s in %s: %w", n.path, d.dir, err)
	}
	quiet := &validation{ctx: d.ctx} // its bytes are reported when its digest is computed
	source := &watched{v: quiet, src: f}
	text, err := unzipped(source, info.Size(), n.path)
	if err != nil {
		d.unread(n.path)
		d.findings.add(breaks(CodeMETSRead, n.path, "is not in gzip: %v", err))
		return source.err
	}
	err = in.readText(text, source)
	err = errors.Join(err, in.judgeReferences())
	d.add(in)
	if err == nil && !in.broken {
		err = d.checkDocumentSchemas(in, text.read)
	}
	return err
}

// unread records that a document cannot be read.
func (d *description) unread(path string) {
	d.cross.unread(path)
	d.partial = true
	d.skip(path+" cannot be read", CheckReferences, CheckEntities, CheckContainers, CheckParts, CheckLinks)
}

// add adds the counts of a document to those of mets.xml.
func (d *description) add(in *description) {
	if in.broken {
		d.cross.unread(in.document)
		d.partial = true
	}
	d.refs.ids += in.refs.ids
	d.refs.labels += in.refs.labels
	d.refs.links += in.refs.links
	d.refs.areas += in.refs.areas
	d.refs.compared += in.refs.compared
}

// rootOfDocument checks the root of a document: it names its package, and its kind.
func (d *description) rootOfDocument(r mets.Root) error {
	if want := d.id + "/" + d.document; clip(r.ObjID) != clip(want) {
		d.findings.add(breaks(CodeDocument, d.document, "has the OBJID %q; clause 2.18 requires %q", clip(r.ObjID),
			clip(want)))
	}
	if r.Profile != d.of.profile() {
		d.findings.add(breaks(CodeProfile, d.document, "has the profile %q; it is checked as %q", clip(r.Profile),
			d.of.profile()))
	}
	return nil
}

// fileOfDocument checks a file of a document, which mets.xml lists, too: a container, or the place of
// a bytestream.
func (d *description) fileOfDocument(f *mets.File, e *element, use string) {
	d.path, d.refused = "", 0
	d.listing.end()
	if d.of == ofPages {
		d.bytestream(f, e)
		return
	}
	d.within.unplaced++
	path, wrong := pathFrom(d.document, f)
	if wrong != nil {
		d.findings.add(wrong)
		return
	}
	if use != UseContainers && use != UseOriginalFiles {
		d.findings.add(breaks(CodeDocument, d.document,
			"lists file %s in a group of USE %q, which clause 2.18 does not have",
			clip(f.ID), clip(use)))
		return
	}
	if ContainerMETSOf(path) != d.document || !d.listing.has(path) {
		d.findings.add(breaks(CodeDocument, d.document, "lists %s, which is not the container that it describes",
			clip(path)))
		return
	}
	l := listedOf(f, e, path, use)
	p, ok := d.listing.pathAgain(path, use)
	if !ok {
		d.findings.add(breaks(CodePathTwice, path, "is listed twice in %s, the second time as file %s", d.document,
			clip(f.ID)))
		return
	}
	d.within.unplaced--
	d.path, l.again = path, true
	d.listing.file(p, l)
}

// bytestream checks the place of a bytestream of a page: a file element in the METS of a container.
func (d *description) bytestream(f *mets.File, e *element) {
	if len(f.Locations) != 1 {
		d.findings.add(breaks(CodeLocation, d.document, "file %s has %d locations; clause 2.18 requires one FLocat",
			clip(f.ID), len(f.Locations)))
		return
	}
	href := f.Locations[0].Href
	if _, id, _ := strings.Cut(href, "#"); id != f.ID {
		d.findings.add(breaks(CodeDocumentLink, d.document,
			"file %s has its place at %s; clause 2.18 requires the same ID", clip(f.ID), clip(href)))
		return
	}
	d.refer(href, e.size, f.Checksum)
	if len(e.transforms) == 0 && e.unknown == "" && e.size >= 0 {
		d.refs.content(e.id, e.size)
	}
}

// refer notes a reference to an element of another document.
func (d *description) refer(href string, size int64, digest string) {
	url, id, _ := strings.Cut(href, "#")
	path, err := mets.Path(url)
	if err != nil {
		d.findings.add(breaks(CodePath, d.document, "%v", err))
		return
	}
	if d.document != METSName {
		path = resolveFrom(d.document, path)
	}
	d.cross.refer(d.document, path, id, size, digest)
}

// mptr checks a pointer to another document.
func (d *description) mptr(m mets.Mptr) error {
	d.away.pointer(d, &m)
	if m.LocType == "URL" {
		d.refer(m.Href, -1, "")
	}
	return d.ctx.Err()
}
