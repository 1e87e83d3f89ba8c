package xmlstream

import (
	"bytes"
	"strings"
	"testing"
)

// element writes an element with two values; the second occurs twice.
func element(w *Writer, id, text string) {
	w.Start("a:e")
	w.Attr("id", id)
	w.Attr("a:text", text)
	w.Element("a:t", text)
	w.Start("a:none")
	w.End("a:none")
	w.End("a:e")
}

var holes = []string{"hole-1", "hole-2"}

// TestFormsWriteTheSame: a form writes the bytes that the usual calls write, for all values that XML
// can carry; others are left to the usual calls.
func TestFormsWriteTheSame(t *testing.T) {
	for _, text := range []string{"", "x", `a"b<c>&d` + "\r\n\t'", "hole-1", "ü\u00a0\U0001f600", "\x00", "\xff",
		"\ufffe", strings.Repeat("long & ", 20_000)} {
		var want, got bytes.Buffer
		filled := true
		for out, write := range map[*bytes.Buffer]func(w *Writer){
			&want: func(w *Writer) { element(w, "i", text) },
			&got: func(w *Writer) {
				f := w.NewForm(holes, func(w *Writer) error { element(w, holes[0], holes[1]); return nil })
				if f == nil {
					t.Fatal("no form")
				}
				if filled = w.Fill(f, []byte("i"), []byte(text)); !filled {
					element(w, "i", text)
				}
			},
		} {
			w := NewWriter(out, Options{})
			w.Declare("a", "urn:a")
			w.Start("a:root")
			w.Attr("open", "still")
			write(w)
			write(w)
			w.End("a:root")
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if want.String() != got.String() {
			t.Errorf("%.40q: %.300q, want %.300q", text, got.String(), want.String())
		}
		if _, intact := AppendText(nil, text); filled != (intact && text != "") {
			t.Errorf("%.40q: filled %v, want %v", text, filled, !filled)
		}
	}
}

// TestFormsOfOtherPlaces: a form is not used where it would not mean the same.
func TestFormsOfOtherPlaces(t *testing.T) {
	begin := func(o Options) *Writer {
		w := NewWriter(&bytes.Buffer{}, o)
		w.Declare("a", "urn:a")
		w.Start("a:root")
		return w
	}
	newForm := func(w *Writer) *Form {
		return w.NewForm(holes, func(w *Writer) error { element(w, holes[0], holes[1]); return nil })
	}
	w, values := begin(Options{}), [][]byte{[]byte("x"), []byte("y")}
	f := newForm(w)
	if newForm(begin(Options{Indent: true})) != nil {
		t.Error("an indented document has a form")
	}
	if begin(Options{}).Fill(f, values...) || w.Fill(nil, values...) {
		t.Error("a form is used in another document")
	}
	if w.NewForm(holes, func(w *Writer) error { w.Start("b:e"); w.End("b:e"); return nil }) != nil ||
		w.NewForm(holes, func(w *Writer) error { w.Start("a:e"); return nil }) != nil ||
		w.NewForm(holes, func(w *Writer) error { w.Start("a:e"); w.Text("x"); return nil }) != nil || w.Err() != nil {
		t.Errorf("a form of a wrong element, %v", w.Err())
	}
	w.Declare("a", "urn:other")
	if w.Fill(f, values...) {
		t.Error("a form is used while a prefix waits")
	}
	w.Start("a:inner")
	if w.Fill(f, values...) {
		t.Error("a form is used where a prefix has another meaning")
	}
	w.End("a:inner")
	if !w.Fill(f, values...) {
		t.Error("a form is not used")
	}
	w.End("a:root")
	if w.Fill(f, values...) {
		t.Error("a form is used behind the root")
	}
}

// TestURIsInBytes: bytes and strings are judged alike, and usual URIs as all others.
func TestURIsInBytes(t *testing.T) {
	for _, s := range []string{"", "h", "http", "https", "http:", "http://", "http://a", "https://a:1/x", "http://a:",
		"http://a:123456/", "http://a:12x/", "http://a/#", "http://a#b#c", "http://a/ ", "http://a/[", "http://a?b",
		"https:/a", "http://a_b/", "http://a/%", "httpx://a/", "http://-./~!$&'()*+,;=:@"} {
		if isUsualURI(s) != isUsualURI([]byte(s)) || IsURI(s) != IsURI([]byte(s)) {
			t.Errorf("%q: bytes differ", s)
		}
		if isUsualURI(s) && !isAnyURI(s) {
			t.Errorf("%q is usual, but no URI", s)
		}
	}
}
