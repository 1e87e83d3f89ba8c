package pack

import (
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/preserve/aip"
)

// odd returns a source with values that older standards express differently: fractions of seconds,
// an operator, findings, a migration.
func odd(t *testing.T) string {
	fraction := strings.ReplaceAll(strings.ReplaceAll(good, "WARC/1.0", "WARC/1.1"), "2024-01-02T03:04:05Z",
		"2024-01-02T03:04:05.123456789Z")
	return crawlOf(t, map[string]string{
		"a.warc": fraction + strings.ReplaceAll(fraction, "05.123456789Z", "06.5Z"), "b.warc": broken, "c.log": "x",
		"d.arc": arcFile("1 1 Quay", "<arcmetadata><software>Ship</software><operator>Bob</operator></arcmetadata>",
			arcRecord("http://x/ 1.2.3.4 20080430204825 text/html", "HTTP/1.0 200 OK\r\n\r\nx")),
	})
}

// The METS in the older standards is valid by their schemas, states their versions, and every link
// finds its entity.
func TestLegacy(t *testing.T) {
	o := options(t)
	o.ID, o.Keep, o.SchemaVersion = "x", KeepAlways, Legacy
	mustPack(t, o, odd(t))
	check(t, o.Out, aip.Options{})
	mets := read(t, o.Out, aip.METSName)
	for _, kind := range []string{"OBJECT", "EVENT", "AGENT"} {
		if n := strings.Count(mets, `MDTYPE="PREMIS:`+kind+`"`); n == 0 ||
			strings.Count(mets, `MDTYPE="PREMIS:`+kind+`" MDTYPEVERSION="2.2"`) != n {
			t.Errorf("of %d sections with a premis:%s not all say that they are of version 2.2", n,
				strings.ToLower(kind))
		}
	}
	for _, want := range []string{
		`MDTYPE="MODS" MDTYPEVERSION="3.4"`, `OTHERMDTYPE="containerMD" MDTYPEVERSION="1.1"`, `version="3.4"`,
		`xmlns:premis="info:lc/xmlns/premis-v2"`,
		">2024-01-02T03:04:05Z/2024-01-02T03:04:07Z</premis:eventDateTime>", ">version: 1</premis:agentNote>",
		"<premis:linkingIntellectualEntityIdentifierValue>x#DMD-website</", `<mods:originInfo displayLabel="capture">`,
		"<cmd:encodingSoftwareName>Boat</",
		"info:lc/xmlns/premis-v2 http://www.loc.gov/standards/premis/v2/premis-v2-2.xsd",
	} {
		if !strings.Contains(mets, want) {
			t.Errorf("the METS lacks %s", want)
		}
	}
	for _, no := range []string{"premis/v3", "intellectualEntity", "eventDetailInformation", "creatingSoftware",
		"eventType=", "OBJ-website"} {
		if strings.Contains(mets, no) {
			t.Errorf("the METS has %s", no)
		}
	}
	linked(t, readBack(t, o.Out))
	t.Run("schemas", func(t *testing.T) {
		check(t, o.Out, aip.Options{Schemas: testsamples.Path(t, "schemas")})
		if read(t, o.Out, aip.METSName) != mets {
			t.Error("validating changed it")
		}
	})
}

// The older standards express the same facts as the current standards, in other elements. All
// values are kept, except the values in the table of docs/reference/310_package-format.md, 2.15.
func TestNothingIsLostInLegacy(t *testing.T) {
	source := odd(t)
	words := map[SchemaVersion]map[string]bool{}
	for _, version := range []SchemaVersion{Current, Legacy} {
		o := options(t)
		o.ID, o.Keep, o.SchemaVersion = "x", KeepAlways, version
		mustPack(t, o, source)
		words[version] = texts(t, read(t, o.Out, aip.METSName))
	}
	said := strings.Join(slices.Collect(maps.Keys(words[Legacy])), "\x00")
	lost := map[string]bool{}
	for text := range words[Current] {
		if !strings.Contains(said, text) {
			lost[text] = true
		}
	}
	want := map[string]bool{
		"represents":    true, // the link to an intellectual entity has no type: it is always this one
		"x#OBJ-website": true, // x#DMD-website, or x#OBJ-package
		"2024-01-02T03:04:05Z/2024-01-02T03:04:06.5Z": true, // whole seconds
	}
	if !maps.Equal(lost, want) || len(words[Current]) < 100 {
		t.Errorf("of %d texts these are not there: %q", len(words[Current]), slices.Collect(maps.Keys(lost)))
	}
}

// texts returns all texts of a document.
func texts(t *testing.T, doc string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for d := xml.NewDecoder(strings.NewReader(doc)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			all[string(text)] = true
		}
	}
}

func TestParseSchemaVersion(t *testing.T) {
	for word, want := range map[string]SchemaVersion{"": Current, "current": Current, "3.0": Current, "legacy": Legacy,
		"2.2": Legacy} {
		if got, err := ParseSchemaVersion(word); got != want || err != nil {
			t.Errorf("%q is %q, %v", word, got, err)
		}
	}
	if _, err := ParseSchemaVersion("2.3"); err == nil || !strings.Contains(err.Error(), "use legacy") {
		t.Errorf("2.3: %v", err)
	}
}
