package pack

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/preserve/aip"
)

// profileFiles are the METS profiles of docs/reference/profiles. Each extends those before it.
var profileFiles = []struct {
	profile Profile
	file    string
}{
	{Compact, "compact.xml"},
	{Full, "full.xml"},
	{Linked, "linked.xml"},
}

func profilePath(file string) string {
	return filepath.Join("..", "..", "docs", "reference", "profiles", file)
}

// profileTests returns the tests for a METS of the profile.
func profileTests(t *testing.T, profile Profile) []schematest.ProfileTest {
	t.Helper()
	var tests []schematest.ProfileTest
	for _, f := range profileFiles {
		p := schematest.ReadProfile(t, profilePath(f.file))
		if p.Name != f.profile.name(Single) || len(p.Tests) == 0 {
			t.Errorf("%s is of %q, and has %d tests", f.file, p.Name, len(p.Tests))
		}
		tests = append(tests, p.Tests...)
		if f.profile == profile {
			return tests
		}
	}
	t.Fatalf("there is no profile of %q", profile)
	return nil
}

// Packages of a profile pass all its tests, in both generations of the standards, for any content.
func TestProfilesHold(t *testing.T) {
	sources := map[string]string{"rich": rich(t), "one": crawlOf(t, map[string]string{"a.warc": good})}
	hostile, _ := hostileSource(t, hostileValues["control characters"])
	sources["hostile"] = hostile
	for _, f := range profileFiles {
		tests := profileTests(t, f.profile)
		for name, source := range sources {
			for _, version := range []SchemaVersion{Current, Legacy} {
				t.Run(f.file+" "+name+" "+string(version), func(t *testing.T) {
					o := options(t)
					o.Profile, o.SchemaVersion, o.Keep = f.profile, version, KeepAlways
					mustPack(t, o, source)
					if broken := schematest.Broken(t, tests, filepath.Join(o.Out, aip.METSName)); len(broken) > 0 {
						t.Errorf("these do not hold: %q", slices.Sorted(maps.Keys(broken)))
					}
				})
			}
		}
	}
}

// Every test can fail: each fails for a METS that violates its requirement.
func TestProfilesCanFail(t *testing.T) {
	for _, f := range profileFiles {
		tests := schematest.ReadProfile(t, profilePath(f.file)).Tests // its own
		o := options(t)
		o.ID, o.Title, o.Profile, o.Keep = "x", "crawl", f.profile, KeepAlways
		mustPack(t, o, rich(t))
		mets := read(t, o.Out, aip.METSName)
		for _, test := range tests {
			t.Run(f.file+" "+test.ID, func(t *testing.T) {
				b, there := profileBreaks[test.ID]
				if !there {
					t.Fatal("the requirement has no violating change")
				}
				edited := strings.ReplaceAll(mets, b[0], b[1])
				if edited == mets {
					t.Fatalf("the METS has no entry for %s", b[0])
				}
				file := filepath.Join(t.TempDir(), "mets.xml")
				if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
					t.Fatal(err)
				}
				if broken := schematest.Broken(t, tests, file); !broken[test.ID] {
					t.Errorf("it holds; of the others these do not: %q", slices.Sorted(maps.Keys(broken)))
				}
			})
		}
	}
}

// profileBreaks has, for each requirement, a replacement that violates it.
var profileBreaks = map[string][2]string{
	"root-objid":        {`OBJID="x"`, ``},
	"root-label":        {` LABEL="crawl"`, ``},
	"root-type":         {`TYPE="Web archives"`, `TYPE="Websites"`},
	"root-profile":      {`PROFILE="Quire`, `PROFILE="Choir`},
	"header-creator":    {`RECORDSTATUS="NEW"`, ``},
	"website-mods":      {`>web archives<`, `>archives<`},
	"wrapped":           {`MDTYPE="PREMIS:AGENT" MDTYPEVERSION="3.0"`, `MDTYPE="PREMIS:AGENT"`},
	"package-section":   {`premis:representation`, `premis:file`},
	"website-object":    {`premis:intellectualEntity`, `premis:representation`},
	"package-events":    {`>message digest calculation<`, `>fixity check<`},
	"ingestion":         {`>ingestion<`, `>transfer<`},
	"event-identifiers": {`>x#EVT-val-c1<`, `>EVT-val-c1<`},
	"agents-there":      {`agentIdentifierValue>x#AGT-packer<`, `agentIdentifierValue>x#AGT-0<`},
	"objects-there": {`premis:linkingObjectIdentifierValue>x#OBJ-c1<`,
		`premis:linkingObjectIdentifierValue>x#OBJ-c99<`},
	"container-section":    {`<mets:amdSec ID="AMD-c2"`, `<mets:amdSec ID="AMD-2"`},
	"container-object":     {`>SHA-512</premis:messageDigestAlgorithm>`, `>SHA-1</premis:messageDigestAlgorithm>`},
	"container-level":      {`<premis:compositionLevel>0</premis:compositionLevel>`, ``},
	"container-md":         {`OTHERMDTYPE="containerMD"`, `OTHERMDTYPE="other"`},
	"container-validation": {`>validation<`, `>check<`},
	"file-objects":         {`ADMID="AMD-l1"`, ``},
	"groups":               {`USE="Logfile"`, `USE="Logs"`},
	"files":                {`CHECKSUMTYPE="SHA-512"`, `CHECKSUMTYPE="MD5"`},
	"places":               {`xlink:href="logs/`, `xlink:href="containers/`},
	"decompression":        {`TRANSFORMORDER="1"`, `TRANSFORMORDER="2"`},
	"logical":              {`TYPE="harvest"`, `TYPE="crawl"`},
	"containers-placed":    {`<mets:fptr FILEID="FILE-c1"/>`, ``},
	"full-profile":         {` 1.0 (`, ` 1.0`},
	"content-objects":      {`>is included in<`, `>has source<`},
	"full-parts":           {`-r1" `, `-x1" `},
	"full-ranges":          {` BEGIN="0"`, ` BEGIN="1"`},
	"full-members":         {`-r1" MIMETYPE`, `-m1" MIMETYPE`},
	"full-records":         {`MIMETYPE="application/warc"`, `MIMETYPE="application/http"`},
	"full-digests":         {`CHECKSUMTYPE="SHA-256"`, `CHECKSUMTYPE="MD5"`},
	"full-served":          {`<mets:transformFile`, `<mets:stream`},
	"full-described":       {`ADMID="OBJ-c1-b2 `, `ADMID="`},
	"full-pages":           {`LABEL="http://x.example/"`, ``},
	"linked-profile":       {` 1.0 (linked)`, ` 1.0 (full)`},
	"linked-physical":      {`<mets:fptr FILEID="FILE-c3-m1"/>`, ``},
	"physical":             {`TYPE="Item"`, `TYPE="Thing"`},
	"linked-labels":        {`TYPE="web page" xlink:label`, `TYPE="web page" x`},
	"linked-hyperlinks":    {`<mets:area FILEID`, `<mets:area FILE`},
	"linked-links":         {`xlink:to="P-`, `xlink:to="Q-`},
	"compact-no-parts": {`<mets:FLocat LOCTYPE="URL" xlink:type="simple" xlink:href="containers/`,
		`<mets:file ID="y"/><mets:FLocat xlink:href="containers/`},
	"compact-no-links": {`</mets:structMap>`, `</mets:structMap><mets:structLink/>`},
}

// rich returns a source that also has containers with members, one of them with a chunked and
// compressed body.
func rich(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	pack := func(s string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, err := w.Write([]byte(s))
		if err = errors.Join(err, w.Close()); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	page := pack("<title>Boats</title><a href=\"http://x.example/boats#top\">Boats</a>")
	for _, r := range []string{warcinfo,
		record("response",
			fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nTransfer-Encoding: "+
				"chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(page), page),
			"WARC-Target-URI: http://x.example/boats", "Content-Type: application/http")} {
		b.WriteString(pack(r))
	}
	dir := odd(t)
	if err := os.WriteFile(filepath.Join(dir, "e.warc.gz"), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The example in the appendix of a profile is identical to the current output.
func TestProfilesShowWhatIsPacked(t *testing.T) {
	for _, f := range profileFiles {
		t.Run(f.file, func(t *testing.T) {
			o := options(t)
			o.ID, o.Title, o.Profile = "harbour-1", "The harbour", f.profile
			o.Agent.Version = "1.0"
			source := crawlOf(t, map[string]string{"harbour.warc": example, "crawl.log": "a log\n"})
			mustPack(t, o, source)
			_, mets, _ := strings.Cut(read(t, o.Out, aip.METSName), "?>\n")
			mets = strings.ReplaceAll(mets, filepath.Dir(source), "/harvests") // the test's own folder
			text := read(t, profilePath(f.file))
			before, rest, there := strings.Cut(text, "writes it anew -->\n")
			shown, after, ends := strings.Cut(rest, "<!-- end of example -->")
			if !there || !ends {
				t.Fatal("the profile has no place for an example")
			}
			if shown == mets {
				return
			}
			if os.Getenv("QUIRE_UPDATE_PROFILES") == "1" {
				text = before + "writes it anew -->\n" + mets + "<!-- end of example -->" + after
				if err := os.WriteFile(profilePath(f.file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			t.Errorf("the example differs from the output; QUIRE_UPDATE_PROFILES=1 go test "+
				"./preserve/pack -run Profiles updates it:\n%s", firstDifference(shown, mets))
		})
	}
}

// example is a small website.
var example = warcinfo + record("response",
	"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html lang=\"en\"><title>Harbour</title><a href=\"/boats\">"+
		"Boats</a>",
	"WARC-Target-URI: http://harbour.example/", "Content-Type: application/http; msgtype=response") +
	record("response",
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><title>Boats</title><a href=\"/\">Home</a>",
		"WARC-Target-URI: http://harbour.example/boats", "Content-Type: application/http; msgtype=response")

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return "- " + as[i] + "\n+ " + bs[i]
		}
	}
	return "one is longer"
}

// The profiles are valid by the schema of METS profiles, and their examples by the schemas of their
// content.
func TestProfilesAreValid(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	dir := t.TempDir()
	entries, err := os.ReadDir(schemas)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "drivers" {
			continue
		}
		if err := os.Symlink(filepath.Join(schemas, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	driver := filepath.Join(dir, "drivers", "profile.xsd")
	text := strings.Replace(read(t, schemas, "drivers", "mets-all.xsd"), "</xs:schema>",
		`<xs:import namespace="http://www.loc.gov/METS_Profile/v2" schemaLocation="../mets/mets.profile.v2-1.xsd"/>`+
			`</xs:schema>`, 1)
	if err := os.Mkdir(filepath.Dir(driver), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(driver, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range profileFiles {
		schematest.Valid(t, driver, []byte(read(t, profilePath(f.file))))
	}
}
