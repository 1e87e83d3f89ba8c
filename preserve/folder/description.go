package folder

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
)

// description is mets.xml while a validation reads it: each file it lists is handed to the pool as it comes.
type description struct {
	*validation
	refs    *references
	objects objects
	facts   describer        // what else it says, read to see that it can be read
	paths   map[key]struct{} // of the files listed
	pool    *digestPool
	sum     string // SHA-512 of mets.xml
	broken  bool   // it could not be read to its end
}

// read reads mets.xml and checks the files it lists. It reports whether there is a mets.xml. The error is one of the disk,
// or that of the context.
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
	d.objects.stated = map[key]stated{}
	d.pool = startPool(d.validation)
	err = mets.Read(in, d.handler())
	d.pool.wait()
	if err == nil {
		d.refs.dangling(d.findings)
	} else if d.ctx.Err() == nil && source.err == nil {
		d.stopped(err)
		_, _ = io.Copy(io.Discard, in) // the sidecar is about all of it; source keeps what goes wrong
	}
	if err := cmp.Or(d.ctx.Err(), source.err); err != nil {
		return true, fmt.Errorf("reading %s in %s: %w", METSName, d.dir, err)
	}
	d.sum = in.hex()
	d.say()
	return true, nil
}

// say notes what was looked at, for the checks that find nothing wrong with it.
func (d *description) say() {
	d.done[CheckMETS] = "well-formed; structure checked in code"
	d.done[CheckFiles] = d.pool.summary()
	d.done[CheckPaths] = count(int64(len(d.paths)), "path")
	d.done[CheckReferences] = count(int64(len(d.refs.ids)), "ID")
	d.done[CheckObjects] = count(d.objects.compared, "file") + " compared"
}

// missing tells that the folder is no package.
func (d *description) missing(kind kindError) {
	d.broken = true
	if kind == 0 {
		d.findings.add(breaks(CodeMETSMissing, METSName, "is missing: %s is no package", d.dir))
	} else {
		d.findings.add(breaks(CodeMETSMissing, METSName, "%v", kind))
	}
	d.skip(METSName+" is missing", checkOrder...)
}

// stopped tells where the METS could not be read on.
func (d *description) stopped(err error) {
	d.broken = true
	b := breaks(CodeMETSRead, METSName, "cannot be read on: %v", err)
	var at *xmlstream.ReadError
	if errors.As(err, &at) {
		b = breaks(CodeMETSRead, METSName, "cannot be read beyond line %d, column %d: %v (in %s)", at.Line, at.Column, at.Err, at.Path)
		b.offset = at.Offset
	}
	d.findings.add(b)
	d.skip(METSName+" cannot be read to its end", CheckSchemas, CheckFiles, CheckExtra, CheckPaths, CheckReferences, CheckObjects)
}

func (d *description) handler() mets.Handler {
	return mets.Handler{
		Root:    d.rootElement,
		Section: d.section,
		File:    d.file,
		Problem: func(p mets.Problem) {
			d.findings.add(breaks(CodeMETSStructure, METSName, "line %d, column %d: %s (in %s)", p.Line, p.Column, p.Message, p.Path))
		},
		ID: func(id string) {
			if !d.refs.id(id) {
				d.findings.add(breaks(CodeIDTwice, METSName, "the ID %q is there twice", clip(id)))
			}
		},
		IDRef: d.refs.ref,
	}
}

func (d *description) rootElement(r mets.Root) error {
	d.id = clip(r.ObjID)
	if r.ObjID == "" {
		d.findings.add(breaks(CodeMETSID, METSName, "has no OBJID: the package has no identifier"))
	}
	if r.Profile != Profile {
		d.findings.add(breaks(CodeProfile, METSName, "follows the profile %q; it is checked by %q", clip(r.Profile), Profile))
	}
	return nil
}

// section keeps what the premis:object of a file states. What [Describe] reads is read too, so that every valid package can
// be described.
func (d *description) section(s mets.Section, payload *xmlstream.Reader) error {
	if payload == nil || s.Kind != mets.TechMD || !payload.Element().Is(premis.Namespace, "object") {
		return d.facts.section(s, payload)
	}
	payload.OnUnknown = func(string) {} // whether PREMIS allows it is for the schemas
	object, err := premis.ReadObject(payload, nil)
	if err == nil {
		d.objects.add(s, &object)
	}
	return err
}

// file checks what a file element says, and has the file checked. A file inside a file is a part of it (clause 2.8).
func (d *description) file(f mets.File, at mets.FilePlace) error {
	if len(at.Files) > 0 {
		return d.ctx.Err()
	}
	path, wrong := pathOf(&f)
	if wrong != nil {
		d.findings.add(wrong)
		return d.ctx.Err()
	}
	k := keyOf(path)
	if _, twice := d.paths[k]; twice {
		d.findings.add(breaks(CodePathTwice, path, "is listed twice, the second time as file %s", clip(f.ID)))
		return d.ctx.Err()
	}
	d.paths[k] = struct{}{}
	use := useOf(at)
	d.place(path, use)
	d.objects.compare(&f, path, use == UseContainers, d.findings)
	return d.pool.check(d.listed(&f, path))
}

// place checks a path against the layout (clauses 1 and 1.4).
func (d *description) place(path, use string) {
	if why := badName(path); why != "" {
		d.findings.add(breaks(CodePathName, path, "%s, which clause 1.4 writes as %% and two hexadecimal digits", why))
	}
	switch parent := folderOf(use); {
	case parent == "":
		d.findings.add(breaks(CodePathPlace, path, "is in a group of USE %q; clause 2.6 knows %s, %s and %s", clip(use), UseContainers, UseOriginals, UseLogs))
	case len(path) <= len(parent) || path[:len(parent)+1] != parent+"/":
		d.findings.add(breaks(CodePathPlace, path, "is in the group %s, but not below %s/", use, parent))
	}
}

// listed is what the METS states of a file.
func (d *description) listed(f *mets.File, path string) listed {
	l := listed{path: path, sha512: sha512Of(f), size: -1}
	size, sized := f.Size.Get()
	if sized && size >= 0 {
		l.size = size
	}
	switch {
	case l.size < 0:
		d.findings.add(breaks(CodeFileFixity, path, "%s states no SIZE for it", METSName))
	case l.sha512 == "":
		d.findings.add(breaks(CodeFileFixity, path, "%s states no SHA-512 for it", METSName))
	}
	return l
}
