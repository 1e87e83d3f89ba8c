package pack

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/prove"
	"quire/preserve/aip"
)

// rewrite changes a METS document of a package, and everything in mets.xml that proves it unchanged.
func rewrite(t *testing.T, dir, name string, edit func(string) string) {
	t.Helper()
	old, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	text := textOf(t, dir, name)
	edited := edit(text)
	if edited == text {
		t.Fatalf("the edit of %s changes nothing", name)
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(edited)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	replace(t, dir, name, old, b.Bytes())
}

// replace writes other bytes for a file, with their size and digest in mets.xml.
func replace(t *testing.T, dir, name string, old, now []byte) {
	t.Helper()
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	state := func(b []byte) string {
		sum := sha512.Sum512(b)
		return fmt.Sprintf(`SIZE="%d" CHECKSUM="%s"`, len(b), hex.EncodeToString(sum[:]))
	}
	write(name, now)
	mets := read(t, dir, aip.METSName)
	if !strings.Contains(mets, state(old)) {
		t.Fatalf("mets.xml does not state %s", name)
	}
	mets = strings.Replace(mets, state(old), state(now), 1)
	before, after := sha512.Sum512(old), sha512.Sum512(now)
	head, object, _ := strings.Cut(mets, hex.EncodeToString(before[:])) // its premis:object
	object = strings.Replace(object, fmt.Sprintf("<premis:size>%d<", len(old)),
		fmt.Sprintf("<premis:size>%d<", len(now)), 1)
	mets = head + hex.EncodeToString(after[:]) + object
	sum := sha512.Sum512([]byte(mets))
	write(aip.METSName, []byte(mets))
	write(aip.DigestName, aip.DigestLine(hex.EncodeToString(sum[:])))
}

// TestDocumentDamage: a METS document that does not fit mets.xml, its container or another document
// is a finding, also with matching digests.
func TestDocumentDamage(t *testing.T) {
	prove.Serial(t)
	const records, pages = "mets/containers/a.warc.gz.mets.xml.gz", "mets/pages/harvest-1.mets.xml.gz"
	swap := func(a, b string) func(string) string {
		return func(s string) string { return strings.Replace(s, a, b, 1) }
	}
	for _, c := range []struct {
		name, of string
		edit     func(string) string
		want     []string
	}{
		{"another package", records, swap(`OBJID="x/`, `OBJID="y/`), []string{aip.CodeDocument}},
		{"another profile", pages, swap(`(pages of a harvest)`, `(pages)`), []string{aip.CodeProfile}},
		{"another container", records, swap(`href="../../containers/a.warc.gz"`, `href="../../containers/b.warc.gz"`),
			[]string{aip.CodeDocument}},
		{"out of the package", records, swap(`href="../../containers/a.warc.gz"`, `href="../../../a.warc.gz"`),
			[]string{aip.CodePath}},
		{"another size of the container", records, swap(`" MIMETYPE="application/warc" SIZE="`,
			`" MIMETYPE="application/warc" SIZE="9`), []string{aip.CodeDocument}},
		{"a record elsewhere", records, swap(`BEGIN="0" END`, `BEGIN="1" END`),
			[]string{aip.CodePartSize, aip.CodePartRange}},
		{"no such file", pages, swap(`#FILE-c1-`, `#FILE-c9-`), []string{aip.CodeDocumentLink}},
		{"another bytestream", pages, swap(`#FILE-c1-b4"`, `#FILE-c1-b2"`), []string{aip.CodeDocumentLink}},
		{"infected files apart from mets.xml", records, swap(`USE="DigitalManifestation"`, `USE="ViralFiles"`),
			[]string{aip.CodeDocument}},
		{"a bytestream without its object", records, swap(` ADMID="OBJ-c1-b4"`, ``), []string{aip.CodeObjectMissing}},
		{"a bytestream with all objects", records, swap(` ADMID="OBJ-c1-b4"`, ` ADMID="AMD-c1-records"`),
			[]string{aip.CodeObjectMissing}},
		{"a bytestream with an empty section", records, withoutObject("OBJ-c1-b4"), []string{aip.CodeObjectMissing}},
		{"no such document", pages, swap(`../containers/a.warc.gz.mets`, `../containers/c.warc.gz.mets`),
			[]string{aip.CodeDocumentLink}},
		{"another digest of a page", pages, swap(`CHECKSUM="`, `CHECKSUM="0`), []string{aip.CodeDocumentLink}},
		{"an ID twice", pages, swap(`ID="P-c1-b4"`, `ID="FILE-c1-b4"`),
			[]string{aip.CodeIDTwice, aip.CodeIDDangling}},
		{"not well-formed", records, swap(`</mets:mets>`, ``), []string{aip.CodeMETSRead}},
		{"a premis:object with another size", records, swap(`<premis:size>`, `<premis:size>9`),
			[]string{aip.CodeObjectSize}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, texts := manyRecords(t)
			o := options(t)
			o.METS, o.Profile, o.ID = InDocuments, Linked, "x"
			mustPack(t, o, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, texts...),
				"b.warc.gz": zipped(t, texts[0])}))
			rewrite(t, o.Out, c.of, c.edit)
			r, err := aip.Validate(context.Background(), o.Out, aip.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Code)
			}
			if got = slices.Compact(got); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q: %+v", got, c.want, r.Findings)
			}
		})
	}
}

// withoutObject replaces the premis:object in a section by an element of another standard.
func withoutObject(id string) func(string) string {
	return func(s string) string {
		head, rest, _ := strings.Cut(s, `<mets:techMD ID="`+id+`">`)
		_, rest, _ = strings.Cut(rest, `</mets:techMD>`)
		return head + `<mets:techMD ID="` + id + `"><mets:mdWrap MDTYPE="OTHER" OTHERMDTYPE="x"><mets:xmlData>` +
			`<x/></mets:xmlData></mets:mdWrap></mets:techMD>` + rest
	}
}

// TestLinkDamage: links that were removed, and a page of another harvest whose pointer leads to
// another page than its label, are findings.
func TestLinkDamage(t *testing.T) {
	const first, second = "mets/pages/harvest-1.mets.xml.gz", "mets/pages/harvest-2.mets.xml.gz"
	cut := func(from, to string) func(string) string {
		return func(s string) string {
			head, rest, _ := strings.Cut(s, from)
			_, rest, found := strings.Cut(rest, to)
			if !found {
				return s
			}
			return head + rest
		}
	}
	for _, c := range []struct {
		name, of string
		edit     func(string) string
		want     []string
	}{
		{"no links", first, cut("<mets:structLink>", "</mets:structLink>"), []string{aip.CodeLinkCount}},
		{"one link fewer", first, cut("<mets:smLink", "/>"), []string{aip.CodeLinkCount}},
		{"a pointer to another page", second, func(s string) string {
			return strings.Replace(s, "harvest-1.mets.xml.gz#P-c1-b3", "harvest-1.mets.xml.gz#P-c1-b2", 1)
		}, []string{aip.CodeDocumentLink}},
		{"a page without its pointer", second, cut("<mets:mptr", "/>"), []string{aip.CodeDocumentLink}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, _ := formsOf(t, Linked, Current, twoHarvests(t), nil)
			rewrite(t, dir, c.of, c.edit)
			r, err := aip.Validate(context.Background(), dir, aip.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				got = append(got, f.Code)
			}
			if !slices.Equal(slices.Compact(got), c.want) {
				t.Errorf("%q, want %q: %+v", got, c.want, r.Findings)
			}
		})
	}
}

// TestDocumentNotInGzip: a document that is not in gzip is a finding.
func TestDocumentNotInGzip(t *testing.T) {
	o := options(t)
	o.METS, o.Profile = InDocuments, Full
	mustPack(t, o, crawlOf(t, map[string]string{"a.warc": good}))
	const name = "mets/containers/a.warc.mets.xml.gz"
	old := []byte(read(t, o.Out, name))
	replace(t, o.Out, name, old, []byte(textOf(t, o.Out, name)))
	r, err := aip.Validate(context.Background(), o.Out, aip.Options{})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Code != aip.CodeMETSRead {
		t.Errorf("%v, %+v", err, r)
	}
}
