package collection

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/atomicdir"
	"quire/internal/humanize"
	"quire/internal/spool"
	"quire/metadata/mods"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/describe"
	"quire/preserve/statements"
)

// Options configures Make.
type Options struct {
	Out    string           // the folder to make; it must not exist, or be empty
	Agent  model.Agent      // the software that makes the collection
	Now    func() time.Time // nil is time.Now
	DryRun bool             // write nothing, and list the files that would be made

	// Select yields the packages of a repository that an expression chooses. The error is the last value. With nil, a
	// file that selects packages is an error.
	Select func(ctx context.Context, expression string) iter.Seq2[*model.Package, error]
}

// Result describes the collection that was made.
type Result struct {
	Collection string          `json:"collection"` // path of the folder
	ID         string          `json:"id"`
	Title      string          `json:"title"`
	METS       string          `json:"mets"` // path of the METS
	Harvests   int64           `json:"harvests"`
	Packages   int64           `json:"packages"`   // packages with containers
	Containers int64           `json:"containers"` // expected containers
	Digests    int64           `json:"digests"`    // expected containers with a digest
	Rights     int64           `json:"rights"`     // rights statements
	Losses     []describe.Loss `json:"losses"`     // cells of the sheet that MODS cannot hold

	Would []atomicdir.PlannedFile `json:"would_make,omitempty"` // the files of a dry run
}

// row is a harvest that is to be written to the METS.
type row struct {
	ID, Label  string
	Packages   []string // their identifiers
	Containers int64
}

type builder struct {
	file       *File
	o          Options
	result     Result
	harvests   *spool.Spool[row]
	containers *spool.Spool[Expected]
	ids        []string
	seen       map[string]bool // ids
	sheet      []mods.Record
	work       string   // a folder for temporary files
	rules      []string // that selected packages, with their number
	rights     []statements.Statement
}

// Make makes the folder of a collection. The folder appears when everything is written and synced;
// after an error nothing remains. Memory grows by the identifier of each harvest.
func Make(ctx context.Context, f *File, o Options) (_ *Result, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := atomicdir.Check(o.Out); err != nil {
		return nil, err
	}
	work, err := atomicdir.For(o.Out, o.DryRun)
	if err != nil {
		return nil, err
	}
	defer work.End(&err)
	b := &builder{file: f, o: o, work: work.Path(), seen: map[string]bool{},
		result: Result{Collection: o.Out, ID: f.ID, Title: f.Title, Losses: []describe.Loss{}}}
	if err := b.build(ctx, work); err != nil {
		return nil, err
	}
	if err := work.Install(o.Out); err != nil {
		return nil, err
	}
	b.result.METS, b.result.Would = filepath.Join(o.Out, aip.METSName), work.Planned()
	return &b.result, nil
}

func (b *builder) build(ctx context.Context, work *atomicdir.Workplace) (err error) {
	if b.harvests, err = spool.New[row](work.Path()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.harvests.Close()) }()
	if b.containers, err = spool.New[Expected](work.Path()); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.containers.Close()) }()
	if err := b.readSheet(); err != nil {
		return err
	}
	for i := range b.file.Harvests {
		if err := b.expect(ctx, &b.file.Harvests[i]); err != nil {
			return fmt.Errorf("%s, line %d: %w", b.file.name, b.file.Harvests[i].line, err)
		}
	}
	if err := b.readRights(); err != nil {
		return err
	}
	return b.write(work)
}

// expect records a harvest and its containers.
func (b *builder) expect(ctx context.Context, h *Harvest) error {
	r := row{ID: h.ID, Label: h.Label}
	for _, pattern := range h.Packages {
		folders, err := packagesOf(pattern)
		if err != nil {
			return err
		}
		for _, dir := range folders {
			if err := ctx.Err(); err != nil {
				return err
			}
			p, err := aip.Describe(os.DirFS(dir))
			if err != nil {
				return fmt.Errorf("the package %s: %w", dir, err)
			}
			if err := b.expectPackage(h, &r, &p); err != nil {
				return fmt.Errorf("the package %s: %w", dir, err)
			}
		}
	}
	if h.ByYear {
		return b.virtual(ctx, h)
	}
	if err := b.selected(ctx, h, func(p *model.Package) error { return b.expectPackage(h, &r, p) }); err != nil {
		return err
	}
	if h.ID == "" {
		return nil
	}
	for _, e := range h.Containers {
		if err := b.addContainer(&r, e); err != nil {
			return err
		}
	}
	return b.addHarvest(r)
}

// expectPackage records a package: as a harvest of its own, if the harvest has no id.
func (b *builder) expectPackage(h *Harvest, r *row, p *model.Package) error {
	if h.ID != "" {
		return b.take(r, p)
	}
	own := row{ID: p.ID, Label: p.Title}
	if err := b.take(&own, p); err != nil {
		return err
	}
	return b.addHarvest(own)
}

// selected passes the packages of the repository that the harvest selects to add.
func (b *builder) selected(ctx context.Context, h *Harvest, add func(*model.Package) error) error {
	if h.Select == "" {
		return nil
	}
	if b.o.Select == nil {
		return errors.New("select needs a repository: name it with --repo")
	}
	chosen := int64(0)
	for p, err := range b.o.Select(ctx, h.Select) {
		if err != nil {
			return err
		}
		chosen++
		if err := add(p); err != nil {
			return fmt.Errorf("the package %s: %w", p.ID, err)
		}
	}
	if chosen == 0 {
		return fmt.Errorf("no package is selected by %s", h.Select)
	}
	note := fmt.Sprintf("%s selected by: %s", humanize.Count(chosen, "package"), h.Select)
	if h.ByYear {
		note += "; a virtual harvest for each year of the first capture"
	}
	b.rules = append(b.rules, note)
	return nil
}

// packagesOf returns the folders that match a pattern.
func packagesOf(pattern string) ([]string, error) {
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}, nil
	}
	all, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern %s: %w", pattern, err)
	}
	var folders []string
	for _, p := range all {
		if _, err := os.Stat(filepath.Join(p, aip.METSName)); err == nil {
			folders = append(folders, p)
		}
	}
	if len(folders) == 0 {
		return nil, fmt.Errorf("no package fits %s", pattern)
	}
	return folders, nil
}

// take adds the containers of a package as expected.
func (b *builder) take(r *row, p *model.Package) error {
	if p.Profile == aip.CollectionProfile {
		return errors.New("is itself a collection")
	}
	if p.ID == "" {
		return errors.New("has no identifier")
	}
	r.Packages = append(r.Packages, p.ID)
	b.result.Packages++
	for i := range p.Files {
		f := &p.Files[i]
		if f.Use != aip.UseContainers {
			continue
		}
		e := Expected{Name: strings.TrimPrefix(f.Path, aip.ContainersDir+"/"), Size: f.Size}
		if f.SHA512 != "" {
			e.Digest = model.Digest{Algorithm: model.SHA512, Value: f.SHA512}
		}
		if err := b.addContainer(r, e); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) addContainer(r *row, e Expected) error {
	r.Containers++
	b.result.Containers++
	if !e.Digest.IsZero() {
		b.result.Digests++
	}
	return b.containers.Add(e)
}

func (b *builder) addHarvest(r row) error {
	if b.seen[r.ID] {
		return fmt.Errorf("two harvests are called %q", r.ID)
	}
	b.seen[r.ID] = true
	b.ids = append(b.ids, r.ID)
	b.result.Harvests++
	return b.harvests.Add(r)
}

// readSheet reads the selected rows of a curator's spreadsheet.
func (b *builder) readSheet() error {
	ref := b.file.Sheet
	if ref == nil {
		return nil
	}
	var o describe.SheetOptions
	if ref.Mapping != "" {
		in, err := os.Open(ref.Mapping)
		if err != nil {
			return err
		}
		defer in.Close() //nolint:errcheck // it was only read
		if o.Mapping, err = describe.ReadMapping(in); err != nil {
			return fmt.Errorf("%s: %w", ref.Mapping, err)
		}
	}
	sheet, err := describe.OpenSheet(ref.Path, o)
	if err != nil {
		return err
	}
	if sheet.Total > 0 {
		return fmt.Errorf("%s has %d problems, the first: %s; quire describe check lists all", ref.Path, sheet.Total,
			sheet.Problems[0])
	}
	wanted := map[string]bool{}
	for _, id := range ref.IDs {
		wanted[id] = true
	}
	for _, d := range sheet.Rows {
		if len(ref.IDs) > 0 && !wanted[d.ID] || len(ref.IDs) == 0 && d.Level != describe.Collection {
			continue
		}
		delete(wanted, d.ID)
		record, losses := describe.ToMODS(d, mods.Version)
		b.sheet = append(b.sheet, record)
		b.result.Losses = append(b.result.Losses, losses...)
	}
	for id := range wanted {
		return fmt.Errorf("%s has no row %q", ref.Path, id)
	}
	if len(b.sheet) == 0 {
		return fmt.Errorf("%s has no row of the level collection: name the rows", ref.Path)
	}
	return nil
}

func (b *builder) readRights() error {
	if b.file.Rights == "" {
		return nil
	}
	in, err := os.Open(b.file.Rights)
	if err != nil {
		return fmt.Errorf("the file of rights: %w", err)
	}
	defer in.Close() //nolint:errcheck // it was only read
	file, err := statements.ReadFile(in, filepath.Base(b.file.Rights))
	if err != nil {
		return err
	}
	if b.rights, err = file.Statements(b.ids); err != nil {
		return err
	}
	for i := range b.rights {
		b.rights[i].ID = aip.RightsID(i + 1)
	}
	b.result.Rights = int64(len(b.rights))
	return nil
}

// write writes the METS and the file with its digest.
func (b *builder) write(work *atomicdir.Workplace) error {
	sum := sha512.New()
	err := create(work, aip.METSName, func(w io.Writer) error { return b.writeMETS(io.MultiWriter(w, sum)) })
	if err != nil {
		return err
	}
	return create(work, aip.DigestName, func(w io.Writer) error {
		_, err := w.Write(aip.DigestLine(hex.EncodeToString(sum.Sum(nil))))
		return err
	})
}

// create writes a file of the result and syncs it.
func create(work *atomicdir.Workplace, name string, write func(io.Writer) error) error {
	f, err := work.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Sync(), f.Close())
}
