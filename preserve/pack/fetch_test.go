package pack

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"io"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"quire/metadata/mets"
	"quire/preserve/aip"
)

// fetched is a file of a METS with its bytes.
type fetched struct {
	mets.File
	group string
	in    string // ID of the file around it
	bytes []byte
}

// fetchAll reads every file of a METS by clause 2.8, and uses nothing else of the package. It
// checks SIZE and CHECKSUM, and that every reference has a target.
func fetchAll(t *testing.T, dir string) map[string]fetched {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, ids, refs := map[string]fetched{}, map[string]bool{}, []string{}
	err = mets.Read(f, mets.Handler{
		ID: func(_, id string) {
			if ids[id] {
				t.Errorf("the ID %s is there twice", id)
			}
			ids[id] = true
		},
		IDRef: func(_, id string) { refs = append(refs, id) },
		File: func(file mets.File, at mets.FilePlace) error {
			file.AdmID, file.Transforms, file.Locations = slices.Clone(file.AdmID), slices.Clone(file.Transforms),
				slices.Clone(file.Locations)
			x := fetched{File: file, group: at.Groups[len(at.Groups)-1].Use}
			if len(at.Files) > 0 {
				x.in = at.Files[len(at.Files)-1]
				x.bytes = part(t, all[x.in], file)
			} else {
				href, err := url.PathUnescape(file.Locations[0].Href)
				if err != nil {
					return err
				}
				x.bytes = []byte(read(t, dir, href))
			}
			all[file.ID] = x
			x.check(t)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range refs {
		if !ids[id] {
			t.Errorf("nothing has the ID %s", id)
		}
	}
	return all
}

func (x fetched) check(t *testing.T) {
	t.Helper()
	if size, ok := x.Size.Get(); ok && size != int64(len(x.bytes)) {
		t.Errorf("%s has %d bytes, SIZE is %d", x.ID, len(x.bytes), size)
	}
	sum := ""
	switch s256, s512 := sha256.Sum256(x.bytes), sha512.Sum512(x.bytes); x.ChecksumType {
	case "SHA-256":
		sum = hex.EncodeToString(s256[:])
	case "SHA-512":
		sum = hex.EncodeToString(s512[:])
	}
	if sum != x.Checksum {
		t.Errorf("%s has the checksum %s, CHECKSUM is %s", x.ID, sum, x.Checksum)
	}
}

// part returns the bytes of a file from the file around it.
func part(t *testing.T, around fetched, f mets.File) []byte {
	t.Helper()
	content := around.bytes
	slices.SortFunc(around.Transforms, func(a, b mets.Transform) int { return int(a.Order - b.Order) })
	for _, x := range around.Transforms {
		var err error
		if content, err = undone(x.Algorithm, content); err != nil {
			t.Fatalf("%s, %s: %v", around.ID, x.Algorithm, err)
		}
	}
	begin, ok := f.Begin.Get()
	if !ok {
		return content
	}
	end, _ := f.End.Get()
	if begin < 0 || end < begin || end >= int64(len(content)) {
		t.Fatalf("%s is from %d to %d of %d bytes", f.ID, begin, end, len(content))
	}
	return content[begin : end+1]
}

func undone(algorithm string, b []byte) ([]byte, error) {
	var from io.Reader = bytes.NewReader(b)
	var err error
	switch algorithm {
	case "application/gzip", "gzip":
		from, err = gzip.NewReader(from)
	case "application/zstd", "zstd":
		var d *zstd.Decoder
		if d, err = zstd.NewReader(from); err == nil {
			defer d.Close()
			from = d
		}
	case "chunked":
		from = httputil.NewChunkedReader(from)
	case "br":
		from = brotli.NewReader(from)
	case "deflate":
		from, err = zlib.NewReader(from)
	}
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(from)
	if len(content) > 0 {
		return content, nil // content before damage is readable
	}
	return nil, err
}
