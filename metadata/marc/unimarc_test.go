package marc

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"quire/metadata/xmlstream"
)

// unimarc returns a record of UNIMARC.
func unimarc() Record {
	r := Record{Leader: UNIMARCWebsite, Controls: []Control{{"001", "site-1"}}}
	r.Add("200", '1', ' ', Subfield{'a', "Été 統計"})
	r.Add("856", '4', ' ', Subfield{'u', "http://example.be/"})
	return r
}

// TestUNIMARC: both forms of a record are read back, with the label of UNIMARC.
func TestUNIMARC(t *testing.T) {
	var iso bytes.Buffer
	if losses, err := WriteISO(&iso, unimarc()); err != nil || len(losses) > 0 {
		t.Fatal(losses, err)
	}
	if label := iso.String()[:24]; label[9] != ' ' || label[20:] != "450 " {
		t.Errorf("label %q", label)
	}
	doc, err := toXML(unimarc())
	if err != nil || !strings.Contains(doc, `format="UNIMARC"`) || strings.Contains(doc, Namespace) {
		t.Fatalf("%v\n%s", err, doc)
	}
	r := xmlstream.NewReader(strings.NewReader(doc), xmlstream.Limits{})
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	err = r.EachIn(ExchangeNamespace, func(xmlstream.Element) error {
		got, err := ReadXML(r)
		if err == nil && !reflect.DeepEqual(got, unimarc()) {
			t.Errorf("read %+v", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestUNIMARCTitleStays: the title is the last field that ISO 2709 omits.
func TestUNIMARCTitleStays(t *testing.T) {
	r := Record{Leader: UNIMARCWebsite}
	r.Add("200", '1', ' ', Subfield{'a', strings.Repeat("t", 9000)})
	for range 20 {
		r.Add("300", ' ', ' ', Subfield{'a', strings.Repeat("n", 8000)})
	}
	var iso bytes.Buffer
	losses, err := WriteISO(&iso, r)
	if err != nil || len(losses) == 0 {
		t.Fatal(losses, err)
	}
	for _, l := range losses {
		if l.Tag != "300" {
			t.Errorf("field %s was omitted", l.Tag)
		}
	}
}

// TestOneFormatInACollection: a collection has one namespace, so one format.
func TestOneFormatInACollection(t *testing.T) {
	if _, err := toXML(unimarc(), sample()); !errors.Is(err, ErrMixed) {
		t.Error(err)
	}
}
