package schemas

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
)

func TestListOfSchemas(t *testing.T) {
	list, err := parseList(officialList)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range list {
		o := &list[i]
		for _, what := range append([]string{o.file, o.url}, o.aliases...) {
			if seen[what] {
				t.Errorf("%s is duplicated", what)
			}
			seen[what] = true
		}
		if strings.Contains(o.file, "..") || !strings.Contains(o.url, "://") ||
			o.pinned() != !strings.HasPrefix(o.file, "containerMD/") {
			t.Errorf("%+v", o)
		}
	}
	for driver, others := range otherGeneration {
		for _, file := range others {
			if !seen[file] {
				t.Errorf("%s leaves out %s, which is not in the list", driver, file)
			}
		}
	}
	for _, text := range []string{"a\tb", "a\tpackage\tabc\t1\t-\tu\t-",
		"a\tpackage\t" + strings.Repeat("0", 64) + "\tx\t-\tu\t-"} {
		if list, err := parseList(text); err == nil {
			t.Errorf("%q is read as %+v", text, list)
		}
	}
}

// The pins agree with the manifest's entries on files copied verbatim, and include no rebuilt file.
func TestPinsAreOfOfficialFiles(t *testing.T) {
	all := schematest.Manifest(t, testsamples.Path(t, "schemas"))
	list, err := parseList(officialList)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		o := &list[i]
		if !o.pinned() {
			continue
		}
		m := all[o.file]
		if len(m) < 8 || m[7] != "verbatim" || m[4] != o.sha256 || m[6] != o.url || o.namespace != "" &&
			m[5] != o.namespace {
			t.Errorf("%s is pinned to %s at %s; the manifest has %q", o.file, o.sha256, o.url, m)
		}
	}
}

// The downloaded official schemas work in both validators. The sample of the current versions is
// valid only with the driver for the current versions. The sample of the older versions is valid
// only with the driver for the older versions.
func TestFetchedSchemasValidate(t *testing.T) {
	dir := t.TempDir()
	r := mustFetch(t, Options{To: dir, From: schematest.Home(t, testsamples.Path(t, "schemas")), Exports: true,
		Unpinned: true})
	for _, f := range r.Files {
		if f.State != Fetched && f.State != Taken {
			t.Errorf("%+v", f)
		}
	}
	for _, c := range []struct {
		sample, driver string
		valid          bool
	}{
		{"mets.xml", Driver, true}, {"mets-legacy.xml", LegacyDriver, true}, {"mets-bad-payload.xml", Driver, false},
		{"mets.xml", LegacyDriver, false},
		{"marcxml.xml", Driver, true}, {"ead2002.xml", Driver, true},
	} {
		file := testsamples.Path(t, "schemas", "samples", c.sample)
		doc, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer doc.Close()
		engine, err := Compile(context.Background(), dir, c.driver)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.Validate(context.Background(), doc); (err == nil) != c.valid {
			t.Errorf("%s by %s: %v", c.sample, c.driver, err)
		}
		tool, err := exec.LookPath("xmllint")
		if err != nil {
			t.Log("xmllint is not installed: only the Go validator was used")
			continue
		}
		cmd := exec.Command(tool, "--nonet", "--noout", "--schema", filepath.Join(dir, c.driver), file)
		cmd.Env = append(os.Environ(), "XML_CATALOG_FILES="+filepath.Join(dir, catalogFile))
		if out, err := cmd.CombinedOutput(); (err == nil) != c.valid {
			t.Errorf("%s by %s: xmllint says %v\n%s", c.sample, c.driver, err, out)
		}
	}
}

// Without --unpinned there is no containerMD schema, and containerMD content is not validated.
func TestFetchedWithoutContainerMD(t *testing.T) {
	dir := t.TempDir()
	r := mustFetch(t, Options{To: dir, From: schematest.Home(t, testsamples.Path(t, "schemas"))})
	if got := states(r); !strings.Contains(got, "containerMD/containerMD-v1_2.xsd: left out") ||
		strings.Contains(got, "ead") {
		t.Error(got)
	}
	engine, err := Compile(context.Background(), dir, Driver)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(testsamples.Path(t, "schemas", "samples", "mets.xml"))
	if err != nil {
		t.Fatal(err)
	}
	for from, valid := range map[string]bool{"cmd:container ": true, "<premis:eventType": false} {
		if !strings.Contains(string(text), from) {
			t.Fatalf("the sample has no %s", from)
		}
		edited := strings.Replace(string(text), from, from+` bad="x" `, 1)
		if err := engine.Validate(context.Background(), strings.NewReader(edited)); (err == nil) != valid {
			t.Errorf("an odd attribute of %s: %v", from, err)
		}
	}
}
