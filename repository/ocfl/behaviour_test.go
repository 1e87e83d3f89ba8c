package ocfl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// countingFS counts the openings of each file.
type countingFS struct {
	fstest.MapFS
	mu    sync.Mutex
	opens map[string]int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.opens[name]++
	c.mu.Unlock()
	return c.MapFS.Open(name)
}

func TestEachContentFileIsReadOnce(t *testing.T) {
	s := newSample(t)
	priorBySHA256(s) // the files of v1 then have digests by three algorithms
	c := &countingFS{MapFS: s.seal(), opens: map[string]int{}}
	if r := ValidateObject(t.Context(), c, sampleDir, Options{}); !r.Valid() {
		t.Fatal(r.Errors)
	}
	for name := range s.files {
		if n := c.opens[path.Join(sampleDir, name)]; n != 1 {
			t.Errorf("%s was opened %d times", name, n)
		}
	}
}

func TestSkipDigests(t *testing.T) {
	m := newSample(t).seal()
	put(m, "v1/content/index.html", "damaged")
	remove(m, "v1/content/css/site.css")
	c := &countingFS{MapFS: m, opens: map[string]int{}}
	r := ValidateObject(t.Context(), c, sampleDir, Options{SkipDigests: true})
	if got := codesOf(r.Errors); !slices.Equal(got, []string{"E092", "E093"}) || r.Bytes != 0 {
		t.Errorf("codes %v, %d bytes", got, r.Bytes)
	}
	if c.opens[sampleDir+"/v1/content/index.html"] != 0 {
		t.Error("content was opened")
	}
	s := newSample(t)
	replacePrior(sum(SHA512, pageOne), sum(SHA512, "x"))(s)
	r = ValidateObject(t.Context(), s.seal(), sampleDir, Options{SkipDigests: true})
	if got := codesOf(r.Errors); !slices.Equal(got, []string{"E066", "E092"}) {
		t.Errorf("manifests that contradict each other: %v", r.Errors)
	}
}

func TestProgressAndCounts(t *testing.T) {
	var told int64
	r := ValidateObject(t.Context(), newSample(t).seal(), sampleDir,
		Options{Concurrency: 3, Progress: func(n int64) { told += n }})
	want := int64(len(pageOne) + len(pageTwo) + len(style))
	if r.Files != 3 || r.Bytes != want || told != want {
		t.Errorf("%d files, %d bytes, reported %d; want 3 and %d", r.Files, r.Bytes, told, want)
	}
	if r.ID != "urn:example:1" || r.Head != "v2" || r.Spec != "1.1" || r.Path != sampleDir {
		t.Errorf("%+v", r)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := ValidateObject(ctx, newSample(t).seal(), sampleDir,
		Options{Progress: func(int64) { cancel() }, Concurrency: 1})
	if !errors.Is(r.Err, context.Canceled) || r.Valid() {
		t.Errorf("cancelled while reading: %v, valid %v", r.Err, r.Valid())
	}
	objects := 0
	root, err := ValidateRoot(ctx, goodRoot(t), Options{Object: func(*Result) { objects++ }})
	if !errors.Is(err, context.Canceled) || objects != 0 || root.Objects != 0 {
		t.Errorf("cancelled before: %v, %d objects", err, objects)
	}
}

// brokenFS fails to read some files, like a failing disk.
type brokenFS struct {
	fstest.MapFS
	name string
}

var errDisk = errors.New("input/output error")

func (b brokenFS) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, b.name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errDisk}
	}
	return b.MapFS.Open(name)
}

func TestUnreadable(t *testing.T) {
	for name, want := range map[string]Issue{
		"one/inventory.json":        {Code: "E063", Path: "inventory.json"},
		"one/inventory.json.sha512": {Code: "E058", Path: "inventory.json.sha512"},
		"0=ocfl_object_1.1":         {Code: "E007", Path: "0=ocfl_object_1.1"},
		"v1/content":                {Code: "E092", Path: "v1/content"},
		"v1/content/css":            {Code: "E092", Path: "v1/content/css"},
		"css/site.css":              {Code: "E092", Path: "v1/content/css/site.css"},
		"objects/one":               {Code: "E001", Path: "."},
		"one/v1":                    {Code: "E092", Path: "v1"},
	} {
		t.Run(path.Base(name), func(t *testing.T) {
			r := ValidateObject(t.Context(), brokenFS{newSample(t).seal(), name}, sampleDir, Options{})
			if !slices.ContainsFunc(r.Errors, func(i Issue) bool {
				return i.Code == want.Code && i.Path == want.Path && i.Kind == KindUnreadable &&
					strings.Contains(i.Detail, errDisk.Error())
			}) {
				t.Errorf("%v", r.Errors)
			}
		})
	}
}

// TestOnDisk checks features of real file systems: links that form loops, and a name that is not
// UTF-8.
func TestOnDisk(t *testing.T) {
	dir := t.TempDir()
	for name, f := range newSample(t).seal() {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	object := filepath.Join(dir, filepath.FromSlash(sampleDir))
	if r := ValidateObject(t.Context(), os.DirFS(dir), sampleDir, Options{}); !r.Valid() || len(r.Warnings) > 0 {
		t.Fatal(r.Errors, r.Warnings)
	}
	if r := ValidateObject(t.Context(), os.DirFS(object), ".", Options{}); !r.Valid() || r.Files != 3 {
		t.Fatal(r.Errors, r.Files)
	}
	if err := os.Symlink("..", filepath.Join(object, "v1", "content", "css", "up")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := os.WriteFile(filepath.Join(object, "v1", "content", "caf\xe9"), nil, 0o644); err != nil {
		t.Skip("no such names here:", err)
	}
	r := ValidateObject(t.Context(), os.DirFS(dir), sampleDir, Options{})
	if got := codesOf(r.Errors); !slices.Equal(got, []string{"E023", "E090"}) {
		t.Errorf("%v", r.Errors)
	}
	if err := os.Symlink("one", filepath.Join(dir, "objects", "two")); err != nil {
		t.Fatal(err)
	}
	if r := ValidateObject(t.Context(), os.DirFS(dir), "objects/two", Options{}); codesOf(r.Errors)[0] != "E090" {
		t.Errorf("an object that is a link: %v", r.Errors)
	}
}

func TestNotAnObject(t *testing.T) {
	m := newSample(t).seal()
	for _, dir := range []string{"../outside", "/absolute", sampleDir + "/inventory.json", "nowhere"} {
		if r := ValidateObject(t.Context(), m, dir, Options{}); len(r.Errors) != 1 || r.Errors[0].Code != "E003" {
			t.Errorf("%s: %v", dir, r.Errors)
		}
	}
}

// TestHostileSizes validates inventories that would take hours if any step were quadratic.
func TestHostileSizes(t *testing.T) {
	const n = 20_000
	var paths, digests, versions strings.Builder
	for i := range n {
		fmt.Fprintf(&paths, `,"v1/content/%d"`, i)
		fmt.Fprintf(&digests, `"%0128x": ["v1/content/same"],`, i)
		fmt.Fprintf(&versions, `,"v%d": {}`, i+3)
	}
	hostile := map[string]func(*sample){
		"one digest, many paths":     replace(`"v1/content/index.html"`, `"v1/content/index.html"`+paths.String()),
		"one path, many digests":     replace(`"manifest": {`, `"manifest": {`+digests.String()),
		"many versions":              replaceHead(`"v2": {`, `"v2": {}`+versions.String()+`, "v0": {`),
		"a path of many folders":     replace(`"v1/content/index.html"`, `"v1/content`+strings.Repeat("/a", n)+`"`),
		"a digest as long as a book": replace(sum(SHA512, style), strings.Repeat("ab", n)),
		"sha256 before, with many paths": func(s *sample) {
			priorBySHA256(s)
			replacePrior(`"v1/content/index.html"`, `"v1/content/index.html"`+paths.String())(s)
		},
	}
	for name, edit := range hostile {
		t.Run(name, func(t *testing.T) {
			s := newSample(t)
			edit(s)
			r := ValidateObject(t.Context(), s.seal(), sampleDir, Options{})
			if r.Valid() {
				t.Error("passed")
			}
			if len(r.Errors) > maxIssues || len(r.Warnings) > maxIssues {
				t.Errorf("%d errors and %d warnings kept", len(r.Errors), len(r.Warnings))
			}
		})
	}
}

func TestIssuesAreBounded(t *testing.T) {
	m := newSample(t).seal()
	for i := range maxIssues + 5 {
		put(m, fmt.Sprintf("v1/content/%06d", i), "")
	}
	r := ValidateObject(t.Context(), m, sampleDir, Options{})
	if len(r.Errors) != maxIssues || r.Omitted != 5 {
		t.Errorf("%d kept, %d omitted", len(r.Errors), r.Omitted)
	}
}

func TestFoldersWithoutEnd(t *testing.T) {
	m := newSample(t).seal()
	put(m, "v1/content/"+strings.Repeat("a/", maxFolders+10)+"x", "x")
	put(m, "logs/"+strings.Repeat("a/", maxFolders+10)+"x", "x")
	r := ValidateObject(t.Context(), m, sampleDir, Options{})
	if got := codesOf(r.Errors); !slices.Equal(got, []string{"E023", "E090"}) {
		t.Errorf("%v", got)
	}
}
