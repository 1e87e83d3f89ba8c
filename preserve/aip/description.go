package aip

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"quire/internal/humanize"
	"quire/metadata/mets"
	"quire/metadata/xmlstream"
)

// description validates one METS document of the package while reading it: mets.xml, or a document
// that it names (clause 2.18). Facts that cannot be judged before the end are kept on disk.
type description struct {
	*validation
	document string       // its path
	within   *description // mets.xml, which names the document; nil for mets.xml itself
	of       documentKind
	named    []named // the documents that mets.xml names
	cross    *crossReferences
	refs     *references
	entities *entities
	// the statements of mets.xml about each container
	described *containers
	partial   bool // a document was not read to its end
	unplaced  int  // files of documents that were refused, with the records within
	listing   *listing
	facts     describer // the reading that [Describe] does, to check that it succeeds
	inside    nesting
	path      string   // of the current file of the package; "" if it has none
	amdSec    struct { // the current amdSec
		id      string
		objects int
	}
	containers uint64
	away       pageElsewhere
	linked     int64 // links with a target in the package, as mets.xml states them; -1 if it does not
	refused    int   // depth of an invalid part: parts within are skipped; 0 if none
	generation
	content []byte // of the current object, reused
	sum     string // SHA-512 of mets.xml
	broken  bool   // not read to its end
}

// read reads mets.xml and the documents that it names, and checks the files it lists. It reports
// whether mets.xml exists. The error is from the disk or the context.
func (d *description) read() (there bool, err error) {
	f, err := openRegular(d.root, METSName)
	var kind kindError
	if isMissing(err) || errors.As(err, &kind) {
		d.missing(kind)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading %s in %s: %w", METSName, d.dir, err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	source := &watched{v: d.validation, src: f}
	in := newDigested(source)
	if err := d.readText(in, source); err != nil {
		return true, err
	}
	_, _ = io.Copy(io.Discard, in) // the sidecar covers the whole file; source keeps errors
	if source.err != nil {
		return true, fmt.Errorf("reading %s in %s: %w", METSName, d.dir, source.err)
	}
	d.sum = in.hex()
	if err := d.readDocuments(); err != nil {
		return true, err
	}
	return true, d.judge()
}

// readText reads one document. source is its file. The error is from the disk or the context.
func (d *description) readText(in io.Reader, source *watched) error {
	err := mets.Read(in, d.handler())
	if err != nil && d.ctx.Err() == nil && source.err == nil {
		d.stopped(err)
	}
	d.listing.end()
	if err := cmp.Or(d.ctx.Err(), source.err); err != nil {
		return fmt.Errorf("reading %s in %s: %w", d.document, d.dir, err)
	}
	return cmp.Or(d.refs.err, d.listing.err, d.cross.err(), d.entities.failed)
}

// judge checks the facts that were kept, and reads the files.
func (d *description) judge() error {
	err := d.judgeReferences()
	if err == nil {
		err = d.cross.judge(d.findings, !d.broken)
	}
	if err == nil {
		err = d.entities.judge(d.findings, d.id, !d.broken && !d.partial)
	}
	err = errors.Join(err, d.cross.close(), d.entities.close())
	var met map[uint64]struct{}
	if !d.broken {
		met = d.refs.met
	}
	pool := newPool(d.validation, met)
	pool.itemized = listsRecords(d.facts.pkg.Profile) && !d.partial && !d.broken && d.unplaced == 0
	if err == nil {
		err = pool.read(d.listing)
	}
	if err = errors.Join(err, d.listing.close()); d.ctx.Err() != nil {
		err = d.ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("validating %s: %w", d.dir, err)
	}
	pool.indexes.judge(d.findings)
	d.judgeLinks()
	d.judgeContainers(&pool.indexes, listsRecords(d.facts.pkg.Profile))
	if missed := pool.missed.Load(); missed > 0 {
		d.skip(humanize.Count(missed, "part")+" not read, because their files are not as "+METSName+" says", CheckParts)
	}
	d.say(pool)
	return nil
}

// judgeReferences checks the references within the document, and frees their disk space.
func (d *description) judgeReferences() error {
	return errors.Join(d.refs.judge(d.findings, !d.broken), d.refs.close())
}

// say records for each check what was done, for checks without findings.
func (d *description) say(pool *digestPool) {
	d.done[CheckMETS] = "well-formed; structure checked in code"
	d.done[CheckFiles] = pool.summary()
	d.done[CheckPaths] = humanize.Count(len(d.listing.paths), "path")
	d.done[CheckReferences] = humanize.Count(d.refs.ids, "ID")
	if n := d.cross.checked; n > 0 {
		d.done[CheckReferences] += ", " + humanize.Count(n, "reference") + " to another document"
	}
	d.sayContent()
	d.done[CheckObjects] = humanize.Count(d.refs.compared, "file") + " compared"
	d.done[CheckParts] = humanize.Count(pool.parts.Load(), "part") + " read, " +
		humanize.Count(pool.records.Load(), "record") + " compared"
	d.done[CheckIndexes] = humanize.Count(pool.indexes.read, "file") +
		" of CDXJ lines checked; they were not compared with the records"
	d.done[CheckLinks] = humanize.Count(d.refs.areas, "area") + ", " + humanize.Count(d.refs.labels, "label") + ", " +
		humanize.Count(d.refs.links, "link")
}

// missing reports that the folder is not a package.
func (d *description) missing(kind kindError) {
	d.broken = true
	if kind == 0 {
		d.findings.add(breaks(CodeMETSMissing, METSName, "is missing: %s is not a package", d.dir))
	} else {
		d.findings.add(breaks(CodeMETSMissing, METSName, "%v", kind))
	}
	d.skip(METSName+" is missing", checkOrder...)
}

// stopped reports the position where reading the document stopped.
func (d *description) stopped(err error) {
	d.broken = true
	b := breaks(CodeMETSRead, d.document, "cannot be read further: %v", err)
	var at *xmlstream.ReadError
	if errors.As(err, &at) {
		b = breaks(CodeMETSRead, d.document, "cannot be read beyond line %d, column %d: %v (in %s)", at.Line, at.Column,
			at.Err, at.Path)
		b.offset = at.Offset
	}
	d.findings.add(b)
	checks := []string{CheckSchemas, CheckReferences, CheckEntities, CheckObjects, CheckContainers, CheckDates,
		CheckParts,
		CheckLinks}
	if d.within == nil {
		checks = append(checks, CheckFiles, CheckExtra, CheckPaths, CheckIndexes)
	}
	d.skip(d.document+" cannot be read to its end", checks...)
}

func (d *description) handler() mets.Handler {
	return mets.Handler{
		Root:    d.rootElement,
		Header:  d.header,
		Section: d.section,
		File:    d.file,
		Problem: func(p mets.Problem) {
			d.findings.add(breaks(CodeMETSStructure, d.document, "line %d, column %d: %s (in %s)", p.Line, p.Column,
				p.Message, p.Path))
		},
		ID:    d.refs.id,
		IDRef: d.refs.ref,
		Mptr:  d.mptr,
		Div: func(div mets.Div, _ int) error {
			d.away.open(&div)
			if div.ID != "" && d.of == ofPages {
				d.cross.define(d.document, div.ID, -1, "")
			}
			if div.XLinkLabel != "" {
				d.refs.label(div.XLinkLabel)
			}
			return cmp.Or(d.ctx.Err(), d.refs.err)
		},
		EndDiv: func() error { d.away.end(d); return nil },
		Fptr:   d.fptr,
		SmLink: func(l mets.SmLink) error { d.refs.link(&l); return cmp.Or(d.ctx.Err(), d.refs.err) },
	}
}

func (d *description) rootElement(r mets.Root) error {
	if d.within != nil {
		return d.rootOfDocument(r)
	}
	d.id, d.facts.pkg.Profile = clip(r.ObjID), r.Profile
	if r.ObjID == "" {
		d.findings.add(breaks(CodeMETSID, METSName, "has no OBJID: the package has no identifier"))
	}
	if !knownProfile(r.Profile) {
		d.findings.add(breaks(CodeProfile, METSName, "has the profile %q; it is checked as %q", clip(r.Profile),
			Profile))
	}
	return nil
}

// section keeps the sizes and digests of a file's premis:object. It also reads everything that
// [Describe] reads, so every valid package can be described.
func (d *description) section(s mets.Section, payload *xmlstream.Reader) error {
	d.see(&s)
	d.findings.add(misnamed(d.document, &s, payload))
	switch {
	case payload != nil && isPremis(payload.Element()):
		return d.premis(&s, payload)
	case payload == nil:
		d.premisElsewhere(&s)
	}
	if d.within != nil {
		return nil // Describe reads only mets.xml
	}
	return d.facts.section(s, payload)
}
