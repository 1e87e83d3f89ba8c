package detect

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/archivefs"
)

const crawlLog = "2012-12-19T19:48:38.000Z   200         54 http://a.example/ - - text/html #001 " +
	"20121219194837000+10 sha1:AAAA http://a.example/ -\n"

// tarOf returns a tar of entries, with a crawl log among them.
func tarOf(t *testing.T, entries ...*tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range append(entries,
		&tar.Header{Name: "job/crawl.log", Typeflag: tar.TypeReg, Size: int64(len(crawlLog)), Mode: 0o644}) {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, crawlLog[:h.Size]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipped(t *testing.T, b []byte) []byte {
	t.Helper()
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, err := w.Write(b)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return z.Bytes()
}

// nestedZips returns a zip in a zip in a zip, with a crawl log in the innermost.
func nestedZips(t *testing.T, depth int) []byte {
	t.Helper()
	content := []byte(crawlLog)
	name := "crawl.log"
	for range depth {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(content)
		}
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		content, name = b.Bytes(), "inner.zip"
	}
	return content
}

// lying returns a zip with a crawl log, and an entry that states a far too large size.
func lying(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("crawl.log")
	if err == nil {
		_, err = io.WriteString(f, crawlLog)
	}
	if err != nil {
		t.Fatal(err)
	}
	var deflated bytes.Buffer
	d, _ := flate.NewWriter(&deflated, 9)
	if _, err := d.Write(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	d.Close()
	raw, err := w.CreateRaw(&zip.FileHeader{Name: "order.xml", Method: zip.Deflate,
		CompressedSize64: uint64(deflated.Len()), UncompressedSize64: 1 << 40})
	if err == nil {
		_, err = raw.Write(deflated.Bytes())
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// spoilt returns a zip with a stored order.xml that does not match its checksum.
func spoilt(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range [][2]string{{"a/crawl.log", crawlLog},
		{"b/order.xml", "<crawl-order>" + strings.Repeat("abcdefgh", 2000)},
		{"c.warc", strings.Repeat("no record ", 5000)}} {
		f, err := w.Create(e[0])
		if err == nil {
			_, err = io.WriteString(f, e[1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z := b.Bytes()
	for _, name := range []string{"b/order.xml", "c.warc"} {
		at := bytes.Index(z, []byte(name)) + len(name)
		copy(z[at:], "\xff\xff\xff\xff\xff\xff")
	}
	return z
}

// TestHostileArchives checks that every fault of an archive becomes a finding, its undamaged parts
// are recognised, and no files are written beside it.
func TestHostileArchives(t *testing.T) {
	link := &tar.Header{Name: "job/order.xml", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}
	hard := &tar.Header{Name: "job/seeds.txt", Typeflag: tar.TypeLink, Linkname: "../../secret"}
	device := &tar.Header{Name: "job/dev", Typeflag: tar.TypeChar}
	out := &tar.Header{Name: "../../evil/crawl.log", Typeflag: tar.TypeReg, Size: 5, Mode: 0o644}
	absolute := &tar.Header{Name: "/etc/crawl.log", Typeflag: tar.TypeReg, Size: 5, Mode: 0o644}
	whole := tarOf(t)
	long := gzipped(t, whole)
	tests := []struct {
		name    string
		content []byte
		found   []string // reader and root; nil for none
		codes   []string // of findings, without repetition
	}{
		{"a sound tar", whole, []string{"heritrix job"}, nil},
		{"links and a device in a tar", tarOf(t, link, hard, device), []string{"heritrix job"},
			[]string{string(archivefs.FaultLink)}},
		{"paths that lead out of a tar", tarOf(t, out, absolute), []string{"heritrix job"},
			[]string{string(archivefs.FaultPath)}},
		{"the same in a tar.gz", gzipped(t, tarOf(t, out, link)), []string{"heritrix job"},
			[]string{string(archivefs.FaultLink), string(archivefs.FaultPath)}},
		{"a tar.gz that is cut off in its end", long[:len(long)-9], []string{"heritrix job"},
			[]string{string(archivefs.FaultTorn)}},
		{"a zip whose directory is cut off", nestedZips(t, 1)[:60], nil, []string{string(archivefs.FaultTorn)}},
		{"an entry that claims a terabyte", lying(t), []string{"heritrix ."}, []string{string(archivefs.FaultBomb)}},
		{"entries that are spoilt", spoilt(t), []string{"bare-containers .", "heritrix a"},
			[]string{string(archivefs.FaultTorn)}},
		{"three archives in one another", nestedZips(t, 3), []string{"heritrix ."}, nil},
		{"more than are opened", nestedZips(t, 9), nil, []string{string(archivefs.FaultMore)}},
		{"nothing but the name of a zip", []byte("PK\x03\x04"), nil, []string{string(archivefs.FaultTorn)}},
		{"nothing", nil, nil, nil},
	}
	for _, tt := range tests {
		for _, within := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, within a folder %v", tt.name, within), func(t *testing.T) {
				dir := t.TempDir()
				source := filepath.Join(dir, "delivery.bin")
				if err := os.WriteFile(source, tt.content, 0o666); err != nil {
					t.Fatal(err)
				}
				if within {
					source = dir
				}
				found, codes := lookAt(t, source)
				if deep := within && tt.name == "three archives in one another"; deep {
					return // one above the limit
				}
				if !slices.Equal(found, tt.found) || !slices.Equal(codes, tt.codes) {
					t.Errorf("found %q with %q, want %q with %q", found, codes, tt.found, tt.codes)
				}
				if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
					t.Errorf("%v lie in the folder, %v", files, err)
				}
			})
		}
	}
}

// lookAt opens a source, reads its harvests, and returns the harvests and the codes of findings.
func lookAt(t *testing.T, path string) (found, codes []string) {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for h, err := range s.Harvests(t.Context()) {
		found = append(found, h.Found.Reader+" "+h.Found.Root)
		if err != nil {
			t.Logf("%s: %v", h.Found.Path(), err)
		}
	}
	for _, f := range s.Findings {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	return found, slices.Compact(codes)
}

// TestAZipOfSharedBytesIsRefused has a zip with entries that share their bytes, as in the densest
// zip bombs.
func TestAZipOfSharedBytesIsRefused(t *testing.T) {
	body := []byte("x")
	var b bytes.Buffer
	local := make([]byte, 30)
	copy(local, "PK\x03\x04\x14")
	binary.LittleEndian.PutUint32(local[18:], 1)
	binary.LittleEndian.PutUint32(local[22:], 1)
	binary.LittleEndian.PutUint16(local[26:], 1)
	b.Write(local)
	b.WriteByte('a')
	b.Write(body)
	at := b.Len()
	for i := range 100 {
		entry := make([]byte, 46)
		copy(entry, "PK\x01\x02\x14\x00\x14")
		binary.LittleEndian.PutUint32(entry[20:], 1)
		binary.LittleEndian.PutUint32(entry[24:], 1)
		name := fmt.Sprintf("%03d", i)
		binary.LittleEndian.PutUint16(entry[28:], uint16(len(name)))
		b.Write(entry)
		b.WriteString(name)
	}
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	binary.LittleEndian.PutUint16(end[8:], 100)
	binary.LittleEndian.PutUint16(end[10:], 100)
	binary.LittleEndian.PutUint32(end[12:], uint32(b.Len()-at))
	binary.LittleEndian.PutUint32(end[16:], uint32(at))
	b.Write(end)
	source := filepath.Join(t.TempDir(), "bomb.zip")
	if err := os.WriteFile(source, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	if found, codes := lookAt(t, source); found != nil || !slices.Equal(codes, []string{string(archivefs.FaultBomb)}) {
		t.Errorf("found %q with %q", found, codes)
	}
}

// TestManyArchives checks the limit on archives: in a large folder, archives are opened up to the
// limit, and the others are reported.
func TestManyArchives(t *testing.T) {
	dir := t.TempDir()
	content := tarOf(t)
	for i := range maxArchives + 5 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d.tar", i)), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, codes := lookAt(t, dir)
	if len(found) != maxArchives || !slices.Equal(codes, []string{string(archivefs.FaultMore)}) {
		t.Errorf("%d harvests, %q", len(found), codes)
	}
}

// TestLinksInAFolder checks that links in a folder are not followed, whether they lead to outside
// files or form a loop.
func TestLinksInAFolder(t *testing.T) {
	dir := folderOf(t, "job/seeds.txt")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "job/crawl.log"), []byte(crawlLog), 0o666),
		os.Symlink("/etc/passwd", filepath.Join(dir, "job/order.xml")),
		os.Symlink(".", filepath.Join(dir, "job/latest"))); err != nil {
		t.Skip(err)
	}
	found, codes := lookAt(t, dir)
	if !slices.Equal(found, []string{"heritrix job"}) || !slices.Equal(codes, []string{string(archivefs.FaultAlias),
		string(archivefs.FaultLink)}) {
		t.Errorf("found %q with %q", found, codes)
	}
}
