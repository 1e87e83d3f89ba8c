package mets_test

import (
	"bytes"
	"strings"
	"testing"

	"quire/metadata/mets"
)

// TestFormsWriteTheSame: a form writes what the usual calls write, where METS allows the element.
func TestFormsWriteTheSame(t *testing.T) {
	div := func(w *mets.Writer, label string) {
		w.StartDiv(mets.Div{Type: "page", Label: label})
		w.Fptr(mets.Fptr{FileID: "F"})
		w.EndDiv()
	}
	var texts []string
	for _, useForm := range []bool{false, true} {
		var out bytes.Buffer
		w := mets.NewWriter(&out, mets.Options{Compact: true})
		w.Start(mets.Root{ObjID: "x"})
		w.StartStructMap(mets.StructMap{})
		w.StartDiv(mets.Div{Type: "all"})
		form := w.NewForm([]string{"a-hole"}, func(w *mets.Writer) { div(w, "a-hole") })
		for _, label := range []string{"a & b", "c"} {
			if !useForm {
				div(w, label)
			} else if !w.Fill(form, []byte(label)) {
				t.Fatal("not filled")
			}
		}
		w.EndDiv()
		if w.Fill(form, []byte("x")) {
			t.Error("a second div in the structMap")
		}
		w.EndStructMap()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, out.String())
	}
	if texts[0] != texts[1] || !strings.Contains(texts[0], `LABEL="a &amp; b"`) {
		t.Errorf("%s\nwant\n%s", texts[1], texts[0])
	}
}

// TestFormsKeepTheOrder: a form is no way around the order of METS.
func TestFormsKeepTheOrder(t *testing.T) {
	w := mets.NewWriter(&bytes.Buffer{}, mets.Options{Compact: true})
	w.Start(mets.Root{ObjID: "x"})
	w.StartStructMap(mets.StructMap{})
	w.StartDiv(mets.Div{})
	form := w.NewForm([]string{"a-hole"}, func(w *mets.Writer) { w.Fptr(mets.Fptr{FileID: "a-hole"}) })
	if !w.Fill(form, []byte("F")) {
		t.Error("not filled")
	}
	w.StartDiv(mets.Div{})
	w.EndDiv()
	if w.Fill(form, []byte("F")) {
		t.Error("a pointer behind a div")
	}
	wrong := w.NewForm([]string{"a-hole"}, func(w *mets.Writer) { w.Fptr(mets.Fptr{FileID: "not a name"}) })
	if wrong != nil || w.Err() != nil {
		t.Errorf("a form of a wrong element, %v", w.Err())
	}
}
