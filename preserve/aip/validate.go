package aip

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"quire/model"
	"quire/preserve/schemas"
)

// Options configures [Validate]. The zero value checks everything except the XML schemas.
type Options struct {
	// Schemas is a folder of XML schemas with the files drivers/mets-all.xsd and
	// drivers/mets-all-legacy.xsd. They import METS and all standards that it wraps. The versions
	// stated in the METS select the driver. With "" the schemas are not checked, and the report
	// states this.
	Schemas string

	// Start receives the size of all files in the folder, in bytes, before they are read. Progress
	// receives the bytes read, one call at a time; for a valid package they add up to that size.
	// Both may be nil.
	Start    func(total int64)
	Progress func(bytes int64)

	// Now is the time that dates are compared with; the zero value is the clock of this computer.
	Now time.Time
}

// Validate checks the package in a folder by clause 4 of docs/reference/310_package-format.md. Each
// file is read once, for its own digest and those of its parts; files are read in parallel. Memory
// grows by some dozen bytes for each file of the package and some hundred for each container, but
// not with the METS. IDs, references and parts are sorted on disk, in the system's folder for
// temporary files.
//
// The report lists the problems of the package. The error means that the package or the schemas
// could not be read: the folder is missing, its METS cannot be read from the disk, or ctx was
// cancelled.
func Validate(ctx context.Context, dir string, o Options) (*Report, error) {
	root, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	if o.Schemas != "" {
		if _, err := schemas.Compile(ctx, o.Schemas, schemas.Driver); err != nil {
			return nil, err // before the long work: a wrong folder is reported at once
		}
	}
	v := &validation{ctx: ctx, root: root, dir: dir, o: o, findings: newFindings(), skipped: map[string]string{},
		done: map[string]string{}, now: cmp.Or(o.Now, time.Now())}
	if err := v.run(); err != nil {
		return nil, err
	}
	return v.report(), nil
}

func openFolder(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("package folder %s is missing: name the folder that holds %s", dir, METSName)
	case err != nil:
		return nil, fmt.Errorf("package folder: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("package folder %s is a file: name the folder that holds %s", dir, METSName)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("package folder: %w", err)
	}
	return root, nil
}

// validation is one run of Validate.
type validation struct {
	ctx      context.Context
	root     *os.Root // no path or symbolic link leads out of it
	dir      string
	o        Options
	findings *findings
	progress sync.Mutex // held while o.Progress is called

	id      string
	now     time.Time         // see Options.Now
	skipped map[string]string // check → why it was not finished
	done    map[string]string // check → the work done
	files   int64
	bytes   int64
}

func (v *validation) run() error {
	if err := v.start(); err != nil {
		return err
	}
	d := &description{validation: v, document: METSName, linked: -1,
		refs: newReferences(METSName), listing: newListing(),
		cross: newCrossReferences(), entities: newEntities(), described: newContainers()}
	d.facts.website = d.website
	d.facts.container = d.containerMD
	there, err := d.read()
	if err != nil {
		return err
	}
	if there {
		if err := v.checkSidecar(d.sum); err != nil {
			return err
		}
		if err := v.checkSchemas(d.generation.driver(), d.broken); err != nil {
			return err
		}
	}
	return v.checkExtra(d)
}

// skip notes why checks are not done, or not finished. The first reason is kept.
func (v *validation) skip(why string, checks ...string) {
	for _, c := range checks {
		if v.skipped[c] == "" {
			v.skipped[c] = why
		}
	}
}

// reportProgress reports bytes read to Progress.
func (v *validation) reportProgress(bytes int) {
	if v.o.Progress != nil && bytes > 0 {
		v.progress.Lock()
		defer v.progress.Unlock()
		v.o.Progress(int64(bytes))
	}
}

func (v *validation) checkSidecar(sum string) error {
	f, err := openRegular(v.root, DigestName)
	if isMissing(err) {
		v.findings.add(breaks(CodeSidecarMissing, DigestName, "is missing, so the digest of %s cannot be "+
			"checked", METSName))
		return nil
	}
	if err != nil {
		v.findings.add(breaks(CodeSidecarForm, DigestName, "cannot be read: %v", err))
		return nil
	}
	defer f.Close() //nolint:errcheck // it was only read
	text, err := readSidecar(&watched{v: v, src: f})
	if err != nil {
		return fmt.Errorf("reading %s in %s: %w", DigestName, v.dir, err)
	}
	v.findings.add(judgeSidecar(text, sum))
	v.done[CheckSidecar] = "states the SHA-512 of " + METSName
	return nil
}

func (v *validation) report() *Report {
	r := &Report{Path: v.dir, ID: v.id, Outcome: string(model.Valid), Findings: v.findings.sorted(), Files: v.files,
		Bytes: v.bytes}
	for _, name := range checkOrder {
		r.Checks = append(r.Checks, v.findings.outcome(name, v.skipped[name], v.done[name]))
	}
	wrong := v.findings.total("", model.Error)
	r.FindingsTotal = wrong + v.findings.total("", model.Warning)
	if wrong > 0 {
		r.Outcome = string(model.Invalid)
	}
	return r
}

// watched reads for a validation: it stops when the validation is cancelled, and reports progress.
// It keeps its own error, to distinguish a failing disk from an invalid document.
type watched struct {
	v   *validation
	src io.Reader
	err error
}

// Read implements io.Reader.
func (w *watched) Read(p []byte) (int, error) {
	if w.err = w.v.ctx.Err(); w.err != nil {
		return 0, w.err
	}
	n, err := w.src.Read(p)
	w.v.reportProgress(n)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return n, err
}
