package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"

	"quire/internal/disk"
	"quire/internal/filemap"
)

// The table of a state of the database is kept in a file beside it: so a query of the command line
// needs only the rows of its matches, and not all captures. The file names the database and its
// change counter. If they differ, or the file is damaged, the table is read from the database.
//
// The file has a header of numbers, the names as JSON, and the lists.
const (
	tableFile  = "table"
	tableMagic = "quire search table 2\n"
	maxNames   = 1 << 30
)

// tableHeader follows the magic text, in little-endian form.
type tableHeader struct {
	Made, Changes int64
	UsualLength   uint32 // bits of a float32
	Pages         uint32
	Names         uint64     // bytes of the names
	Lists         [10]uint64 // bytes of each list
	Sum           uint32     // CRC-32C of the names and of the numbers above
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum returns the checksum of the header.
func (h tableHeader) sum(names []byte) uint32 {
	h.Sum = 0
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, &h) // a Buffer does not fail
	return crc32.Update(crc32.Checksum(names, castagnoli), castagnoli, b.Bytes())
}

// tableNames are the names of a table, as stored.
type tableNames struct{ Packages, Hosts, Languages, Containers, MIMEs []string }

// lists returns the lists of a table, in the order of the file.
func (t *table) lists() [10]*[]byte {
	return [...]*[]byte{(*[]byte)(&t.documents), (*[]byte)(&t.captures), (*[]byte)(&t.urls), (*[]byte)(&t.byNumber),
		(*[]byte)(&t.groups), (*[]byte)(&t.byGroup), (*[]byte)(&t.of), (*[]byte)(&t.begin),
		(*[]byte)(&t.briefs), &t.texts}
}

// save writes the table to the folder of the index.
func (t *table) save(dir string) error {
	names, err := json.Marshal(tableNames{t.packages, t.hosts, t.languages, t.containers, t.mimes})
	if err != nil {
		return err
	}
	h := tableHeader{Made: t.made, Changes: t.changes, UsualLength: math.Float32bits(t.usualLength),
		Pages: uint32(t.pages), Names: uint64(len(names))} //nolint:gosec // there are fewer than 2^31
	for i, l := range t.lists() {
		h.Lists[i] = uint64(len(*l))
	}
	h.Sum = h.sum(names)
	return disk.Write(filepath.Join(dir, tableFile), func(w io.Writer) error {
		_, err := io.WriteString(w, tableMagic)
		err = errors.Join(err, binary.Write(w, binary.LittleEndian, &h))
		for _, part := range append([]*[]byte{&names}, sliced(t.lists())...) {
			if err != nil {
				return err
			}
			_, err = w.Write(*part)
		}
		return err
	})
}

func sliced(lists [10]*[]byte) []*[]byte { return lists[:] }

// savedTable returns the table in a folder, if it has the state of the database; nil if there is
// none.
func savedTable(ctx context.Context, db querier, dir string) (*table, error) {
	made, changed, err := stateOf(ctx, db)
	if err != nil || made == 0 {
		return nil, err
	}
	t := openTable(filepath.Join(dir, tableFile))
	if t == nil || t.made != made || t.changes != changed {
		return nil, nil
	}
	return t, nil
}

// openTable opens a file with a table; nil if there is no usable one.
func openTable(path string) (t *table) {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // the mapping stays
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	image := filemap.Map(f, info.Size())
	mapped := image != nil
	if !mapped {
		if image, err = io.ReadAll(f); err != nil {
			return nil
		}
	}
	contains := func(address uintptr) bool { return filemap.Contains(image, address) }
	err = filemap.Guard(contains, func() error {
		t = parseTable(image)
		return nil
	})
	if err != nil {
		t = nil
	}
	switch {
	case mapped && t == nil:
		filemap.Unmap(image)
	case mapped:
		t.image = image
		runtime.AddCleanup(t, filemap.Unmap, image)
	}
	return t
}

// parseTable returns the table in a file; nil if it is damaged or of another form. It reads only the
// header and the names.
func parseTable(image []byte) *table {
	rest, ok := bytes.CutPrefix(image, []byte(tableMagic))
	var h tableHeader
	n, err := binary.Decode(rest, binary.LittleEndian, &h)
	if !ok || err != nil || h.Names > maxNames {
		return nil
	}
	rest = rest[n:]
	if h.Names > uint64(len(rest)) || h.sum(rest[:h.Names]) != h.Sum {
		return nil
	}
	t := &table{memories: &memories{}, made: h.Made, changes: h.Changes, pages: int(h.Pages),
		usualLength: math.Float32frombits(h.UsualLength)}
	var all tableNames
	if json.Unmarshal(rest[:h.Names], &all) != nil {
		return nil
	}
	t.packages, t.hosts, t.languages, t.containers, t.mimes = all.Packages, all.Hosts, all.Languages, all.Containers,
		all.MIMEs
	rest = rest[h.Names:]
	for i, l := range t.lists() {
		if h.Lists[i] > uint64(len(rest)) {
			return nil
		}
		*l, rest = rest[:h.Lists[i]:h.Lists[i]], rest[h.Lists[i]:]
	}
	if len(rest) > 0 {
		return nil
	}
	return t
}

// maps reports whether an address is in the mapped file.
func (t *table) maps(address uintptr) bool { return filemap.Contains(t.image, address) }
