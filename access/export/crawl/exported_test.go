package crawl

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestExportedSet: a set of several blocks has all its marks, and no others.
func TestExportedSet(t *testing.T) {
	for _, count := range []int{0, 1, markBlock - 1, markBlock, markBlock + 1, 3*markBlock + 7} {
		file, err := os.Create(filepath.Join(t.TempDir(), "marks"))
		if err != nil {
			t.Fatal(err)
		}
		set := &exportedSet{file: file}
		of := func(n int) (m mark) {
			binary.BigEndian.PutUint32(m[4:], uint32(n)) //nolint:gosec // small
			return m
		}
		for n := range count {
			if err := set.add(file, of(2*n+1)); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 2*count + 2 {
			if is, err := set.known(of(n)); err != nil || is != (n%2 == 1 && n < 2*count) {
				t.Errorf("%d of %d: %v, %v", n, count, is, err)
			}
		}
		set.close()
	}
}

// file is a volume in memory.
type file struct{ bytes.Buffer }

// Close implements io.Closer.
func (*file) Close() error { return nil }

// TestRawRecords: records are at the places that raw returns, whether they follow one another or not.
func TestRawRecords(t *testing.T) {
	container := make([]byte, 3*maxRun)
	for i := range container {
		container[i] = byte(i % 251)
	}
	from := bytes.NewReader(container)
	files := map[string]*file{}
	v := &volumes{stem: "x", limit: 2 * maxRun, create: func(name string) (sink, error) {
		files[name] = &file{}
		return files[name], nil
	}}
	if err := v.writers(); err != nil {
		t.Fatal(err)
	}
	type record struct {
		spot
		from int64
	}
	var all []record
	for at, n := int64(0), 0; at+maxRun/3 < int64(len(container)); n++ {
		length := int64(1000 + n%3*maxRun/7)
		spot, err := v.raw(from, at, length)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, record{spot, at})
		if at += length; n%4 == 3 { // one that is not copied
			at += 17
		}
	}
	if err := v.finish(); err != nil {
		t.Fatal(err)
	}
	if len(files) < 2 {
		t.Error(len(files), "files")
	}
	for _, r := range all {
		got := make([]byte, r.length)
		if _, err := io.ReadFull(io.NewSectionReader(bytes.NewReader(files[r.file].Bytes()), r.offset, r.length),
			got); err != nil || !bytes.Equal(got, container[r.from:r.from+r.length]) {
			t.Errorf("the record at %d is not at %d of %s: %v", r.from, r.offset, r.file, err)
		}
	}
	for name, f := range files {
		if int64(f.Len()) > v.limit {
			t.Errorf("%s has %d bytes, more than %d", name, f.Len(), v.limit)
		}
	}
}
