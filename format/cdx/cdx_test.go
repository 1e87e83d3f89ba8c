package cdx

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"quire/format/fault"
)

func read(t testing.TB, index string, legend string) (all []Entry, faults []fault.Fault, form Form) {
	t.Helper()
	r := NewReader(strings.NewReader(index),
		Options{Legend: legend, Report: func(f fault.Fault) { faults = append(faults, f) }})
	for e, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all, faults, r.Form()
}

var noon = time.Date(2024, 7, 8, 12, 0, 0, 0, time.UTC)

// TestForms checks every form, with a line as its tools write it.
func TestForms(t *testing.T) {
	for name, c := range map[string]struct {
		index, legend string // of the caller
		form          Form
		want          Entry
	}{
		"eleven columns": {
			" CDX N b a m s k r M S V g\norg,example)/a 20240708120000 http://example.org/A text/html 200 4DA2 /b AI " +
				"1161 946 x.warc.gz\n", "",
			Form{Kind: Classic, Legend: Legend11, Delimiter: ' '},
			Entry{Line: 2, At: 27, Key: "org,example)/a", URL: "http://example.org/A", Time: noon,
				Timestamp: "20240708120000", MIME: "text/html", Status: 200,
				Digest: "4DA2", Redirect: "/b", Length: 1161, Offset: 946, File: "x.warc.gz",
				Extra: []Extra{{Name: "M", Value: "AI"}}},
		},
		"eleven columns, the legend lost": {
			"org,example)/a 20240708120000 http://example.org/A text/html - - - - - - x.warc.gz", "",
			Form{Kind: Classic, Legend: Legend11, Delimiter: ' ', Guessed: true},
			Entry{Line: 1, Key: "org,example)/a", URL: "http://example.org/A", Time: noon, Timestamp: "20240708120000",
				MIME: "text/html", Length: -1, Offset: -1, File: "x.warc.gz"},
		},
		"nine columns, the legend lost": {
			"org,example)/a 20240708120000 http://example.org/A warc/revisit - 4DA2 - 7 x.warc.gz\r\n", "",
			Form{Kind: Classic, Legend: Legend9, Delimiter: ' ', Guessed: true},
			Entry{Line: 1, Key: "org,example)/a", URL: "http://example.org/A", Time: noon, Timestamp: "20240708120000",
				MIME: "warc/revisit", Digest: "4DA2", Length: -1, Offset: 7, File: "x.warc.gz"},
		},
		"Web Curator Tool": {
			"CDX b e a m s c v n g\n20240708120000 192.0.2.1 dns:example.org text/dns - LIEA 1249 56 x\n", "",
			Form{Kind: Classic, Legend: LegendWCT, Delimiter: ' '},
			Entry{Line: 2, At: 22, URL: "dns:example.org", Time: noon, Timestamp: "20240708120000", MIME: "text/dns",
				Digest: "LIEA", IP: "192.0.2.1", Length: 56, Offset: 1249, File: "x"},
		},
		"wget": {
			" CDX a b a m s k r M V g u\nhttp://e.org/ 20240708120000 http://e.org/ text/html 200 OCPN - - 869 " +
				"t1.warc.gz <urn:uuid:1>\n", "",
			Form{Kind: Classic, Legend: LegendWget, Delimiter: ' '},
			Entry{Line: 2, At: 27, Key: "http://e.org/", URL: "http://e.org/", Time: noon, Timestamp: "20240708120000",
				MIME: "text/html", Status: 200, Digest: "OCPN",
				Length: -1, Offset: 869, File: "t1.warc.gz", RecordID: "<urn:uuid:1>"},
		},
		"NetarchiveSuite": {
			"http://e.org/ 192.0.2.1 20240708120000 text/html 608 1-1-x.warc 3165 d41d\n", "",
			Form{Kind: Classic, Legend: LegendNAS, Delimiter: ' ', Guessed: true},
			Entry{Line: 1, URL: "http://e.org/", Time: noon, Timestamp: "20240708120000", MIME: "text/html",
				Digest: "d41d", IP: "192.0.2.1", Length: 608, Offset: 3165, File: "1-1-x.warc"},
		},
		"NetarchiveSuite, 2004": {
			"dns:e.org 192.0.2.1 20240708120000 text/dns 60 x.arc 141472\n", "",
			Form{Kind: Classic, Legend: LegendOldNAS, Delimiter: ' ', Guessed: true},
			Entry{Line: 1, URL: "dns:e.org", Time: noon, Timestamp: "20240708120000", MIME: "text/dns", IP: "192.0.2.1",
				Length: 60, Offset: 141472, File: "x.arc"},
		},
		"Alexa: two digests, and offsets of four kinds": {
			"CDX A b e a m s c k r V v D d g M n\ne.org/x 20240708120000 192.0.2.1 e.org:80/x text/html 200 5867 " +
				"a725 - 17 59 19 65 DE_crawl6 - 5750\n\n", "",
			Form{Kind: Classic, Legend: "A b e a m s c k r V v D d g M n", Delimiter: ' '},
			Entry{Line: 2, At: 36, Key: "e.org/x", URL: "e.org:80/x", Time: noon, Timestamp: "20240708120000",
				MIME: "text/html", Status: 200, Digest: "a725", IP: "192.0.2.1",
				Length: 5750, Offset: 17, File: "DE_crawl6",
				Extra: []Extra{{Name: "c", Value: "5867"}, {Name: "v", Value: "59"}, {Name: "D", Value: "19"},
					{Name: "d", Value: "65"}}},
		},
		"another delimiter": {
			"|CDX|a|b|g\nhttp://e.org/a b|20240708120000|x.arc", "",
			Form{Kind: Classic, Legend: "a b g", Delimiter: '|'},
			Entry{Line: 2, At: 11, URL: "http://e.org/a b", Time: noon, Timestamp: "20240708120000", Length: -1,
				Offset: -1, File: "x.arc"},
		},
		"columns that only the caller knows": {
			"1285 652 20240708120000", "v V b",
			Form{Kind: Classic, Legend: "v V b", Delimiter: ' '},
			Entry{Line: 1, Time: noon, Timestamp: "20240708120000", Length: -1, Offset: 652,
				Extra: []Extra{{Name: "v", Value: "1285"}}},
		},
		"CDXJ with texts for numbers (pywb)": {
			`org,example)/ 20240708120000 {"url": "http://example.org/", "mime": "text/html", "status": "200", ` +
				`"digest": "sha1:B", "length": "1043", "offset": "333", "filename": "x.warc.gz"}`, "",
			Form{Kind: JSON, Delimiter: ' '},
			Entry{Line: 1, Key: "org,example)/", URL: "http://example.org/", Time: noon, Timestamp: "20240708120000",
				MIME: "text/html", Status: 200, Digest: "sha1:B", Length: 1043, Offset: 333, File: "x.warc.gz"},
		},
		"CDXJ with numbers and members of its own (Browsertrix)": {
			`org,example)/ 20240708120000 {"url":"http://example.org/","status":200,"length":1043,"offset":0,` +
				`"recordDigest":"sha256:a","x":{"b":[1, 2]},"redirect":null}`, "",
			Form{Kind: JSON, Delimiter: ' '},
			Entry{Line: 1, Key: "org,example)/", URL: "http://example.org/", Time: noon, Timestamp: "20240708120000",
				Status: 200, Length: 1043, Offset: 0,
				Extra: []Extra{{"recordDigest", `"sha256:a"`, true}, {"x", `{"b":[1, 2]}`, true}}},
		},
		"CDXJ with lines about itself": {
			"!meta {\"a\":1}\n@context [\"x\"]\ne,a)/ 20240708120000 {}", "",
			Form{Kind: JSON, Delimiter: ' ', Meta: []Meta{{"!meta", `{"a":1}`}, {"@context", `["x"]`}}},
			Entry{Line: 3, At: 29, Key: "e,a)/", Time: noon, Timestamp: "20240708120000", Length: -1, Offset: -1},
		},
		"ZipNum": {
			"org,iana)/ 20240708120000\tpart-0\t275\t328\t2\n", "",
			Form{Kind: ZipNum, Delimiter: '\t'},
			Entry{Line: 1, Key: "org,iana)/", Time: noon, Timestamp: "20240708120000", File: "part-0", Offset: 275,
				Length: 328, Extra: []Extra{{Name: "block", Value: "2"}}},
		},
		"ZipNum of a WACZ": {
			"!meta 0 {\"format\":\"cdxj-gzip-1.0\",\"filename\":\"index.cdx.gz\"}\norg,iana)/ {\"offset\":5," +
				"\"length\":328,\"digest\":\"sha256:a\",\"filename\":\"index.cdx.gz\"}\n", "",
			Form{Kind: ZipNum, Delimiter: ' ',
				Meta: []Meta{{"!meta", `0 {"format":"cdxj-gzip-1.0","filename":"index.cdx.gz"}`}}},
			Entry{Line: 2, At: 61, Key: "org,iana)/", Digest: "sha256:a", File: "index.cdx.gz", Offset: 5, Length: 328},
		},
	} {
		all, faults, form := read(t, c.index, c.legend)
		if len(all) != 1 || len(faults) > 0 || !reflect.DeepEqual(form, c.form) {
			t.Errorf("%s: %d entries, %v, as %+v; want %+v", name, len(all), faults, form, c.form)
			continue
		}
		if !reflect.DeepEqual(all[0], c.want) {
			t.Errorf("%s: %+v, want\n%+v", name, all[0], c.want)
		}
	}
}

// TestTimes checks that times are read as far as possible, and that invalid ones are reported.
func TestTimes(t *testing.T) {
	for s, want := range map[string]time.Time{
		"20240708120000": noon, "20240708120000123": noon.Add(123 * time.Millisecond), "202407081200": noon,
		"2024":           time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC),
		"20241308120000": {}, "202": {}, "3a3f1c0e": {}, "2024-07-08": {}, "1399020144000": {}, "2024070812000": {},
		"2024070812000012345": {},
	} {
		if got, ok := parseTime(s); !got.Equal(want) || ok == want.IsZero() {
			t.Errorf("%s is %v, %v", s, got, ok)
		}
	}
}

// TestFaults checks that an error in one line is reported with its place, and the next line is
// read.
func TestFaults(t *testing.T) {
	const head, good = " CDX N b a m s k r M S V g\n", "k 20240708120000 http://e.org/ m 200 d - - 1 2 f\n"
	for _, c := range []struct {
		bad     string
		code    fault.Code
		detail  string
		entries int
	}{
		{"k 20240708120000 http://e.org/a b m 200 d - - 1 2 f", FaultLine, "12 columns, the legend has 11", 2},
		{"k", FaultLine, "1 columns", 2},
		{strings.Repeat("x", maxLine+1), FaultLong, "longer", 2},
		{" CDX N url", FaultLegend, `"url"`, 2},
		{" CDX ", FaultLegend, "no column", 2},
		{strings.Replace(good, "20240708120000", "3a3f1c0e", 1), FaultTime, "3a3f1c0e", 3},
		{strings.Replace(good, " 2 f", " -2 f", 1), FaultNumber, `offset "-2"`, 3},
		{strings.Replace(good, " 1 ", " 1k ", 1), FaultNumber, `length "1k"`, 3},
		{strings.Replace(good, "200 ", "OK ", 1), FaultNumber, `status "OK"`, 3},
	} {
		all, faults, _ := read(t, head+good+strings.TrimRight(c.bad, "\n")+"\n"+good, "")
		if len(all) != c.entries || all[len(all)-1].Line != 4 || all[len(all)-1].Offset != 2 {
			t.Errorf("%.60q: %d entries, want %d: %+v", c.bad, len(all), c.entries, all)
		}
		if len(faults) != 1 || faults[0].Code != c.code || faults[0].Offset != int64(len(head+good)) ||
			!strings.Contains(faults[0].Detail, c.detail) || !strings.Contains(faults[0].Detail, "line 3") {
			t.Errorf("%.60q: %v, want %s of %s", c.bad, faults, c.code, c.detail)
		}
	}
	for _, c := range []struct {
		bad     string
		code    fault.Code
		entries int
	}{
		{`k 20240708120000`, FaultLine, 2}, {`k 20240708120000 ["a"]`, FaultLine, 2},
		{`k 20240708120000 {"a":}`, FaultJSON, 2}, {`k 20240708120000 {"a":1`, FaultJSON, 2},
		{`k 20240708120000 {"a":1} x`, FaultJSON, 2}, {`k 20240708120000 {"url":"u","url":"v"}`, FaultJSON, 3},
		{`k never {"url":"u"}`, FaultTime, 3},
		{`k 20240708120000 {"url":"u","offset":1.5}`, FaultNumber, 3},
	} {
		const good = `k 20240708120000 {"url":"u"}` + "\n"
		all, faults, _ := read(t, good+c.bad+"\n"+good, "")
		if len(all) != c.entries || all[len(all)-1].Line != 3 || len(faults) != 1 || faults[0].Code != c.code ||
			faults[0].Offset != int64(len(good)) {
			t.Errorf("%s: %d entries, %v", c.bad, len(all), faults)
		}
		if c.entries == 3 && c.code == FaultJSON && all[1].URL != "u" {
			t.Errorf("%s: the first member does not count: %+v", c.bad, all[1])
		}
	}
}

// TestNoIndex checks that a file that is not an index yields a fault per line and ends without
// error.
func TestNoIndex(t *testing.T) {
	all, faults, form := read(t, "This file is no index\nnor is\tthis\n", "")
	if len(all) != 0 || len(faults) != 2 || faults[0].Code != FaultLine || form.Kind != Unknown {
		t.Errorf("%v, %v, %+v", all, faults, form)
	}
	bad := errors.New("disk gone")
	if _, err := NewReader(iotest.ErrReader(bad), Options{}).Next(); !errors.Is(err, bad) {
		t.Errorf("the error of the file is %v", err)
	}
	if _, err := NewReader(strings.NewReader("x"), Options{Legend: "url date"}).Next(); err == nil ||
		!strings.Contains(err.Error(), "is not a letter") {
		t.Errorf("of a legend that is none: %v", err)
	}
}

// TestMembersOfAnotherKind checks that a value of an unexpected type is kept unchanged.
func TestMembersOfAnotherKind(t *testing.T) {
	all, faults, _ := read(t, `k 20240708120000 {"url":["a"],"status":true}`, "")
	if len(all) != 1 || len(faults) != 0 || all[0].URL != "" ||
		!reflect.DeepEqual(all[0].Extra, []Extra{{"url", `["a"]`, true}, {"status", "true", true}}) {
		t.Errorf("%+v, %v", all, faults)
	}
}

// TestLinesForOthers checks that lines with "!" at the start are not entries. They are about the
// index, or for other tools: the indexes in Quire's packages list records that are not captures in
// this way.
func TestLinesForOthers(t *testing.T) {
	r := NewReader(strings.NewReader("!meta {\"format\":\"x\",\"version\":2}\n"+
		"!unlisted example,a)/-gzip-1 - {\"url\":\"http://a.example/-gzip-1\"}\nexample,a)/ 20200102030405 "+
		"{\"url\":\"http://a.example/\",\"filename\":\"a\"}\n"), Options{})
	var urls []string
	for e, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, e.URL)
	}
	if len(urls) != 1 || urls[0] != "http://a.example/" || r.Form().Kind != JSON {
		t.Errorf("%q, %v", urls, r.Form().Kind)
	}
}
