package captures

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzDecode: every line is decoded exactly as by encoding/json.
func FuzzDecode(f *testing.F) {
	o := original{In: 3, Order: 4, Status: 200, MIME: "text/html", URL: "http://ö.example/", Size: 7,
		place: place{Offset: 1, Length: -1, SHA256: "ab", Viral: true}}
	for _, w := range []written{
		{In: 1, Order: 2, Type: "response", Status: 200, MIME: "text/html", URL: "http://a.example/?x=<&>",
			Digest: "sha1:A", Size: 5, place: place{Length: 3}},
		{In: 1, Type: "revisit", URL: "http://a.example/\"\u2028", Method: "POST", Redirect: "http://b.example/",
			Truncated: true, Refers: "k 2020", Original: &o},
		{In: 999999999999999999, Order: 1000000000000000000, Type: "resource", URLBytes: []byte{0xff}},
	} {
		line, err := lineOf("k 20200102030405", w)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line[len("k 20200102030405 "):])
	}
	line, err := lineOf("k", o)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line[2:])
	f.Add([]byte(`{"in":01,"order":2,"type":"a","status":3,"url":"\xff","size":-0,"offset":1,"length":1,"inflated":1,` +
		`"head":1,"body":1}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		var w, wantW written
		err, wantErr := w.unmarshal(object), json.Unmarshal(object, &wantW)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(w, wantW) {
			t.Errorf("%q\n%+v %v\n%+v %v", object, w, err, wantW, wantErr)
		}
		var o, wantO original
		err, wantErr = o.unmarshal(object), json.Unmarshal(object, &wantO)
		if (err == nil) != (wantErr == nil) || err == nil && !reflect.DeepEqual(o, wantO) {
			t.Errorf("%q\n%+v %v\n%+v %v", object, o, err, wantO, wantErr)
		}
	})
}

// TestDecodeByHand: lines in our form use the fast decoder.
func TestDecodeByHand(t *testing.T) {
	l := Line{Capture: Capture{URL: "http://a.example/ö", Timestamp: "20200102030405", Type: "revisit", Status: 301,
		MIME: "a/b", Location: "http://b.example/",
		Digest: helloSHA1, Truncated: true, TruncatedBy: "length", ID: "<x>", Coding: "gzip", Chunked: true,
		Flaw: "empty", Size: 7}, RefersToURI: url, RefersToDate: "20190102030405"}
	capture, payloads, err := encodeLine(7, &l)
	if err != nil {
		t.Fatal(err)
	}
	_, _, object, _ := cutLine(capture)
	s := scanner{rest: object}
	if s.written(&written{}); !s.ended() {
		t.Errorf("%s stops before %s", object, s.rest)
	}
	_, _, object, _ = cutLine(payloads[0][len(ofRevisits+helloSHA1)+1:])
	s = scanner{rest: object}
	if s.original(&original{}); !s.ended() {
		t.Errorf("%s stops before %s", object, s.rest)
	}
}

// TestKeyWithoutPassword: a URL with a password in another URL is found by its own spelling, and by
// the one that readers see.
func TestKeyWithoutPassword(t *testing.T) {
	const url, shown = "http://a.test/?u=ftp://me:secret@h.test/&b=1", "http://a.test/?u=ftp://h.test/&b=1"
	want := keyOf(shown, nil)
	l := &Line{Capture: Capture{Key: "test,a)/?b=1&u=ftp://me:secret@h.test/", URL: url}}
	if got := keyOfLine(l); got != want || keyOf(url, nil) != want || strings.Contains(want, "secret") {
		t.Errorf("%q, %q, want %q", got, keyOf(url, nil), want)
	}
	l = &Line{Capture: Capture{Key: "test,a)/?body", URL: "http://a.test/"}}
	if got := keyOfLine(l); got != l.Key {
		t.Errorf("%q: the key of the package is not kept", got)
	}
}
