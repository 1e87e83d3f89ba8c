package research

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"

	"quire/internal/disk"
)

// File is one file of an export.
type File struct {
	Path   string `json:"path"` // in the export, slash-separated
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // hex
}

// The bounds of a file. They bound memory, too: a group of rows is in memory until it is complete.
const (
	maxRows      = 2 << 20  // of a file: the next row begins another one
	groupRows    = 64 << 10 // of a group
	groupBytes   = 16 << 20 // of a group of rows with long texts
	pageBytes    = 64 << 10 // of the buffer of a column
	rowsAtOnce   = 64
	manyWriters  = 4 // months that are written at the same time
	temporary    = ".unfinished-"
	folderMode   = 0o777
	parquetEnded = ".parquet"
)

// part is a Parquet file that is being written, under a temporary name.
type part[T any] struct {
	path  string // its final name, in the export
	file  *os.File
	to    *bufio.Writer
	sum   hash.Hash
	size  int64
	rows  *parquet.GenericWriter[T]
	batch []T
	count int64
	heavy int64 // bytes of long texts in the group
}

// Write implements io.Writer for the encoder.
func (p *part[T]) Write(b []byte) (int, error) {
	_, _ = p.sum.Write(b) // a hash never fails
	p.size += int64(len(b))
	return p.to.Write(b)
}

// newPart begins a file in a folder of the export.
func newPart[T any](w *pkgWriter, table, month string, n int) (*part[T], error) {
	folder := table + "/crawl=" + partition(w.id)
	if month != "" {
		folder += "/month=" + month
	}
	dir := filepath.Join(w.out, filepath.FromSlash(folder))
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, temporary)
	if err != nil {
		return nil, err
	}
	p := &part[T]{path: fmt.Sprintf("%s/part-%05d-%s%s", folder, n, w.generation, parquetEnded), file: f,
		to: bufio.NewWriterSize(f, 64<<10), sum: sha256.New(), batch: make([]T, 0, rowsAtOnce)}
	p.rows = parquet.NewGenericWriter[T](p, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(groupRows),
		parquet.PageBufferSize(pageBytes), parquet.CreatedBy("Quire", w.software, ""),
		parquet.KeyValueMetadata("quire.repository", w.repository),
		parquet.KeyValueMetadata("quire.export", w.exportID),
		parquet.KeyValueMetadata("quire.for", string(w.who.Class)))
	return p, nil
}

// add writes a row; bytes is the length of its long texts.
func (p *part[T]) add(row T, bytes int) error {
	p.batch = append(p.batch, row)
	p.count++
	p.heavy += int64(bytes)
	if len(p.batch) < rowsAtOnce && p.heavy < groupBytes {
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	if p.heavy < groupBytes {
		return nil
	}
	p.heavy = 0
	return p.rows.Flush()
}

func (p *part[T]) flush() error {
	_, err := p.rows.Write(p.batch)
	clear(p.batch)
	p.batch = p.batch[:0]
	return err
}

// finish completes and syncs the file, which keeps its temporary name.
func (p *part[T]) finish() (written, error) {
	err := errors.Join(p.flush(), p.rows.Close(), p.to.Flush())
	if err == nil {
		err = p.file.Chmod(0o644) // CreateTemp lets nobody else read it
	}
	if err = errors.Join(err, p.file.Sync(), p.file.Close()); err != nil {
		return written{}, err
	}
	return written{p.file.Name(), File{Path: p.path, Rows: p.count, Bytes: p.size,
		SHA256: hex.EncodeToString(p.sum.Sum(nil))}}, nil
}

// written is a complete file under its temporary name.
type written struct {
	temporary string
	File
}

// table writes the rows of one table of a package, each month into files of its own.
type table[T any] struct {
	w     *pkgWriter
	name  string
	open  map[string]*part[T] // by month
	parts map[string]int      // how many files each month has
}

func newTable[T any](w *pkgWriter, name string) *table[T] {
	t := &table[T]{w: w, name: name, open: map[string]*part[T]{}, parts: map[string]int{}}
	w.tables = append(w.tables, t)
	return t
}

// add writes a row into the file of a month; "" means a table without months.
func (t *table[T]) add(month string, row T, bytes int) error {
	p := t.open[month]
	if p == nil {
		t.parts[month]++
		var err error
		if p, err = newPart[T](t.w, t.name, month, t.parts[month]); err != nil {
			return err
		}
		t.open[month] = p
	}
	if err := p.add(row, bytes); err != nil {
		return err
	}
	if p.count < maxRows {
		return nil
	}
	delete(t.open, month)
	return t.end(p)
}

func (t *table[T]) end(p *part[T]) error {
	done, err := p.finish()
	if err != nil {
		return errors.Join(err, os.Remove(p.file.Name()))
	}
	t.w.done = append(t.w.done, done)
	return nil
}

// close completes the open files.
func (t *table[T]) close() error {
	for month, p := range t.open {
		delete(t.open, month)
		if err := t.end(p); err != nil {
			return err
		}
	}
	return nil
}

// abandon removes the open files.
func (t *table[T]) abandon() {
	for _, p := range t.open {
		_ = p.file.Close()           // it is removed
		_ = os.Remove(p.file.Name()) // else the next run removes it
	}
}

// install gives the files of a package their names, and makes them durable. It removes all other files of
// the package. Readers that list a folder meanwhile see old and new files for a moment.
func install(out, id string, tables []string, done []written) ([]File, error) {
	files := make([]File, 0, len(done))
	keep := map[string]bool{}
	folders := map[string]bool{}
	for _, w := range done {
		name := filepath.Join(out, filepath.FromSlash(w.Path))
		if err := os.Rename(w.temporary, name); err != nil {
			return nil, err
		}
		keep[name] = true
		folders[filepath.Dir(name)] = true
		files = append(files, w.File)
	}
	for folder := range folders {
		if err := disk.SyncFolder(folder); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b File) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return files, clean(out, id, tables, keep)
}

// clean removes the files of a package that are not kept, and the folders that become empty.
func clean(out, id string, tables []string, keep map[string]bool) error {
	for _, name := range tables {
		root := filepath.Join(out, name)
		crawl := filepath.Join(root, "crawl="+partition(id))
		if err := cleanFolder(crawl, keep); err != nil {
			return err
		}
		if _, err := os.Stat(root); err == nil {
			if err := disk.SyncFolder(root); err != nil {
				return err
			}
		}
	}
	return nil
}

func cleanFolder(dir string, keep map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := len(entries)
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if keep[name] {
			continue
		}
		if e.IsDir() {
			if err := cleanFolder(name, keep); err != nil {
				return err
			}
			if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
				left--
			}
			continue
		}
		if err := os.Remove(name); err != nil {
			return err
		}
		left--
	}
	if left == 0 {
		return os.Remove(dir)
	}
	return disk.SyncFolder(dir)
}
