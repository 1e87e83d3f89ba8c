package ocfl

import (
	"context"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// goodRoot returns a storage root with our layout and two objects in their places.
func goodRoot(t testing.TB) fstest.MapFS {
	m := fstest.MapFS{}
	name, content := RootDeclaration()
	write(m, name, string(content))
	for file, content := range LayoutFiles() {
		write(m, file, string(content))
	}
	for _, id := range []string{"urn:example:1", "urn:example:2"} {
		s := newSample(t)
		replace("urn:example:1", id)(s)
		place(m, s, ObjectPath(id))
	}
	return m
}

func write(m fstest.MapFS, name, text string) { m[name] = &fstest.MapFile{Data: []byte(text)} }

// place puts a sample at a path of the root.
func place(m fstest.MapFS, s *sample, dir string) {
	for name, file := range s.seal() {
		m[dir+strings.TrimPrefix(name, sampleDir)] = file
	}
}

type rootCase struct {
	name    string
	change  func(m fstest.MapFS)
	codes   string // all codes about the root itself
	path    string // path of one issue
	invalid int    // objects with errors
}

var rootCases = []rootCase{
	{name: "a good root"},
	{name: "a file in the root", change: file("notes.txt", "x")},
	{name: "no declaration", change: gone("0=ocfl_1.1"), codes: "E069", path: "."},
	{name: "ocfl_layout.json is no JSON", change: file("ocfl_layout.json", "{"), codes: "E070",
		path: "ocfl_layout.json"},
	{name: "ocfl_layout.json without description",
		change: file("ocfl_layout.json", `{"extension": "0003-hash-and-id-n-tuple-storage-layout"}`), codes: "E070",
		path: "ocfl_layout.json"},
	{name: "ocfl_layout.json is not UTF-8",
		change: file("ocfl_layout.json", "{\"extension\": \"\xff\", \"description\": \"\"}"), codes: "E070",
		path: "ocfl_layout.json"},
	{name: "a layout that is not registered",
		change: file("ocfl_layout.json", `{"extension": "ours", "description": ""}`), codes: "E071",
		path: "ocfl_layout.json"},
	{name: "a file below a folder", change: file("abc/def/x", "x"), codes: "E072 E085", path: "abc/def"},
	{name: "an empty folder", change: folder("abc/def"), codes: "E073", path: "abc/def"},
	{name: "the declaration is a folder", change: then(gone("0=ocfl_1.1"), folder("0=ocfl_1.1")), codes: "E073 E075"},
	{name: "two declarations", change: file("0=ocfl_1.0", "ocfl_1.0\n"), codes: "E076"},
	{name: "an unknown version", change: then(gone("0=ocfl_1.1"), file("0=ocfl_7", "ocfl_7\n")), codes: "E077"},
	{name: "another tag", change: then(gone("0=ocfl_1.1"), file("1=ocfl_1.1", "ocfl_1.1\n")), codes: "E078"},
	{name: "the declaration of something else", change: then(gone("0=ocfl_1.1"), file("0=bagit_1.1", "bagit_1.1\n")),
		codes: "E079"},
	{name: "another text in the declaration", change: file("0=ocfl_1.1", "ocfl_1.0\n"), codes: "E080"},
	{name: "an object of a later version than the root",
		change: then(gone("0=ocfl_1.1"), file("0=ocfl_1.0", "ocfl_1.0\n")), codes: "E081"},
	{name: "an object in the wrong place", change: move(ObjectPath("urn:example:1"), "abc/def/012/one"), codes: "W014",
		path: "abc/def/012/one"},
	{name: "a layout with impossible parameters",
		change: file("extensions/"+LayoutName+"/config.json",
			`{"digestAlgorithm": "md5", "tupleSize": 32, "numberOfTuples": 2}`), codes: "E083"},
	{name: "a layout of more but shorter folders",
		change: file("extensions/"+LayoutName+"/config.json",
			`{"digestAlgorithm": "md5", "tupleSize": 2, "numberOfTuples": 15}`), codes: "W014"},
	{name: "a file beside the folders of the hierarchy", change: file(path.Dir(ObjectPath("urn:example:1"))+"/x", "x"),
		codes: "E084"},
	{name: "a folder that leads nowhere", change: file("abc/x", "x"), codes: "E072 E088", path: "abc"},
	{name: "folders without end", change: folder(strings.Repeat("a/", 500) + "a"), codes: "E085"},
	{name: "a link in the root", change: rootLink("latest"), codes: "E090", path: "latest"},
	{name: "a link in the hierarchy", change: rootLink(path.Dir(ObjectPath("urn:example:1")) + "/again"),
		codes: "E084 E090"},
	{name: "a file among the extensions", change: file("extensions/x", "x"), codes: "E112", path: "extensions/x"},
	{name: "an extension that is not registered", change: file("extensions/ours/x", "x"), codes: "W016"},
	{name: "an object in the root itself",
		change: then(gone("ocfl_layout.json"), move(ObjectPath("urn:example:1"), "one")), codes: "W015"},
	{name: "damage in an object", change: gone(ObjectPath("urn:example:2") + "/v1/content/index.html"), invalid: 1},
	{name: "an object without declaration", change: gone(ObjectPath("urn:example:2") + "/0=ocfl_object_1.1"),
		invalid: 1},
	{name: "an object without inventory", change: gone(ObjectPath("urn:example:2") + "/inventory.json"), invalid: 1},
	{name: "damage in both objects",
		change: then(gone(ObjectPath("urn:example:2")+"/inventory.json"),
			file(ObjectPath("urn:example:1")+"/v1/content/index.html", "")), invalid: 2},
}

func TestRoots(t *testing.T) {
	for _, c := range rootCases {
		t.Run(c.name, func(t *testing.T) {
			m := goodRoot(t)
			if c.change != nil {
				c.change(m)
			}
			seen := 0
			r, err := ValidateRoot(context.Background(), m, Options{Object: func(*Result) { seen++ }})
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Fields(c.codes)
			if got := codesOf(r.Errors, r.Warnings); !slices.Equal(got, want) {
				t.Errorf("codes %v, want %v; errors %v", got, want, r.Errors)
			}
			if r.Objects != 2 || seen != 2 || r.Invalid != c.invalid {
				t.Errorf("%d objects, %d reported, %d invalid; want 2, 2, %d", r.Objects, seen, r.Invalid, c.invalid)
			}
			all := append(r.Errors, r.Warnings...)
			if c.path != "" && !slices.ContainsFunc(all, func(i Issue) bool { return i.Path == c.path }) {
				t.Errorf("nothing about %s in %v", c.path, all)
			}
			if good := len(r.Errors) == 0 && c.invalid == 0; r.Valid() != good {
				t.Errorf("Valid is %v", r.Valid())
			}
		})
	}
}

func file(name, text string) func(fstest.MapFS) {
	return func(m fstest.MapFS) { write(m, name, text) }
}

func folder(name string) func(fstest.MapFS) {
	return func(m fstest.MapFS) { mode("../../"+name, fs.ModeDir)(m) }
}

func gone(name string) func(fstest.MapFS) { return func(m fstest.MapFS) { delete(m, name) } }

func rootLink(name string) func(fstest.MapFS) { return link("../../"+name, "x") }

func then(first, second func(fstest.MapFS)) func(fstest.MapFS) { return both(first, second) }

func move(from, to string) func(fstest.MapFS) {
	return func(m fstest.MapFS) {
		for name, file := range maps.Clone(m) {
			if rest, ok := strings.CutPrefix(name, from+"/"); ok {
				delete(m, name)
				m[to+"/"+rest] = file
			}
		}
	}
}
