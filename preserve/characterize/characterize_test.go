package characterize

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/containermd"
	"quire/metadata/xmlstream"
	"quire/model"
	"quire/preserve/inspect"
)

var quire = model.Agent{Name: "Quire", Version: "1"}

// warcRecord returns a record of WARC/1.1; fields are whole header lines.
func warcRecord(kind, block string, fields ...string) string {
	head := "WARC/1.1\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:x:" + kind +
		">\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>"

// everyType has a record of each type, and one without a type.
var everyType = warcRecord("warcinfo", "software: Boat/1.0\r\n", "Content-Type: application/warc-fields") +
	warcRecord("response", page, "WARC-Target-URI: http://example.org/",
		"Content-Type: application/http;msgtype=response",
		"WARC-Payload-Digest: sha1:MOW2KXALUIJKLMPY2WTQREDYR4AJOK7U", "WARC-Identified-Payload-Type: text/html") +
	warcRecord("resource", "x", "WARC-Target-URI: ftp://example.org/x\x01", "Content-Type: text/plain") +
	warcRecord("request", "GET / HTTP/1.1\r\nUser-Agent: Boat\r\n\r\n", "WARC-Target-URI: http://example.org/",
		"Content-Type: application/http;msgtype=request") +
	warcRecord("metadata", "via: x\r\n", "Content-Type: application/warc-fields") +
	warcRecord("revisit", "HTTP/1.1 200 OK\r\n\r\n", "WARC-Target-URI: http://example.org/",
		"Content-Type: application/http;msgtype=response",
		"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest",
		"WARC-Payload-Digest: sha1:MOW2KXALUIJKLMPY2WTQREDYR4AJOK7U") +
	warcRecord("conversion", "y", "WARC-Target-URI: http://example.org/", "Content-Type: image/png") +
	warcRecord("continuation", "z", "WARC-Target-URI: http://example.org/", "WARC-Segment-Number: 2",
		"WARC-Segment-Origin-ID: <urn:x:response>") +
	warcRecord("holograph", "h")

const anARC = "filedesc://a.arc 192.0.2.1 20240102030405 text/plain 76\n1 0 Boat\nURL IP-address Archive-date " +
	"Content-type Archive-length\n\n\n" +
	"http://example.org/ 192.0.2.1 20240102030405 text/html 22\nHTTP/1.0 404 No\r\n\r\nabc\n"

// described inspects a file and writes its containerMD.
func described(t testing.TB, file string, verbose bool, version containermd.Version) (*model.Container, []byte) {
	t.Helper()
	var entries *Entries
	o := inspect.Options{}
	if verbose {
		entries = place(t)
		o.Record = entries.Add
	}
	c, err := inspect.Reader(t.Context(), strings.NewReader(file), o)
	if err != nil {
		t.Fatal(err)
	}
	c.Path = "crawl/a.warc"
	var doc bytes.Buffer
	if err := Write(&doc, c, entries, Options{Agent: quire, Version: version}); err != nil {
		t.Fatal(err)
	}
	return c, doc.Bytes()
}

// place returns a place for entries, which must be deleted after the test.
func place(t testing.TB) *Entries {
	t.Helper()
	dir := t.TempDir()
	entries, err := NewEntries(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := entries.Close()
		if left, errDir := os.ReadDir(dir); err != nil || errDir != nil || len(left) != 0 {
			t.Errorf("left behind: %v, %v, %v", left, err, errDir)
		}
	})
	return entries
}

func readBack(t testing.TB, doc []byte) containermd.ContainerMD {
	t.Helper()
	r := xmlstream.NewReader(bytes.NewReader(doc), xmlstream.Limits{})
	r.OnUnknown = func(path string) { t.Errorf("the reader does not know %s", path) }
	if _, err := r.Root(); err != nil {
		t.Fatal(err)
	}
	md, err := containermd.Read(r, containermd.ReadOptions{})
	if err == nil {
		err = r.Finish()
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, doc)
	}
	return md
}

// Written values are read back unchanged, in every mode.
func TestRoundTrip(t *testing.T) {
	for name, file := range map[string]string{"WARC": everyType, "ARC": anARC, "damaged": everyType[:len(everyType)-6],
		"no container": "text"} {
		for _, version := range []containermd.Version{containermd.Version11, containermd.Version12} {
			for _, verbose := range []bool{false, true} {
				c, doc := described(t, file, verbose, version)
				got, want := readBack(t, doc), Summary(c, Options{Agent: quire})
				entries := got.Entries
				got.Entries = nil
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: read\n%+v\nwant\n%+v", name, version, got, want)
				}
				if n := int64(len(entries)); verbose && n != c.Records.Total || !verbose && n != 0 {
					t.Errorf("%s: %d entries of %d records", name, n, c.Records.Total)
				}
			}
		}
	}
}

func TestValidByTheSchemas(t *testing.T) {
	drivers := map[containermd.Version]string{
		containermd.Version11: testsamples.Path(t, "schemas", "drivers", "mets-all-legacy.xsd"),
		containermd.Version12: testsamples.Path(t, "schemas", "drivers", "mets-all.xsd"),
	}
	for version, driver := range drivers {
		for _, file := range []string{everyType, anARC, everyType[:len(everyType)-6], "text", ""} {
			for _, verbose := range []bool{false, true} {
				_, doc := described(t, file, verbose, version)
				schematest.Valid(t, driver, doc)
			}
		}
	}
}

func TestEveryTypeIsSummed(t *testing.T) {
	_, doc := described(t, everyType, false, containermd.Version12)
	md := readBack(t, doc)
	w := md.Information.WARC
	if w == nil || w.WARCInfo.Number != 1 || w.Response.Number != 1 || w.Resource.Number != 1 ||
		w.Request.Number != 1 || w.Metadata.Number != 1 || w.Revisit.Number != 1 {
		t.Fatalf("record types: %+v", w)
	}
	sum := w.WARCInfo.Number + w.Response.Number + w.Resource.Number + w.Request.Number + w.Metadata.Number +
		w.Revisit.Number
	var others []string
	for _, o := range w.Other {
		others = append(others, o.Type)
		sum += o.Number
	}
	if strings.Join(others, " ") != "continuation conversion holograph" || sum != md.Information.Number {
		t.Errorf("others %q; %d of %d entries are in a section", others, sum, md.Information.Number)
	}
	if w.Response.Hosts[0].Value != "example.org" || w.Response.Responses[0].Status != "200" ||
		w.Request.UserAgents[0].Value != "Boat" ||
		w.Response.IdentifiedPayloadTypes[0].Value != "text/html" || len(w.Revisit.Profiles) != 1 {
		t.Errorf("lists: %+v %+v %+v", w.Response, w.Request, w.Revisit)
	}
	env := md.Container.Environments
	if len(env) != 1 || env[0].Software[0] != (containermd.Software{Name: "Boat", Version: "1.0"}) ||
		md.Container.Created.Year() != 2024 {
		t.Errorf("container: %+v", md.Container)
	}
}

func TestEntries(t *testing.T) {
	_, doc := described(t, everyType, true, containermd.Version12)
	entries := readBack(t, doc).Entries
	response, revisit, warcinfo := entries[1], entries[5], entries[0]
	begin, _ := response.Begin.Get()
	end, _ := response.End.Get()
	if got := everyType[begin : end+1]; !strings.HasPrefix(got, "WARC/1.1\r\nWARC-Type: response") ||
		!strings.HasSuffix(got, "<p>\r\n\r\n") {
		t.Errorf("bytes %d to %d are %q", begin, end, got)
	}
	want := []containermd.Fixity{{Digest: "MOW2KXALUIJKLMPY2WTQREDYR4AJOK7U", Algorithm: "SHA-1",
		Size: xmlstream.IntOf(3)}}
	if response.Type != "file" || response.Name != "http://example.org/" || !reflect.DeepEqual(response.Fixity, want) {
		t.Errorf("response: %+v", response)
	}
	if a := response.ARC; a == nil || a.Host != "example.org" || a.DeclaredMIMEType != "text/html" ||
		a.Response.Status != "200" {
		t.Errorf("response: %+v", a)
	}
	if h := response.Record; h == nil || h.Type != "response" || h.ID != "<urn:x:response>" || h.Sound == nil ||
		!*h.Sound || h.IdentifiedType != "text/html" {
		t.Errorf("response: %+v", h)
	}
	if revisit.Fixity[0].Digest != "" || revisit.Type != "other" {
		t.Errorf("the digest of a revisit is not that of its block: %+v", revisit)
	}
	if warcinfo.Name != "<urn:x:warcinfo>" || warcinfo.ARC != nil || warcinfo.Type != "other" {
		t.Errorf("warcinfo: %+v", warcinfo)
	}
	if name := entries[2].Name; name != "ftp://example.org/x\x01" {
		t.Errorf("characters forbidden in XML became %q", name)
	}
}

// A digest is stated as fixity only if the pass computed the same digest.
func TestFixity(t *testing.T) {
	const sum = "MOW2KXALUIJKLMPY2WTQREDYR4AJOK7U"
	size, none := xmlstream.IntOf(3), xmlstream.Int{}
	for name, test := range map[string]struct {
		record model.Record
		want   containermd.Fixity
	}{
		"payload": {model.Record{Type: "response", PayloadDigest: "sha1:" + sum, Block: 9},
			containermd.Fixity{Digest: sum, Algorithm: "SHA-1", Size: size}},
		"unlabelled": {model.Record{Type: "response", PayloadDigest: sum, Block: 9},
			containermd.Fixity{Digest: sum, Algorithm: "SHA-1", Size: size}},
		"coded": {model.Record{Type: "response", PayloadDigest: "sha1:" + sum, Block: 9, Coded: true},
			containermd.Fixity{Digest: sum, Algorithm: "SHA-1", Size: none}},
		"block is payload": {model.Record{Type: "resource", BlockDigest: "sha1:" + sum, Block: 3},
			containermd.Fixity{Digest: sum, Algorithm: "SHA-1", Size: size}},
		"block is more": {model.Record{Type: "response", BlockDigest: "sha1:" + sum, Block: 9},
			containermd.Fixity{Size: size}},
		"revisit": {model.Record{Type: "revisit", PayloadDigest: "sha1:" + sum, Block: 9},
			containermd.Fixity{Size: size}},
		"segment": {model.Record{Type: "response", PayloadDigest: "sha1:" + sum, Block: 9, Segment: "1"},
			containermd.Fixity{Size: size}},
		"unknown algorithm": {model.Record{Type: "response", PayloadDigest: "blake3:" + sum, Block: 9},
			containermd.Fixity{Size: size}},
		"nothing is stated": {model.Record{Type: "response", Block: 9}, containermd.Fixity{Size: size}},
		"not a digest at all": {model.Record{Type: "response", PayloadDigest: "sha1:?", Block: 9},
			containermd.Fixity{Size: size}},
	} {
		test.record.Payload, test.record.DigestsFit = 3, true
		if got := fixityOf(&test.record); len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
		test.record.DigestsFit = false
		if got := fixityOf(&test.record); got[0].Digest != "" {
			t.Errorf("%s, which does not fit: %+v", name, got)
		}
	}
}

func TestPlaceInCompressedFiles(t *testing.T) {
	r := &model.Record{Order: 1, Type: "response", Offset: 100, Stored: 50}
	if e := entryOf(r, "gzip"); len(e.Encodings) != 1 || e.Begin != xmlstream.IntOf(100) ||
		e.End != xmlstream.IntOf(149) {
		t.Errorf("in a member of its own: %+v", e)
	}
	r.Stored = -1
	if e := entryOf(r, "gzip-whole"); len(e.Encodings) != 0 || e.Begin != (xmlstream.Int{}) ||
		e.End != (xmlstream.Int{}) {
		t.Errorf("in one member with all others: %+v", e)
	}
	r.Format = model.Format{PUID: "fmt/96", Name: "Hypertext Markup Language"}
	if e := entryOf(r, "none"); e.Formats[0].Names[0] != "fmt/96 Hypertext Markup Language" ||
		e.Begin != xmlstream.IntOf(100) {
		t.Errorf("identified: %+v", e)
	}
}

func TestIdentifiedFormatsComeFirst(t *testing.T) {
	c := &model.Container{Format: "WARC", MIMETypes: []model.Count{{Name: "text/html", Count: 2}}}
	if got := formatsOf(c); len(got) != 1 || got[0].Name != "text/html" {
		t.Errorf("declared: %+v", got)
	}
	html := model.Format{PUID: "fmt/100", Name: "HTML", Version: "4.01", Count: 2, Bytes: 3, Blocks: 4, Stored: 5}
	c.Types = []model.TypeSum{{Type: "response", Formats: []model.Format{html}},
		{Type: "resource", Formats: []model.Format{html}},
		{Type: "conversion", Formats: []model.Format{{Name: "unidentified", Count: 1}}}}
	got := formatsOf(c)
	if len(got) != 2 || got[0] != (containermd.Format{Name: "fmt/100 HTML", Version: "4.01", Number: 4,
		GlobalSize: xmlstream.IntOf(10)}) || got[1] != (containermd.Format{Name: "unidentified", Number: 1}) {
		t.Errorf("identified: %+v", got)
	}
	w := warcEntries(c)
	if f := w.Response.PayloadFormats[0]; f.Value != "fmt/100 HTML 4.01" ||
		f.GlobalSize != xmlstream.IntOf(4) || w.Other[0].PayloadFormats[0].Value != "unidentified" {
		t.Errorf("by type: %+v, %+v", w.Response, w.Other)
	}
}

// The year 0 is a valid date in Go, but not in xs:dateTime.
func TestDatesThatXMLHasNotAreLeftOut(t *testing.T) {
	file := strings.ReplaceAll(everyType, "2024-01-02T03:04:05Z", "0000-01-01T00:00:00Z")
	_, doc := described(t, file, true, containermd.Version12)
	if md := readBack(t, doc); !md.Container.Created.IsZero() || !md.Information.First.IsZero() ||
		!md.Entries[0].Created.IsZero() {
		t.Errorf("read %+v", md)
	}
	if got := dated(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)); !got.IsZero() {
		t.Errorf("the year 10000 becomes %v", got)
	}
}

func TestSoftwareIsSplitOnlyWhereItIsPlain(t *testing.T) {
	for in, want := range map[string]containermd.Software{
		"Wget/1.21.3":             {Name: "Wget", Version: "1.21.3"},
		"Heritrix 1.14 http://x/": {Name: "Heritrix 1.14 http://x/"},
		"Wget/1.21.3 (linux-gnu)": {Name: "Wget/1.21.3 (linux-gnu)"},
		"/1":                      {Name: "/1"},
		"a/b/c":                   {Name: "a/b/c"},
		"Quire 1.2.3":             {Name: "Quire", Version: "1.2.3"},
		"Quire of another kind":   {Name: "Quire of another kind"},
	} {
		if got := environmentOf(&model.Container{Software: in}); len(got) != 1 || got[0].Software[0] != want {
			t.Errorf("%q is %+v, want %+v", in, got, want)
		}
	}
	if got := environmentOf(&model.Container{Software: " "}); got != nil {
		t.Errorf("white space is %+v", got)
	}
}

func TestNotes(t *testing.T) {
	c := &model.Container{FindingCounts: map[string]int64{"B": 2, "A": 1, "C": 7}, Findings: []model.Finding{
		{Code: "C", Severity: model.Info, Message: "c"}, {Code: "B", Severity: model.Error, Offset: 5, Message: "b"},
		{Code: "B", Severity: model.Error, Offset: 9},
		{Code: "A", Severity: model.Error, Offset: 7, Message: "a"},
	}}
	c.IdentifiedBy = "siegfried 1"
	want := []string{"formats identified by siegfried 1", "error A × 1, first at byte 7: a",
		"error B × 2, first at byte 5: b", "info C × 7, first at byte 0: c"}
	if got := notesOf(c); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCapsAreSummed(t *testing.T) {
	list := []model.Count{{Name: otherNames, Count: 100, Bytes: 1}}
	for range MaxNames + 3 {
		list = append(list, model.Count{Name: "x", Count: 2, Bytes: 5})
	}
	got := capped(list)
	if last := got[len(got)-1]; len(got) != MaxNames+1 ||
		last != (model.Count{Name: otherNames, Count: 106, Bytes: 16}) {
		t.Errorf("%d lines, the last %+v", len(got), last)
	}
	if got := capped(list[:MaxNames]); len(got) != MaxNames {
		t.Errorf("%d lines at the cap", len(got))
	}
}

type full struct{}

var errFull = errors.New("disk full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsAreTold(t *testing.T) {
	if err := Write(full{}, &model.Container{Path: "a.warc"}, nil, Options{Agent: quire}); !errors.Is(err, errFull) ||
		!strings.Contains(err.Error(), "a.warc") {
		t.Errorf("a full disk: %v", err)
	}
	if err := Write(full{}, &model.Container{}, nil, Options{}); err == nil {
		t.Error("a verdict without an agent is accepted")
	}
	if _, err := NewEntries(t.TempDir() + "/absent"); err == nil {
		t.Error("no place for entries, and no error")
	}
}

// Any container can be described and read back.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(everyType))
	f.Add([]byte(anARC))
	f.Add([]byte(everyType[:len(everyType)-6]))
	f.Fuzz(func(t *testing.T, file []byte) {
		c, doc := described(t, string(file), true, containermd.Version12)
		if md := readBack(t, doc); int64(len(md.Entries)) != c.Records.Total ||
			md.Information.Number != c.Records.Total {
			t.Errorf("%d entries and a sum of %d, of %d records", len(md.Entries), md.Information.Number,
				c.Records.Total)
		}
	})
}
