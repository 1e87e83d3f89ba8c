package cdx

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

var full = Entry{Line: 2, At: 37, Key: "org,example)/a", URL: "http://example.org/A&<é>", Time: noon,
	Timestamp: "20240708120000", MIME: "text/html", Status: 200,
	Digest: "sha1:4DA2", Redirect: "/b", Length: 1161, Offset: 0, File: "x.warc.gz", IP: "192.0.2.1",
	RecordID: "<urn:uuid:1>"}

// TestThereAndBack checks that written entries are read back unchanged.
func TestThereAndBack(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, "N b a m s k r S V g e u x")
	if err != nil {
		t.Fatal(err)
	}
	classic := full
	classic.Extra = []Extra{{Name: "x", Value: "more"}}
	write(t, w, classic)
	if want := " CDX N b a m s k r S V g e u x\norg,example)/a 20240708120000 http://example.org/A&<é> text/html 200 " +
		"sha1:4DA2 /b 1161 0 x.warc.gz 192.0.2.1 <urn:uuid:1> more\n"; out.String() != want {
		t.Errorf("%s, want\n%s", &out, want)
	}
	same(t, out.String(), classic)
	for _, numbers := range []bool{false, true} {
		out.Reset()
		object := full
		object.Extra = []Extra{{"recordDigest", `"sha256:a"`, true}, {"n", `{"b":[1, 2]}`, true}}
		write(t, NewJSONWriter(&out, numbers), object)
		if got := strings.Contains(out.String(), `"status": 200`); got != numbers {
			t.Errorf("numbers as numbers is %v: %s", numbers, &out)
		}
		same(t, out.String(), object)
	}
	// Missing values stay missing in both forms.
	out.Reset()
	write(t, NewJSONWriter(&out, true), Entry{Key: "k", Time: noon, Length: -1, Offset: -1})
	if out.String() != "k 20240708120000 {}\n" {
		t.Errorf("%q", out.String())
	}
}

func write(t *testing.T, w *Writer, e Entry) {
	t.Helper()
	if err := errors.Join(w.Write(e), w.Close()); err != nil {
		t.Fatal(err)
	}
}

func same(t *testing.T, index string, want Entry) {
	t.Helper()
	all, faults, _ := read(t, index, "")
	if len(all) != 1 || len(faults) > 0 {
		t.Fatalf("%d entries, %v", len(all), faults)
	}
	want.Line, want.At = all[0].Line, all[0].At
	if !reflect.DeepEqual(all[0], want) {
		t.Errorf("%+v, want\n%+v", all[0], want)
	}
}

// TestWhatCannotBeWritten checks that an entry that a form cannot hold is refused, and nothing is
// written.
func TestWhatCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct {
		classic bool
		change  func(*Entry)
	}{
		"a space in a column":      {true, func(e *Entry) { e.URL = "http://e.org/a b" }},
		"a line break in a key":    {false, func(e *Entry) { e.Key = "a\nb" }},
		"no key":                   {false, func(e *Entry) { e.Key = "" }},
		"JSON with bytes":          {false, func(e *Entry) { e.URL = "http://e.org/\xff" }},
		"a member that is no JSON": {false, func(e *Entry) { e.Extra = []Extra{{"x", "{", true}} }},
	} {
		var out bytes.Buffer
		w := NewJSONWriter(&out, false)
		if c.classic {
			w, _ = NewWriter(&out, Legend11) // a legend of ours
		}
		e := full
		c.change(&e)
		if err := w.Write(e); err == nil {
			t.Errorf("%s is written", name)
		}
		before := out.Len()
		if err := w.Close(); err != nil || strings.Contains(out.String()[before:], "example") {
			t.Errorf("%s: %v, %s", name, err, &out)
		}
	}
	if _, err := NewWriter(&bytes.Buffer{}, "url date"); err == nil {
		t.Error("a legend of words is taken")
	}
}
