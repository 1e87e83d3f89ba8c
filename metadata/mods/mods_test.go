package mods

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
)

// A record with every field set goes through METS, both validators and back in quire/metadata/mets.

func TestWriteRefuses(t *testing.T) {
	cases := []struct {
		name string
		c    Content
		want string
	}{
		{"a record that says nothing", Content{}, "the record is empty"},
		{"a title of an unlisted type", Content{Titles: []Title{{Type: "main"}}}, `type="main"`},
		{"a name of an unlisted type", Content{Names: []Name{{Type: "robot"}}}, `type="robot"`},
		{"a role of no term", Content{Names: []Name{{Roles: []Role{{}}}}}, "needs a term"},
		{"a role that is neither code nor text", Content{Names: []Name{{Roles: []Role{{Terms: []Term{{Type: "x"}}}}}}},
			"code or text"},
		{"a type of resource with a type", Content{Types: []Term{{Text: "text", Type: "x"}}},
			"typeOfResource cannot have a type"},
		{"an empty origin", Content{Origins: []Origin{{EventType: "capture"}}}, "originInfo says nothing"},
		{"a date of an unlisted kind", Content{Origins: []Origin{{Dates: []Date{{Kind: "dateSeen"}}}}}, "dateSeen"},
		{"a date of an unlisted encoding",
			Content{Origins: []Origin{{Dates: []Date{{Kind: "dateIssued", Encoding: "x"}}}}}, `encoding="x"`},
		{"an unlisted issuance", Content{Origins: []Origin{{Issuance: "weekly"}}}, "issuance"},
		{"a language of no term", Content{Languages: []Language{{}}}, "needs a term"},
		{"an empty physical description", Content{Physical: []Physical{{}}}, "physicalDescription says nothing"},
		{"an unlisted digital origin", Content{Physical: []Physical{{DigitalOrigin: "born"}}}, "digitalOrigin"},
		{"a topic with a type", Content{Subjects: []Subject{{Topics: []Term{{Type: "x"}}}}}, "mods:topic " +
			"cannot have a type"},
		{"a related item of an unlisted type", Content{Related: []RelatedItem{{Type: "friend"}}}, `type="friend"`},
		{"an address for an unlisted use", Content{Locations: []Location{{URLs: []URL{{Usage: "second"}}}}},
			`usage="second"`},
		{"an empty record info", Content{RecordInfo: []RecordInfo{{}}}, "recordInfo says nothing"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			x := xmlstream.NewWriter(io.Discard, xmlstream.Options{})
			err := Write(x, Record{Content: c.c})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v; want one with %q", err, c.want)
			}
			if !errors.Is(x.Close(), err) {
				t.Error("the error did not stick to the writer")
			}
		})
	}
}

func TestVersions(t *testing.T) {
	title := Content{Titles: []Title{{Title: "a"}}}
	for _, version := range []string{"", Version, Version34} {
		doc, err := write(Record{Version: version, Content: title})
		if want := cmp.Or(version, "3.8"); err != nil || !strings.Contains(doc, `version="`+want+`"`) {
			t.Errorf("%v\n%s", err, doc)
		}
	}
	if _, err := write(Record{Version: "4.0", Content: title}); err == nil {
		t.Error("wrote MODS 4.0")
	}
	event := Content{Origins: []Origin{{EventType: "capture", Places: []Term{{Text: "x"}}}}}
	if _, err := write(Record{Version: Version34, Content: event}); err == nil ||
		!strings.Contains(err.Error(), "no event types") {
		t.Error(err)
	}
}

func TestCaptured(t *testing.T) {
	first := time.Date(2015, 7, 8, 23, 55, 13, 0, time.FixedZone("CEST", 7200))
	o := Captured(first, time.Time{})
	if len(o.Dates) != 1 || o.Dates[0] != (Date{Kind: "dateCaptured", Text: "2015-07-08T21:55:13Z", Encoding: "w3cdtf",
		Point: "start"}) {
		t.Errorf("%+v", o)
	}
	if o := Captured(time.Time{}, time.Time{}); len(o.Dates) != 0 {
		t.Errorf("no record had a date, but %+v", o)
	}
}

func read(doc string) (Record, error) {
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Token: 1 << 16, Entity: 1 << 20})
	if _, err := r.Root(); err != nil {
		return Record{}, err
	}
	rec, err := Read(r)
	if err == nil {
		err = r.Finish()
	}
	return rec, err
}

// TestReadAnyOrder checks that MODS may be in any order, and that the order within a kind is kept.
func TestReadAnyOrder(t *testing.T) {
	rec,
		err := read(`<mods xmlns="http://www.loc.gov/mods/v3" version="3.4"><note>1</note><titleInfo><title>` +
		`a</title></titleInfo>
		<note>2</note><name><role><roleTerm>x</roleTerm></role><namePart>b</namePart></name></mods>`)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.Notes) != 2 || rec.Notes[0].Text != "1" || rec.Titles[0].Title != "a" ||
		rec.Names[0].Parts[0].Text != "b" {
		t.Errorf("%+v", rec)
	}
}

func TestReadRefuses(t *testing.T) {
	mods := func(inside string) string { return `<mods xmlns="http://www.loc.gov/mods/v3">` + inside + `</mods>` }
	cases := []struct{ name, doc, want string }{
		{"another document", `<mods/>`, "want mods of MODS 3"},
		{"an element without a place", mods(`<classification>1</classification>`), "unknown element"},
		{"markup in an abstract", mods(`<abstract>a <i>b</i></abstract>`), "inside text"},
		{"related items without end", mods(strings.Repeat(`<relatedItem>`, 300)), "exceeds a limit"},
		{"notes without end", mods(strings.Repeat(`<note>some text</note>`, 60000)), "exceeds a limit"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(c.doc); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<mods xmlns="http://www.loc.gov/mods/v3" xmlns:xlink="http://www.w3.org/1999/xlink"><titleInfo>` +
		`<title>a</title></titleInfo>
		<originInfo><dateCaptured point="start">2015</dateCaptured><place><placeTerm/></place></originInfo>` +
		`<relatedItem xlink:href="a">
		<titleInfo/></relatedItem><location><url>http://a/</url></location><recordInfo><recordOrigin>` +
		`x</recordOrigin></recordInfo></mods>`)
	f.Fuzz(func(t *testing.T, doc string) {
		rec, err := read(doc)
		if err != nil {
			return
		}
		first, err := write(rec)
		if err != nil {
			return // the document lacked a part that MODS requires
		}
		again, err := read(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second, err := write(again); err != nil || second != first {
			t.Errorf("written again it is\n%s\nand was\n%s (%v)", second, first, err)
		}
	})
}

func write(rec Record) (string, error) {
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if err := Write(x, rec); err != nil {
		return "", err
	}
	err := x.Close()
	return out.String(), err
}

func ExampleWrite() {
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{Indent: true, Fragment: true})
	err := Write(x, Record{Content: Content{
		Titles: []Title{{Title: "Hello World"}},
		Names: []Name{{Type: "corporate", Parts: []NamePart{{Text: "Example Library"}},
			Roles: []Role{Marc("collector")}}},
		Origins: []Origin{Captured(time.Date(2015, 7, 8, 21, 55, 13, 0, time.UTC), time.Time{})},
	}})
	if err != nil || x.Close() != nil {
		fmt.Println(err)
	}
	// Output:
	// <mods:mods xmlns:mods="http://www.loc.gov/mods/v3" xmlns:xlink="http://www.w3.org/1999/xlink" version="3.8">
	//   <mods:titleInfo>
	//     <mods:title>Hello World</mods:title>
	//   </mods:titleInfo>
	//   <mods:name type="corporate">
	//     <mods:namePart>Example Library</mods:namePart>
	//     <mods:role>
	//       <mods:roleTerm type="text" authority="marcrelator">collector</mods:roleTerm>
	//     </mods:role>
	//   </mods:name>
	//   <mods:originInfo eventType="capture">
	//     <mods:dateCaptured encoding="w3cdtf" point="start">2015-07-08T21:55:13Z</mods:dateCaptured>
	//   </mods:originInfo>
	// </mods:mods>
}

// TestURLs checks addresses from crawls that are not valid. Both validators accept everything that
// Write accepts; at least one of them would refuse everything that Write refuses.
func TestURLs(t *testing.T) {
	driver := testsamples.Path(t, "schemas", "drivers", "mets-all.xsd")
	for _, u := range []string{
		"", "http://example.org/a?b=c&d#e", "http://a/b c", "http://a/é", "http://a/\x00b", `http://a/{x}|^"<>` + "`",
		"a:b:c",
		"http://[2001:db8::1]:8080/", "http://user:pass@example.org:80/", "http://a_b/", "http://a\nb/", "urn:x",
		"../a",
		"http://a:99999/", "http:///", "http://@/", "//a", "http:a", "?", "#", "http://*/", "http://a/;,!$'()",
		"HTTP://A/%41",
	} {
		doc, err := write(Record{Content: Content{Locations: []Location{{URLs: []URL{{Text: u}}}}}})
		if err != nil {
			t.Errorf("%q: %v", u, err)
			continue
		}
		schematest.Valid(t, driver, []byte(doc))
	}
	for _, u := range []string{"http://a/100%", "http://a/?q=[]", "http://a/#x#y", "::", "http://[bad", "http://a:b/"} {
		_, err := write(Record{Content: Content{Locations: []Location{{URLs: []URL{{Text: u}}}}}})
		if err == nil || !strings.Contains(err.Error(), "requires a URI") {
			t.Errorf("%q: %v", u, err)
		}
	}
}
