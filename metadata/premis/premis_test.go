package premis

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/metadata/xmlstream"
)

func write(t *testing.T, entity func(*xmlstream.Writer) error) string {
	t.Helper()
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{Fragment: true})
	if err := entity(x); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWriteEvent checks the exact output. Every entity with every field set goes through METS in
// quire/metadata/mets.
func TestWriteEvent(t *testing.T) {
	got := write(t, func(x *xmlstream.Writer) error {
		return WriteEvent(x, Event{
			Identifier: Identifier{"UUID", "e1"}, Type: EventType("virus check"), DateTime: "2026-01-15T10:00:00Z",
			Details: []string{"clamd"}, Outcomes: []Outcome{{Outcome: EventOutcome("success")}},
			Agents: []Link{{Identifier: Identifier{"local", "a1"}, Roles: []Term{Text("executing program")}}},
		})
	})
	want := `<premis:event xmlns:premis="http://www.loc.gov/premis/v3" ` +
		`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` +
		`<premis:eventIdentifier><premis:eventIdentifierType>UUID</premis:eventIdentifierType>` +
		`<premis:eventIdentifierValue>e1</premis:eventIdentifierValue></premis:eventIdentifier>` +
		`<premis:eventType authority="eventType" authorityURI="http://id.loc.gov/vocabulary/preservation/eventType"` +
		` valueURI="http://id.loc.gov/vocabulary/preservation/eventType/vir">virus check</premis:eventType>` +
		`<premis:eventDateTime>2026-01-15T10:00:00Z</premis:eventDateTime>` +
		`<premis:eventDetailInformation><premis:eventDetail>clamd</premis:eventDetail>` +
		`</premis:eventDetailInformation>` +
		`<premis:eventOutcomeInformation><premis:eventOutcome authority="eventOutcome"` +
		` authorityURI="http://id.loc.gov/vocabulary/preservation/eventOutcome"` +
		` valueURI="http://id.loc.gov/vocabulary/preservation/eventOutcome/suc">success</premis:eventOutcome>` +
		`</premis:eventOutcomeInformation>` +
		`<premis:linkingAgentIdentifier><premis:linkingAgentIdentifierType>local</premis:linkingAgentIdentifierType>` +
		`<premis:linkingAgentIdentifierValue>a1</premis:linkingAgentIdentifierValue>` +
		`<premis:linkingAgentRole>executing program</premis:linkingAgentRole></premis:linkingAgentIdentifier>` +
		`</premis:event>`
	if got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
}

func TestWriteRefuses(t *testing.T) {
	id := []Identifier{{"local", "1"}}
	format := []Format{{Name: Text("unknown")}}
	object := func(change func(*Object)) func(*xmlstream.Writer) error {
		o := Object{Category: File, Identifiers: id, Characteristics: []Characteristics{{Formats: format}}}
		change(&o)
		return func(x *xmlstream.Writer) error { return WriteObject(x, o) }
	}
	event := func(change func(*Event)) func(*xmlstream.Writer) error {
		e := Event{Identifier: id[0], Type: Text("x"), DateTime: "2026"}
		change(&e)
		return func(x *xmlstream.Writer) error { return WriteEvent(x, e) }
	}
	rights := func(s Statement) func(*xmlstream.Writer) error {
		s.Identifier, s.Basis = id[0], Text("x")
		return func(x *xmlstream.Writer) error { return WriteRights(x, Rights{Statements: []Statement{s}}) }
	}
	cases := []struct {
		name  string
		write func(*xmlstream.Writer) error
		want  string
	}{
		{"an object of no category", object(func(o *Object) { o.Category = "" }), "object category"},
		{"an object without identifier", object(func(o *Object) { o.Identifiers = nil }), "at least one"},
		{"half an identifier", object(func(o *Object) { o.Identifiers = []Identifier{{Type: "x"}} }),
			"type and a value"},
		{"a file without characteristics", object(func(o *Object) { o.Characteristics = nil }),
			"needs objectCharacteristics"},
		{"a representation with characteristics", object(func(o *Object) { o.Category = Representation }),
			"cannot have objectCharacteristics"},
		{"a bitstream with a name", object(func(o *Object) { o.Category, o.OriginalName = Bitstream, "x" }),
			"cannot have originalName or preservationLevel"},
		{"an entity that is stored", object(func(o *Object) {
			o.Category, o.Characteristics, o.Storage = IntellectualEntity, nil, []Storage{{Medium: Text("x")}}
		}), "cannot have storage"},
		{"a file that is an environment", object(func(o *Object) { o.Environment = &Environment{} }),
			"only an intellectualEntity"},
		{"characteristics without format", object(func(o *Object) { o.Characteristics[0] = Characteristics{} }),
			"needs a format"},
		{"a format without name", object(func(o *Object) {
			o.Characteristics = []Characteristics{{Formats: []Format{{Version: "1"}}}}
		}), "a name or a registry key"},
		{"a digest of no algorithm", object(func(o *Object) {
			o.Characteristics = []Characteristics{{Formats: format, Fixity: []Fixity{{Digest: "0"}}}}
		}), "messageDigestAlgorithm is required"},
		{"a digest that is empty", object(func(o *Object) {
			o.Characteristics = []Characteristics{{Formats: format, Fixity: []Fixity{{Algorithm: Text("x")}}}}
		}), "needs a digest"},
		{"a negative level", object(func(o *Object) {
			o.Characteristics = []Characteristics{{Formats: format, CompositionLevel: xmlstream.IntOf(-1)}}
		}), "negative"},
		{"a relationship to nothing", object(func(o *Object) {
			o.Relationships = []Relationship{{Type: Text("x"), SubType: Text("x")}}
		}), "needs a related object"},
		{"a link to an event with a role", object(func(o *Object) {
			o.Events = []Link{{Identifier: id[0], Roles: []Term{Text("x")}}}
		}), "cannot have a role"},
		{"an XML ID that is none", object(func(o *Object) { o.XMLID = "1" }), "cannot be an ID"},
		{"an extension that fails", object(func(o *Object) {
			o.Characteristics[0].Extension = func(*xmlstream.Writer) error { return io.ErrUnexpectedEOF }
		}), io.ErrUnexpectedEOF.Error()},
		{"an event without type", event(func(e *Event) { e.Type = Term{} }), "eventType is required"},
		{"an event without date", event(func(e *Event) { e.DateTime = "" }), "needs a date"},
		{"an outcome that says nothing", event(func(e *Event) { e.Outcomes = []Outcome{{}} }), "an outcome or a note"},
		{"an agent without identifier", func(x *xmlstream.Writer) error {
			return WriteAgent(x, Agent{})
		}, "at least one"},
		{"rights without statement", func(x *xmlstream.Writer) error {
			return WriteRights(x, Rights{})
		}, "needs a statement"},
		{"copyright of no country", rights(Statement{Copyright: &Copyright{Status: Text("x")}}),
			"Jurisdiction is required"},
		{"an empty license", rights(Statement{License: &License{}}), "licenseInformation is empty"},
		{"an end without start", rights(Statement{License: &License{Terms: "x", Applies: Dates{End: "2026"}}}),
			"no start"},
		{"a grant of nothing", rights(Statement{Granted: []Grant{{}}}), "act is required"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			x := xmlstream.NewWriter(io.Discard, xmlstream.Options{})
			err := c.write(x)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v; want one with %q", err, c.want)
			}
			if !errors.Is(x.Close(), err) {
				t.Error("the error did not stick to the writer")
			}
		})
	}
}

func TestRepresentationAndBitstream(t *testing.T) {
	for _, o := range []Object{
		{Category: Representation, Identifiers: []Identifier{{"local", "r"}}, OriginalName: "site",
			Storage: []Storage{{Medium: Text("disk")}}},
		{Category: Bitstream, Identifiers: []Identifier{{"local", "b"}},
			Characteristics: []Characteristics{{Formats: []Format{{Name: Text("text/html")}}}}},
	} {
		doc := write(t, func(x *xmlstream.Writer) error { return WriteObject(x, o) })
		got, err := readOne(doc, func(r *xmlstream.Reader) (Object, error) { return ReadObject(r, nil) })
		if err != nil || !reflect.DeepEqual(got, o) {
			t.Errorf("read %+v, %v; want %+v", got, err, o)
		}
	}
}

func readOne[T any](doc string, read func(*xmlstream.Reader) (T, error)) (T, error) {
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Token: 1 << 16})
	if _, err := r.Root(); err != nil {
		var none T
		return none, err
	}
	v, err := read(r)
	if err == nil {
		err = r.Finish()
	}
	return v, err
}

func TestReadRefuses(t *testing.T) {
	event := func(inside string) string {
		return `<event xmlns="http://www.loc.gov/premis/v3">` + inside + `</event>`
	}
	cases := []struct{ name, doc, want string }{
		{"another entity", `<agent xmlns="http://www.loc.gov/premis/v3"/>`, "want premis:event"},
		{"PREMIS 1", `<event xmlns="http://www.loc.gov/standards/premis"/>`, "of PREMIS 3 or 2"},
		{"an element of PREMIS 3 in one of 2",
			`<event xmlns="info:lc/xmlns/premis-v2"><eventDetailInformation/></event>`, "unknown element"},
		{"namespaces mixed",
			`<event xmlns="info:lc/xmlns/premis-v2"><eventType xmlns="http://www.loc.gov/premis/v3"/></event>`,
			"unknown element"},
		{"an element of PREMIS 2", event(`<eventDetail>x</eventDetail>`), "unknown element"},
		{"an element of another namespace", event(`<x xmlns="urn:x"/>`), "unknown element"},
		{"an element inside a text", event(`<eventType><b/></eventType>`), "inside text"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := readOne(c.doc, ReadEvent)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

// TestReadTellsUnknown checks that elements without a field are reported by path, and that the rest
// is read.
func TestReadTellsUnknown(t *testing.T) {
	doc := `<object xmlns="http://www.loc.gov/premis/v3" ` +
		`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="file">
		<objectCharacteristics><objectCharacteristicsExtension><x xmlns="urn:x"/>` +
		`</objectCharacteristicsExtension></objectCharacteristics>
		<originalName>a</originalName><signatureInformation><x xmlns="urn:x"/></signatureInformation></object>`
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{})
	var told []string
	r.OnUnknown = func(path string) { told = append(told, path) }
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	o, err := ReadObject(r, nil)
	if err != nil || o.OriginalName != "a" || o.Category != File {
		t.Errorf("%+v, %v", o, err)
	}
	want := "[/object/objectCharacteristics/objectCharacteristicsExtension/x /object/signatureInformation]"
	if fmt.Sprint(told) != want {
		t.Errorf("reported %v; want %s", told, want)
	}
}

func TestVocabulary(t *testing.T) {
	if got := EventType("harvest"); got != Text("harvest") {
		t.Errorf("a term that is none of the vocabulary claims its authority: %+v", got)
	}
	if got := EventType("capture").ValueURI; got != "http://id.loc.gov/vocabulary/preservation/eventType/cap" {
		t.Errorf("capture is %s", got)
	}
	if got := AgentType("software"); got.Authority != "agentType" || got.ValueURI != "" {
		t.Errorf("%+v: an unconfirmed code must not be written", got)
	}
}

func TestSpan(t *testing.T) {
	a := time.Date(2015, 7, 8, 21, 55, 13, 0, time.UTC)
	b := a.Add(time.Hour)
	for _, c := range []struct {
		start, end time.Time
		want       string
	}{
		{a, b, "2015-07-08T21:55:13Z/2015-07-08T22:55:13Z"},
		{a, time.Time{}, "2015-07-08T21:55:13Z"},
		{a, a, "2015-07-08T21:55:13Z"},
		{time.Time{}, time.Time{}, ""},
	} {
		if got := Span(c.start, c.end); got != c.want {
			t.Errorf("Span(%v, %v) = %q; want %q", c.start, c.end, got, c.want)
		}
	}
}

func TestRightsExtension(t *testing.T) {
	right := Rights{Statements: []Statement{{Identifier: Identifier{"local", "1"}, Basis: RightsBasis("other"),
		Other: &OtherRights{Basis: Text("policy")}}},
		Extension: func(x *xmlstream.Writer) error {
			x.Declare("x", "urn:x")
			x.Element("x:scope", "http://a/")
			return x.Err()
		}}
	doc := write(t, func(x *xmlstream.Writer) error { return WriteRights(x, right) })
	var told []string
	got, err := readOne(doc, func(r *xmlstream.Reader) (Rights, error) {
		return ReadRights(r, func(r *xmlstream.Reader) error {
			text, err := r.Text()
			told = append(told, text)
			return err
		})
	})
	if err != nil || len(got.Statements) != 1 || len(told) != 1 || told[0] != "http://a/" {
		t.Errorf("%+v, %q, %v", got, told, err)
	}
	if _, err := readOne(doc, readRights); err == nil {
		t.Error("an unread extension is skipped silently")
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<event xmlns="http://www.loc.gov/premis/v3"><eventIdentifier><eventIdentifierType>` +
		`a</eventIdentifierType></eventIdentifier>
		<eventOutcomeInformation><eventOutcomeDetail><eventOutcomeDetailNote/></eventOutcomeDetail>` +
		`</eventOutcomeInformation></event>`)
	f.Add(`<object xmlns="http://www.loc.gov/premis/v3"><objectCharacteristics><size>1</size><format>` +
		`<formatRegistry/></format>
		</objectCharacteristics><relationship><relatedObjectIdentifier/></relationship></object>`)
	f.Add(`<agent xmlns="http://www.loc.gov/premis/v3"><agentName authority="x">a</agentName></agent>`)
	f.Add(`<rights xmlns="http://www.loc.gov/premis/v3"><rightsStatement><rightsGranted><termOfGrant>` +
		`<startDate/></termOfGrant>
		</rightsGranted></rightsStatement></rights>`)
	f.Add(`<object xmlns="info:lc/xmlns/premis-v2"><relationship><relatedObjectIdentification/></relationship>
		<linkingIntellectualEntityIdentifier/></object>`)
	f.Fuzz(func(t *testing.T, doc string) {
		// Everything that was read and can be written must be read back unchanged, in either
		// dialect.
		readObject := func(r *xmlstream.Reader) (Object, error) { return ReadObject(r, nil) }
		for _, d := range []Dialect{V3, V22} {
			if e, err := readOne(doc, ReadEvent); err == nil {
				again(t, e, d.WriteEvent, ReadEvent)
			}
			if a, err := readOne(doc, ReadAgent); err == nil {
				a.Version = "" // a note in 2.2, and again when written once more
				again(t, a, d.WriteAgent, ReadAgent)
			}
			if r, err := readOne(doc, readRights); err == nil {
				again(t, r, d.WriteRights, readRights)
			}
			if o, err := readOne(doc, readObject); err == nil {
				again(t, o, d.WriteObject, readObject)
			}
		}
	})
}

func again[T any](t *testing.T, v T, rewrite func(*xmlstream.Writer, T) error,
	read func(*xmlstream.Reader) (T, error)) {
	t.Helper()
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{})
	if rewrite(x, v) != nil {
		return // the document lacked a part that PREMIS requires
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := readOne(out.String(), read)
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	var second strings.Builder
	x = xmlstream.NewWriter(&second, xmlstream.Options{})
	if err := rewrite(x, got); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil || second.String() != out.String() {
		t.Errorf("written again it is\n%s\nand was\n%s (%v)", second.String(), out.String(), err)
	}
}

func ExampleWriteAgent() {
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{Indent: true, Fragment: true})
	err := WriteAgent(x, Agent{
		Identifiers: []Identifier{{Type: "local", Value: "quire-1.0"}},
		Names:       []Term{Text("Quire")},
		Type:        AgentType("software"),
		Version:     "1.0",
	})
	if err != nil || x.Close() != nil {
		fmt.Println(err)
	}
	// Output:
	// <premis:agent xmlns:premis="http://www.loc.gov/premis/v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
	//   <premis:agentIdentifier>
	//     <premis:agentIdentifierType>local</premis:agentIdentifierType>
	//     <premis:agentIdentifierValue>quire-1.0</premis:agentIdentifierValue>
	//   </premis:agentIdentifier>
	//   <premis:agentName>Quire</premis:agentName>
	//   <premis:agentType authority="agentType" authorityURI="http://id.loc.gov/vocabulary/preservation/agentType">software</premis:agentType>
	//   <premis:agentVersion>1.0</premis:agentVersion>
	// </premis:agent>
}

// TestWriteObjectAllocatesNothing checks that writing one of a million objects leaves no garbage.
func TestWriteObjectAllocatesNothing(t *testing.T) {
	x := xmlstream.NewWriter(io.Discard, xmlstream.Options{})
	x.Start("objects")
	o := Object{
		Category: File, Identifiers: []Identifier{{"local", "crawl-1"}}, OriginalName: "crawl-1.warc.gz",
		Characteristics: []Characteristics{{
			Fixity: []Fixity{{Algorithm: HashFunction("SHA-512"), Digest: "c5b0"}}, Size: xmlstream.IntOf(1),
			Formats: []Format{{Name: Text("application/warc"), Version: "1.0"}},
		}},
		Events: []Link{{Identifier: Identifier{"local", "capture-1"}}},
	}
	per := testing.AllocsPerRun(200, func() {
		if err := WriteObject(x, o); err != nil {
			t.Fatal(err)
		}
	})
	if per != 0 {
		t.Errorf("%v allocations an object; want none", per)
	}
}
