package aip

import (
	"cmp"
	"slices"
	"strings"

	"quire/metadata/mets"
)

// file checks a file element, and keeps the file for its reading. A file inside a file is a part
// (clause 2.8).
func (d *description) file(f mets.File, at mets.FilePlace) error {
	chain := d.inside.enter(&f, at)
	e := &chain[len(chain)-1]
	d.sizes(chain)
	if e.unknown != "" {
		d.findings.add(breaks(CodePartTransform, cmp.Or(d.path, d.document), "file %s %s; the parts within "+
			"were not read",
			clip(e.id), e.unknown))
	}
	if d.of != ofPages {
		d.cross.define(d.document, f.ID, e.size, f.Checksum)
	}
	switch {
	case len(chain) > 1:
		d.part(&f, e, len(chain)-1)
	case d.within != nil:
		d.fileOfDocument(&f, e, useOf(at))
	default:
		d.ofPackage(&f, e, useOf(at))
	}
	return cmp.Or(d.ctx.Err(), d.refs.err, d.listing.err, d.cross.err())
}

// sizes notes the decoded size of the last element of chain, where the METS states it. Without a
// transformation this is its own size. With one, it is the size of the part that is the whole
// element.
func (d *description) sizes(chain []element) {
	e := &chain[len(chain)-1]
	if e.size < 0 {
		return
	}
	if len(e.transforms) == 0 && e.unknown == "" {
		d.refs.content(e.id, e.size)
	}
	if len(chain) == 1 || e.begin >= 0 || e.end >= 0 {
		return
	}
	if parent := &chain[len(chain)-2]; len(parent.transforms) > 0 {
		d.refs.content(parent.id, e.size)
	}
}

// ofPackage adds a file of the package.
func (d *description) ofPackage(f *mets.File, e *element, use string) {
	d.path, d.refused = "", 0
	d.listing.end()
	path, wrong := pathOf(f)
	if wrong != nil {
		d.findings.add(wrong)
		return
	}
	l := listedOf(f, e, path, use)
	p, again, ok := d.listing.path(path, use, l.size >= 0 || l.sha512 != "")
	if !ok {
		d.findings.add(breaks(CodePathTwice, path, "is listed twice, the second time as file %s", clip(f.ID)))
		return
	}
	d.path = path
	d.place(path, use)
	if l.again = again; !again {
		d.fixity(l)
		switch use {
		case UseMETS:
			d.name(f, path)
		case UseContainers:
			d.containers++
			l.number = d.containers
			d.container(l)
		}
		d.refs.fileStates(f, e, path, l.number)
	}
	d.listing.file(p, l)
}

// part adds a part.
func (d *description) part(f *mets.File, e *element, depth int) {
	d.described.record(f.ID)
	if d.refused > 0 && depth > d.refused {
		return // it is within an invalid part
	}
	d.refused = 0
	where := cmp.Or(d.path, d.document)
	switch wrong, length := e.wrongRange(), e.length(); {
	case len(f.Locations) > 0:
		d.findings.add(breaks(CodeLocation, where, "file %s is within another file, but has a location", clip(f.ID)))
	case wrong != "":
		d.findings.add(breaks(CodePartRange, where, "file %s %s", clip(f.ID), wrong))
		d.refused = depth
		return
	case length >= 0 && e.size >= 0 && length != e.size:
		d.findings.add(breaks(CodePartSize, where, "file %s has %d bytes from BEGIN to END, but its SIZE "+
			"is %d",
			clip(f.ID), length, e.size))
	case depth > maxPartDepth:
		d.findings.add(breaks(CodePartLimit, where, "file %s is within %d others; parts are read %d deep", clip(f.ID),
			depth, maxPartDepth))
		d.refused = depth
		return
	}
	object := d.objectOfBody(f)
	if object != "" && !slices.Contains(f.AdmID, object) {
		d.findings.add(breaks(CodeObjectMissing, where,
			"file %s is a bytestream, but no ADMID names its premis:object %s", clip(f.ID), object))
		object = ""
	}
	d.listing.part(e, depth)
	d.refs.partStates(f, e, where, object)
}

// objectOfBody returns the ID of the object that a bytestream must have, or "". Bytestreams in
// mets.xml may be without PREMIS; in the METS of records each has an object (2.9, 2.18).
func (d *description) objectOfBody(f *mets.File) string {
	if d.within == nil {
		return ""
	}
	if n, order, ok := PartOf(f.ID, BodyFileID); ok {
		return BodyObjID(n, order)
	}
	return ""
}

// fptr checks the area that a pointer names.
func (d *description) fptr(p mets.Fptr) error {
	for i := range p.Par {
		d.area(&p.Par[i])
	}
	if p.Area != nil {
		d.area(p.Area)
	}
	return cmp.Or(d.ctx.Err(), d.refs.err)
}

func (d *description) area(a *mets.Area) {
	if wrong := d.refs.area(a); wrong != "" {
		d.findings.add(breaks(CodeAreaRange, d.document, "%s", wrong))
	}
}

// place checks a path against the layout (clauses 1 and 1.4).
func (d *description) place(path, use string) {
	if why := badName(path); why != "" {
		d.findings.add(breaks(CodePathName, path, "%s, which clause 1.4 escapes as %% and two "+
			"hexadecimal digits", why))
	}
	switch parent := folderOf(use); {
	case parent == "":
		d.findings.add(breaks(CodePathPlace, path, "is in a group of USE %q, which clause 2.6 does not have",
			clip(use)))
	case use == UseLogs && strings.HasPrefix(path, OriginalsDir+"/"): // a log of a mirror that is kept whole
	case len(path) <= len(parent) || path[:len(parent)+1] != parent+"/":
		d.findings.add(breaks(CodePathPlace, path, "is in the group %s, but not below %s/", use, parent))
	}
}

// fixity checks that size and SHA-512 are stated for a file.
func (d *description) fixity(l *listed) {
	switch {
	case l.size < 0:
		d.findings.add(breaks(CodeFileFixity, l.path, "%s states no SIZE for it", METSName))
	case l.sha512 == "":
		d.findings.add(breaks(CodeFileFixity, l.path, "%s states no SHA-512 for it", METSName))
	}
}
