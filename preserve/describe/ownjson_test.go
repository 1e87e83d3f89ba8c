package describe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quire/metadata/oclc"
)

// TestReadOwnJSON reads the forms in which a system may write the elements of OCLC.
func TestReadOwnJSON(t *testing.T) {
	m := &Mapping{Columns: map[string]Column{"titre": {Element: "title", Lang: "fr"},
		"interne": {Element: columnIgnore}}}
	for _, c := range []struct {
		doc    string
		want   []string // statements as element/kind@lang=value, "|" between descriptions
		unread string
	}{
		{`{"Title": "T", "Creator": ["A", "B"], "Genre/Form": "web", "Source of Description": null, "Date": 2019}`,
			[]string{"title=T", "creator=A", "creator=B", "genre-form=web", "date=2019"}, ""},
		{`{"title": "T", "source_of_description": "s", "sourceOfDescription": "u", "genre": "g"}`,
			[]string{"title=T", "source-of-description=s", "source-of-description=u", "genre-form=g"}, ""},
		{`{"record": {"metadata": [{"URL (seed)": "http://a/", "Title [nl]": "T", "Rights": "r"}]}}`,
			[]string{"url/seed=http://a/", "title@nl=T", "rights=r"}, ""},
		{`[{"Title": {"fr": "F", "nl": ["N", "M"]}, "URL": "u", "Note": {"value": "v", "lang": "en", "x": "y"}},
			{"Title": "2", "URL": "w", "Extent": "e"}]`,
			[]string{"title@fr=F", "title@nl=N", "title@nl=M", "url=u", "note@en=v", "|",
				"title=2", "url=w", "extent=e"},
			"Note.x"},
		{`{"Titre": "T", "Interne": "secret", "URL": "u", "Date": "d", "Cote": "c"}`,
			[]string{"title@fr=T", "url=u", "date=d"}, "Cote"},
		{`{"url": "u", "title": "t"}`, nil, ""},
		{`{"title": "t", "creator": "c", "date": "d", "a": 1, "b": 2, "e": 3}`, nil, ""},
		{`{"creator": "c", "date": "d", "subject": "s"}`, nil, ""},
		{`{"Envelope": {"Payload-Metadata": {}}, "Container": {}}`, nil, ""},
		{`"text"`, nil, ""},
	} {
		found, err := ReadOwnJSON([]byte(c.doc), m)
		if err != nil {
			t.Error(c.doc, err)
			continue
		}
		var got, unread []string
		for i, d := range found {
			if i > 0 {
				got = append(got, "|")
			}
			unread = append(unread, d.Unread...)
			for _, s := range d.Record {
				line := string(s.Element)
				if s.Kind != "" {
					line += "/" + s.Kind
				}
				if s.Lang != "" {
					line += "@" + s.Lang
				}
				got = append(got, line+"="+s.Value)
			}
		}
		if !slices.Equal(got, c.want) || strings.Join(unread, " ") != c.unread {
			t.Errorf("%s\nis %q, unread %q\nwant %q, %q", c.doc, got, unread, c.want, c.unread)
		}
	}
}

// TestOwnJSONIsBounded: a hostile document is refused.
func TestOwnJSONIsBounded(t *testing.T) {
	for name, doc := range map[string]string{
		"deep": strings.Repeat("[", 1_000_000), "wide": "[" + strings.Repeat("1,", 1_000_000) + "1]",
		"broken": `{"Title": `, "two documents": `{} {}`, "empty": ``,
	} {
		if found, err := ReadOwnJSON([]byte(doc), nil); err == nil {
			t.Errorf("%s: %v", name, found)
		}
	}
	many := `{"Title": "t", "URL": "u", "Date": "d"` // more unknown names than are listed
	for i := range maxUnread {
		many += fmt.Sprintf(`, "x%d": 1`, i)
	}
	if found, err := ReadOwnJSON([]byte(many+"}"), nil); err != nil || len(found) != 0 {
		t.Error(found, err)
	}
}

func FuzzReadOwnJSON(f *testing.F) {
	f.Add([]byte(`{"Title": {"fr": "T"}, "URL (seed)": ["u"], "Note": {"value": "v", "lang": "en"}, "Date": 1}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		found, err := ReadOwnJSON(doc, nil)
		if err != nil {
			return
		}
		for i := range found {
			if err := found[i].Record.Check(); err != nil {
				t.Error(err)
			}
			if v := found[i].Record.Values(oclc.Title); len(v) > maxOwnValues {
				t.Error(len(v))
			}
		}
	})
}
