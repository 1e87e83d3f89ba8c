package aip

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/schemas"
)

func mustValidate(t testing.TB, dir string, o Options) *Report {
	t.Helper()
	r, err := Validate(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// outcomes returns check → outcome.
func outcomes(r *Report) map[string]CheckOutcome {
	m := map[string]CheckOutcome{}
	for _, c := range r.Checks {
		m[c.Name] = c.Outcome
	}
	return m
}

func TestValidPackage(t *testing.T) {
	s := ordinary()
	dir := s.write(t)
	var total, read int64
	r := mustValidate(t, dir, Options{Start: func(n int64) { total = n }, Progress: func(n int64) { read += n }})
	size := int64(0)
	for _, content := range s.contents(t) {
		size += int64(len(content))
	}
	if r.Path != dir || r.ID != "sample-20080430-0a1b2c3d" || r.Outcome != "valid" || r.Files != 5 || r.Bytes != size ||
		r.FindingsTotal != 0 || len(r.Findings) != 0 {
		t.Errorf("%+v", r)
	}
	if total != size || read != size {
		t.Errorf("%d bytes announced and %d read, of %d", total, read, size)
	}
	want := []Check{
		{"sidecar", Passed, "states the SHA-512 of mets.xml"},
		{"mets", Passed, "well-formed; structure checked in code"},
		{"schemas", NotDone, "no schemas were given"},
		{"files", Passed, "3 files read, 57 bytes"},
		{"extra", Passed, ""},
		{"paths", Passed, "3 paths"},
		{"references", Passed, "12 IDs"},
		{"objects", Passed, "2 files compared"},
		{"entities", Passed, "3 identifiers of PREMIS"},
		{"containers", Passed, "2 containers: fixity and outcome; counts with the records listed and the CDXJ lines; " +
			"no record was read for them"},
		{"dates", Passed, "compared with the clock of this computer, and captures with containerMD"},
		{"parts", Passed, "0 parts read, 0 records compared"},
		{"indexes", Passed, "0 files of CDXJ lines checked; they were not compared with the records"},
		{"links", Passed, "0 areas, 0 labels, 0 links"},
	}
	want[4].Detail = "5 files in the folder, " + humanize.Count(size, "byte")
	if !slices.Equal(r.Checks, want) {
		t.Errorf("checks %+v\nwant   %+v", r.Checks, want)
	}
}

// The JSON form is a contract: these names, and an empty list without findings.
func TestReportAsJSON(t *testing.T) {
	text, err := json.Marshal(mustValidate(t, ordinary().write(t), Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	want := []string{"bytes", "checks", "files", "findings", "findings_total", "id", "outcome", "path"}
	if got := slices.Sorted(maps.Keys(fields)); !slices.Equal(got, want) {
		t.Errorf("fields %v", got)
	}
	if string(fields["findings"]) != "[]" || string(fields["outcome"]) != `"valid"` ||
		!strings.HasPrefix(string(fields["checks"]), `[{"name":"sidecar","outcome":"passed","detail":`) {
		t.Errorf("%s", text)
	}
}

// A folder that cannot be validated is an error, not a finding on a package.
func TestNothingToValidate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, filepath.Dir(file), "file", "")
	good := ordinary().write(t)
	broken := t.TempDir()
	put(t, broken, schemas.Driver, "no schema")
	catalog := t.TempDir()
	put(t, catalog, schemas.Driver, `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>`)
	put(t, catalog, "catalog.xml", "no catalog")
	for _, c := range []struct {
		name, dir, schemas, want string
	}{
		{"absent", filepath.Join(t.TempDir(), "x"), "", "is missing: name the folder that holds mets.xml"},
		{"a file", file, "", "is a file: name the folder that holds mets.xml"},
		{"no schemas", good, filepath.Join(t.TempDir(), "x"), "the folder of schemas has no drivers/mets-all.xsd"},
		{"schemas that are none", good, broken, "drivers/mets-all.xsd does not compile"},
		{"a catalog that is none", good, catalog, "catalog.xml: line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Validate(context.Background(), c.dir, Options{Schemas: c.schemas})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v, %v; want %q", r, err, c.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	dir := ordinary().write(t)
	before, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Validate(before, dir, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %+v, %v", r, err)
	}
	during, cancel := context.WithCancel(context.Background())
	defer cancel()
	if r, err := Validate(during, dir, Options{Progress: func(int64) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled during: %+v, %v", r, err)
	}
}

// A report stays small and states the number of omitted findings.
func TestManyFindings(t *testing.T) {
	s := ordinary()
	dir := s.write(t)
	const extra = MaxFindings + 50
	for i := range extra {
		put(t, dir, "logs/"+strings.Repeat("x", 1+i%100)+"-"+string(rune('a'+i%26))+strings.Repeat("y", i/100), "")
	}
	names, err := os.ReadDir(filepath.Join(dir, LogsDir))
	if err != nil {
		t.Fatal(err)
	}
	want := int64(len(names) - 1)
	r := mustValidate(t, dir, Options{})
	if want <= MaxFindings || r.FindingsTotal != want || len(r.Findings) != MaxFindings || r.Files != want+5 {
		t.Errorf("%d findings, %d kept, %d files; want %d", r.FindingsTotal, len(r.Findings), r.Files, want)
	}

	s.edit = func(mets string) string {
		refs := &strings.Builder{}
		for i := range extra {
			refs.WriteString(" X" + strings.Repeat("x", i))
		}
		return swap(`ADMID="EVT-digest"`, `ADMID="EVT-digest`+refs.String()+`"`)(mets)
	}
	r = mustValidate(t, s.write(t), Options{})
	if r.FindingsTotal != extra || len(r.Findings) != MaxFindings {
		t.Errorf("%d dangling references, %d kept; want %d", r.FindingsTotal, len(r.Findings), extra)
	}
	for _, f := range r.Findings {
		if len(f.Message) > maxText+10 || f.Severity != model.Error {
			t.Errorf("%v", f)
		}
	}
}
