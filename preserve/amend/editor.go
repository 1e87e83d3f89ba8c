package amend

import (
	"crypto/sha512"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

const modsSpace = mods.Namespace

// updated is the RECORDSTATUS of a changed METS (clause 2.2).
const updated = "UPDATED"

// title of the text that names the source of the title in the description of the website
const (
	titleSource = "title: "
	datesSource = "; dates: "
)

// writeMETS writes the new METS, and its digest.
func (j *job) writeMETS() error {
	old, err := os.Open(filepath.Join(j.pkg, aip.METSName))
	if err != nil {
		return err
	}
	defer func() { _ = old.Close() }() // it was only read
	sum := sha512.New()
	e := &editor{job: j, main: true}
	err = j.write(aip.METSName, func(out io.Writer) error { return rewrite(io.MultiWriter(out, sum), old, e) })
	if err == nil && !e.recorded {
		err = fmt.Errorf("%s has no amdSec %s for the event: only packages of Quire can be amended", aip.METSName,
			aip.PackageAmdID)
	}
	if err != nil {
		return fmt.Errorf("describing the package: %w", err)
	}
	return j.write(aip.DigestName, func(out io.Writer) error {
		_, err := out.Write(aip.DigestLine(hex.EncodeToString(sum.Sum(nil))))
		return err
	})
}

// editor changes mets.xml, or a document of pages.
type editor struct {
	*job
	main    bool
	harvest int // of a document of pages; in mets.xml, the last one seen

	from      int64 // of the start tag of an element that is removed or replaced
	removing  int   // the number of open elements at the one that is removed; 0 if none is
	titled    bool  // the first title was replaced
	credited  bool  // the agent is written
	stated    bool  // the new statements are written
	filed     bool  // the new file is written
	recorded  bool  // the event is written
	packaged  bool  // the document has the amdSec of the package
	described bool  // the new descriptions are written
}

// start implements visitor.
func (e *editor) start(r *rewriter, tag span, attrs []xml.Attr) {
	if e.removing > 0 {
		return
	}
	self := r.top(0)
	if self.space != mets.Namespace {
		if self.name == "note" && self.space == modsSpace {
			e.from = tag.from
		}
		return
	}
	e.before(r, tag)
	e.enter(r)
	set := e.attributes(r)
	if ids, changed := e.references(r, attrs); changed {
		set = append(set, setAttr("ADMID", strings.Join(ids, " ")))
	}
	if ids, changed := e.descriptionsOf(r, attrs); changed {
		set = append(set, setAttr("DMDID", strings.Join(ids, " ")))
	}
	switch {
	case e.replaced(r, attrs):
		e.from, e.removing = tag.from, len(r.open)
	case len(set) > 0:
		r.retag(tag, set...)
	}
}

// replaced reports whether an element is removed: a statement of the rights file, a description of an
// earlier sheet, and a page that it described.
func (e *editor) replaced(r *rewriter, attrs []xml.Attr) bool {
	self := r.top(0)
	switch {
	case r.is("mets", "amdSec", "rightsMD"):
		return e.removed[self.id]
	case !e.main || e.sheet == nil:
		return false
	case r.is("mets", "dmdSec"):
		return aip.IsSheetDmd(self.id)
	}
	named := strings.Fields(valueOf(attrs, "DMDID"))
	byOthers := func(id string) bool { return !aip.IsSheetDmd(id) }
	return len(e.s.pages) > 0 && self.name == "div" && self.of == aip.WebPage && r.below("mets", "structMap") &&
		len(named) > 0 && !slices.ContainsFunc(named, byOthers)
}

func isPage(of string) bool { return of == aip.WebPage || of == aip.AssociatedObject }

// enter notes the harvest of a div.
func (e *editor) enter(r *rewriter) {
	switch {
	case !e.main:
	case r.is("mets", "structMap", "div"):
		e.harvest = 0
	case r.is("mets", "structMap", "div", "div") && r.open[1].of == "logical" && r.top(0).of == "harvest":
		e.harvest++
	}
}

// before inserts the parts that belong before an element.
func (e *editor) before(r *rewriter, tag span) {
	self := r.top(0)
	if e.main && e.sheet != nil && !e.described && (r.is("mets", "amdSec") || r.is("mets", "fileSec") ||
		r.is("mets", "structMap")) {
		r.insert(tag.from, e.part(mets.InMets, e.descriptions()...))
		e.described = true
	}
	switch {
	case e.main && r.is("mets", "metsHdr", self.name) && self.name != "agent":
		e.credit(r, tag)
	case r.is("mets", "amdSec", self.name) && r.open[1].id == aip.PackageAmdID:
		e.packaged = true
		if self.name == "sourceMD" || self.name == "digiprovMD" {
			e.state(r, tag.from)
		}
	case r.is("mets", "fileSec"):
		if !e.main && !e.packaged {
			if some := e.rightsSections(e.within, false); len(some) > 0 {
				r.insert(tag.from, e.part(mets.InMets, func(w *mets.Writer) {
					w.StartAmdSec(aip.PackageAmdID)
					for _, write := range some {
						write(w)
					}
					w.EndAmdSec()
				}))
			}
		}
		if e.main && len(e.documents) > 0 {
			r.insert(tag.from, e.part(mets.InMets, e.eachDocument(e.fileSection)...))
		}
	}
}

// credit adds the agent of the change to the header.
func (e *editor) credit(r *rewriter, tag span) {
	if !e.credited && tag.to > tag.from {
		r.insert(tag.from, func(out io.Writer) error { return aip.WriteEditor(out, e.o.Agent) })
	}
	e.credited = true
}

// state writes the new statements.
func (e *editor) state(r *rewriter, at int64) {
	if !e.stated {
		some := func(*statements.Statement) bool { return true }
		if !e.main {
			some = e.within
		}
		r.insert(at, e.part(mets.InAmdSec, e.rightsSections(some, e.main)...))
	}
	e.stated = true
}

// within reports whether a statement is about URLs, and may be about pages of this document.
func (e *editor) within(s *statements.Statement) bool {
	return ofURLs(s) && (s.Scope.Harvest == 0 || s.Scope.Harvest == e.harvest)
}

func ofURLs(s *statements.Statement) bool { return len(s.Scope.URLs)+len(s.Scope.Except) > 0 }

// attributes returns the attributes to set, except references.
func (e *editor) attributes(r *rewriter) (set []xml.Attr) {
	self := r.top(0)
	switch {
	case r.is("mets") && e.main && e.title != "":
		set = append(set, setAttr("LABEL", e.title))
	case r.is("mets", "metsHdr"):
		set = append(set, setAttr("LASTMODDATE", e.o.Date.Format(time.RFC3339)), setAttr("RECORDSTATUS", updated))
	case r.is("mets", "fileSec", "fileGrp", "file") && e.main && e.files[self.id] != nil:
		f := e.files[self.id]
		set = append(set, setAttr("SIZE", decimal(f.size)), setAttr("CHECKSUM", f.sha512))
	case r.is("mets", "structMap", "div") && e.main && self.of == "website" && e.title != "":
		set = append(set, setAttr("LABEL", e.title))
	}
	return set
}

// references returns the sections that an element names; changed reports whether they are others than
// before.
func (e *editor) references(r *rewriter, attrs []xml.Attr) (ids []string, changed bool) {
	before := strings.Fields(valueOf(attrs, "ADMID"))
	ids = slices.DeleteFunc(slices.Clone(before), func(id string) bool { return e.removed[id] })
	self := r.top(0)
	if len(e.added) > 0 && self.name == "div" && r.below("mets", "structMap") && r.open[1].of == "logical" {
		ids = append(ids, e.statementsOf(r, valueOf(attrs, "LABEL"))...)
	}
	return ids, !slices.Equal(before, ids)
}

// descriptionsOf returns the descriptions that a div of the logical structMap of mets.xml names; changed
// reports whether they are others than before.
func (e *editor) descriptionsOf(r *rewriter, attrs []xml.Attr) (ids []string, changed bool) {
	self := r.top(0)
	if !e.main || e.sheet == nil || self.name != "div" || !r.below("mets", "structMap") || r.open[1].of != "logical" {
		return nil, false
	}
	before := strings.Fields(valueOf(attrs, "DMDID"))
	ids = slices.DeleteFunc(slices.Clone(before), aip.IsSheetDmd)
	switch {
	case r.is("mets", "structMap", "div") && self.of == "website":
		ids = append(ids, e.sheet.OfWebsite()...)
	case r.is("mets", "structMap", "div", "div") && self.of == "harvest":
		ids = append(ids, e.sheet.OfHarvest(e.harvest)...)
	case isPage(self.of): // before the statements of the page itself
		ids = slices.Concat(e.sheet.named[pageKey{valueOf(attrs, "LABEL"), valueOf(attrs, "ORDERLABEL")}], ids)
	}
	return ids, !slices.Equal(before, ids)
}

// describedPages writes the described pages at the end of the div of their harvest, if each harvest has
// a document of pages.
func (e *editor) describedPages(r *rewriter, tag span) {
	if e.sheet == nil || !r.below("mets", "structMap", "div") || r.open[1].of != "logical" {
		return
	}
	self := r.top(0)
	switch {
	case r.is("mets", "structMap", "div", "div") && self.of == "harvest":
		r.insert(tag.from, e.part(mets.InDiv, e.pagesOf(e.harvest)...))
	case r.is("mets", "structMap", "div") && self.of == "website":
		r.insert(tag.from, e.part(mets.InDiv, e.pagesOf(0)...))
	}
}

// statementsOf returns the new statements that a div of the logical structMap names: those about the
// whole package, about a harvest, or about a page.
func (e *editor) statementsOf(r *rewriter, label string) (ids []string) {
	self := r.top(0)
	harvest := 0
	switch {
	case e.main && r.is("mets", "structMap", "div"):
	case e.main && r.is("mets", "structMap", "div", "div") && self.of == "harvest":
		harvest = e.harvest
	case isPage(self.of):
		for i := range e.added {
			if s := &e.added[i]; e.within(s) && s.Scope.Holds(label) {
				ids = append(ids, s.ID)
			}
		}
		return ids
	default:
		return nil
	}
	for i := range e.added {
		if e.added[i].Scope.Harvest == harvest {
			ids = append(ids, e.added[i].ID)
		}
	}
	return ids
}

// finish implements visitor.
func (e *editor) finish(r *rewriter, tag span) {
	self := r.top(0)
	if e.removing > 0 {
		if len(r.open) == e.removing {
			r.cut(span{e.from, tag.to}, "")
			e.removing = 0
		}
		return
	}
	switch {
	case e.main && r.below("mets", "dmdSec") && r.open[1].id == aip.WebsiteDmdID && self.space == modsSpace:
		e.website(r, tag)
	case r.below("mets", "amdSec", "techMD") && self.children == 0:
		e.object(r, tag)
	case tag.from == tag.to: // an empty-element tag has no end tag for inserting before it
	case e.main && r.is("mets", "metsHdr"):
		e.credit(r, tag)
	case r.is("mets", "amdSec") && self.id == aip.PackageAmdID:
		e.state(r, tag.from)
		if e.main {
			r.insert(tag.from, e.part(mets.InAmdSec, e.history()...))
			e.recorded = true
		}
	case e.main:
		e.file(r, tag)
	}
}

// object changes size and digest in the object of a file with new content.
func (e *editor) object(r *rewriter, tag span) {
	self := r.top(0)
	if !strings.Contains(self.space, "premis") || self.name != "size" && self.name != "messageDigest" {
		return
	}
	for id, f := range e.files {
		if r.open[1].id != aip.FileAmdID(id) {
			continue
		}
		text := decimal(f.size)
		if self.name == "messageDigest" {
			text = f.sha512
		}
		r.cut(span{self.end, tag.from}, text)
	}
}

// website changes the description of the website.
func (e *editor) website(r *rewriter, tag span) {
	self := r.top(0)
	switch {
	case self.name == "mods" && e.o.Note != "" && tag.to > tag.from:
		r.insert(tag.from, e.note)
	case e.title == "":
	case self.name == "title" && r.top(1).name == "titleInfo" && r.top(2).name == "mods" && !e.titled:
		e.titled = true
		r.cut(span{self.end, tag.from}, escaped(e.title))
	case self.name == "note" && self.of == "source of title" && r.top(1).name == "mods":
		r.cut(span{e.from, tag.to}, "")
	case self.name == "note" && self.of == "source of description" && r.top(1).name == "mods" && self.children == 0:
		text := make([]byte, tag.from-self.end)
		if _, err := r.in.ReadAt(text, self.end); err != nil {
			r.err = errors.Join(r.err, err)
			return
		}
		if i := strings.Index(string(text), datesSource); i >= 0 && strings.HasPrefix(string(text), titleSource) {
			r.cut(span{self.end, self.end + int64(i)}, escaped(titleSource+e.titleSource))
		}
	}
}

// file writes the new documentation files into the fileSec and the structMaps, and the described
// pages.
func (e *editor) file(r *rewriter, tag span) {
	e.describedPages(r, tag)
	if len(e.documents) == 0 {
		return
	}
	self := r.top(0)
	switch {
	case r.is("mets", "fileSec", "fileGrp") && self.of == aip.UseDocuments && !e.filed:
		r.insert(tag.from, e.part(mets.InFileGrp, e.eachDocument(e.fileElement)...))
		e.filed = true
	case r.is("mets", "fileSec") && !e.filed:
		r.insert(tag.from, e.part(mets.InFileSec, e.fileGroup))
		e.filed = true
	case r.is("mets", "structMap", "div") && r.open[1].of == "logical":
		r.insert(tag.from, e.part(mets.InDiv, e.documentationDiv))
	case r.is("mets", "structMap", "div") && self.of == folderType:
		r.insert(tag.from, e.part(mets.InDiv, e.itemDiv))
	}
}
