package amend_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/amend"
	"quire/preserve/pack"
	"quire/preserve/statements"
)

const date = "2015-01-02T03:04:05Z"

// write writes a file in a new folder, and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const oldRights = "access: open\nnote: the old board\nrules:\n" +
	"  - urls: http://a.example/staff/\n    access: restricted\n"

const newRights = "access: onsite\nrules:\n  - urls: http://a.example/page\n    access: restricted\n" +
	"  - harvest: 1\n    access: onsite\npermissions:\n  - basis: license\n    granted-by: Museum & Co.\n" +
	"    citation: contract 7\n    allows: [show]\n"

// made packs a crawl of two pages.
func made(t *testing.T, o pack.Options) string {
	t.Helper()
	crawl := filepath.Dir(write(t, "a.warc",
		repotest.Response("1", "http://a.example/", date, "text/html", "<title>The old title</title>")+
			repotest.Response("2", "http://a.example/page", date, "text/html", "<p>page")+
			repotest.Response("3", "http://a.example/staff/x", date, "text/html", "<p>staff")))
	o.Out, o.ID, o.Agent = filepath.Join(t.TempDir(), "package"), "urn:x:a", model.Agent{Name: "Quire", Version: "test"}
	if _, err := pack.Pack(t.Context(), []string{crawl}, o); err != nil {
		t.Fatal(err)
	}
	return o.Out
}

// amended amends a package, lays the changed files over it, and returns its folder.
func amended(t *testing.T, pkg string, o amend.Options) (string, *amend.Result) {
	t.Helper()
	dir := t.TempDir()
	out := filepath.Join(dir, "new")
	if err := os.CopyFS(out, os.DirFS(pkg)); err != nil {
		t.Fatal(err)
	}
	o.Out, o.Because = filepath.Join(dir, "changed"), "contract <7>"
	o.Agent = model.Agent{Name: "Quire", Version: "test"}
	if err := os.Mkdir(o.Out, 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := amend.Run(t.Context(), pkg, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range r.Files {
		if strings.HasPrefix(name, "containers/") || strings.HasPrefix(name, "mets/containers/") {
			t.Errorf("%s changed", name)
		}
		text, err := os.ReadFile(filepath.Join(o.Out, name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(filepath.Join(out, name)), 0o700)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(out, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out, r
}

// valid validates a package; with the schemas if they are here.
func valid(t *testing.T, pkg string) {
	t.Helper()
	check := func(t *testing.T, o aip.Options) {
		t.Helper()
		r, err := aip.Validate(t.Context(), pkg, o)
		if err != nil || r.Outcome != string(model.Valid) || len(r.Findings) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
	}
	check(t, aip.Options{})
	t.Run("schemas", func(t *testing.T) { check(t, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
}

// decided compares the access to a URL.
func decided(t *testing.T, pkg string, want map[string]model.Zone) {
	t.Helper()
	set, err := statements.Load(os.DirFS(pkg))
	if err != nil {
		t.Fatal(err)
	}
	for url, zone := range want {
		q := statements.Query{URL: url, Harvest: 1, At: "2026-11-28"}
		if got := set.Decide(q).Zone; got != zone {
			t.Errorf("%s is %s, want %s", url, got, zone)
		}
	}
}

// TestRun: title, rights and a note change in every form of the METS, and the result is valid.
func TestRun(t *testing.T) {
	for _, profile := range []pack.Profile{pack.Compact, pack.Full, pack.Linked} {
		for _, form := range []pack.METSForm{pack.InDocuments, pack.Single} {
			for _, version := range []pack.SchemaVersion{pack.Current, pack.Legacy} {
				for _, rights := range []string{"", oldRights} {
					name := fmt.Sprint(profile, " ", form, " ", version, " ", rights != "")
					t.Run(name, func(t *testing.T) {
						o := pack.Options{Profile: profile, METS: form, SchemaVersion: version}
						if rights != "" {
							o.Rights = write(t, "rights.yaml", rights)
						}
						checkRun(t, made(t, o), rights != "")
					})
				}
			}
		}
	}
}

func checkRun(t *testing.T, pkg string, had bool) {
	t.Helper()
	out, r := amended(t, pkg, amend.Options{Title: "Tom & <Jerry>", Rights: write(t, "new.yaml", newRights),
		Note: "a \"note\" & more", By: "Ada"})
	valid(t, out)
	decided(t, out, map[string]model.Zone{"http://a.example/": model.Onsite, "http://a.example/page": model.Restricted,
		"http://a.example/staff/x": model.Onsite})
	p, err := aip.Describe(os.DirFS(out))
	if err != nil || p.Title != "Tom & <Jerry>" || p.ID != "urn:x:a" {
		t.Errorf("%+v, %v", p, err)
	}
	text, err := os.ReadFile(filepath.Join(out, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{"metadata modification<": 1, "reason: contract &lt;7&gt;": 1, ">Ada<": 1,
		"Tom &amp; &lt;Jerry&gt;</mods:title>": 1, "a \"note\" &amp; more</mods:note>": 1, `RECORDSTATUS="UPDATED"`: 1,
		"the old board": 0, `type="source of title"`: 0, `LABEL="Tom &amp; &lt;Jerry>"`: -1} {
		if got := strings.Count(string(text), want); times >= 0 && got != times {
			t.Errorf("%q is there %d times, want %d", want, got, times)
		}
	}
	file := "documentation/new.yaml"
	if had {
		file = "documentation/rights.yaml"
	}
	if got, err := os.ReadFile(filepath.Join(out, file)); err != nil || string(got) != newRights {
		t.Errorf("%s: %q, %v", file, got, err)
	}
	again, second := amended(t, out, amend.Options{Rights: write(t, "x.yaml", "access: open\n")})
	valid(t, again)
	decided(t, again, map[string]model.Zone{"http://a.example/page": model.Open})
	if r.Event != "EVT-amend-1" || second.Event != "EVT-amend-2" {
		t.Errorf("%s, %s", r.Event, second.Event)
	}
	if p, err := aip.Describe(os.DirFS(again)); err != nil || p.Title != "Tom & <Jerry>" {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestOnlyTitle: without new rights, no file but the METS changes.
func TestOnlyTitle(t *testing.T) {
	pkg := made(t, pack.Options{Profile: pack.Full, Rights: write(t, "rights.yaml", oldRights)})
	out, r := amended(t, pkg, amend.Options{Title: "Another"})
	if len(r.Files) != 2 || r.Files[0] != aip.METSName || r.Files[1] != aip.DigestName {
		t.Errorf("%q", r.Files)
	}
	valid(t, out)
	decided(t, out, map[string]model.Zone{"http://a.example/": model.Open,
		"http://a.example/staff/x": model.Restricted})
}

// TestEarlierPackages: packages of an earlier commit, in one METS, can be amended.
func TestEarlierPackages(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "..", "holdings", "testdata", "672699b", "*.tar.gz"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			pkg := unpacked(t, name)
			rights := write(t, "new.yaml", "access: onsite\n")
			out, _ := amended(t, pkg, amend.Options{Title: "Another", Rights: rights, Note: "n"})
			r, err := aip.Validate(t.Context(), out, aip.Options{})
			if err != nil || r.Outcome != string(model.Valid) {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// unpacked unpacks a package.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir, mets := t.TempDir(), ""
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return filepath.Dir(mets)
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(in)
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) == aip.METSName {
			mets = path
		}
	}
}

// TestRefused: an amendment without a change or a reason, with wrong rights, or of a damaged METS is
// refused.
func TestRefused(t *testing.T) {
	pkg := made(t, pack.Options{})
	run := func(o amend.Options) error {
		o.Out = t.TempDir()
		_, err := amend.Run(context.Background(), pkg, o)
		return err
	}
	if err := run(amend.Options{Because: "b"}); !errors.Is(err, amend.ErrNothing) {
		t.Error(err)
	}
	for name, o := range map[string]amend.Options{"no reason": {Title: "t", Because: " "},
		"wrong rights": {Because: "b", Rights: write(t, "x.yaml", "acces: open\n")},
		"no harvest":   {Because: "b", Rights: write(t, "x.yaml", "rules: [{harvest: 9, access: open}]\n")},
	} {
		if err := run(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	path := filepath.Join(pkg, aip.METSName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	foreign := []byte(strings.ReplaceAll(string(text), `"AMD-package"`, `"AMD-other"`))
	sidecar := aip.DigestLine(fmt.Sprintf("%x", sha512.Sum512(foreign)))
	if err := errors.Join(os.WriteFile(path, foreign, 0o600),
		os.WriteFile(filepath.Join(pkg, aip.DigestName), sidecar, 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := run(amend.Options{Because: "b", Title: "t"}); err == nil {
		t.Error("a METS without a place for the event was amended")
	}
	if err := os.WriteFile(path, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(amend.Options{Because: "b", Title: "t"}); err == nil {
		t.Error("a METS that does not match its digest was amended")
	}
}
