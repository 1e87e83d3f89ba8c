package protocol

import (
	"net/url"
	"regexp"
	"testing"
	"time"
)

func TestParseDatestamp(t *testing.T) {
	good := map[string]struct {
		want time.Time
		g    Granularity
		last time.Time
	}{
		"2026-11-22": {time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC), Days,
			time.Date(2026, 11, 22, 23, 59, 59, 0, time.UTC)},
		"2026-11-22T10:01:02Z": {time.Date(2026, 11, 22, 10, 1, 2, 0, time.UTC), Seconds,
			time.Date(2026, 11, 22, 10, 1, 2, 0, time.UTC)},
		"2024-02-29": {time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), Days,
			time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC)},
		"0001-01-01": {time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), Days,
			time.Date(1, 1, 1, 23, 59, 59, 0, time.UTC)},
	}
	for in, c := range good {
		got, g, err := ParseDatestamp(in)
		if err != nil || !got.Equal(c.want) || g != c.g || !g.Last(got).Equal(c.last) {
			t.Errorf("%s: %v, %s, %v", in, got, g, err)
		}
		if back := got.Format(g.Layout()); back != in {
			t.Errorf("%s is written as %s", in, back)
		}
	}
	for _, in := range []string{
		"", "junk", "2026", "2026-11", "2026-11-22T10:01Z", "2026-11-22T10:01:02", "2026-11-22T10:01:02.5Z",
		"2026-11-22T10:01:02+00:00",
		"2026-11-22T10:01:02z", "2026-11-22 10:01:02Z", "2026-11-31", "2025-02-29", "2026-13-01", "2026-00-10",
		"2026-11-22T24:00:00Z",
		"2026-11-22T10:60:00Z", "2026-11-22T10:01:60Z", "0000-01-01", "-001-01-01", "2026-1-022",
		"2026-11-22T1:01:02.5Z", "2026-11-22T13:40.",
		" 2026-11-22", "2026-11-22\n",
	} {
		if got, _, err := ParseDatestamp(in); err == nil {
			t.Errorf("%q is parsed as %v", in, got)
		}
	}
	zone := time.Date(2026, 11, 22, 1, 0, 0, 999, time.FixedZone("CET", 3600))
	if got := FormatDatestamp(zone); got != "2026-11-22T00:00:00Z" || string(AppendDatestamp(nil, zone)) != got {
		t.Error(got)
	}
}

func TestSetNames(t *testing.T) {
	for mimeType, want := range map[string]string{
		"image/png":             "mime:image:png",
		"image/svg+xml":         "mime:image:svg~xml",
		"application/xhtml+xml": "mime:application:xhtml~xml",
		"text/x-c++src":         "mime:text:x-c~~src",
		"image":                 "mime:image",
		"a~b/c!d":               "mime:a!7eb:c!21d",
		"":                      "mime:!",
		"image/":                "mime:image:!",
		"a/b/c":                 "mime:a:b!2fc",
		"text/\xff é:":          "mime:text:!ff!20!c3!a9!3a",
	} {
		if got := MIMESet(mimeType); got != want {
			t.Errorf("MIMESet(%q) is %s, want %s", mimeType, got, want)
		}
	}
	for _, spec := range []string{
		"mime", "mime:", "mime:a:", "mime::a", "mime:a:b:c", "host:a", "mime:a!7Eb", "mime:a!41", "mime:a!", "mime:a!7",
		"mime:a+b", "mime:!!", "mime:a!2fb",
	} {
		if got, ok := ParseMIMESet(spec); ok {
			t.Errorf("%s is parsed as %q", spec, got)
		}
	}
	for got, want := range map[string]string{
		HostSet("a.example"): "host:a.example", HostSet("[::1]:8080"): "host:!5b!3a!3a1!5d!3a8080",
		YearSet(2015): "year:2015", CollectionSet("Élections 2015"): "collection:!c3!89lections!202015",
	} {
		if got != want || !IsSetSpec(got) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if y, ok := ParseYearSet("year:2015"); !ok || y != 2015 {
		t.Error(y, ok)
	}
	for _, spec := range []string{"year:02015", "year:~5", "year:", "year", "year:x"} {
		if y, ok := ParseYearSet(spec); ok {
			t.Errorf("%s is %d", spec, y)
		}
	}
}

func TestInSet(t *testing.T) {
	for _, c := range []struct {
		spec, set string
		in        bool
	}{
		{"mime:image:png", "mime:image:png", true}, {"mime:image:png", "mime:image", true},
		{"mime:image:png", "mime", true},
		{"mime:image", "mime:image:png", false}, {"mime:images", "mime:image", false},
		{"mime:image:png", "mime:image:pn", false},
	} {
		if InSet(c.spec, c.set) != c.in {
			t.Errorf("%s in %s is not %v", c.spec, c.set, c.in)
		}
	}
	if SetAbove("mime:image:png") != "mime:image" || SetAbove("mime") != "" {
		t.Error("the set above is another")
	}
}

func TestNames(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "mime:image:svg~xml": true, "a:b:c": true, "A-Z_.!~*'()": true,
		"": false, ":": false, "a:": false, ":a": false, "a::b": false, "a+b": false, "a%2b": false, "a b": false,
		"é": false, "a/b": false,
	} {
		if IsSetSpec(s) != want {
			t.Errorf("IsSetSpec(%q) is not %v", s, want)
		}
	}
	if !IsPrefix("oai_dc") || IsPrefix("") || IsPrefix("a:b") || IsPrefix("a b") {
		t.Error("IsPrefix")
	}
	for s, want := range map[string]bool{
		"http://a.example/": true, "urn:x:1": true, "oai:a.example:1": true, "http://[::1]:80/a?b#c": true, "a:b": true,
		"http://a/%41": true,
		"":             false, "a": false, "a:": false, "/a": false, "1a:b": false, "http://a/b c": false,
		"http://a/\"":  false,
		"http://a/%4":  false,
		"http://a/%zz": false, "http://a/[x]": false, "http://a/#b#c": false, "http://a/é": false, "http://a/|": false,
		"http://a/\x00": false,
		"http://a:80/":  true, "http:///a": true, "http://u:p@a:1/": true, "http://a:/": false, "http://?": false,
		"a::": true, "http://a%41:1": true,
		"http://[zz": false, "http://[zz]/": false, "http://[::1": false, "http://a:port/": false,
		"http://a@b@c/": false, "http://a:80:80/": false,
		"http://[::1]x/": false, "http://[]/": false, "http://a[": false, "http://[@a/": false,
		"http://a:1234567890/": false,
	} {
		if IsURI(s) != want {
			t.Errorf("IsURI(%q) is not %v", s, want)
		}
	}
	for s, want := range map[string]bool{
		"a": true, "//a": true, "?a=b:c": true, "#": true, "/a:b": true, "a/b:c": true, "http://a/": true,
		"::": false, ":a": false, "1:a": false, "//[": false, "a b": false,
	} {
		if IsURIReference(s) != want {
			t.Errorf("IsURIReference(%q) is not %v", s, want)
		}
	}
}

// schemaPattern is the pattern of setSpecType in OAI-PMH.xsd.
var schemaPattern = regexp.MustCompile(`^([A-Za-z0-9\-_\.!~\*'\(\)])+(:[A-Za-z0-9\-_\.!~\*'\(\)]+)*$`)

// FuzzSets tests that every name can be restored from its setSpec, and that the setSpec is valid by
// the schema.
func FuzzSets(f *testing.F) {
	for _, s := range []string{"", "/", "image/svg+xml", "a/b/c", "text/x-c++src", "!", "~", "!7e", "é", "\xff\x00",
		"host:80", "a b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, set := range map[string]struct {
			make  func(string) string
			parse func(string) (string, bool)
		}{"mime": {MIMESet, ParseMIMESet}, "host": {HostSet, ParseHostSet},
			"collection": {CollectionSet, ParseCollectionSet}} {
			spec := set.make(s)
			if got, ok := set.parse(spec); !ok || got != s {
				t.Errorf("%s: %q becomes %s and comes back as %q, %v", name, s, spec, got, ok)
			}
			if !IsSetSpec(spec) || !schemaPattern.MatchString(spec) {
				t.Errorf("%s: %q is no setSpec", name, spec)
			}
			if IsSetSpec(s) != schemaPattern.MatchString(s) {
				t.Errorf("IsSetSpec(%q) is not as the schema has it", s)
			}
			// Conversely, every accepted segment is the one form of its name.
			if value, ok := set.parse(s); ok && set.make(value) != s {
				t.Errorf("%s: %q is parsed as %q, but its form is %q", name, s, value, set.make(value))
			}
		}
	})
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"http://a/[x]%", "a:b#c#", "2026-11-22T10:01:02Z", "2026-11-22", "x:\xff%4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, g, err := ParseDatestamp(s); err == nil && d.Format(g.Layout()) != s {
			t.Errorf("%q is parsed as %v", s, d)
		}
		if _, err := url.Parse(s); IsURI(s) && err != nil {
			t.Errorf("%q is accepted as a URI: %v", s, err)
		}
	})
}
