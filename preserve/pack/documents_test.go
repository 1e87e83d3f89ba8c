package pack

import (
	"compress/gzip"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quire/internal/clamdtest"
	"quire/internal/prove"
	"quire/internal/testsamples"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// metsStatements are the statements of METS documents, each as one line, without the places of sections, files
// and divs that depend on the form.
type metsStatements map[string]bool

// statedIn reads all METS documents of a package.
func statedIn(t *testing.T, dir string) metsStatements {
	t.Helper()
	all := metsStatements{}
	for _, name := range metsDocumentsOf(t, dir) {
		all.read(t, dir, name)
	}
	return all
}

// metsDocumentsOf returns the paths of the METS documents of a package.
func metsDocumentsOf(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{aip.METSName}
	err := filepath.Walk(filepath.Join(dir, aip.METSDir), func(name string, info os.FileInfo, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err == nil && !info.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// textOf returns the text of a METS document.
func textOf(t *testing.T, dir, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (s metsStatements) read(t *testing.T, dir, name string) {
	t.Helper()
	pages := strings.HasPrefix(name, aip.METSDir+"/pages/")
	var divs []string
	err := mets.Read(strings.NewReader(textOf(t, dir, name)), mets.Handler{
		Section: func(sec mets.Section, payload *xmlstream.Reader) error {
			if ofDocument.MatchString(sec.ID) {
				return nil
			}
			if premis.IsEntity(payload.Element(), "object") {
				o, err := premis.ReadObject(payload, nil)
				s[fmt.Sprintf("object %s %+v", sec.ID, o)] = true
				return err
			}
			if !strings.HasPrefix(sec.ID, "RGT-") && !strings.HasPrefix(sec.ID, "EVT-") {
				s["section "+sec.ID] = true
			}
			return nil
		},
		File: func(f mets.File, at mets.FilePlace) error {
			if pages || at.Groups[0].Use == aip.UseMETS {
				return nil
			}
			for _, l := range f.Locations {
				s["location "+f.ID+" "+path.Join(path.Dir(name), l.Href)] = true
			}
			if len(at.Files) > 0 {
				s[fmt.Sprintf("file %s of %s in %v: %v %v %v %s %s %s %+v", f.ID, at.Groups[0].Use, at.Files,
					f.Begin, f.End,
					f.Size, f.Checksum, f.MIMEType, f.OwnerID, f.Transforms)] = true
			}
			return nil
		},
		Div: func(d mets.Div, depth int) error {
			divs = append(divs[:min(depth, len(divs))], d.Type+" "+d.Label)
			if depth > 1 && (d.OrderLabel != "" || d.XLinkLabel != "") && d.Type != "page of another harvest" {
				// a page's div in mets.xml and the one in its document together have the sections
				for _, id := range append(d.DmdID, d.AdmID...) {
					s[fmt.Sprintf("div %s names %s", d.Label, id)] = true
				}
				s[fmt.Sprintf("div %s %s %s %s", d.Type, d.Label, d.OrderLabel, divs[1])] = true
			}
			return nil
		},
		Fptr: func(p mets.Fptr) error {
			if strings.Count(p.FileID, "-") > 1 || p.Area != nil {
				s[fmt.Sprintf("pointer %s %+v in %s", p.FileID, p.Area, divs[len(divs)-1])] = true
			}
			return nil
		},
		SmLink: func(l mets.SmLink) error { s[fmt.Sprintf("link %s %s %s", l.From, l.To, l.Title)] = true; return nil },
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// ofDocument matches the IDs of the objects of METS documents, which the single METS does not have.
var ofDocument = regexp.MustCompile(`^OBJ-[mp][0-9]+$`)

// formsOf packs a source in both forms of the METS.
func formsOf(t *testing.T, profile Profile, version SchemaVersion, source string, more func(*Options)) (documents,
	single string) {
	t.Helper()
	var out [2]string
	for i, form := range []METSForm{InDocuments, Single} {
		o := options(t)
		o.METS, o.Profile, o.SchemaVersion, o.Keep, o.ID = form, profile, version, KeepAlways, "x"
		if more != nil {
			more(&o)
		}
		mustPack(t, o, source)
		out[i] = o.Out
	}
	return out[0], out[1]
}

// TestDocumentsStateTheSame: the METS in documents states the same as the single METS, and is valid.
func TestDocumentsStateTheSame(t *testing.T) {
	prove.Serial(t)
	_, texts := manyRecords(t)
	members := crawlOf(t, map[string]string{"deep/a.warc.gz": zipped(t, texts...),
		"b.warc.gz": zipped(t, strings.Join(texts,
			""))})
	for name, source := range map[string]string{"rich": rich(t), "records": members, "harvests": twoHarvests(t)} {
		for _, profile := range []Profile{Compact, Full, Linked} {
			for _, version := range []SchemaVersion{Current, Legacy} {
				t.Run(fmt.Sprint(name, " ", profile, " ", version), func(t *testing.T) {
					documents, single := formsOf(t, profile, version, source, nil)
					got, want := statedIn(t, documents), statedIn(t, single)
					if !reflect.DeepEqual(got, want) {
						t.Errorf("the forms differ:\n%s", differences(want, got))
					}
					check(t, documents, aip.Options{})
					check(t, single, aip.Options{})
					t.Run("schemas", func(t *testing.T) {
						check(t, documents, aip.Options{Schemas: testsamples.Path(t, "schemas")})
					})
				})
			}
		}
	}
}

// twoHarvests returns a source with links from one harvest to another.
func twoHarvests(t *testing.T) string {
	t.Helper()
	page := func(url, text string) string { return captured(url, early, "200", asHTML, text) }
	dir := t.TempDir()
	for name, content := range map[string]string{
		"one/jobs/20240102030405/warcs/a.warc": warcinfo + page("http://a.test/",
			`<a href="http://b.test/">b</a><a href="/x">x</a>`) +
			page("http://a.test/x", "<p>x"),
		"one/jobs/20240102030405/crawler-beans.cxml": "<beans/>",
		"two/jobs/20240102030405/warcs/b.warc": warcinfo +
			page("http://b.test/", `<a href="http://a.test/x">ax</a>`),
		"two/jobs/20240102030405/crawler-beans.cxml": "<beans/>",
	} {
		writeFile(t, dir, name, content)
	}
	return dir
}

func writeFile(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLinksToAnotherHarvest: a link to a page of another harvest leads to a div that points to the
// page's own document.
func TestLinksToAnotherHarvest(t *testing.T) {
	documents, _ := formsOf(t, Linked, Current, twoHarvests(t), nil)
	names := metsDocumentsOf(t, documents)
	if len(names) != 5 {
		t.Fatalf("%q", names)
	}
	one := textOf(t, documents, "mets/pages/harvest-1.mets.xml.gz")
	for _, want := range []string{
		`<mets:div TYPE="page of another harvest" xlink:label="P-c2-b2"><mets:mptr LOCTYPE="URL" xlink:type="simple" ` +
			`xlink:href="harvest-2.mets.xml.gz#P-c2-b2"/></mets:div>`,
		`xlink:to="P-c2-b2"`, `xlink:to="P-c1-b3"`,
	} {
		if !strings.Contains(one, want) {
			t.Errorf("%q is not in\n%s", want, one)
		}
	}
}

// TestSmallPackageMETS: mets.xml does not grow with the records.
func TestSmallPackageMETS(t *testing.T) {
	var few, many strings.Builder
	for i := range 2000 {
		r := captured(fmt.Sprintf("http://a.test/%04d", i), early, "200", asHTML, "<title>T</title>")
		if i < 20 {
			few.WriteString(r)
		}
		many.WriteString(r)
	}
	size := func(content string) int {
		documents, _ := formsOf(t, Linked, Current, crawlOf(t, map[string]string{"a.warc": warcinfo + content}), nil)
		return len(textOf(t, documents, aip.METSName))
	}
	if a, b := size(few.String()), size(many.String()); b > a+500 {
		t.Errorf("%d bytes for 20 records, %d for 2000", a, b)
	}
}

func differences(want, got metsStatements) string {
	var b strings.Builder
	n := 0
	for _, s := range slices.Sorted(maps.Keys(want)) {
		if !got[s] && n < 10 {
			n++
			fmt.Fprintf(&b, "- %s\n", s)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(got)) {
		if !want[s] && n < 20 {
			n++
			fmt.Fprintf(&b, "+ %s\n", s)
		}
	}
	return b.String()
}

// TestDocumentsOfAMirror: the originals of pages with restored links are in a group of their own.
func TestDocumentsOfAMirror(t *testing.T) {
	found := record("resource", html, "WARC-Target-URI: urn:mirror-file:m/index.html", "Content-Type: text/html",
		"Mirror-Part: file")
	page := record("conversion", html+"<!-- turned -->", "WARC-Target-URI: http://x.example/",
		"Content-Type: text/html", "Mirror-Part: payload", "WARC-Refers-To: <urn:x:resource>")
	source := crawlOf(t, map[string]string{"a.warc.gz": zipped(t, warcinfo, found, page)})
	for _, profile := range []Profile{Compact, Full, Linked} {
		documents, single := formsOf(t, profile, Current, source, nil)
		apart := false
		for _, name := range metsDocumentsOf(t, documents) {
			apart = apart || strings.Contains(textOf(t, documents, name), `USE="OriginalFiles"`)
		}
		if !apart {
			t.Errorf("%s: no original stands apart", profile)
		}
		check(t, documents, aip.Options{})
		check(t, single, aip.Options{})
	}
}

// TestDocumentsWithViruses: infected and cleaned bytestreams are in mets.xml, all others in the
// document of their container.
func TestDocumentsWithViruses(t *testing.T) {
	clamd := clamdtest.Start(t, clamdtest.Options{})
	virus := record("resource", clamdtest.EICAR(), "WARC-Target-URI: http://x.example/eicar.com",
		"Content-Type: text/plain")
	source := crawlOf(t, map[string]string{"a.warc.gz": zipped(t, warcinfo, virus), "b.warc": good + virus})
	for _, profile := range []Profile{Compact, Full, Linked} {
		documents, _ := formsOf(t, profile, Current, source, func(o *Options) {
			o.Scan = scannerAt(t, clamd.Address, false)
		})
		if !strings.Contains(textOf(t, documents, aip.METSName), `USE="ViralFiles"`) {
			t.Errorf("%s: mets.xml has no infected files", profile)
		}
		check(t, documents, aip.Options{})
	}
}

// TestRevisitOfNoPage: a revisit record that names a record outside the website has no other file.
func TestRevisitOfNoPage(t *testing.T) {
	source := crawlOf(t, map[string]string{"a.warc": warcinfo +
		record("metadata", "via: x\r\n", "WARC-Target-URI: http://a.test/", "Content-Type: application/warc-fields") +
		revisited("http://a.test/", later, "WARC-Refers-To: <urn:x:metadata>")})
	for _, profile := range []Profile{Full, Linked} {
		documents, _ := formsOf(t, profile, Current, source, nil)
		if pages := textOf(t, documents, "mets/pages/harvest-1.mets.xml.gz"); !strings.Contains(pages,
			`<mets:fptr FILEID="FILE-c1-r3"/>`) {
			t.Errorf("%s: %s", profile, pages)
		}
		check(t, documents, aip.Options{})
	}
}

// TestPartsOfDocuments: each file element is listed once, in both forms, with the file that contains
// it.
func TestPartsOfDocuments(t *testing.T) {
	_, texts := manyRecords(t)
	documents, single := formsOf(t, Full, Current, crawlOf(t, map[string]string{"a.warc.gz": zipped(t, texts...)}), nil)
	parts := func(dir string) map[string]int {
		all := map[string]int{}
		err := aip.Parts(t.Context(), dir, func(p *aip.Part) error {
			if p.Use != aip.UseMETS {
				all[p.ID+" in "+p.File()]++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if got, want := parts(documents), parts(single); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
