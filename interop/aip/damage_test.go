//go:build interop

package aip

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// damages are changes to a package, each with a part of the problem that the checker must report.
// Digests of changed files are not renewed, so the checks of files report them as well.
var damages = []struct{ document, old, new, want string }{
	{"records", `END="733"`, `END="732"`, "size of FILE-c1-b1"},
	{"records", `CHECKSUM="48d0b552`, `CHECKSUM="58d0b552`, "digest of FILE-c1-b2"},
	{"records", `BEGIN="463"`, `BEGIN="462"`, "FILE-c1-m2 overlaps another part"},
	{"records", `<premis:messageDigest>5`, `<premis:messageDigest>6`, "is in its object"},
	{"records", `#OBJ-c1-b3</premis:objectIdentifierValue>`, `#OBJ-c1-b1</premis:objectIdentifierValue>`,
		"object identifiers twice"},
	{"records", `#EVT-digest</premis:linkingEventIdentifierValue>`, `#EVT-none</premis:linkingEventIdentifierValue>`,
		"event identifiers that name nothing"},
	{"records", `ID="FILE-c1-b3"`, `ID="FILE-c1-x3"`, "#FILE-c1-b3 exists"},
	{"records", `ADMID="OBJ-c1-b3"`, `ADMID="FILE-c1-b3"`, "ADMID FILE-c1-b3 of FILE-c1-b3 leads to nothing"},
	{"records", `SIZE="2496731"`, `SIZE="2496732"`, "blackbook.warc.gz: ('FILE-c1', '2496732'"},
	{"records", `BETYPE="BYTE"`, `BETYPE="BITE"`, "attribute 'BETYPE'"},
	{"records", `.warc.gz.mets.xml.gz" LABEL`, `.warc.gz.mets.xml" LABEL`, ": OBJID"},
	{"pages", `#FILE-c1-b6"`, `#FILE-c1-b9"`, "SIZE of FILE-c1-b9"},
	{"pages", `xlink:to="P-c2-b2"`, `xlink:to="P-c2-x2"`, "smLink to P-c2-x2"},
	{"mets.xml", `<cmd:responseRecords number="299"`, `<cmd:responseRecords number="298"`, "records by type"},
	{"mets.xml", `<cmd:entriesInformation number="822"`, `<cmd:entriesInformation number="823"`, ": records: 823"},
	{"mets.xml", `TYPE="Item"`, `TYPE="Items"`, "files that metsrw lists"},
	{"mets.xml", `ADMID="AMD-c1"`, `ADMID="OBJ-c1"`, "ADMID OBJ-c1 of FILE-c1"},
	{"mets.xml", `<mets:fptr FILEID="FILE-i1"/>`, `<mets:fptr FILEID="FILE-c1"/>`, "files in the structMap physical"},
	{"mets.xml.sha512", "mets", "METS", "mets.xml.sha512: "},
	{"unlisted.warc", "", "x", "files: "},
}

// TestCheckerFindsDamage: the checker reports each kind of damage.
func TestCheckerFindsDamage(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	packedFrom(t, packing{[]string{"netarchivesuite_jwat/jwat-gzip"}, []string{"--profile", "full"}}, whole)
	linked := filepath.Join(dir, "linked")
	packedFrom(t, packing{[]string{"nla_bamboo/task"}, []string{"--profile", "linked"}}, linked)
	wants := map[string]string{}
	for _, d := range damages {
		pkg := filepath.Join(dir, strings.Map(func(r rune) rune {
			if strings.ContainsRune(`/<>":= `, r) {
				return '-'
			}
			return r
		}, d.document+d.new))
		from := whole
		if strings.Contains(d.old, "xlink:to") {
			from = linked
		}
		if err := os.CopyFS(pkg, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		damage(t, pkg, d.document, d.old, d.new)
		wants[pkg] = d.want
	}
	_, problems := checked(t, append(slices.Sorted(maps.Keys(wants)), whole))
	for pkg, want := range wants {
		if !slices.ContainsFunc(problems, func(p string) bool {
			return strings.HasPrefix(p, "package "+filepath.Base(pkg)+": ") && strings.Contains(p, want)
		}) {
			t.Errorf("%s: no problem has %q", filepath.Base(pkg), want)
		}
	}
	for _, p := range problems {
		if strings.HasPrefix(p, "package whole: ") {
			t.Error(p)
		}
	}
}

// damage replaces the first occurrence of a text in a document of a package, or adds a file.
func damage(t *testing.T, pkg, document, old, changed string) {
	t.Helper()
	path := filepath.Join(pkg, document)
	if dir := map[string]string{"records": "containers", "pages": "pages"}[document]; dir != "" {
		found, err := filepath.Glob(filepath.Join(pkg, "mets", dir, "*.gz"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%q, %v", found, err)
		}
		path = found[0]
	}
	text := inflated(t, path)
	if !bytes.Contains(text, []byte(old)) {
		t.Fatalf("%q is not in %s", old, path)
	}
	text = bytes.Replace(text, []byte(old), []byte(changed), 1)
	if strings.HasSuffix(path, ".gz") {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text = out.Bytes()
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// inflated reads a file, inflated if it is in gzip. A file that does not exist is empty.
func inflated(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
