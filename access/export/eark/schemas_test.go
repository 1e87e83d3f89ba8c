package eark

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/holdings"
	known "quire/preserve/schemas"
)

// locations returns the schemas that a document names, by namespace.
func locations(t *testing.T, text []byte) map[string]string {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		all := map[string]string{}
		for _, a := range root.Attr {
			if a.Name.Local == "schemaLocation" {
				words := strings.Fields(a.Value)
				for i := 0; i+1 < len(words); i += 2 {
					all[words[i]] = words[i+1]
				}
			}
		}
		return all
	}
}

// TestSchemas: a package carries the schemas that its documents name. Each document is valid by them,
// and they import nothing from outside the package.
func TestSchemas(t *testing.T) {
	r, h := repository(t, "access: open")
	dir := run(t, r, h, holdings.Public)
	for doc, want := range map[string]string{metsName: metsXSD, repName: metsXSD, premisPath: premisXSD,
		rep + "/" + premisPath: premisXSD, modsPath: modsXSD, dcPath: dcXSD} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(doc)))
		if err != nil {
			t.Fatal(err)
		}
		named := false
		for namespace, at := range locations(t, text) {
			file := path.Join(path.Dir(doc), at)
			schema, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
			if err != nil || !bytes.Contains(schema, []byte(`targetNamespace="`+namespace+`"`)) {
				t.Errorf("%s names %s for %s: %v", doc, at, namespace, err)
			}
			named = named || file == "schemas/"+want
		}
		if !named {
			t.Errorf("%s does not name %s", doc, want)
		}
		engine, err := known.Compile(t.Context(), filepath.Join(dir, "schemas"), want)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.Validate(t.Context(), bytes.NewReader(text)); err != nil {
			t.Errorf("%s is not valid by the package's %s: %v", doc, want, err)
		}
		if err := engine.Validate(t.Context(), strings.NewReader("<x/>")); err == nil {
			t.Errorf("%s finds nothing", want)
		}
	}
	homes := map[string]bool{}
	for _, s := range carried {
		for _, home := range s.homes {
			homes[home] = true
		}
	}
	imports := regexp.MustCompile(`(?s)<(?:\w+:)?import\b[^>]*schemaLocation="([^"]*)"`)
	for _, s := range carried {
		text, err := os.ReadFile(filepath.Join(dir, "schemas", s.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			if !homes[string(m[1])] {
				t.Errorf("%s imports %s, which is not in the package", s.file, m[1])
			}
		}
	}
}

// TestSchemasAreOfficial: the carried schemas have the digests of the official list.
func TestSchemasAreOfficial(t *testing.T) {
	list, err := os.ReadFile(filepath.FromSlash("../../../preserve/schemas/official.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{ // of E-ARK-CSIP
		csipXSD: "40844e8064de67cd1378028f65cdbbe72e94fa21fae2ab7ad9c1ac1adbe6aac1"}
	for line := range strings.Lines(string(list)) {
		if f := strings.Split(line, "\t"); len(f) > 2 {
			sums[path.Base(f[0])] = f[2]
		}
	}
	for _, s := range carried {
		text, err := schemas.ReadFile("schemas/" + s.file)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != sums[s.file] {
			t.Errorf("%s has SHA-256 %x, not %s", s.file, sum, sums[s.file])
		}
	}
}
