package check

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/formats"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/findingtest"
	"quire/internal/repotest"
	"quire/internal/testsamples"
	"quire/preserve/aip"
	"quire/preserve/pack"
)

// handedOut exports a package in each format, once for all tests.
func handedOut(t *testing.T) map[string]string {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
		Logs: map[string]string{"crawl.log": "2015 200 1 http://a.example/\n"}, Containers: map[string]string{
			"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html",
				`<title>One</title><a href="b">two</a>`) +
				holdingstest.Response("2", "http://a.example/b", "2015-01-02T03:04:06Z", "text/html", "<p>two"),
		}})
	h := r.Open(holdings.Options{})
	made := map[string]string{}
	for _, f := range formats.All() {
		out := filepath.Join(t.TempDir(), "site-1-dip")
		if f.Single() {
			out += f.Ending
		}
		if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", As: f.Name, Out: out},
			formats.All()); err != nil {
			t.Fatal(err)
		}
		made[f.Name] = out
	}
	return made
}

// zipped and tarred pack a folder into an archive; damage changes a file while packing.
func zipped(t *testing.T, dir, top string, damage func(name string, text []byte) []byte) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	each(t, dir, func(name string, text []byte) {
		if text = damage(name, text); text == nil {
			return
		}
		w, err := z.Create(top + name)
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	return written(t, "x.zip", &b, z.Close())
}

func tarred(t *testing.T, dir, top string) string {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	each(t, dir, func(name string, text []byte) {
		err := w.WriteHeader(&tar.Header{Name: top + name, Mode: 0o644, Size: int64(len(text))})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	return written(t, "x.tar.gz", &b, errors.Join(w.Close(), g.Close()))
}

func written(t *testing.T, name string, b *bytes.Buffer, err error) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := errors.Join(err, os.WriteFile(file, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}

func each(t *testing.T, dir string, visit func(name string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		visit(filepath.ToSlash(rel), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func same(_ string, text []byte) []byte { return text }

// outcome returns the result of a check: the outcome, and the codes of errors.
func outcome(t *testing.T, at string, kind Kind) (string, string) {
	t.Helper()
	got, err := Recognize(at)
	if err != nil || got != kind {
		t.Fatalf("%s is a %q, %v; want %q", at, got, err, kind)
	}
	r, err := Run(t.Context(), at, kind, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, f := range r.Findings {
		codes = append(codes, f.String())
	}
	return r.Outcome, strings.Join(codes, "\n")
}

// TestHandedOut: each export format of Quire is recognized and valid, in a folder and in archives;
// and damage is detected.
func TestHandedOut(t *testing.T) {
	made := handedOut(t)
	for _, c := range []struct {
		as     string
		kind   Kind
		damage string // file with a changed last byte
		code   string
		gone   string // omitted file
	}{
		{"bagit", Bag, "bag-info.txt", "BAGIT-DIGEST", "kept-back.json"},
		{"eark", METS, "documentation/README.txt", CodeDigest, "representations/rep1/METS.xml"},
		{"mirror", Mirror, "web/a.example/index.html", CodeDigest, "web/a.example/index.html"},
		{"dspace-saf", SAF, "item_000001/dublin_core.xml", CodeItem, "item_000001/a.example/index.html"},
		{"dspace-mets", METS, "", "", ""},
		{"wacz", WACZ, "", "", ""},
		{"mets", Lone, "", "", ""},
	} {
		t.Run(c.as, func(t *testing.T) {
			at := made[c.as]
			if got, codes := outcome(t, at, c.kind); got != "valid" || codes != "" {
				t.Fatalf("%s: %s", got, codes)
			}
			if c.damage == "" {
				return
			}
			for _, archive := range []string{zipped(t, at, "", same), zipped(t, at, "top/", same),
				tarred(t, at, "top/")} {
				if got, codes := outcome(t, archive, c.kind); got != "valid" || codes != "" {
					t.Errorf("%s: %s: %s", archive, got, codes)
				}
			}
			damaged := zipped(t, at, "top/", func(name string, text []byte) []byte {
				if name == c.damage {
					text = append(text[:len(text)-1:len(text)-1], '!')
				}
				return text
			})
			if got, codes := outcome(t, damaged, c.kind); got != "invalid" || !strings.Contains(codes, c.code) {
				t.Errorf("damaged: %s: %s", got, codes)
			}
			without := zipped(t, at, "", func(name string, text []byte) []byte {
				if name == c.gone {
					return nil
				}
				return text
			})
			if got, codes := outcome(t, without, c.kind); got != "invalid" || !strings.Contains(codes, "MISSING") {
				t.Errorf("without %s: %s: %s", c.gone, got, codes)
			}
		})
	}
	if kind, err := Recognize(made["warc"]); err != nil || kind != WARCs {
		t.Errorf("%q, %v", kind, err)
	}
	if _, err := Run(t.Context(), made["warc"], WARCs, Options{}); err == nil ||
		!strings.Contains(err.Error(), "quire inspect") {
		t.Errorf("the error for WARC files does not name the command that checks them: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for as, kind := range map[string]Kind{"bagit": Bag, "eark": METS, "mirror": Mirror, "wacz": WACZ} {
		if _, err := Run(ctx, made[as], kind, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after Ctrl-C: %v", as, err)
		}
	}
}

// TestMETSLeadsOut: a METS with names outside the package, or in an endless loop, is reported;
// nothing outside is read.
func TestMETSLeadsOut(t *testing.T) {
	dir := t.TempDir()
	text := `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="x">` +
		`<fileSec><fileGrp>
<file ID="a"><FLocat LOCTYPE="URL" xlink:href="../../etc/passwd"/></file><file ID="b"><FLocat LOCTYPE="URL" ` +
		`xlink:href="http://a.example/"/></file>
</fileGrp></fileSec><structMap><div><mptr LOCTYPE="URL" xlink:href="METS.xml"/></div></structMap></mets>`
	if err := os.WriteFile(filepath.Join(dir, "METS.xml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, codes := outcome(t, dir, METS); got != "invalid" || !strings.Contains(codes, CodePath) {
		t.Errorf("%s: %s", got, codes)
	}
}

// TestNamedTwice: every description of a file is compared, and the file is read once per algorithm,
// however often it is named.
func TestNamedTwice(t *testing.T) {
	file := func(id, digest string) string {
		return `<file ID="` + id + `"` + digest + `><FLocat LOCTYPE="URL" xlink:href="a"/></file>`
	}
	const right, wrong = ` CHECKSUMTYPE="MD5" CHECKSUM="0cc175b9c0f1b6a831c399e269772661"`,
		` CHECKSUMTYPE="MD5" CHECKSUM="92eb5ffee6ae2fec3ad71c777531578f"`
	for _, c := range []struct{ first, second, want string }{
		{"", wrong, "invalid"}, {right, wrong, "invalid"}, {wrong, right, "invalid"}, {right, right, "valid"},
		{"", right, "valid"},
	} {
		dir := t.TempDir()
		text := `<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink" OBJID="x">` +
			`<fileSec><fileGrp>` + file("f1", c.first) + file("f2", c.second) +
			`</fileGrp></fileSec><structMap><div/></structMap></mets>`
		if err := errors.Join(os.WriteFile(filepath.Join(dir, "METS.xml"), []byte(text), 0o600),
			os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if got, codes := outcome(t, dir, METS); got != c.want ||
			(got == "invalid") != strings.Contains(codes, CodeDigest) {
			t.Errorf("%q, then %q: %s: %s", c.first, c.second, got, codes)
		}
		r, err := Run(t.Context(), dir, METS, Options{})
		if err != nil || !strings.Contains(r.Checks[1].Detail, "1 files compared") {
			t.Errorf("%v %+v", err, r)
		}
	}
	// A list that names a file again and again.
	dir := t.TempDir()
	const lines, size = 1000, 1 << 10
	line := fmt.Sprintf(`{"name":"a","sha256":"%x"}`, sha256.Sum256(make([]byte, size))) + "\n"
	for name, text := range map[string]string{"index.html": "", "names.jsonl": strings.Repeat(line, lines),
		"web/a": string(make([]byte, size))} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	var read int64
	r, err := Run(t.Context(), dir, Mirror, Options{Progress: func(n int64) { read += n }})
	if err != nil || r.Outcome != "valid" || read > lines*int64(len(line))+2*size {
		t.Errorf("%v %+v, %d bytes read", err, r, read)
	}
}

// TestBagSuite: the expected results of the Library of Congress's suite of 42 bags also apply to
// archives.
func TestBagSuite(t *testing.T) {
	root := testsamples.Path(t, "conformance", "bagit-suite")
	right := 0
	for _, kind := range []string{"valid", "invalid"} {
		bags, err := filepath.Glob(filepath.Join(root, "v*", kind, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, bag := range bags {
			if _, err := os.Stat(filepath.Join(bag, "bagit.txt")); err != nil {
				continue // not recognizable
			}
			for _, at := range []string{bag, zipped(t, bag, "bag/", same)} {
				got, codes := outcome(t, at, Bag)
				if (got == "valid") != (kind == "valid") {
					t.Errorf("%s: %s: %s", at, bag, codes)
				}
				right++
			}
		}
	}
	if right < 70 {
		t.Errorf("%d bags", right)
	}
}

// TestCatalogue: each code of a check is explained.
func TestCatalogue(t *testing.T) {
	findingtest.Document(t, "../../../docs/reference/515_export-findings.md", findingtest.Table(Catalogue))
	codes := []string{CodeSource, CodeMETS, CodeMissing, CodeSize, CodeDigest, CodePath, CodeUnlisted, CodeList,
		CodeItem}
	text, err := os.ReadFile("../../../format/bagit/doc.go")
	for _, file := range []string{"validate.go", "manifest.go", "tagfile.go"} {
		more, e := os.ReadFile("../../../format/bagit/" + file)
		text, err = append(text, more...), errors.Join(err, e)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), `Code = "`)[1:] {
		code, _, _ := strings.Cut(part, `"`)
		codes = append(codes, code)
	}
	if len(codes) < 25 {
		t.Errorf("%q", codes)
	}
	for _, c := range codes {
		if e, ok := Catalogue.Explain(c); !ok || e.Meaning == "" || e.Advice == "" {
			t.Errorf("%s is not explained", c)
		}
	}
	if _, ok := Catalogue.Explain("EXPORT-NONE"); ok || len(Catalogue.All()) != len(codes) {
		t.Errorf("%d entries, %d codes", len(Catalogue.All()), len(codes))
	}
}

// TestOurs: packages as Quire stores them are left to their own checks, in each profile, even if
// their METS is damaged.
func TestOurs(t *testing.T) {
	r := repotest.New(t)
	for _, profile := range []pack.Profile{pack.Compact, pack.Full, pack.Linked} {
		dir := r.Pack(repotest.Package{ID: "p", Profile: profile, Containers: map[string]string{
			"a.warc": repotest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one"),
		}})
		for _, change := range []func() error{
			func() error { return nil },
			func() error { return os.Rename(filepath.Join(dir, aip.METSName), filepath.Join(dir, "elsewhere")) },
			func() error { return os.Rename(filepath.Join(dir, "elsewhere"), filepath.Join(dir, aip.METSName)) },
			func() error { return os.Remove(filepath.Join(dir, aip.DigestName)) },
		} {
			if err := change(); err != nil {
				t.Fatal(err)
			}
			if kind, err := Recognize(dir); err != nil || kind != Unknown {
				t.Errorf("%s: identified as %q, %v", profile, kind, err)
			}
		}
	}
}
