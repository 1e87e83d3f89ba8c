package marc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
)

func sample() Record {
	r := Record{Leader: Website, Controls: []Control{{"001", "site-1"},
		{"008", "151122c20159999be |||||o||||||||||mul||"}}}
	r.Add("245", '0', '0', Subfield{'a', "Statistiques — 統計"})
	r.Add("520", ' ', ' ', Subfield{'a', "One."}, Subfield{'b', "Two."})
	r.Add("856", '4', '0', Subfield{'u', "http://example.be/100%"}, Subfield{'3', "seed"})
	return r
}

func toXML(r ...Record) (string, error) {
	var out strings.Builder
	x := xmlstream.NewWriter(&out, xmlstream.Options{Indent: true})
	if err := WriteCollection(x, r); err != nil {
		return "", err
	}
	err := x.Close()
	return out.String(), err
}

func fromXML(doc string) ([]Record, error) {
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{Token: 1 << 20, Entity: 4 << 20})
	e, err := r.Root()
	if err != nil {
		return nil, err
	}
	if e.Is(Namespace, "record") {
		rec, err := ReadXML(r)
		return []Record{rec}, err
	}
	var out []Record
	err = r.EachIn(Namespace, func(xmlstream.Element) error {
		rec, err := ReadXML(r)
		out = append(out, rec)
		return err
	})
	return out, err
}

func TestXMLRoundTrip(t *testing.T) {
	hostile := sample()
	hostile.Add("500", ' ', ' ', Subfield{'a', "caf\xe9\x00\x1d\x1e\x1f]]>\r\n"}, Subfield{'a', " "})
	hostile.Add("520", ' ', ' ', Subfield{'a', strings.Repeat("long ", 100000)})
	doc, err := toXML(sample(), hostile)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fromXML(doc)
	if err != nil || !reflect.DeepEqual(got, []Record{sample(), hostile}) {
		t.Errorf("read %.500q, %v", got, err)
	}
	schematest.Valid(t, testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"), []byte(doc))
}

func TestReadSample(t *testing.T) {
	doc, err := os.ReadFile(testsamples.Path(t, "schemas", "samples", "marcxml.xml"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := fromXML(string(doc))
	if err != nil || len(got) == 0 || len(got[0].Values("245", 'a')) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

func TestISO(t *testing.T) {
	var out bytes.Buffer
	for range 2 {
		if losses, err := WriteISO(&out, sample()); err != nil || len(losses) > 0 {
			t.Fatal(losses, err)
		}
	}
	if got := out.String(); got[:5] != fmt.Sprintf("%05d", len(got)/2) || got[9] != 'a' || got[len(got)-1] != 0x1d {
		t.Errorf("%q", got)
	}
	for range 2 {
		if got, err := ReadISO(&out); err != nil || !reflect.DeepEqual(got, sample()) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := ReadISO(&out); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestISOLimits checks that a field that exceeds the directory's limits is omitted whole, and
// reported.
func TestISOLimits(t *testing.T) {
	note := func(n int) Field { // a field of n bytes
		return Field{"520", ' ', ' ', []Subfield{{'a', strings.Repeat("x", n-5)}}}
	}
	for _, c := range []struct {
		name   string
		fields []Field
		kept   int
		why    string
	}{
		{"a field that just fits", []Field{note(9999)}, 1, ""},
		{"a field that does not", []Field{note(10000), note(100)}, 1, "the field has 10000 bytes"},
		{"one of a megabyte", []Field{note(1 << 20)}, 0, "the field has 1048576 bytes"},
		{"a record that just fits", append(repeat(note(9987), 9), note(99999-9*9999-26-12)), 10, ""},
		{"a record that does not", append(repeat(note(9987), 9), note(99999-9*9999-26-11)), 9,
			"the record has 100000 bytes"},
		{"many fields", repeat(note(1000), 200), 98, "the record has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			losses, err := WriteISO(&out, Record{Leader: Website, Fields: c.fields})
			if err != nil {
				t.Fatal(err)
			}
			if len(losses) != len(c.fields)-c.kept || len(losses) > 0 && !strings.Contains(losses[0].Why, c.why) {
				t.Errorf("%d losses, want %d", len(losses), len(c.fields)-c.kept)
			}
			if r, err := ReadISO(&out); err != nil || len(r.Fields) != c.kept {
				t.Errorf("%d fields kept, want %d: %v", len(r.Fields), c.kept, err)
			}
		})
	}
}

func repeat(f Field, n int) []Field {
	var out []Field
	for range n {
		out = append(out, f)
	}
	return out
}

func TestISOTellsWhatItChanges(t *testing.T) {
	r := sample()
	r.Add("500", ' ', ' ', Subfield{'a', "a\x1eb\xe9c\nd"})
	var out bytes.Buffer
	losses, err := WriteISO(&out, r)
	if err != nil || len(losses) != 1 || losses[0].Value != "a\x1eb\xe9c\nd" {
		t.Fatal(losses, err)
	}
	got, err := ReadISO(&out)
	if v := got.Values("500", 'a'); err != nil || len(v) != 1 || v[0] != "a b�c d" {
		t.Errorf("%q, %v", v, err)
	}
}

func TestRefuses(t *testing.T) {
	ok := []Subfield{{'a', "x"}}
	for _, c := range []struct {
		name string
		r    Record
		want string
	}{
		{"no leader", Record{}, "not a leader"},
		{"a leader of 23 characters", Record{Leader: Website[1:]}, "not a leader"},
		{"a control field 010", Record{Leader: Website, Controls: []Control{{"010", ""}}}, "not a control field"},
		{"a data field 001", Record{Leader: Website, Fields: []Field{{"001", ' ', ' ', ok}}}, "not a data field"},
		{"a long tag", Record{Leader: Website, Fields: []Field{{"2450", ' ', ' ', ok}}}, "not a data field"},
		{"no indicator", Record{Leader: Website, Fields: []Field{{"245", 0, ' ', ok}}}, "not an indicator"},
		{"no subfield", Record{Leader: Website, Fields: []Field{{"245", '0', '0', nil}}}, "no subfield"},
		{"a code that is a delimiter",
			Record{Leader: Website, Fields: []Field{{"245", '0', '0', []Subfield{{0x1f, ""}}}}}, "not a subfield code"},
	} {
		if _, err := WriteISO(io.Discard, c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if _, err := toXML(c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in XML: %v", c.name, err)
		}
	}
}

func TestReadISORefuses(t *testing.T) {
	var out bytes.Buffer
	if _, err := WriteISO(&out, sample()); err != nil {
		t.Fatal(err)
	}
	good := out.String()
	for _, c := range []struct{ name, doc, want string }{
		{"half a leader", good[:12], "breaks off"},
		{"half a record", good[:len(good)-5], "breaks off"},
		{"a length that is none", "+0099" + good[5:], "no length"},
		{"a length that is too short", "00025" + good[5:], "no length"},
		{"a wrong end", good[:len(good)-1] + "x", "does not end"},
		{"a directory outside", good[:12] + "99999" + good[17:], "directory"},
		{"a field outside", good[:27] + "9999" + good[31:], "does not lie"},
		{"MARC-8", good[:9] + " " + good[10:], "MARC-8"},
	} {
		if r, err := ReadISO(strings.NewReader(c.doc)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v", c.name, r, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	var out bytes.Buffer
	if _, err := WriteISO(&out, sample()); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	doc, err := toXML(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(doc))
	f.Fuzz(func(t *testing.T, doc []byte) {
		if r, err := ReadISO(bytes.NewReader(doc)); err == nil {
			var out bytes.Buffer
			losses, err := WriteISO(&out, r)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := ReadISO(&out); err != nil || len(losses) == 0 &&
				!reflect.DeepEqual(again.Fields, r.Fields) {
				t.Errorf("read %q, %v; want %q", again, err, r)
			}
		}
		if list, err := fromXML(string(doc)); err == nil && len(list) > 0 {
			written, err := toXML(list...)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := fromXML(written); err != nil || !reflect.DeepEqual(again, list) {
				t.Errorf("read %q, %v; want %q", again, err, list)
			}
		}
	})
}

func ExampleWriteXML() {
	r := Record{Leader: Website}
	r.Add("245", '0', '0', Subfield{'a', "Hello World"})
	x := xmlstream.NewWriter(os.Stdout, xmlstream.Options{Indent: true, Fragment: true})
	if err := WriteXML(x, r); err != nil || x.Close() != nil {
		fmt.Println(err)
	}
	// Output:
	// <marc:record xmlns:marc="http://www.loc.gov/MARC21/slim">
	//   <marc:leader>     nai a22     uu 4500</marc:leader>
	//   <marc:datafield tag="245" ind1="0" ind2="0">
	//     <marc:subfield code="a">Hello World</marc:subfield>
	//   </marc:datafield>
	// </marc:record>
}
