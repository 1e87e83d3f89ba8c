package schemas

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"quire/internal/disk"
	"quire/metadata/harvestmd"
)

// Options are the options of [Fetch].
type Options struct {
	To string // the folder; files with the right digest are not downloaded again
	// URL of a mirror, with each file below it at the host and path of its home page; "" uses the
	// home pages
	From     string
	Exports  bool // also the schemas of export formats: EAD, MARC, Dublin Core
	Unpinned bool // also files without a pinned digest, unchecked

	Agent    string            // User-Agent
	Timeout  time.Duration     // of one file; 0 means a minute
	Start    func(total int64) // receives the total size of all files with a known size, before the first; may be nil
	Progress func(bytes int64) // receives the bytes completed; may be nil
	list     []official        // replaces the official list in tests
}

// The states of a file.
const (
	Fetched  = "fetched"
	There    = "there already"
	Replaced = "replaced" // existed with another digest
	Taken    = "taken unchecked"
	LeftOut  = "left out" // no digest is known, and Options.Unpinned was not set
)

// File is the result for one schema.
type File struct {
	Path   string `json:"path"` // in the folder
	URL    string `json:"url"`  // of its home page
	State  string `json:"state"`
	SHA256 string `json:"sha256,omitempty"` // "" if left out
	Bytes  int64  `json:"bytes"`
}

// Report is the result of a fetch.
type Report struct {
	To      string   `json:"to"`
	Files   []File   `json:"files"`
	Drivers []string `json:"drivers"` // written drivers; all compile
	Catalog string   `json:"catalog"`
}

// Fetch downloads the official schemas from their home pages into a folder and checks each against
// its SHA-256. It writes Quire's own schema (harvestMD), the catalog and the drivers that [Compile]
// reads, the drivers last. Each file appears complete and checked, or not at all. Fetch reports the
// errors of all files, and a second call continues.
func Fetch(ctx context.Context, o Options) (*Report, error) {
	list := o.list
	if list == nil {
		var err error
		if list, err = parseList(officialList); err != nil {
			return nil, err
		}
	}
	from, err := newPlaces(&o)
	if err != nil {
		return nil, err
	}
	f := fetching{o: o, from: from, report: &Report{To: o.To, Files: []File{}, Drivers: []string{}}}
	for i := range list {
		if !list[i].export || o.Exports {
			f.list = append(f.list, list[i])
		}
	}
	if err := f.all(ctx); err != nil {
		return nil, err
	}
	if err := f.finish(ctx); err != nil {
		return nil, err
	}
	return f.report, nil
}

// fetching is one run of Fetch.
type fetching struct {
	o      Options
	from   places
	list   []official
	there  []official // available for the drivers' imports
	report *Report
}

func (f *fetching) all(ctx context.Context) error {
	total := int64(0)
	for i := range f.list {
		total += f.list[i].size
	}
	if f.o.Start != nil {
		f.o.Start(total)
	}
	var wrong []error
	for i := range f.list {
		file, err := f.one(ctx, &f.list[i])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		f.report.Files = append(f.report.Files, file)
		if file.State != LeftOut {
			f.there = append(f.there, f.list[i])
		}
		if f.o.Progress != nil {
			f.o.Progress(f.list[i].size)
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d of %d schemas could not be downloaded; the others are in %s: %w", len(wrong), len(f.list),
			f.o.To, errors.Join(wrong...))
	}
	return nil
}

// one downloads one file, unless it exists.
func (f *fetching) one(ctx context.Context, o *official) (File, error) {
	file := File{Path: o.file, URL: o.url, State: Fetched}
	path := filepath.Join(f.o.To, filepath.FromSlash(o.file))
	old, err := readBounded(path)
	switch {
	case err == nil && (!o.pinned() || digest(old) == o.sha256):
		file.State, file.SHA256, file.Bytes = There, digest(old), int64(len(old))
		return file, nil
	case err == nil:
		file.State = Replaced
	case !errors.Is(err, os.ErrNotExist):
		return file, err
	}
	if !o.pinned() {
		if !f.o.Unpinned {
			file.State = LeftOut
			return file, nil
		}
		file.State = Taken
	}
	content, err := f.from.get(ctx, o.url)
	if err != nil {
		return file, err
	}
	if err := o.check(content); err != nil {
		return file, err
	}
	file.SHA256, file.Bytes = digest(content), int64(len(content))
	return file, write(path, content)
}

// check compares the content with the pinned digest. Without one, it checks that the file is a
// schema of the namespace.
func (o *official) check(content []byte) error {
	if !o.pinned() {
		return o.checkSchema(content)
	}
	if sum := digest(content); sum != o.sha256 {
		return fmt.Errorf("%s has the SHA-256 %s and %d bytes, but pinned is %s with %d: it is not the "+
			"known file, and is not stored", o.url, sum, len(content), o.sha256, o.size)
	}
	return nil
}

// finish checks that the drivers compile, and then writes them.
func (f *fetching) finish(ctx context.Context) error {
	catalog := filepath.Join(f.o.To, catalogFile)
	if err := write(catalog, []byte(catalogText(f.there))); err != nil {
		return err
	}
	f.report.Catalog = catalogFile
	if err := write(filepath.Join(f.o.To, filepath.FromSlash(ownFile)), []byte(harvestmd.Schema)); err != nil {
		return err
	}
	for _, name := range []string{Driver, LegacyDriver} {
		text := []byte(driverText(f.there, name))
		if err := tryDriver(ctx, f.o.To, text); err != nil {
			return fmt.Errorf("the schemas in %s do not work together: %w", f.o.To, err)
		}
		if err := write(filepath.Join(f.o.To, filepath.FromSlash(name)), text); err != nil {
			return err
		}
		f.report.Drivers = append(f.report.Drivers, name)
	}
	return nil
}

// tryDriver compiles a driver before it is stored.
func tryDriver(ctx context.Context, dir string, text []byte) (err error) {
	trial, err := os.MkdirTemp(dir, ".quire-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(trial)) }()
	driver := filepath.Join(trial, "trial.xsd")
	if err := os.WriteFile(driver, text, 0o600); err != nil {
		return err
	}
	_, err = compile(ctx, dir, driver, false)
	return err
}

// maxFile is the maximum size of one schema in bytes. The largest has 140 kB.
const maxFile = 4 << 20

// readBounded reads an existing file up to maxFile.
func readBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	return content, errors.Join(err, file.Close())
}

func write(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return disk.Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
