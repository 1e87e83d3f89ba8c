package containermd

import (
	"reflect"
	"strings"
	"testing"

	"quire/metadata/xmlstream"
)

// TestCaptures writes and reads the sums of captures. An empty list says that there are none, an absent one says
// nothing.
func TestCaptures(t *testing.T) {
	list := func(name string) []Count {
		return []Count{{Value: name, Number: xmlstream.IntOf(2), GlobalSize: xmlstream.IntOf(7)}, {Value: "x"}}
	}
	for name, c := range map[string]Captures{
		"all": {Years: list("2008"), Languages: list("nl"), Hosts: list("h"), MIMETypes: list("text/html"),
			Statuses: list("200"),
			Types:    list("response"),
			Formats:  []CapturedFormat{{"fmt/96", "HTML & co", "5", 3, xmlstream.IntOf(9)}, {Name: "unidentified"}}},
		"empty":  {Years: []Count{}, Languages: []Count{}, Hosts: []Count{}, Formats: []CapturedFormat{}},
		"absent": {},
	} {
		doc, err := write(ContainerMD{Information: &Information{Captures: &c}}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(doc, ReadOptions{})
		if err != nil || !reflect.DeepEqual(got.Information.Captures, &c) {
			t.Errorf("%s: %+v, %v\n%s", name, got.Information.Captures, err, doc)
		}
	}
	doc, err := write(ContainerMD{Information: &Information{Captures: &Captures{Years: list("2008")}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{strings.Replace(doc, `number="2"`, `number="two"`, 1),
		strings.Replace(doc, "<qcs:year ", "<qcs:years>", 1)} {
		if _, err := read(wrong, ReadOptions{}); err == nil {
			t.Errorf("read %s", wrong)
		}
	}
}
