package store

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"quire/internal/archivefs"
	"quire/internal/atomicdir"
	"quire/repository/catalogue"
)

// ExportOptions select the version to export and report progress.
type ExportOptions struct {
	Version  int            // 0: the newest
	Progress func(Progress) // called now and then, from one goroutine
}

// ExportResult describes the exported version.
type ExportResult struct {
	ID        string    `json:"id"`
	Version   string    `json:"version"`
	Folder    string    `json:"folder"`
	Files     int64     `json:"files"`
	Bytes     int64     `json:"bytes"`
	Copy      string    `json:"copy"`      // the copy that was read first
	Fallbacks []Finding `json:"fallbacks"` // damaged files that were read from another copy
}

// Export writes a package to a new or empty folder, bit for bit as it was ingested. It computes the
// digest of every file during the copy, and reads a damaged file from the next copy. The folder
// appears only when it is complete. A [*ContentError] names the files that are damaged in every
// copy.
func (s *Store) Export(ctx context.Context, id, outDir string, o ExportOptions) (ExportResult, error) {
	return s.export(ctx, id, outDir, o, func(e *export, out string) error {
		temp := filepath.Join(filepath.Dir(out), ".quire-export-"+newToken())
		if err := e.write(ctx, temp, out); err != nil {
			return errors.Join(err, s.disk.removeAll(temp))
		}
		return nil
	})
}

// ExportedFile is a file of an export.
type ExportedFile struct {
	Path string `json:"path"`
	Size int64  `json:"bytes"`
}

// PlanExport returns the result and the files that [Store.Export] would write, and writes nothing.
// For each file, it looks in the copies for a file of the right size, and reads no content. It does
// not notice other kinds of damage; Export notices them when it reads the files.
func (s *Store) PlanExport(ctx context.Context, id, outDir string, o ExportOptions) (ExportResult, []ExportedFile,
	error) {
	files := []ExportedFile{}
	r, err := s.export(ctx, id, outDir, o, func(e *export, _ string) (err error) {
		files, err = e.foresee(ctx)
		return err
	})
	return r, files, err
}

// export locks a package for reading and calls do with the package.
func (s *Store) export(ctx context.Context, id, outDir string, o ExportOptions,
	do func(e *export, out string) error) (ExportResult, error) {
	out, err := filepath.Abs(outDir)
	if err != nil {
		return ExportResult{}, err
	}
	if err := s.CheckOutside(out); err != nil {
		return ExportResult{}, fmt.Errorf("export: %w", err)
	}
	if err := checkEmpty(out); err != nil {
		return ExportResult{}, fmt.Errorf("export: %s is not a new or empty folder: name another", out)
	}
	if err := atomicdir.CheckParents(out); err != nil {
		return ExportResult{}, fmt.Errorf("export: %w", err)
	}
	card, err := s.card(ctx, id)
	if err != nil {
		return ExportResult{}, err
	}
	l, err := s.waitRead(ctx, card.Object)
	if err != nil {
		return ExportResult{}, err
	}
	defer l.release()
	if card, err = s.card(ctx, id); err != nil { // a new version may exist by now
		return ExportResult{}, err
	}
	e := &export{store: s, card: card, result: ExportResult{ID: id, Folder: out, Fallbacks: []Finding{}},
		buffer: make([]byte, blockSize)}
	if err := e.prepare(ctx, o.Version); err != nil {
		return ExportResult{}, err
	}
	e.meter = newMeter(o.Progress, Exporting, card.Bytes)
	if err := do(e, out); err != nil {
		return ExportResult{}, err
	}
	return e.result, nil
}

// export is one package during its export. Its object is locked for reading.
type export struct {
	store   *Store
	card    catalogue.Package
	copies  []*copyFolder // in the order of reading
	state   map[string]string
	content map[string]string
	meter   *meter
	buffer  []byte
	result  ExportResult
}

// prepare finds the inventory to use, and the order of the copies: those last found good come
// first.
func (e *export) prepare(ctx context.Context, version int) error {
	truth := e.store.truth(e.card)
	if truth == nil {
		var wrong problems
		wrong.add("", "no available copy has the inventory with SHA-512 %s; audit the repository", e.card.Inventory)
		return wrong.err("package " + e.card.ID)
	}
	name, err := versionOf(truth, version)
	if err != nil {
		return err
	}
	e.result.Version, e.state, e.content = name, truth.state(name), truth.content()
	held, err := e.store.catalogue.Copies(ctx, e.card.ID)
	if err != nil {
		return err
	}
	good := map[string]bool{}
	for _, k := range held {
		good[k.Name] = k.Status == catalogue.Good
	}
	e.copies = e.store.present()
	slices.SortStableFunc(e.copies, func(a, b *copyFolder) int {
		switch {
		case good[a.name] == good[b.name]:
			return 0
		case good[a.name]:
			return -1
		}
		return 1
	})
	if len(e.copies) > 0 {
		e.result.Copy = e.copies[0].name
	}
	return nil
}

// write fills the temporary folder and renames it.
func (e *export) write(ctx context.Context, temp, out string) error {
	d := e.store.disk.outside()
	if err := d.mkdirAll(temp); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	var wrong problems
	for _, path := range slices.Sorted(maps.Keys(e.state)) {
		target := filepath.Join(temp, filepath.FromSlash(path))
		if err := d.mkdirAll(filepath.Dir(target)); err != nil {
			return fmt.Errorf("export: %w", err)
		}
		if err := e.file(ctx, path, target, &wrong); err != nil {
			return err
		}
	}
	if err := wrong.err("package " + e.card.ID + " cannot be exported completely"); err != nil {
		return err
	}
	if err := e.store.syncTree(temp); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	if err := d.rename(temp, out); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// file copies one file from the first copy that has it undamaged.
func (e *export) file(ctx context.Context, path, target string, wrong *problems) error {
	want := e.state[path]
	var found []Finding
	for _, c := range e.copies {
		size, finding, err := e.copyFile(ctx, c, e.content[want], target, want)
		if err != nil {
			return err
		}
		if finding == nil {
			e.result.Files++
			e.result.Bytes += size
			e.result.Fallbacks = append(e.result.Fallbacks, found...)
			return nil
		}
		found = append(found, *finding)
		if err := os.Remove(target); err != nil && !notThere(err) {
			return fmt.Errorf("export: %w", err)
		}
	}
	f, err := e.store.openFar(ctx, e.card, e.content[want], want)
	if err == nil {
		return e.fromFar(ctx, f, target, found)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		wrong.add(path, "%v", err)
	}
	for _, f := range found {
		wrong.add(path, "%s", f)
	}
	return nil
}

// fromFar writes a file of a far copy, which has the right digest.
func (e *export) fromFar(ctx context.Context, f *os.File, target string, found []Finding) error {
	defer func() { _ = f.Close() }() // opened for reading only
	out, err := e.store.disk.outside().create(target, workingFile)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	size, readErr, writeErr := e.pump(ctx, f, out, io.Discard)
	if err := errors.Join(readErr, writeErr); err != nil {
		out.abandon()
		return fmt.Errorf("export: %w", err)
	}
	e.result.Files++
	e.result.Bytes += size
	e.result.Fallbacks = append(e.result.Fallbacks, found...)
	return out.finish()
}

// copyFile copies one file from one copy and checks its digest. A fault of the copy is a finding; a
// fault of the target is an error.
func (e *export) copyFile(ctx context.Context, c *copyFolder, name, target, want string) (int64, *Finding, error) {
	finding := Finding{Copy: c.name, Package: e.card.ID, File: name}
	in, err := openRegular(filepath.Join(c.object(e.card.Path), filepath.FromSlash(name)))
	if err != nil {
		finding.Code, finding.Detail = UnreadableFile, err.Error()
		if notThere(err) {
			finding.Code, finding.Detail = MissingFile, "is missing"
		}
		return 0, &finding, nil
	}
	defer func() { _ = in.Close() }() // opened for reading only
	out, err := e.store.disk.outside().create(target, workingFile)
	if err != nil {
		return 0, nil, fmt.Errorf("export: %w", err)
	}
	h := sha512.New()
	size, readErr, writeErr := e.pump(ctx, in, out, h)
	if writeErr != nil {
		out.abandon()
		return 0, nil, fmt.Errorf("export: %w", writeErr)
	}
	if err := out.finish(); err != nil {
		return 0, nil, fmt.Errorf("export: %w", err)
	}
	got := hex.EncodeToString(h.Sum(nil))
	switch {
	case readErr != nil:
		finding.Code, finding.Detail = UnreadableFile, readErr.Error()
		return 0, &finding, nil
	case got != want:
		finding.Code, finding.Detail, finding.Expected, finding.Found = WrongDigest,
			"has different bytes than were stored (SHA-512)", want, got
		return 0, &finding, nil
	}
	return size, nil, nil
}

// pump copies the bytes and computes their digest.
func (e *export) pump(ctx context.Context, in io.Reader, out, digest io.Writer) (size int64, readErr, writeErr error) {
	for {
		if err := ctx.Err(); err != nil {
			return size, nil, err
		}
		n, err := in.Read(e.buffer)
		_, _ = digest.Write(e.buffer[:n]) // a hash never fails
		if n > 0 {
			if _, err := out.Write(e.buffer[:n]); err != nil {
				return size, nil, err
			}
			size += int64(n)
			e.meter.add(int64(n))
		}
		if errors.Is(err, io.EOF) {
			return size, nil, nil
		}
		if err != nil {
			return size, err, nil
		}
	}
}

// openRegular opens a regular file and refuses others: opening a pipe could block forever.
func openRegular(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path,
			Err: errors.New("is " + archivefs.KindOf(info.Mode()) + ", not a file")}
	}
	return os.Open(path)
}
