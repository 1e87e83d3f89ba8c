package pack

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/metadata/containermd"
	"quire/metadata/mets"
	"quire/metadata/premis"
	"quire/metadata/xmlstream"
	"quire/preserve/aip"
)

// jpegARC is an ARC of Boat/3 with bare images, answers without Content-Type, and a page.
func jpegARC() string {
	const jpeg = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x01\x00H\x00H\x00\x00\xff\xd9"
	file := arcFile("1 1 Quay", "<arcmetadata><software>Boat/3</software></arcmetadata>")
	for i, block := range []string{jpeg, "HTTP/1.1 200 OK\r\n\r\n" + jpeg,
		"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n" + jpeg} {
		file += fmt.Sprintf("http://x.example/%d 192.0.2.1 20240102030405 image/jpeg %d\n%s\n", i, len(block), block)
	}
	return file
}

// containerMDOf returns the containerMD of the first container.
func containerMDOf(t *testing.T, dir string) (md containermd.ContainerMD) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, aip.METSName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = mets.Read(f, mets.Handler{Section: func(s mets.Section, payload *xmlstream.Reader) (err error) {
		if s.ID == aip.ContainerMDID(1) {
			md, err = containermd.Read(payload, containermd.ReadOptions{})
		}
		return err
	}})
	if err != nil {
		t.Fatal(err)
	}
	return md
}

// A WARC that Quire made has the software and the date of Quire. Those of the ARC are in the object
// of the ARC, with its format, version and compression.
func TestSourceAndContainerHaveTheirOwnDates(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(jpegARC())); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{"a.arc": jpegARC(), "a.arc.gz": zipped.String()} {
		for _, version := range []SchemaVersion{Current, Legacy} {
			o := options(t)
			o.ID, o.SchemaVersion = "x", version
			mustPack(t, o, crawlOf(t, map[string]string{name: file}))
			md := containerMDOf(t, o.Out).Container
			if s := md.Environments[0].Software; len(s) != 1 ||
				s[0] != (containermd.Software{Name: "Quire", Version: "1"}) {
				t.Errorf("%s: made by %+v", name, s)
			}
			if !md.Created.Equal(o.Now()) || md.OriginalName != "a.warc.gz" {
				t.Errorf("%s: %q was made %s", name, md.OriginalName, md.Created)
			}
			objects := readBack(t, o.Out).objects
			made := objects["x#OBJ-c1"].Characteristics[1].Applications
			if len(made) != 1 || made[0].Name.Text != "Quire" || made[0].Version != "1" ||
				made[0].Date != premis.Time(o.Now()) {
				t.Errorf("%s: the object was made by %+v", name, made)
			}
			levels := objects["x#OBJ-src-c1"].Characteristics
			of := levels[len(levels)-1]
			if f := of.Formats[0]; f.Name.Text != "ARC" || f.Version != "1.1" || f.Registry.Key.Text != "fmt/410" ||
				of.Size != xmlstream.IntOf(int64(len(jpegARC()))) {
				t.Errorf("%s: the source is %+v", name, of)
			}
			if a := of.Applications; len(a) != 1 || a[0].Name.Text != "Boat" || a[0].Version != "3" ||
				a[0].Date != "2008-04-30T20:48:25Z" {
				t.Errorf("%s: the source was made by %+v", name, a)
			}
			if compressed := len(levels) == 2 && levels[0].Formats[0].Name.Text == "GZIP" &&
				levels[0].CompositionLevel == xmlstream.IntOf(1); compressed != strings.HasSuffix(name, ".gz") {
				t.Errorf("%s: levels of the source: %+v", name, levels)
			}
			t.Run("schemas", func(t *testing.T) {
				check(t, o.Out,
					aip.Options{Schemas: testsamples.Path(t, "schemas")})
			})
		}
	}
}

// A type in the URL-record line is in the METS and in the CDXJ lines, if no HTTP head has another.
func TestTypesOfAnARCAreKept(t *testing.T) {
	o := options(t)
	o.ID, o.Profile = "x", Full
	mustPack(t, o, crawlOf(t, map[string]string{"a.arc": jpegARC()}))
	images := 0
	for _, f := range fetchAll(t, o.Out) {
		if strings.HasPrefix(f.OwnerID, "http://x.example/") && f.MIMEType == "image/jpeg" {
			images++
		}
	}
	if images != 3 {
		t.Errorf("%d files in the METS are image/jpeg", images)
	}
	z, err := gzip.NewReader(strings.NewReader(read(t, o.Out, "indexes/a.warc.gz.cdxj.gz")))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	lines := string(all)
	if n := strings.Count(lines, `"mime":"image/jpeg"`); n != 3 {
		t.Errorf("%d CDXJ lines are image/jpeg:\n%s", n, lines)
	}
}

// Name and version of a format are apart, and WARC fields are no style sheets.
func TestFormatsHaveNameAndVersionApart(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" +
		"\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x00IEND\xaeB`\x82"
	const svg = `<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0z"/></svg>`
	file := warcinfo + record("resource", png, "WARC-Target-URI: http://x.example/a.png", "Content-Type: image/png") +
		record("metadata", "via: http://x.example/\r\n", "WARC-Target-URI: http://x.example/a.css",
			"Content-Type: application/warc-fields") +
		record("resource", svg, "WARC-Target-URI: http://x.example/a.svg", "Content-Type: image/svg+xml")
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.ID, o.Profile, o.SchemaVersion = "x", Full, version
		mustPack(t, o, crawlOf(t, map[string]string{"a.warc": file}))
		d := readBack(t, o.Out)
		for id, want := range map[string]string{
			"x#OBJ-c1-b2": "Portable Network Graphics|1.0|fmt/11|identified, image/png|||declared",
			"x#OBJ-c1-b3": "application/warc-fields|||declared",
			"x#OBJ-c1-b4": "Scalable Vector Graphics|||identified by the root element svg in the namespace " +
				"http://www.w3.org/2000/svg; extension svg; declared as image/svg+xml; it states no version, " +
				"and PRONOM " +
				"has entries for versions only, image/svg+xml|||declared",
		} {
			var got []string
			for _, f := range d.objects[id].Characteristics[0].Formats {
				got = append(got, strings.Join([]string{f.Name.Text, f.Version, f.Registry.Key.Text, f.Notes[0]}, "|"))
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%q: %s is %q, want %q", version, id, got, want)
			}
		}
		var got []string
		for _, f := range containerMDOf(t, o.Out).Information.Formats {
			got = append(got, f.Name+"|"+f.Version)
		}
		if strings.Join(got, ", ") != "Scalable Vector Graphics|, fmt/11 Portable Network Graphics|1.0" {
			t.Errorf("%q: containerMD has %q", version, got)
		}
		t.Run("schemas", func(t *testing.T) { check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")}) })
	}
}
