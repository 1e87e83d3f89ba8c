package ocfl

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestMarshalAndParse(t *testing.T) {
	inv := &Inventory{
		ID: "urn:example:a&b<c>", Type: InventoryType, DigestAlgorithm: SHA512, Head: "v1",
		Manifest: map[string][]string{sum(SHA512, "x"): {"v1/content/ü & b.txt", "v1/content/a.txt"}},
		Versions: map[string]*Version{"v1": {
			Created: time.Date(2026, 1, 2, 3, 4, 5, 678, time.FixedZone("", 3600)),
			Message: "line one\nline two", User: &User{Name: "Quire"},
			State: map[string][]string{sum(SHA512, "x"): {"b.txt", "a.txt"}},
		}},
	}
	text := marshal(t, inv)
	for _, want := range []string{`"id": "urn:example:a&b<c>"`, `v1/content/ü & b.txt`,
		`"created": "2026-01-02T03:04:05.000000678+01:00"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "contentDirectory") || strings.Contains(text, "fixity") {
		t.Errorf("keys without a value are written:\n%s", text)
	}
	if !strings.HasSuffix(text, "}\n") || strings.Index(text, "a.txt") > strings.Index(text, "b.txt") {
		t.Errorf("paths are not in order, or the last line has no end:\n%s", text)
	}
	back, err := ParseInventory([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if again := marshal(t, back); again != text {
		t.Errorf("read and written again:\n%s\nwant\n%s", again, text)
	}
	if inv.Manifest[sum(SHA512, "x")][0] != "v1/content/ü & b.txt" {
		t.Error("Marshal changed its argument")
	}
}

func TestMarshalOfAnEmptyState(t *testing.T) {
	inv := &Inventory{ID: "urn:x", Type: InventoryType, DigestAlgorithm: SHA512, Head: "v1",
		Versions: map[string]*Version{"v1": {Created: time.Unix(0, 0).UTC()}}}
	back, err := ParseInventory([]byte(marshal(t, inv)))
	if err != nil {
		t.Fatal(err) // a nil map must be written as {}, not as null
	}
	if len(back.Manifest) != 0 || len(back.Versions["v1"].State) != 0 {
		t.Errorf("%+v", back)
	}
}

func TestMarshalRefusesWhatJSONCannotCarry(t *testing.T) {
	bad := "caf\xe9.html"
	inventories := map[string]*Inventory{
		"in the manifest": {Manifest: map[string][]string{"00": {bad}}},
		"in a state":      {Versions: map[string]*Version{"v1": {State: map[string][]string{"00": {bad}}}}},
		"in a message":    {Versions: map[string]*Version{"v1": {Message: bad}}},
		"in a user":       {Versions: map[string]*Version{"v1": {User: &User{Name: bad}}}},
		"in the fixity":   {Fixity: map[string]map[string][]string{"md5": {"00": {bad}}}},
		"in the id":       {ID: bad},
	}
	for name, inv := range inventories {
		if _, err := inv.Marshal(); !errors.Is(err, ErrNotUTF8) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (&Inventory{Versions: map[string]*Version{"v1": nil}}).Marshal(); err == nil {
		t.Error("a version without description was written")
	}
}

// TestParseInventoryRefuses has inventories that a store must never use; the full list is in
// objectCases.
func TestParseInventoryRefuses(t *testing.T) {
	good := newSample(t).v2
	tests := []struct{ name, old, with, code string }{
		{"a path that leads out", `"v1/content/index.html"`, `"../../etc/passwd"`, "E099"},
		{"a logical path that leads out", `"index.html"`, `"../../etc/passwd"`, "E052"},
		{"a path from the root", `"v1/content/index.html"`, `"/etc/passwd"`, "E099"},
		{"a path into the inventory", `"v1/content/index.html"`, `"inventory.json"`, "E042"},
		{"a key twice", `"head"`, `"head": "v2", "head"`, "E033"},
		{"a key in other case", `"head"`, `"HEAD"`, "E102"},
		{"a state without content", sum(SHA512, pageTwo) + `": [` + "\n      \"v2",
			sum(SHA512, "x") + `": [` + "\n      \"v2", "E050"},
		{"a head that is not the latest", `"head": "v2"`, `"head": "v1"`, "E040"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(good, tt.old, tt.with, 1)
			if text == good {
				t.Fatal("the test changes nothing")
			}
			_, err := ParseInventory([]byte(text))
			var e *InventoryError
			if !errors.As(err, &e) || !strings.Contains(strings.Join(codesOf(e.Issues), " "), tt.code) {
				t.Errorf("error %v, want %s", err, tt.code)
			}
		})
	}
}

func TestInventoryErrorNamesTheFirstIssue(t *testing.T) {
	_, err := ParseInventory([]byte(`{"id": ""}`))
	if err == nil || !strings.HasPrefix(err.Error(), `OCFL inventory: E036 the key "`) ||
		!strings.HasSuffix(err.Error(), "more)") {
		t.Errorf("%v", err)
	}
}

func TestVersionNames(t *testing.T) {
	inv := &Inventory{Versions: map[string]*Version{"v10": {}, "v9": {}, "v1": {}, "x": {},
		"v99999999999999999999": {}}}
	want := []string{"v1", "v9", "v10", "v99999999999999999999", "x"}
	if got := inv.VersionNames(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFiles(t *testing.T) {
	inv, err := ParseInventory([]byte(newSample(t).v2))
	if err != nil {
		t.Fatal(err)
	}
	first, second, css := sum(SHA512, pageOne), sum(SHA512, pageTwo), sum(SHA512, style)
	wantContent := []ContentFile{{"v1/content/css/site.css", css}, {"v1/content/index.html", first},
		{"v2/content/index.html", second}}
	if got := inv.ContentFiles(); !reflect.DeepEqual(got, wantContent) {
		t.Errorf("content files %v", got)
	}
	for version, want := range map[string][]LogicalFile{
		"v1": {{"css/site.css", css, "v1/content/css/site.css"}, {"index.html", first, "v1/content/index.html"}},
		"":   {{"css/site.css", css, "v1/content/css/site.css"}, {"index.html", second, "v2/content/index.html"}},
	} {
		if got, err := inv.Files(version); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("version %q: %v, %v", version, got, err)
		}
	}
	if _, err := inv.Files("v3"); err == nil || !strings.Contains(err.Error(), "v1, v2") {
		t.Errorf("a version that is not there: %v", err)
	}
	delete(inv.Manifest, css)
	if _, err := inv.Files("v1"); err == nil || !strings.Contains(err.Error(), "site.css") {
		t.Errorf("content that is not there: %v", err)
	}
}

func TestSidecar(t *testing.T) {
	digest := sum(SHA512, "x")
	name, content := Sidecar(SHA512, digest)
	if name != "inventory.json.sha512" || string(content) != digest+"  inventory.json\n" {
		t.Errorf("%s: %q", name, content)
	}
	if back, err := ParseSidecar(content); err != nil || back != digest {
		t.Errorf("%q, %v", back, err)
	}
	for text, want := range map[string]string{
		"ab inventory.json":         "ab",
		"AB\t \tinventory.json\r\n": "AB",
		"":                          "",
		"ab":                        "",
		"ab  other.json\n":          "",
		"abc inventory.json\n":      "", // half a byte
		"xy inventory.json\n":       "",
		" ab inventory.json\n":      "",
		"ab inventory.json\n\n":     "",
		"ab inventory.json extra\n": "",
		"ab *inventory.json\n":      "",
		strings.Repeat("ab", 9000) + " inventory.json": "",
	} {
		got, err := ParseSidecar([]byte(text))
		if got != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrSidecar) {
			t.Errorf("%.40q: %q, %v; want %q", text, got, err, want)
		}
	}
}

// TestObjectPath checks the examples in the specification of the layout.
func TestObjectPath(t *testing.T) {
	ten := strings.Repeat("abcdefghij", 10)
	for id, want := range map[string]string{
		"object-01":        "3c0/ff4/240/object-01",
		"..hor/rib:le-$id": "487/326/d8c/%2e%2ehor%2frib%3ale-%24id",
		"..Hor/rib:lè-$id": "373/529/21a/%2e%2eHor%2frib%3al%c3%a8-%24id",
		ten + "a":          "5cc/73e/648/" + ten + "-5cc73e648fbcff136510e330871180922ddacf193b68fdeff855683a01464220",
	} {
		if got := ObjectPath(id); got != want {
			t.Errorf("%s lies at %s, want %s", id, got, want)
		}
	}
	l := layout{DigestAlgorithm: "md5", TupleSize: 2, NumberOfTuples: 15}
	if got := l.path("object-01"); got != "ff/75/53/44/92/48/5e/ab/b3/9f/86/35/67/28/88/object-01" {
		t.Errorf("with parameters: %s", got)
	}
	l = layout{DigestAlgorithm: "md5"}
	if got := l.path("..hor/rib:le-$id"); got != "%2e%2ehor%2frib%3ale-%24id" {
		t.Errorf("without tuples: %s", got)
	}
}

// TestEmptyDigests checks the digests of an empty input in clause 3.4 and extension 0009.
func TestEmptyDigests(t *testing.T) {
	for name, want := range map[string]string{
		"md5":         "d41d8cd98f00b204e9800998ecf8427e",
		"sha1":        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
		"sha256":      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
		"sha512":      "cf83e1357eefb8bdf1542850d66d8007d620e405",
		"blake2b-512": "786a02f742015903c6c6fd852552d272912f4740",
		"blake2b-384": "b32811423377f52d7862286ee1a72ee540524380",
		"blake2b-256": "0e5751c026e543b2e8ab2eb06099daa1d1e5df47",
		"blake2b-160": "3345524abf6bbe1809449224b5972c41790b6cf2",
		"sha512/256":  "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7",
		"size":        "0",
	} {
		got := newMultiHash([]string{name}).sum(name)
		if !strings.HasPrefix(got, want) || !algorithms[name].isDigest(got) {
			t.Errorf("%s of nothing is %s, want %s…", name, got, want)
		}
	}
}
