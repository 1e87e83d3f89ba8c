package premis

import (
	"bytes"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
)

// old returns one of each entity with everything that 2.2 can hold.
func old() (Object, Event, Agent, Rights) {
	id := func(s string) Identifier { return Identifier{"local", s} }
	span := Dates{"2015", "OPEN"}
	object := Object{
		Category: File, XMLID: "o", Identifiers: []Identifier{id("o"), id("p")},
		PreservationLevels: []PreservationLevel{{Value: Text("bits"), Role: Text("intention"),
			Rationales: []string{"small"}, DateAssigned: "2015-07"}},
		SignificantProperties: []Property{{Type: Text("look"), Value: "blue"}},
		Characteristics: []Characteristics{{
			CompositionLevel: xmlstream.IntOf(1), Fixity: []Fixity{{HashFunction("SHA-512"), "c5b0", Text("Quire")}},
			Size: xmlstream.IntOf(7),
			Formats: []Format{{Name: Text("WARC"), Version: "1.1",
				Registry: Registry{Text("PRONOM"), Text("fmt/1281"), Text("specification")}, Notes: []string{"n"}},
				{Registry: Registry{Name: Text("PRONOM"), Key: Text("x-fmt/266")}}},
			Applications: []Application{{Text("Boat"), "2", "2015-07-08T21:55:13.25Z"}},
			Inhibitors:   []Inhibitor{{Text("password"), []Term{Text("all")}, "k"}},
		}},
		OriginalName: "a.warc.gz", Storage: []Storage{{id("disk"), Text("disk")}},
		Relationships: []Relationship{{RelationshipType("structural"), RelationshipSubType("is included in"),
			[]RelatedObject{{id("p"), xmlstream.IntOf(1), "o"}}, []RelatedEvent{{id("e"), xmlstream.IntOf(2), ""}}}},
		Events: []Link{{Identifier: id("e")}}, Entities: []Identifier{id("website")},
		Rights: []Link{{Identifier: id("r")}},
	}
	event := Event{
		XMLID: "e", Identifier: id("e"), Type: EventType("capture"),
		DateTime: "2015-07-08T21:55:13Z/2015-07-09T00:00:00Z", Details: []string{"a harvest"},
		Outcomes: []Outcome{{Outcome: EventOutcome("success"), Notes: []string{"one", "two"}},
			{Notes: []string{"three"}}},
		Agents:  []Link{{Identifier: id("a"), Roles: []Term{AgentRole("implementer")}}},
		Objects: []Link{{Identifier: id("o"), Roles: []Term{ObjectRole("source")}}},
	}
	agent := Agent{XMLID: "a", Identifiers: []Identifier{id("a")}, Names: []Term{Text("Quire")},
		Type: AgentType("software"), Notes: []string{"n"},
		Events: []Link{{Identifier: id("e")}}, Rights: []Link{{Identifier: id("r")}}}
	document := []Document{{id("d"), Text("deed")}}
	rights := Rights{XMLID: "r", Statements: []Statement{
		{Identifier: id("r1"), Basis: RightsBasis("copyright"),
			Copyright: &Copyright{Text("copyrighted"), Text("be"), "2015-07-08", []string{"n"}, document, span}},
		{Identifier: id("r2"), Basis: RightsBasis("license"),
			License: &License{document, "terms", []string{"n"}, span}},
		{Identifier: id("r3"), Basis: RightsBasis("statute"),
			Statutes: []Statute{{Text("be"), Text("law"), "20150708", []string{"n"}, document, span}}},
		{Identifier: id("r4"), Basis: RightsBasis("other"),
			Other: &OtherRights{document, Text("policy"), span, []string{"n"}},
			Granted: []Grant{{Text("disseminate"), []Term{Text("onsite")}, span, Dates{Start: "2015-07-08"},
				[]string{"n"}}},
			Objects: []Link{{Identifier: id("o")}}, Agents: []Link{{Identifier: id("a")}}},
	}}
	return object, event, agent, rights
}

// bareTerms removes the authorities of terms, as 2.2 does.
func bareTerms(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			bareTerms(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			bareTerms(v.Index(i))
		}
	case reflect.Struct:
		if t, ok := v.Addr().Interface().(*Term); ok {
			*t = Text(t.Text)
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				bareTerms(v.Field(i))
			}
		}
	}
}

func in22[T any](t *testing.T, v T, entity func(*xmlstream.Writer, T) error, read func(*xmlstream.Reader) (T, error)) {
	t.Helper()
	doc := write(t, func(x *xmlstream.Writer) error { return entity(x, v) })
	if strings.Contains(doc, Namespace) || strings.Contains(doc, "authority") ||
		!strings.Contains(doc, ` version="2.2"`) {
		t.Errorf("not PREMIS 2.2: %s", doc)
	}
	got, err := readOne(doc, read)
	bareTerms(reflect.ValueOf(&v))
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("read %+v, %v\nwant %+v", got, err, v)
	}
	t.Run("schema", func(t *testing.T) {
		schematest.Valid(t, testsamples.Path(t, "schemas", "premis", "premis-v2-2.xsd"), []byte(doc))
	})
}

func TestDialect22(t *testing.T) {
	o, e, a, r := old()
	t.Run("object", func(t *testing.T) {
		in22(t, o, V22.WriteObject, func(x *xmlstream.Reader) (Object, error) { return ReadObject(x, nil) })
	})
	t.Run("event", func(t *testing.T) { in22(t, e, V22.WriteEvent, ReadEvent) })
	t.Run("agent", func(t *testing.T) { in22(t, a, V22.WriteAgent, ReadAgent) })
	t.Run("rights", func(t *testing.T) { in22(t, r, V22.WriteRights, readRights) })
}

// TestSaidOtherwiseIn22 checks that data with another form in 2.2 is not lost.
func TestSaidOtherwiseIn22(t *testing.T) {
	doc := write(t, func(x *xmlstream.Writer) error {
		return V22.WriteAgent(x, Agent{Identifiers: []Identifier{{"local", "a"}}, Names: []Term{Text("Quire")},
			Version: "1.0", Notes: []string{"n"}})
	})
	a, err := readOne(doc, ReadAgent)
	if err != nil || !reflect.DeepEqual(a.Notes, []string{"version: 1.0", "n"}) {
		t.Errorf("%+v, %v", a, err)
	}
	doc = write(t, func(x *xmlstream.Writer) error {
		return V22.WriteEvent(x, Event{Identifier: Identifier{"local", "e"}, Type: Text("x"), DateTime: "2026",
			Details: []string{"one", "two"}})
	})
	e, err := readOne(doc, ReadEvent)
	if err != nil || !reflect.DeepEqual(e.Details, []string{"one\ntwo"}) {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestDate22(t *testing.T) {
	for in, want := range map[string]string{
		"2015":                          "2015",
		"2015-07":                       "2015-07",
		"2015-07-08":                    "2015-07-08",
		"2015-07-08Z":                   "2015-07-08Z",
		"2015-07-08T21:55:13Z":          "2015-07-08T21:55:13Z",
		"2015-07-08T21:55:13.123+02:00": "2015-07-08T21:55:13.123+02:00",
		"2015-07-08T21:55:13":           "2015-07-08T21:55:13",
		"20150708T215513":               "20150708T215513",
		"19??":                          "19??",
		"2015-07/OPEN":                  "2015-07/OPEN",
		"OPEN":                          "OPEN",
		"2015-07-08T21:55:13Z/2015-07-09T00:00:00Z":        "2015-07-08T21:55:13Z/2015-07-09T00:00:00Z",
		"2015-07-08T21:55:13.9Z/2015-12-31T23:59:59.0001Z": "2015-07-08T21:55:13Z/2016-01-01T00:00:00Z",
		"2015-07-08T21:55:13.9Z/2015-07-08T21:55:14Z":      "2015-07-08T21:55:13Z/2015-07-08T21:55:14Z",
		"8 July":                           "",
		"2015-07-08/2015-07-09":            "",
		"2015-13-01":                       "",
		"2015-07-08T21:55:13.9Z/tomorrow":  "",
		"yesterday/2015-07-08T21:55:13.9Z": "",
	} {
		if got, ok := date22(in); got != want || ok != (want != "") {
			t.Errorf("date22(%q) = %q, %v; want %q", in, got, ok, want)
		}
	}
}

func TestRefusedIn22(t *testing.T) {
	id := []Identifier{{"local", "1"}}
	level := []Characteristics{{CompositionLevel: xmlstream.IntOf(0), Formats: []Format{{Name: Text("x")}}}}
	object := func(d Dialect, o Object) func(*xmlstream.Writer) error {
		o.Identifiers = id
		return func(x *xmlstream.Writer) error { return d.WriteObject(x, o) }
	}
	for _, c := range []struct {
		name  string
		write func(*xmlstream.Writer) error
		want  string
	}{
		{"an intellectual entity", object(V22, Object{Category: IntellectualEntity}), "no intellectualEntity"},
		{"a level of no composition", object(V22,
			Object{Category: File, Characteristics: []Characteristics{{Formats: level[0].Formats}}}),
			"needs a compositionLevel"},
		{"a stored representation", object(V22,
			Object{Category: Representation, Storage: []Storage{{Medium: Text("x")}}}), "cannot have storage"},
		{"a type of level", object(V22, Object{Category: File, Characteristics: level,
			PreservationLevels: []PreservationLevel{{Type: Text("x"), Value: Text("y")}}}), "no preservationLevelType"},
		{"an environment", object(V22, Object{Category: File, Characteristics: level, Environment: &Environment{}}),
			"only an intellectualEntity"},
		{"a date of no form", func(x *xmlstream.Writer) error {
			return V22.WriteEvent(x, Event{Identifier: id[0], Type: Text("x"), DateTime: "long ago"})
		}, "not a PREMIS 2.2 date"},
		{"an entity linked in 3.0", object(V3, Object{Category: Representation, Entities: id}),
			"PREMIS 3 has no linkingIntellectualEntityIdentifier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.write(xmlstream.NewWriter(io.Discard, xmlstream.Options{}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v; want one with %q", err, c.want)
			}
		})
	}
}

// TestReadLicenseIdentifier checks PREMIS 2.1's single element for a license document, which 2.2
// still allows.
func TestReadLicenseIdentifier(t *testing.T) {
	r, err := readOne(`<rights xmlns="info:lc/xmlns/premis-v2"><rightsStatement><licenseInformation><licenseIdentifier>
		<licenseIdentifierType>URL</licenseIdentifierType><licenseIdentifierValue>x:</licenseIdentifierValue>`+
		`</licenseIdentifier>
		</licenseInformation></rightsStatement></rights>`, readRights)
	if err != nil || !reflect.DeepEqual(r.Statements[0].License.Documents,
		[]Document{{Identifier: Identifier{"URL", "x:"}}}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestReadSampleOfVersion2 reads a sample by another author, in PREMIS 2.3.
func TestReadSampleOfVersion2(t *testing.T) {
	doc, err := os.ReadFile(testsamples.Path(t, "schemas", "samples", "premis-v2.xml"))
	if err != nil {
		t.Fatal(err)
	}
	r := xmlstream.NewReader(bytes.NewReader(doc), xmlstream.Limits{})
	r.OnUnknown = func(path string) { t.Logf("no place for %s", path) }
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	read := map[string]int{}
	err = r.EachIn(Namespace2, func(e xmlstream.Element) (err error) {
		read[e.Local]++
		switch {
		case IsEntity(e, "object"):
			var o Object
			if o, err = ReadObject(r, nil); err == nil && (len(o.Identifiers) == 0 || o.Category == "") {
				t.Errorf("%+v", o)
			}
		case IsEntity(e, "event"):
			var v Event
			if v, err = ReadEvent(r); err == nil && (v.Type.Text == "" || v.DateTime == "") {
				t.Errorf("%+v", v)
			}
		case IsEntity(e, "agent"):
			_, err = ReadAgent(r)
		default:
			err = r.Unknown()
		}
		return err
	})
	if err != nil || read["object"] == 0 || read["event"] == 0 {
		t.Errorf("%v, %v", read, err)
	}
}

func readRights(r *xmlstream.Reader) (Rights, error) { return ReadRights(r, nil) }
