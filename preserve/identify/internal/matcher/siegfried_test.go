package matcher_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/richardlehane/siegfried"
	"github.com/richardlehane/siegfried/pkg/static"

	"quire/internal/testsamples"
	"quire/preserve/identify/internal/matcher"
)

// content is a Source, and a source of siegfried's.
type content []byte

func (c content) IsSlicer() bool           { return true }
func (c content) Read([]byte) (int, error) { return 0, io.EOF }
func (c content) Size() int64              { return int64(len(c)) }

func (c content) Slice(off int64, l int) ([]byte, error) {
	if off < 0 || l < 0 || off >= int64(len(c)) {
		return nil, io.EOF
	}
	if c = c[off:]; len(c) < l {
		return c, io.EOF
	}
	return c[:l], nil
}

func (c content) EofSlice(o int64, l int) ([]byte, error) {
	if o < 0 || l < 0 || o >= int64(len(c)) {
		return nil, io.EOF
	}
	if c = c[:int64(len(c))-o]; len(c) < l {
		return c, io.EOF
	}
	return c[len(c)-l:], nil
}

// signatures returns siegfried, and our matcher with its signatures.
var signatures = sync.OnceValues(func() (*siegfried.Siegfried, *matcher.Signatures) {
	sf := static.New()
	var file bytes.Buffer
	if err := sf.SaveWriter(&file); err != nil {
		panic(err)
	}
	own, err := matcher.Load(&file)
	if err != nil {
		panic(err)
	}
	return sf, own
})

// answers returns the answers of both, one line for each format.
func answers(b []byte, extension, mime string) (got, want []string) {
	sf, own := signatures()
	for _, f := range own.Identify(content(b), extension, mime) {
		if f.ID == "" {
			f.ID = "UNKNOWN"
		}
		got = append(got, fmt.Sprintf("%q", []string{f.ID, f.Name, f.Version, f.MIME,
			strings.Join(f.Basis, "; "), f.Warning}))
	}
	name := ""
	if extension != "" {
		name = "payload." + extension
	}
	found, _ := sf.Identify(content(b), name, mime) // archive errors; the results are valid
	for _, f := range found {
		v := f.Values() // namespace, id, format, version, mime, class, basis, warning
		want = append(want, fmt.Sprintf("%q", append(slices.Clone(v[1:5]), v[6:]...)))
	}
	return got, want
}

// compare reports whether both answer alike.
func compare(t *testing.T, name string, b []byte, extension, mime string) bool {
	t.Helper()
	got, want := answers(b, extension, mime)
	if slices.Equal(got, want) {
		return true
	}
	t.Errorf("%s, %d bytes, extension %q, type %q:\ngot  %s\nwant %s", name, len(b), extension, mime, got, want)
	return false
}

// samples calls add with the files in the folder of samples, each at most limit bytes.
func samples(t *testing.T, limit int64, add func(path string, b []byte)) {
	t.Helper()
	err := filepath.WalkDir(testsamples.Path(t, "samples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, limit))
		if err == nil && len(b) > 0 {
			add(path, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

const maxDifferences = 5 // a test ends after so many

// TestSamplesLikeSiegfried compares the answers on all samples: with the extension, and without.
func TestSamplesLikeSiegfried(t *testing.T) {
	limit := int64(4 << 20)
	if testing.Short() {
		limit = 64 << 10
	}
	files, differences := 0, 0
	samples(t, limit, func(path string, b []byte) {
		if differences >= maxDifferences {
			return
		}
		extension := strings.ToLower(filepath.Ext(path))
		files++
		if !compare(t, path, b, "", "") || (extension != "" && !compare(t, path, b, extension[1:], "text/html")) {
			differences++
		}
	})
	if files == 0 {
		t.Error("no samples")
	}
}

// TestDamageLikeSiegfried compares the answers on damaged and mixed samples with the texts of
// signatures in them.
func TestDamageLikeSiegfried(t *testing.T) {
	rounds := 6000
	if testing.Short() {
		rounds = 600
	}
	var files [][]byte
	samples(t, 300<<10, func(_ string, b []byte) { files = append(files, b) })
	_, own := signatures()
	m := mutator{rand.New(rand.NewPCG(17, 4)), files, matcher.Texts(own)}
	differences := 0
	for i := 0; i < rounds && differences < maxDifferences; i++ {
		extension, mime := m.hints()
		if !compare(t, fmt.Sprintf("round %d", i), m.next(), extension, mime) {
			differences++
		}
	}
}

// mutator makes contents out of samples and texts.
type mutator struct {
	*rand.Rand
	files, texts [][]byte
}

func (m *mutator) hints() (extension, mime string) {
	extensions := []string{"html", "pdf", "png", "jpg", "doc", "zip", "xml", "svg", "mp3", "tif", "dng", "mov", "txt"}
	mimes := []string{"text/html", "application/pdf", "image/png", "image/tiff", "application/xml", "video/mp4"}
	if m.IntN(2) == 0 {
		extension = extensions[m.IntN(len(extensions))]
	}
	if m.IntN(2) == 0 {
		mime = mimes[m.IntN(len(mimes))]
	}
	return extension, mime
}

func (m *mutator) next() []byte {
	file, other := m.files[m.IntN(len(m.files))], m.files[m.IntN(len(m.files))]
	b := bytes.Clone(file)
	switch m.IntN(6) {
	case 0:
		b = b[:m.IntN(len(b)+1)]
	case 1:
		b = append(b[:m.IntN(len(b)+1)], other[m.IntN(len(other)):]...)
	case 2:
		b = nil
	case 3:
		b = append(b[:m.IntN(min(len(b), 2000)+1)], other...)
	}
	for range m.IntN(20) {
		b = m.with(b, m.texts[m.IntN(len(m.texts))])
	}
	if len(b) > 0 && m.IntN(2) == 0 {
		for range m.IntN(10) {
			b[m.IntN(len(b))] = byte(m.IntN(256))
		}
	}
	return append(b, 'x') // siegfried does not match empty content
}

// with puts a text into b: at the end, over other bytes, or between them.
func (m *mutator) with(b, text []byte) []byte {
	switch m.IntN(3) {
	case 0:
		return append(b, text...)
	case 1:
		copy(b[m.IntN(len(b)+1):], text)
		return b
	default:
		return slices.Insert(b, m.IntN(min(len(b), 2000)+1), text...)
	}
}

// FuzzLikeSiegfried compares the answers on any content.
func FuzzLikeSiegfried(f *testing.F) {
	for _, s := range []string{"\x89PNG\r\n\x1a\n", "GIF89a;", "%PDF-1.4\n%%EOF", "<!DOCTYPE html><html>", "PK\x03\x04",
		"\xff\xfb\x90", "<?xml version=\"1.0\"?><svg/>", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "RIFF....WAVE",
		"II*\x00"} {
		f.Add([]byte(s), "html", "")
	}
	f.Fuzz(func(t *testing.T, b []byte, extension, mime string) {
		if len(b) > 0 && extensionLike(extension) && !bytes.ContainsRune([]byte(mime), ';') {
			compare(t, "content", b, extension, mime)
		}
	})
}

// extensionLike reports whether s can be the extension of a file.
func extensionLike(s string) bool {
	for _, c := range s {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}
