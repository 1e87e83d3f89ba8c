package aip

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"time"

	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/model"
)

// ErrNoPackage reports that a folder has no METS, so it is not a package.
var ErrNoPackage = errors.New("is not a package: " + METSName + " is missing")

// Describe reads the description of a package. It opens only mets.xml and mets.xml.sha512, which
// must match each other. [Validate] checks the other files.
//
// Files lists every file that the package may have: the files of the fileSec in its order, then
// mets.xml and mets.xml.sha512, both with Use "". Sizes are in bytes. SHA512 is "" where the METS
// states none. Numbers has the numbers of the containers, and Members the packages of a collection. Memory grows
// only with these lists.
//
// The error is ErrNoPackage, an error of fsys, or names the place and the rule that mets.xml
// breaks.
func Describe(fsys fs.FS) (model.Package, error) {
	d := describer{pkg: model.Package{METS: METSName}, numbers: newNumbers()}
	err := d.readMETS(fsys)
	if err == nil {
		err = d.readSidecar(fsys)
	}
	if err != nil {
		return model.Package{}, err
	}
	return d.pkg, nil
}

type describer struct {
	pkg model.Package
	sum string // SHA-512 of mets.xml
	// path of a container → whether a group states its size; false if only groups list it that list
	// containers again
	listed map[string]bool

	numbers *numbers       // nil for [Validate]
	paths   map[int]string // of the containers, by their number; nil if they are not wanted

	// facts that [Validate] compares with the rest of the package; nil otherwise
	website   func(*mods.Record)
	container func(*mets.Section, *containermd.ContainerMD)
}

func (d *describer) readMETS(fsys fs.FS) error {
	f, err := Open(fsys, METSName)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%w)", ErrNoPackage, err)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in := newDigested(f)
	h := mets.Handler{
		Root: func(r mets.Root) error {
			d.pkg.ID, d.pkg.Title, d.pkg.Profile = r.ObjID, r.Label, r.Profile
			return nil
		},
		Header:  func(h mets.Header) error { d.pkg.Created = h.Created; return nil },
		Section: d.section,
		File:    d.file,
		Mptr:    d.member,
	}
	d.numbers.handle(&h)
	err = mets.Read(in, h)
	if err != nil {
		return fmt.Errorf("%s: %w", METSName, err)
	}
	for path, fixed := range d.listed {
		if !fixed {
			return fmt.Errorf("%s: no group states the SIZE of %s",
				METSName, clip(path))
		}
	}
	d.sum = in.hex()
	d.counted()
	return d.add(model.PackageFile{Path: METSName, Size: in.size, SHA512: d.sum})
}

func (d *describer) readSidecar(fsys fs.FS) error {
	f, err := Open(fsys, DigestName)
	if err != nil {
		return fmt.Errorf("the digest of %s: %w", METSName, err)
	}
	defer f.Close()
	in := newDigested(f)
	text, err := readSidecar(in)
	if err != nil {
		return fmt.Errorf("%s: %w", DigestName, err)
	}
	if b := judgeSidecar(text, d.sum); b != nil {
		return b
	}
	return d.add(model.PackageFile{Path: DigestName, Size: in.size, SHA512: in.hex()})
}

// section reads the dates of the website (clause 2.3) and the numbers of records (clause 2.5).
func (d *describer) section(s mets.Section, payload *xmlstream.Reader) error {
	if payload == nil {
		return nil
	}
	payload.OnUnknown = func(string) {} // unknown elements are allowed here
	e := payload.Element()
	switch {
	case s.ID == WebsiteDmdID && e.Is(mods.Namespace, "mods"):
		r, err := mods.Read(payload)
		d.pkg.First, d.pkg.Last = captured(r)
		if err == nil && d.website != nil {
			d.website(&r)
		}
		return err
	case e.Is(containermd.Namespace, "containerMD"):
		return d.records(&s, payload)
	case d.numbers != nil && d.numbers.about(&s, e):
		return d.numbers.fact(&s, payload)
	}
	return nil
}

func (d *describer) records(s *mets.Section, payload *xmlstream.Reader) error {
	dropEntry := func(containermd.Entry) error { return nil }
	c, err := containermd.Read(payload, containermd.ReadOptions{Entry: dropEntry})
	if err == nil && d.container != nil {
		d.container(s, &c)
	}
	if err == nil && d.numbers != nil {
		d.numbers.container(s, &c)
	}
	if err != nil || c.Information == nil {
		return err
	}
	return addCount(&d.pkg.Records, c.Information.Number, "records")
}

// file adds a file of the fileSec. A file inside a file is a part (clause 2.8), not a file of the
// package.
func (d *describer) file(f mets.File, at mets.FilePlace) error {
	if len(at.Files) > 0 || d.pkg.Profile == CollectionProfile { // a collection lists files of other packages
		return nil
	}
	path, wrong := pathOf(&f)
	if wrong != nil {
		return errors.New(wrong.message) // the METS reader adds the position
	}
	size, stated := f.Size.Get()
	use := useOf(at)
	if listsAgain(use) && (!stated || d.listed[path]) {
		d.list(path, d.listed[path])
		return nil
	}
	if !stated {
		return fmt.Errorf("file %s states no SIZE", f.ID)
	}
	if folderOf(use) == ContainersDir {
		d.list(path, true)
		d.pkg.Containers++
		if n, ok := NumberOf(f.ID, ContainerFileID); ok && d.paths != nil {
			d.paths[n] = path
		}
	}
	return d.add(model.PackageFile{Path: path, Size: size, SHA512: sha512Of(&f), Use: use})
}

// list records a container.
func (d *describer) list(path string, fixed bool) {
	if d.listed == nil {
		d.listed = map[string]bool{}
	}
	d.listed[path] = fixed
}

func (d *describer) add(f model.PackageFile) error {
	d.pkg.Files = append(d.pkg.Files, f)
	return addCount(&d.pkg.Bytes, f.Size, "bytes")
}

// sha512Of returns the SHA-512 of a file element in lower case, or "".
func sha512Of(f *mets.File) string {
	if f.ChecksumType != string(model.SHA512) || !isSHA512(f.Checksum) {
		return ""
	}
	return strings.ToLower(f.Checksum)
}

// addCount adds n to a sum. It refuses overflow, because a METS can state impossible numbers.
func addCount(sum *int64, n int64, what string) error {
	if n < 0 || n > math.MaxInt64-*sum {
		return fmt.Errorf("%d cannot be a number of %s", n, what)
	}
	*sum += n
	return nil
}

// captured returns the first and last capture that a MODS record states, or the zero time.
func captured(r mods.Record) (first, last time.Time) {
	for _, o := range r.Origins {
		for _, d := range o.Dates {
			if d.Kind != "dateCaptured" {
				continue
			}
			t := parseDate(d.Text)
			if d.Point != "end" && first.IsZero() {
				first = t
			}
			if d.Point != "start" && last.IsZero() {
				last = t
			}
		}
	}
	return first, last
}

// parseDate reads a date of the W3C profile of ISO 8601 (encoding w3cdtf). It may stop at the year,
// month, day or minute.
func parseDate(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
