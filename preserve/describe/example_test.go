package describe

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"testing"

	"quire/metadata/oclc"
)

func exampleSheet(t *testing.T) *Sheet {
	t.Helper()
	f, err := os.Open("../../examples/describe/mapping.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := ReadMapping(f)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenSheet("../../examples/describe/websites.csv", SheetOptions{Mapping: m})
	if err != nil || s.Total > 0 {
		t.Fatal(err, s)
	}
	return s
}

// The sheet in four languages, with several values and empty cells, is restored unchanged from all
// four forms.
func TestExampleSheet(t *testing.T) {
	s := exampleSheet(t)
	if len(s.Rows) != 4 {
		t.Fatalf("%d rows", len(s.Rows))
	}
	bureau := s.Rows[1].Record
	for e, want := range map[oclc.Element]int{oclc.Title: 4, oclc.Description: 2, oclc.Creator: 2, oclc.Extent: 2,
		oclc.Subject: 5, oclc.Language: 4, oclc.URL: 2, oclc.Rights: 0} {
		if got := bureau.Values(e); len(got) != want {
			t.Errorf("%s has values %q, want %d", e, got, want)
		}
	}
	if v := bureau.Values(oclc.Subject); v[2] != "C# en F#" {
		t.Errorf("%q: # without blanks is part of the value", v)
	}
	for _, d := range s.Rows {
		for _, f := range oclc.Formats {
			var doc bytes.Buffer
			if err := oclc.Write(&doc, f, d.Record); err != nil {
				t.Fatal(err)
			}
			if got, err := oclc.Read(&doc, f); err != nil || !reflect.DeepEqual(got, d.Record) {
				t.Errorf("%s as %s: %q, %v", d.ID, f, got, err)
			}
		}
	}
}

func ExampleOpenSheet() {
	sheet, err := OpenSheet("../../examples/describe/websites.csv",
		SheetOptions{Mapping: &Mapping{Columns: map[string]Column{
			"niveau / level": {Element: "level"},
		}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sheet.Problems[0])
	// Output:
	// row 1, column Titel (NL): the column is unknown: rename it to an element, or add it to the mapping
}
