package ocfl

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// sample is an object under construction: the text of its inventories, and the other files by
// content path. Tests change one thing and seal it. Inventories and sidecars then agree, except
// where the test sets otherwise.
type sample struct {
	v1, v2  string            // the inventories of the versions; the second is also the object's
	files   map[string]string // everything else
	suffix  map[string]string // the sidecar's algorithm for the inventory in "", "v1", "v2"; default sha512
	folders map[string]string // "v1" and "v2" → folder names set by a test
	head    string            // the inventory in the head version, if it differs from the object's
}

// folder sets another folder name for a version.
func (s *sample) folder(version, name string) { s.folders[version] = name }

const sampleDir = "objects/one"

// The three contents of the sample and their digests.
const (
	pageOne = "<h1>first</h1>\n"
	pageTwo = "<h1>second</h1>\n"
	style   = "h1 { color: teal }\n"
)

// newSample returns a good object without warnings: two files in v1; v2 changes one of them and
// keeps the other.
func newSample(t testing.TB) *sample {
	t.Helper()
	v1 := &Inventory{
		ID: "urn:example:1", Type: InventoryType, DigestAlgorithm: SHA512, Head: "v1",
		Manifest: map[string][]string{
			sum(SHA512, pageOne): {"v1/content/index.html"},
			sum(SHA512, style):   {"v1/content/css/site.css"},
		},
		Fixity: map[string]map[string][]string{"md5": {sum("md5", style): {"v1/content/css/site.css"}}},
		Versions: map[string]*Version{"v1": {
			Created: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), Message: "first harvest",
			User:  &User{Name: "Quire", Address: "mailto:quire@example.org"},
			State: map[string][]string{sum(SHA512, pageOne): {"index.html"}, sum(SHA512, style): {"css/site.css"}},
		}},
	}
	v2 := *v1
	v2.Head = "v2"
	v2.Manifest = maps.Clone(v1.Manifest)
	v2.Manifest[sum(SHA512, pageTwo)] = []string{"v2/content/index.html"}
	v2.Versions = maps.Clone(v1.Versions)
	v2.Versions["v2"] = &Version{
		Created: time.Date(2025, 5, 6, 7, 8, 9, 0, time.UTC), Message: "second harvest",
		User:  &User{Name: "Quire", Address: "mailto:quire@example.org"},
		State: map[string][]string{sum(SHA512, pageTwo): {"index.html"}, sum(SHA512, style): {"css/site.css"}},
	}
	return &sample{
		v1: marshal(t, v1), v2: marshal(t, &v2), suffix: map[string]string{},
		folders: map[string]string{"v1": "v1", "v2": "v2"},
		files: map[string]string{
			"0=ocfl_object_1.1":       "ocfl_object_1.1\n",
			"v1/content/index.html":   pageOne,
			"v1/content/css/site.css": style,
			"v2/content/index.html":   pageTwo,
		},
	}
}

func marshal(t testing.TB, inv *Inventory) string {
	t.Helper()
	b, err := inv.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func sum(algorithm, text string) string {
	s, ok := digestOf(algorithm, []byte(text))
	if !ok {
		panic("no algorithm " + algorithm)
	}
	return s
}

// seal returns the object as a file system.
func (s *sample) seal() fstest.MapFS {
	m := fstest.MapFS{}
	for name, text := range s.files {
		m[path.Join(sampleDir, name)] = &fstest.MapFile{Data: []byte(text)}
	}
	for version, text := range map[string]string{"": s.v2, "v1": s.v1, "v2": cmp.Or(s.head, s.v2)} {
		folder, algorithm := s.folders[version], s.suffix[version]
		if algorithm == "" {
			algorithm = SHA512
		}
		name, sidecar := Sidecar(algorithm, sum(algorithm, text))
		put(m, path.Join(folder, InventoryFile), text)
		put(m, path.Join(folder, name), string(sidecar))
	}
	return m
}

func put(m fstest.MapFS, name, text string) {
	m[path.Join(sampleDir, name)] = &fstest.MapFile{Data: []byte(text)}
}

func remove(m fstest.MapFS, names ...string) {
	for _, name := range names {
		delete(m, path.Join(sampleDir, name))
	}
}

// replace changes the text of both inventories.
func replace(old, with string) func(*sample) {
	return func(s *sample) {
		s.v1 = strings.ReplaceAll(s.v1, old, with)
		s.v2 = strings.ReplaceAll(s.v2, old, with)
	}
}

// replaceHead changes the text of the object's inventory only.
func replaceHead(old, with string) func(*sample) {
	return func(s *sample) { s.v2 = strings.ReplaceAll(s.v2, old, with) }
}

// replacePrior changes the text of the inventory in v1 only.
func replacePrior(old, with string) func(*sample) {
	return func(s *sample) { s.v1 = strings.ReplaceAll(s.v1, old, with) }
}

// codesOf returns each code among the issues once, sorted.
func codesOf(lists ...[]Issue) []string {
	set := map[string]bool{}
	for _, list := range lists {
		for _, i := range list {
			set[i.Code] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}
