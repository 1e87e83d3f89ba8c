package collection

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/internal/yamlfile"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/statements"
)

// put writes files below a new folder.
func put(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777),
			os.WriteFile(p, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func made(t *testing.T, files map[string]string) (string, *Result) {
	t.Helper()
	dir := put(t, files)
	f, err := ReadFile(filepath.Join(dir, "c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "collection")
	r, err := Make(t.Context(), f,
		Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "1"}, Now: func() time.Time {
			return time.Date(2025, 6, 7, 8, 9, 10, 0, time.UTC)
		}})
	if err != nil {
		t.Fatal(err)
	}
	return out, r
}

func sum(content string) string {
	s := sha512.Sum512([]byte(content))
	return hex.EncodeToString(s[:])
}

// everything is a file with all possible statements.
var everything = map[string]string{
	"r.yaml": "access: onsite\npermissions: [{basis: license, granted-by: Ann}]\nrules: [{harvest: b, access: " +
		"restricted}]\n",
	"s.csv": "ID,Level,Title,URL\nx,collection,Harbours,\ny,site,Not this,http://y.example/\n",
	"c.yaml": `id: "urn:x:1"
title: Harbours & <ships>
description: What harbours said.
curator: [Harbour Museum, Ada]
subjects: harbours
rights: r.yaml
sheet: {file: s.csv}
harvests:
  - id: a
    label: The first
    containers: [1.warc, {name: 2.warc, size: 3, sha512: "` + sum("two") + `"}]
  - id: b
    containers: [{name: 3.warc, md5: 0123456789abcdef0123456789ABCDEF}]
`}

func TestMake(t *testing.T) {
	out, r := made(t, everything)
	if r.Harvests != 2 || r.Containers != 3 || r.Digests != 2 || r.Rights != 3 {
		t.Errorf("%+v", r)
	}
	b, err := os.ReadFile(filepath.Join(out, "mets.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`PROFILE="Quire web-archive collection 1.0"`, `OBJID="urn:x:1"`,
		`<mods:relatedItem type="constituent">`, ">The first<", `<mods:identifier type="local">a<`, ">curator<",
		">Ada<", "<mods:topic>harbours<", "<mods:abstract>What harbours said.<",
		`DMDID="DMD-collection DMD-sheet-1" ADMID="OBJ-collection RGT-1 RGT-3"`,
		`<mets:file ID="FILE-c2" SIZE="3" CHECKSUM="` + sum("two") + `" CHECKSUMTYPE="SHA-512" OWNERID="2.warc"/>`,
		`<mets:file ID="FILE-c1" OWNERID="1.warc"/>`,
		`CHECKSUM="0123456789abcdef0123456789abcdef" CHECKSUMTYPE="MD5"`, `ORDERLABEL="b" ADMID="RGT-2" TYPE="harvest"`,
		">Harbours<"} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the METS does not say %s", want)
		}
	}
	if strings.Contains(string(b), "Not this") {
		t.Error("a row of another level was taken")
	}
	schematest.Valid(t, testsamples.Path(t, "schemas/drivers/mets-all.xsd"), b)
	set, err := statements.Load(os.DirFS(out))
	if err != nil {
		t.Fatal(err)
	}
	if got := set.Decide(statements.Query{Harvest: 1, At: "2026-01-01"}).Zone; got != model.Onsite {
		t.Errorf("the first harvest is %q", got)
	}
	if !Is(out) || Is(t.TempDir()) {
		t.Error("a collection is not known for one")
	}
}

func TestReadFileRefuses(t *testing.T) {
	const good = "id: a\ntitle: b\nharvests: [{id: h, containers: [x]}]\n"
	if _, err := readText(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ doc, want string }{
		{"title: b\nharvests: [{id: h, containers: [x]}]\n", "needs an id and a title"},
		{"id: a\ntitle: b\n", "needs harvests"},
		{good + "curators: x\n", "line 4, curators: unknown key"},
		{"id: a\ntitle: b\nharvests: [{id: h}]\n", "expects no containers"},
		{"id: a\ntitle: b\nharvests: [{containers: [x]}]\n", "id is missing"},
		{"id: a\ntitle: b\nharvests: [{label: l, packages: [x]}]\n", "a label needs an id"},
		{"id: a\ntitle: b\nharvests: [{id: h, containers: [x]}, {id: h, containers: [y]}]\n",
			`two harvests are called "h"`},
		{"id: a\ntitle: b\nharvests: [{id: h, containers: [{size: 1}]}]\n", "a container needs a name"},
		{"id: a\ntitle: b\nharvests: [{id: h, containers: [{name: x, size: -1}]}]\n", "is not a whole number"},
		{"id: a\ntitle: b\nharvests: [{id: h, containers: [{name: x, sha256: 00}]}]\n", "is no SHA-256"},
		{"id: a\ntitle: b\nharvests: [{id: h, containers: [{name: x, md5: 0123456789abcdef0123456789abcdef, sha1: " +
			"0123456789012345678901234567890123456789}]}]\n", "one digest is enough"},
		{good + "sheet: {rows: x}\n", "file is missing"},
		{"id: &a a\ntitle: *a\n", "anchors"},
	} {
		if _, err := readText(c.doc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.doc, err, c.want)
		}
	}
}

func readText(doc string) (*File, error) {
	n, err := yamlfile.Read(strings.NewReader(doc), "c.yaml")
	if err != nil {
		return nil, err
	}
	return read(n, "c.yaml", "/nowhere")
}

// Every file named in the description must exist.
func TestMakeRefuses(t *testing.T) {
	const harvest = "id: a\ntitle: b\nharvests: [{id: h, containers: [x]}]\n"
	for _, c := range []struct{ doc, want string }{
		{"id: a\ntitle: b\nharvests: [{packages: [nowhere]}]\n", "line 3: the package"},
		{"id: a\ntitle: b\nharvests: [{packages: ['no*where']}]\n", "no package fits"},
		{harvest + "rights: no.yaml\n", "the file of rights"},
		{harvest + "rights: bad.yaml\n", "reading bad.yaml: line 1, acces"},
		{harvest + "rights: other.yaml\n", `the package has no harvest "z"`},
		{harvest + "sheet: {file: s.csv, rows: [z]}\n", `has no row "z"`},
		{harvest + "sheet: {file: s.csv}\n", "has no row of the level collection"},
		{harvest + "sheet: {file: wrong.csv}\n", "problems, the first"},
	} {
		dir := put(t, map[string]string{"c.yaml": c.doc, "bad.yaml": "acces: open\n",
			"other.yaml": "rules: [{harvest: z, access: open}]\n",
			"s.csv":      "ID,Title,URL\nx,y,http://y.example/\n", "wrong.csv": "URL,Title\nnot a url,y\n"})
		f, err := ReadFile(filepath.Join(dir, "c.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		if _, err = Make(t.Context(), f, Options{Out: out}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.doc, err, c.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%q: something is there", c.doc)
		}
	}
}

func holding(all ...Held) iter.Seq2[Held, error] {
	return func(yield func(Held, error) bool) {
		for _, h := range all {
			if !yield(h, nil) {
				return
			}
		}
	}
}

func TestValidate(t *testing.T) {
	const listed = "id: c\ntitle: t\nharvests:\n"
	digested := func(name, content string) string {
		return fmt.Sprintf("{name: %s, size: %d, sha512: %q}", name, len(content), sum(content))
	}
	held := func(pkg, path, content string) Held {
		return Held{Package: pkg, Path: "containers/" + path, Size: int64(len(content)), SHA512: sum(content)}
	}
	one := listed + "- {id: h, containers: [" + digested("a.warc", "A") + "]}\n"
	two := listed + "- {id: h, containers: [" + digested("a.warc", "A") + "]}\n- {id: i, containers: [" +
		digested("a.warc", "B") + "]}\n"
	for _, c := range []struct {
		name, doc string
		held      []Held
		want      string
	}{
		{"there", one, []Held{held("p", "a.warc", "A")}, "complete 1/1"},
		{"in a folder", one, []Held{held("p", "x/a.warc", "A")}, "complete 1/1"},
		{"missing", one, nil, "incomplete 0/1 missing a.warc of h"},
		{"another is there", one, []Held{held("p", "b.warc", "B")}, "incomplete 0/1 missing a.warc of h"},
		{"another digest", one, []Held{held("p", "a.warc", "B")}, "incomplete 0/1 differs a.warc of h p"},
		{"another name", one, []Held{held("p", "b.warc", "A")}, "complete 1/1 renamed a.warc of h containers/b.warc"},
		{"another name, and its own with another digest", one,
			[]Held{held("p", "b.warc", "A"), held("p", "a.warc", "B")},
			"complete 1/1 renamed a.warc of h containers/b.warc extra containers/a.warc"},
		{"twice", one, []Held{held("p", "a.warc", "A"), held("q", "a.warc", "A")}, "complete 1/1 again 1"},
		{"one name, two harvests", two, []Held{held("q", "a.warc", "B"), held("p", "a.warc", "A")}, "complete 2/2"},
		{"one name, one lost", two, []Held{held("q", "a.warc", "B")}, "incomplete 1/2 missing a.warc of h"},
		{"extra, in a package of the collection", one, []Held{held("p", "a.warc", "A"), held("p", "b.warc", "B")},
			"complete 1/1 extra containers/b.warc"},
		{"extra, elsewhere", one, []Held{held("p", "a.warc", "A"), held("q", "b.warc", "B")}, "complete 1/1"},
		{"by name", listed + "- {id: h, containers: [a.warc]}\n", []Held{held("p", "a.warc", "A")},
			"complete 1/1 unverified 1"},
		{"by name and size", listed + "- {id: h, containers: [{name: a.warc, size: 1}]}\n",
			[]Held{held("p", "a.warc", "A")}, "complete 1/1 unverified 1"},
		{"by name and another size", listed + "- {id: h, containers: [{name: a.warc, size: 2}]}\n",
			[]Held{held("p", "a.warc", "A")}, "incomplete 0/1 differs a.warc of h p"},
		{"by a digest that packages do not state",
			listed + "- {id: h, containers: [{name: a.warc, size: 1, md5: 0123456789abcdef0123456789abcdef}]}\n",
			[]Held{held("p", "a.warc", "A")}, "complete 1/1 unverified 1"},
		{"not sound", one, []Held{{Package: "p", Path: "containers/a.warc", Size: 1, SHA512: sum("A"),
			Problem: "is gone"}}, "incomplete 0/1 missing a.warc of h unread p, containers/a.warc: is gone"},
		{"a digest before a name", listed + "- {id: h, containers: [a.warc, " + digested("a.warc", "A") + "]}\n",
			[]Held{held("p", "a.warc", "A"), held("q", "a.warc", "B")}, "complete 2/2 unverified 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := made(t, map[string]string{"c.yaml": c.doc})
			r, err := Validate(t.Context(), dir, holding(c.held...), ValidateOptions{Temp: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(r); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

func summary(r *Report) string {
	s := fmt.Sprintf("%s %d/%d", r.Outcome, r.Present, r.Expected)
	for _, i := range r.Missing {
		s += " missing " + i.Name + " of " + i.Harvest
	}
	for _, d := range r.Differs {
		s += " differs " + d.Name + " of " + d.Harvest + " " + d.There.Package
	}
	for _, d := range r.Renamed {
		s += " renamed " + d.Name + " of " + d.Harvest + " " + d.There.Path
	}
	for _, h := range r.Extra {
		s += " extra " + h.Path
	}
	for _, u := range r.Unread {
		s += " unread " + u
	}
	if r.Unverified > 0 {
		s += fmt.Sprint(" unverified ", r.Unverified)
	}
	if r.Again > 0 {
		s += fmt.Sprint(" again ", r.Again)
	}
	return s
}

// A collection with a changed METS is invalid: its expected containers cannot be trusted.
func TestValidateOfAChangedCollection(t *testing.T) {
	change := func(name, from, to string) string {
		dir, _ := made(t, everything)
		p := filepath.Join(dir, name)
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(strings.Replace(string(b), from, to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	for _, c := range []struct{ name, dir, code string }{
		{"another name", change("mets.xml", `OWNERID="1.warc"`, `OWNERID="9.warc"`), aip.CodeSidecarDigest},
		{"another digest", change("mets.xml.sha512", "  mets.xml", "0  mets.xml"), aip.CodeSidecarDigest},
		{"cut off", change("mets.xml", "</mets:structMap>", ""), aip.CodeMETSRead},
		{"a group of no harvest", change("mets.xml", `ID="GRP-h2"`, `ID="GRP-h3"`), aip.CodeMETSStructure},
		{"a group without a type", change("mets.xml", `USE="Expected"`, `USE="Other"`), aip.CodeMETSStructure},
	} {
		r, err := Validate(t.Context(), c.dir, holding(), ValidateOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		found := false
		for _, f := range r.Findings {
			found = found || f.Code == c.code
		}
		if !found || r.Outcome != Invalid {
			t.Errorf("%s: %s, %v", c.name, r.Outcome, r.Findings)
		}
	}
	if _, err := Validate(t.Context(), change("mets.xml", `ID="GRP-h2"`, `ID="GRP-h2000000000"`), nil,
		ValidateOptions{}); err == nil {
		t.Error("two thousand million harvests are taken")
	}
	if _, err := Validate(t.Context(), t.TempDir(), nil, ValidateOptions{}); !errors.Is(err, aip.ErrNoPackage) {
		t.Errorf("of an empty folder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir, _ := made(t, everything)
	if _, err := Validate(ctx, dir, holding(Held{}), ValidateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Members beyond the limits of the lists are still counted.
func TestListsAreBounded(t *testing.T) {
	doc := "id: c\ntitle: t\nharvests:\n- id: h\n  containers:\n"
	var held []Held
	for i := range 3000 {
		doc += fmt.Sprintf("  - %d.warc\n", i)
		if i%2 == 0 {
			held = append(held, Held{Package: "p", Path: fmt.Sprintf("containers/%d.warc", i)})
		}
	}
	dir, _ := made(t, map[string]string{"c.yaml": doc})
	r, err := Validate(t.Context(), dir, holding(held...), ValidateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Missing) != MaxListed || r.MissingTotal != 1500 || r.Present != 1500 || r.Lacking[0].Missing != 1500 ||
		r.HarvestsComplete != 0 {
		t.Errorf("%d listed, %d missing, %d present, %+v", len(r.Missing), r.MissingTotal, r.Present, r.Lacking)
	}
}

func FuzzReadFile(f *testing.F) {
	f.Add(everything["c.yaml"])
	f.Add("id: &a a\ntitle: *a\n")
	f.Add("id: a\ntitle: b\nharvests: [{id: h, containers: [{name: x, size: 9223372036854775807, sha1: " +
		"0123456789012345678901234567890123456789}]}]\n")
	f.Fuzz(func(t *testing.T, doc string) {
		file, err := readText(doc)
		if err != nil {
			return
		}
		if file.ID == "" || len(file.Harvests) == 0 {
			t.Errorf("%+v", file)
		}
	})
}
