package warcmeta

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"quire/metadata/oclc"
	"quire/preserve/describe"
	"quire/source/records"
)

// For any container, reading its descriptions ends. One without a problem has the content of its
// document.
func FuzzListed(f *testing.F) {
	for _, form := range Forms() {
		w := written{Refers: "<urn:x:0>", Of: "http://a/é%", Row: "a", Level: describe.Site, Form: form}
		var document bytes.Buffer
		d := describe.Description{ID: "a", Level: describe.Site,
			Record: oclc.Record{{Element: oclc.Title, Value: "caf\xe9"}}}
		if _, err := writeForm(&document, form, d, noon, "Quire"); err != nil {
			f.Fatal(err)
		}
		w.identify()
		head := "WARC/1.1\r\n"
		for _, field := range w.fields("http://a/", "<urn:x:info>", noon) {
			head += field.Name + ": " + field.Value + "\r\n"
		}
		f.Add([]byte(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s\r\n\r\n", head, document.Len(), document.Bytes())))
	}
	f.Add([]byte(metadata("application/json", `{"Title": "t", "URL": "http://a/", "Date": [1, {"fr": "x"}]}`)))
	f.Fuzz(func(t *testing.T, container []byte) {
		_, err := eachRecord(context.Background(), bytes.NewReader(container), nil, nil,
			func(_ *records.Reader, r *records.Record) error {
				if isOwn(r) {
					all, err := own(r, nil)
					for _, l := range all {
						if err := l.Record.Check(); err != nil {
							t.Error(err)
						}
					}
					return err
				}
				if !isDescription(r) {
					return nil
				}
				l, err := listed(r)
				if err != nil || l.Problem != "" {
					return err
				}
				again, err := readForm(l.Format, []byte(l.Document))
				if err != nil || len(again) != len(l.Record) {
					t.Errorf("%q: %v", l.Document, err)
				}
				return nil
			})
		if err != nil && !errors.Is(err, records.ErrNotContainer) {
			t.Error(err)
		}
	})
}

// A valid date is a period of positive length, and a URL within a URL is shorter.
func FuzzDates(f *testing.F) {
	f.Add("2015-07-08/2016", "https://archive.example/web/20150708id_/http://a.org/")
	f.Add("20150708123456", "http://a/1999/ftp://b/")
	f.Fuzz(func(t *testing.T, date, url string) {
		if from, to, ok := span(date); ok && !from.Before(to) {
			t.Errorf("%q is from %v to %v", date, from, to)
		}
		if _, within, ok := cutDated(url); ok && len(within) >= len(url) {
			t.Errorf("%q is in %q", within, url)
		}
	})
}
