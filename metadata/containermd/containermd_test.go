package containermd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
)

// A document with every field set goes through METS, both validators and back in
// quire/metadata/mets.

func write(c ContainerMD, opt Options) (string, error) {
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if err := Write(x, c, opt); err != nil {
		return "", err
	}
	err := x.Close()
	return out.String(), err
}

func read(doc string, opt ReadOptions) (ContainerMD, error) {
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Token: 1 << 16, Entity: 1 << 20})
	r.OnUnknown = func(string) {}
	if _, err := r.Root(); err != nil {
		return ContainerMD{}, err
	}
	c, err := Read(r, opt)
	if err == nil {
		err = r.Finish()
	}
	return c, err
}

// TestTraps checks that a WARC file without warcinfo still has its element, and that record types
// without an element are counted separately.
func TestTraps(t *testing.T) {
	c := ContainerMD{Information: &Information{Sums: Sums{Number: 3}, WARC: &WARCEntries{
		Other: []OtherRecords{{Type: "conversion", Sums: Sums{Number: 2, GlobalSize: xmlstream.IntOf(10)},
			BlockFormats:   []Summed{{Value: "image/png", Sums: Sums{Number: 2}}},
			PayloadFormats: []Summed{{Value: "fmt/11 Portable Network Graphics", Sums: Sums{Number: 2}}}},
			{Type: "holograph", Sums: Sums{Number: 1}}},
	}}}
	doc, err := write(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<cmd:warcInfoRecords number="0"/>`,
		`</cmd:WARCEntries></cmd:entriesExtension><cmd:entriesExtension><cmd:other><qrt:records ` +
			`xmlns:qrt="urn:x-quire:record-types:1" type="conversion"`,
		`type="holograph" number="1"/>`,
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("%s\nhas no %s", doc, want)
		}
	}
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"), []byte(doc))
	got, err := read(doc, ReadOptions{})
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("read %+v, %v; want %+v", got, err, c)
	}
}

// TestVersions checks the environment, the only part that 1.1 and 1.2 name differently.
func TestVersions(t *testing.T) {
	c := ContainerMD{Container: Container{Environments: []Environment{{Platforms: []string{"linux"},
		Software: []Software{{Name: "Wget", Version: "1.16.2"}}}}}}
	for version, want := range map[Version]string{
		Version11: "<cmd:encodingSoftware><cmd:encodingSoftwareName>Wget</cmd:encodingSoftwareName>",
		Version12: "<cmd:creatingSoftware><cmd:creatingSoftwareName>Wget</cmd:creatingSoftwareName>",
	} {
		doc, err := write(c, Options{Version: version})
		if err != nil || !strings.Contains(doc, want) {
			t.Errorf("%s: %s, %v; want %s", version, doc, err, want)
		}
		if got, err := read(doc, ReadOptions{}); err != nil || !reflect.DeepEqual(got.Container, c.Container) {
			t.Errorf("%s: read %+v, %v", version, got, err)
		}
	}
	if _, err := write(c, Options{}); err == nil || !strings.Contains(err.Error(), "choose a version") {
		t.Errorf("an environment of no version: %v", err)
	}
}

// TestVersionsAreValid checks that each version is valid against its own schema, and only there.
func TestVersionsAreValid(t *testing.T) {
	c := ContainerMD{Container: Container{Environments: []Environment{{Software: []Software{{Name: "Wget"}}}}}}
	drivers := map[Version]string{
		Version11: testsamples.Path(t, "schemas", "drivers", "mets-all-legacy.xsd"),
		Version12: testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"),
	}
	for version, driver := range drivers {
		doc, err := write(c, Options{Version: version})
		if err != nil {
			t.Fatal(err)
		}
		schematest.Valid(t, driver, []byte(doc))
		for other, driver := range drivers {
			if other != version && schematest.InGo(driver, []byte(doc)) == nil {
				t.Errorf("output as %s is valid as %s", version, other)
			}
		}
	}
}

// Without an environment one output is valid in both versions.
func TestValidInBothVersions(t *testing.T) {
	doc, err := write(ContainerMD{Container: Container{OriginalName: "a.warc"}, Information: &Information{
		Sums: Sums{Number: 1}, WARC: &WARCEntries{Response: &Records{Sums: Sums{Number: 1}}}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, driver := range []string{"mets-all.xsd", "mets-all-legacy.xsd"} {
		schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", driver), []byte(doc))
	}
}

func TestWriteRefuses(t *testing.T) {
	yes := &Records{Hosts: []Count{{Value: "x"}}}
	cases := []struct {
		name string
		c    ContainerMD
		want string
	}{
		{"an ID that is none", ContainerMD{Container: Container{ID: "1"}}, "cannot be an ID"},
		{"a digest the schema does not list",
			ContainerMD{Container: Container{Fixity: []Fixity{{Algorithm: "BLAKE3"}}}}, "BLAKE3"},
		{"a negative size", ContainerMD{Container: Container{Fixity: []Fixity{{Size: xmlstream.IntOf(-1)}}}},
			"negative"},
		{"a format without name", ContainerMD{Container: Container{Formats: []FormatDesignation{{}}}}, "needs a name"},
		{"an encoding of no type", ContainerMD{Container: Container{Encodings: []Encoding{{Method: "x"}}}},
			"compression or encryption"},
		{"an encoding of order 0", ContainerMD{Container: Container{Encodings: []Encoding{{Type: "compression",
			Order: xmlstream.IntOf(0)}}}}, "counted from 1"},
		{"an assessment without an agent", ContainerMD{Container: Container{Assessment: &Assessment{}}}, "name of an agent"},
		{"metadata without payload", ContainerMD{Container: Container{ARC: &ARCContainer{Metadata: &MDSec{ID: "M",
			MDType: "OTHER"}}}}, "a payload"},
		{"a negative number", ContainerMD{Information: &Information{Sums: Sums{Number: -1}}}, "negative"},
		{"hosts of requests", ContainerMD{Information: &Information{WARC: &WARCEntries{Request: yes}}},
			"requestRecords cannot have hosts"},
		{"MIME types of resources", ContainerMD{Information: &Information{WARC: &WARCEntries{
			Resource: &Records{DeclaredMIMETypes: []Count{{Value: "x"}}}}}},
			"resourceRecords cannot have declaredMimeTypes"},
		{"profiles of metadata", ContainerMD{Information: &Information{WARC: &WARCEntries{
			Metadata: &Records{Profiles: []Summed{{Value: "x"}}}}}}, "metadataRecords cannot have warcProfiles"},
		{"a response of no protocol",
			ContainerMD{Information: &Information{ARC: &ARCEntries{Responses: []Response{{Status: "200"}}}}},
			"name of a protocol"},
		{"an entry of order 0", ContainerMD{Entries: []Entry{{Type: "file"}}}, "order from 1"},
		{"an entry of an unlisted type", ContainerMD{Entries: []Entry{{Order: 1, Type: "record"}}}, "type of the list"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			x := xmlstream.NewWriter(io.Discard, xmlstream.Options{})
			err := Write(x, c.c, Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v; want one with %q", err, c.want)
			}
			if !errors.Is(x.Close(), err) {
				t.Error("the error did not stick to the writer")
			}
		})
	}
}

// TestReadStreamsEntries checks that entries are passed one by one, so that a container of any size
// can be read.
func TestReadStreamsEntries(t *testing.T) {
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if err := Begin(x, Container{OriginalName: "big.warc"}, nil, Options{}); err != nil {
		t.Fatal(err)
	}
	const n = 20000
	for i := range int64(n) {
		if err := WriteEntry(x, Entry{Order: i + 1, Type: "file", Name: "http://example.org/"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := End(x); err != nil || x.Close() != nil {
		t.Fatal(err)
	}
	told := 0
	c, err := read(out.String(), ReadOptions{Entry: func(Entry) error { told++; return nil }})
	if err != nil || told != n || len(c.Entries) != 0 || c.Container.OriginalName != "big.warc" {
		t.Errorf("%d entries passed, %d kept, %v", told, len(c.Entries), err)
	}
}

func TestReadRefuses(t *testing.T) {
	doc := func(inside string) string {
		return `<containerMD xmlns="http://bibnum.bnf.fr/ns/containerMD-v1"><container>` + inside +
			`</container></containerMD>`
	}
	cases := []struct{ name, doc, want string }{
		{"another document", `<containerMD/>`, "want containerMD"},
		{"a size that is none", doc(`<fixity size="big"/>`), "not a whole number"},
		{"a boolean that is none", doc(`<containerExtension><ARCContainer><versionBlockPayload>yes</versionBlockPayload>
			</ARCContainer></containerExtension>`), "neither true nor false"},
		{"a date that is none", doc(`<containerExtension><ARCContainer><creationDateTime>20031008</creationDateTime>
			</ARCContainer></containerExtension>`), "not an xs:dateTime"},
		{"notes without end", doc(`<assessmentInformation>` +
			strings.Repeat(`<outcomeDetailNote>x</outcomeDetailNote>`, 30000) +
			`</assessmentInformation>`), "exceeds a limit"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(c.doc, ReadOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

// TestReadSamples checks samples that other people made from the schema's documentation.
func TestReadSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testsamples.Path(t, "schemas", "samples"), "containerMD-*.xml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c, err := read(string(data), ReadOptions{Metadata: func(_ MDSec, r *xmlstream.Reader) error {
				return r.Skip()
			}})
			if err != nil {
				t.Fatal(err)
			}
			if c.Container.OriginalName == "" || len(c.Container.Fixity) == 0 || c.Information == nil &&
				len(c.Entries) == 0 {
				t.Errorf("%+v", c)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<containerMD xmlns="http://bibnum.bnf.fr/ns/containerMD-v1"><container ` +
		`creationDateTime="2015-07-08T21:55:13Z"><fixity size="1"/>
		<formatDesignation><formatName>a</formatName></formatDesignation><containerExtension><ARCContainer>` +
		`<profile>1.1</profile></ARCContainer>
		</containerExtension></container><entries><entriesInformation number="1"><entriesExtension>` +
		`<WARCEntries><warcInfoRecords number="1">
		<blockFormats><blockFormat number="1">a</blockFormat></blockFormats></warcInfoRecords></WARCEntries>` +
		`</entriesExtension>
		<entriesExtension><other><records xmlns="urn:x-quire:record-types:1" type="conversion" number="1"/>` +
		`</other></entriesExtension>
		</entriesInformation><entry order="1" type="file" name="a"><permission><mode xmlns="">644</mode>` +
		`</permission></entry></entries></containerMD>`)
	f.Fuzz(func(t *testing.T, doc string) {
		c, err := read(doc, ReadOptions{})
		if err != nil {
			return
		}
		first, err := write(c, Options{Version: Version12})
		if err != nil {
			return // the document lacked a part that containerMD requires
		}
		again, err := read(first, ReadOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second, err := write(again, Options{Version: Version12}); err != nil || second != first {
			t.Errorf("written again it is\n%s\nand was\n%s (%v)", second, first, err)
		}
	})
}

func ExampleWrite() {
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{Indent: true, Fragment: true})
	err := Write(x, ContainerMD{
		Container: Container{OriginalName: "crawl.warc.gz"},
		Information: &Information{Sums: Sums{Number: 6}, WARC: &WARCEntries{
			WARCInfo: Records{Sums: Sums{Number: 1}},
			Response: &Records{Sums: Sums{Number: 5, GlobalSize: xmlstream.IntOf(494)},
				Hosts: []Count{{Value: "example.org"}}},
		}},
	}, Options{})
	if err != nil || x.Close() != nil {
		fmt.Println(err)
	}
	// Output:
	// <cmd:containerMD xmlns:cmd="http://bibnum.bnf.fr/ns/containerMD-v1">
	//   <cmd:container>
	//     <cmd:originalName>crawl.warc.gz</cmd:originalName>
	//   </cmd:container>
	//   <cmd:entries>
	//     <cmd:entriesInformation number="6">
	//       <cmd:entriesExtension>
	//         <cmd:WARCEntries>
	//           <cmd:warcInfoRecords number="1"/>
	//           <cmd:responseRecords number="5" globalSize="494">
	//             <cmd:hosts>
	//               <cmd:host>example.org</cmd:host>
	//             </cmd:hosts>
	//           </cmd:responseRecords>
	//         </cmd:WARCEntries>
	//       </cmd:entriesExtension>
	//     </cmd:entriesInformation>
	//   </cmd:entries>
	// </cmd:containerMD>
}
