package crate

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"

	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/resource"
)

// looked is an Examiner that outputs its input.
var looked = tools(func(c *plugin.Content) ([]plugin.Result, error) {
	all, err := io.ReadAll(c.Reader())
	return []plugin.Result{{Label: "saw", Output: plugin.Output{Bytes: all}}}, err
})

// brief summarizes a document in a line.
func brief(d *Document) string {
	var b strings.Builder
	for _, n := range d.Notices {
		fmt.Fprintf(&b, "[%s] %s; ", n.Code, n.Text)
	}
	for _, r := range d.Resources {
		fmt.Fprintf(&b, "value %t ref %q size %d %s; ", r.ByValue, r.Ref, r.Stated.Size, r.Problem)
	}
	for _, r := range d.Results {
		fmt.Fprintf(&b, "%s %q; ", r.Label, r.Bytes)
	}
	return b.String()
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, s) // into memory
	_ = w.Close()
	return b.String()
}

// A resource with any problem still has a CRATE, with a notice. Incomplete bytes never appear in a
// CRATE.
func TestWhatACrateTells(t *testing.T) {
	const url = "https://a.example/x"
	d := &Disseminator{Tools: looked, ByValue: 20, Largest: 40, TempDir: t.TempDir()}
	cases := []struct {
		name    string
		content string
		change  func(*resource.Resource)
		want    string
		bytes   string
	}{
		{"all well", "hello", func(*resource.Resource) {},
			`value true ref "" size 5 ; value false ref "https://a.example/x" size 5 ; saw "hello"; `, "hello"},
		{"nothing in it", "", func(*resource.Resource) {},
			`value true ref "" size 0 ; value false ref "https://a.example/x" size 0 ; saw ""; `, ""},
		{"captured", "hello", func(r *resource.Resource) {
			r.Captured = when
		}, `value true ref "" size 5 ; saw "hello"; `, "hello"},
		{"withheld", "hello", func(r *resource.Resource) { r.Withheld = "viral <x>" }, `[withheld] viral <x>; `, ""},
		{"not there", "hello", func(r *resource.Resource) {
			r.Open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("connection refused") }
		}, `[unreadable] connection refused; value false ref "https://a.example/x" size -1 ; `, ""},
		{"broken off", "hello", func(r *resource.Resource) {
			r.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader("hel"), iotest.ErrReader(io.ErrUnexpectedEOF))),
					nil
			}
		}, `[unreadable] after 3 bytes: unexpected EOF; value false ref "https://a.example/x" size -1 ; `, ""},
		{"broken off in an archive", "hello", func(r *resource.Resource) {
			r.Captured = when
			r.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(iotest.ErrReader(errors.New("damaged"))), nil
			}
		}, `[unreadable] damaged; `, ""},
		{"fewer than was said", "hello", func(r *resource.Resource) { r.Size = 9 },
			`[differs] 9 bytes were said to be there; there are 5; value true ref "" size 5 ; value false ref ` +
				`"https://a.example/x" size 5 ; saw "hello"; `, "hello"},
		{"not as Content-Length", "hello", func(r *resource.Resource) { r.Size, r.Header[1].Value = -1, "6" },
			`[differs] Content-Length is 6; there are 5 bytes; value true ref "" size 5 ; value false ref ` +
				`"https://a.example/x" size 5 ; saw "hello"; `, "hello"},
		{"Content-Length of coded bytes", "hello", func(r *resource.Resource) {
			r.Header = []resource.Field{{Name: "content-length", Value: "3"}, {Name: "Content-Encoding", Value: "gzip"}}
		}, `value true ref "" size 5 ; value false ref "https://a.example/x" size 5 ; saw "hello"; `, "hello"},
		{"too many for a document", "123456789012345678901", func(*resource.Resource) {},
			`[by reference] 21 bytes are more than the 20 that go into a document here: they are had at the ` +
				`reference; value false ref "https://a.example/x" size 21 ; saw "123456789012345678901"; `, ""},
		{"too many for tools", strings.Repeat("x", 41), func(*resource.Resource) {},
			`[by reference] 41 bytes are more than the 20 that go into a document here: they are had at the ` +
				`reference; [no tools] these 41 bytes are more than tools are given here; value false ref ` +
				`"https://a.example/x" size 41 ; `, ""},
		{"too many, and undeclared", strings.Repeat("x", 41), func(r *resource.Resource) {
			r.Size, r.Captured, r.Header = -1, when, nil
		},
			`[by reference] 41 bytes are more than the 20 that go into a document here: there is no place here where ` +
				`just these are had; [no tools] these 41 bytes are more than tools are given here; `, ""},
		{"too many, and broken off", strings.Repeat("x", 41), func(r *resource.Resource) {
			r.Open = func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("x", 41)),
					iotest.ErrReader(errors.New("gone")))), nil
			}
		}, `[unreadable] after 41 bytes: gone; value false ref "https://a.example/x" size -1 ; `, ""},
		{"not coded as it says", "hello", func(r *resource.Resource) { r.Coding = "gzip"; r.Header = nil },
			`[no tools] tools looked at the bytes as they are coded: they are no gzip; value true ref "" size 5 ; ` +
				`value false ref "https://a.example/x" size 5 ; saw "hello"; `, "hello"},
		{"coded in a way that is not known", "hello", func(r *resource.Resource) { r.Coding = "rot13"; r.Header = nil },
			`[no tools] tools looked at the bytes as they are coded: the coding "rot13" is not known; value true ref ` +
				`"" size 5 ; value false ref "https://a.example/x" size 5 ; saw "hello"; `, "hello"},
	}
	for _, c := range cases {
		r := page(url, "text/plain", c.content)
		c.change(r)
		doc, got := read(t, record(t, d, r, "oai_crate"))
		if brief(doc) != c.want || got != c.bytes || len(doc.Problems) > 0 || doc.Identifier != url {
			t.Errorf("%s: %q %q\n got %s\nwant %s", c.name, got, doc.Problems, brief(doc), c.want)
		}
	}
	left, err := os.ReadDir(d.TempDir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Tools see encoded bytes decoded; the CRATE has them as served.
func TestCodedBytes(t *testing.T) {
	r := page("https://a.example/x", "text/plain", gzipped("hello"))
	r.Coding = "gzip"
	doc, got := read(t, record(t, &Disseminator{Tools: looked}, r, "oai_crate"))
	if got != gzipped("hello") || string(doc.Results[0].Bytes) != "hello" || doc.Resources[0].Coding[0] != "gzip" ||
		len(doc.Notices) > 0 {
		t.Errorf("%q %s", got, brief(doc))
	}
}

// Several codings become several names in the document. A coding without a valid name is omitted,
// but the record is kept.
func TestSeveralCodings(t *testing.T) {
	cases := []struct{ coding, content, coded, want string }{
		{"gzip, gzip", gzipped(gzipped("hello")), "gzip gzip", `value true ref "" size %d ; saw "hello"; `},
		{"br , ,GZIP", gzipped(brotlied("hello")), "br gzip", `value true ref "" size %d ; saw "hello"; `},
		{"gzip,x!y", "hello", "",
			`[no tools] tools looked at the bytes as they are coded: the coding "gzip,x!y" is not known; ` +
				`[unnamed coding] the bytes are in the content codings "gzip,x!y", which cannot all be named here; ` +
				`value ` +
				`true ref "" size %d ; saw "hello"; `},
	}
	var records []string
	for _, c := range cases {
		r := page("https://a.example/x", "text/plain", c.content)
		r.Coding, r.Header, r.Captured = c.coding, nil, when
		d := &Disseminator{Tools: looked}
		doc, got := read(t, record(t, d, r, "oai_crate"))
		want := fmt.Sprintf(c.want, len(c.content))
		if got != c.content || brief(doc) != want || strings.Join(doc.Resources[0].Coding, " ") != c.coded {
			t.Errorf("%s: %q\n got %s %q\nwant %s %s", c.coding, got, brief(doc), doc.Resources[0].Coding, want,
				c.coded)
		}
		plain := record(t, d, r, "oai_didl")
		if _, got := read(t, plain); got != c.content {
			t.Errorf("%s: %q", c.coding, plain)
		}
		records = append(records, plain, record(t, d, r, "oai_crate"))
	}
	valid(t, records...)
}

// brotlied encodes a text with the coding br.
func brotlied(s string) string {
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	_, _ = io.WriteString(w, s) // into memory
	_ = w.Close()
	return b.String()
}

func TestDIDLHasNoPlugins(t *testing.T) {
	doc, got := read(t, record(t, &Disseminator{Tools: looked}, page("https://a.example/x", "text/plain", "hello"),
		"oai_didl"))
	if got != "hello" || len(doc.Results) > 0 || doc.Head == nil || doc.Head.Fields[3].Value != "caf\xe9 \x01" {
		t.Errorf("%q %s", got, brief(doc))
	}
}

// No notice is written if the client has left.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := page("https://a.example/x", "text/html", "hello")
	r.Open = func(context.Context) (io.ReadCloser, error) {
		cancel()
		return io.NopCloser(&again{s: "x"}), nil
	}
	for _, f := range []string{"oai_crate", "mets"} {
		err := (&Disseminator{}).Backend(collection{r.Identifier: r}).Write(ctx,
			protocol.Header{Identifier: r.Identifier}, f, io.Discard)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestFormatsOfRecords(t *testing.T) {
	plain := page("https://a.example/x", "text/plain", "x")
	headless := page("https://a.example/y", "text/plain", "x")
	headless.Header, headless.Status = nil, 0
	b := (&Disseminator{}).Backend(collection{"x": plain, "y": headless, "gone": nil})
	for id, want := range map[string]int{"x": 7, "y": 6, "gone": 0} {
		if all, err := b.FormatsOf(t.Context(), id); len(all) != want || err != nil {
			t.Errorf("%s: %d formats, %v; want %d", id, len(all), err, want)
		}
	}
	if _, err := b.FormatsOf(t.Context(), "never"); !errors.Is(err, provider.ErrNotFound) {
		t.Error(err)
	}
	for _, c := range []struct {
		id, prefix string
		want       error
	}{{"y", "http_header", provider.ErrNoFormat}, {"x", "oai_odd", provider.ErrNoFormat},
		{"gone", "oai_dc", provider.ErrNotFound}} {
		if err := b.Write(t.Context(), protocol.Header{Identifier: c.id}, c.prefix, io.Discard); !errors.Is(err,
			c.want) {
			t.Errorf("%s in %s: %v; want %v", c.id, c.prefix, err, c.want)
		}
	}
}

// The schemas are at the URLs in the records and in the formats.
func TestSchemasAreServed(t *testing.T) {
	server := httptest.NewServer(SchemaHandler())
	defer server.Close()
	d := &Disseminator{Schemas: server.URL + "/"}
	doc := record(t, d, page("https://a.example/x", "text/plain", "x"), "oai_crate")
	for _, place := range []string{server.URL + "/crate.xsd", server.URL + "/http_header.xsd"} {
		response, err := server.Client().Get(place)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || !bytes.Contains(text, []byte("targetNamespace")) || !strings.Contains(doc, place) {
			t.Errorf("%s: %.100s, %v", place, text, err)
		}
	}
	if f := d.Backend(nil).Formats()[4]; f.Schema != server.URL+"/http_header.xsd" {
		t.Errorf("%+v", f)
	}
}

func TestBytesThatChangeWhileTheyAreWritten(t *testing.T) {
	for _, content := range []string{"hell", "hello!"} {
		x := xmlstream.NewWriter(io.Discard, xmlstream.Options{})
		err := Write(x, &Crate{Identifier: "urn:x:1", MIMEType: "a/b", Fixity: Fixity{Size: 5},
			Bytes: strings.NewReader(content)})
		if err == nil || x.Close() == nil || !strings.Contains(err.Error(), "changed while it was written") {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestURIs(t *testing.T) {
	for s, want := range map[string]string{
		"https://a.example/a b":     "https://a.example/a b", // xs:anyURI allows a space
		"http://a.example/100%":     "http://a.example/100%25",
		"http://a.example/%41%4":    "http://a.example/%41%254",
		"http://a.example/a#b#c":    "http://a.example/a#b%23c",
		"http://a.example/x[1]?[2]": "http://a.example/x%5B1%5D?%5B2%5D",
		"http://[::1]:80/%":         "http://[::1]:80/%25",
		"http://a:99999999/":        "urn:x-quire:url:http%3A%2F%2Fa%3A99999999%2F",
		"":                          "",
	} {
		if got := asURI(s); got != want || !xmlstream.IsURI(got) {
			t.Errorf("%q: %q; want %q", s, got, want)
		}
	}
}

// The curators' description comes before the page's own; both get the server's headers.
func TestDescriptions(t *testing.T) {
	curated := page("https://a.example/", "text/html", html)
	curated.Description = &mods.Record{Content: mods.Content{
		Titles: []mods.Title{{NonSort: "The ", Title: "site", SubTitle: "of A.", PartName: "News"},
			{Title: "Die Website", Type: "alternative", Lang: "de"}},
		Names: []mods.Name{{Type: "personal",
			Parts: []mods.NamePart{{Type: "family", Text: "Müller"}, {Type: "given", Text: "A."}},
			Roles: []mods.Role{mods.Marc("creator")}},
			{Type: "corporate", DisplayForm: "Library", Roles: []mods.Role{mods.Marc("collector")}}},
		Subjects: []mods.Subject{{Topics: []mods.Term{mods.Text("museums")},
			Geographics: []mods.Term{mods.Text("Ghent")}}},
		Origins:   []mods.Origin{{Publishers: []string{"P"}, Dates: []mods.Date{{Kind: "dateIssued", Text: "2001"}}}},
		Languages: []mods.Language{{Terms: []mods.Term{{Text: "dut", Type: "code", Authority: "iso639-2b"}}}},
		Related: []mods.RelatedItem{{Type: "host",
			Content: mods.Content{Titles: []mods.Title{{Title: "Collection"}}}}, {Href: "https://b.example/"}},
		Abstracts: []mods.Note{{Text: "About."}},
		Notes:     []mods.Note{{Text: "by hand", Type: "source of description"}, {Text: "a note"}},
		Genres:    []mods.Term{mods.Text("blog")}, Access: []mods.Note{{Text: "CC0"}},
		Identifiers: []mods.Identifier{{Text: "ark:/1/2"}},
	}}
	before := fmt.Sprintf("%+v", *curated.Description)
	cases := []struct {
		name           string
		r              *resource.Resource
		prefix         string
		wants, unwants []string
	}{
		{"curated", curated, "oai_dc",
			[]string{"title>The site : of A.. News<", `title xml:lang="de">Die Website<`, "creator>Müller, A.<",
				"contributor>Library<", "contributor>P<", "subject>museums<",
				"subject>Ghent<", "date>2001<", "language>dut<", "relation>Collection<", "relation>https://b.example/<",
				"description>About.<", "description>by hand<", "type>blog<",
				"rights>CC0<", "identifier>ark:/1/2<", "identifier>https://a.example/<", "format>text/html<",
				"date>2026-11-22T10:00:00Z<", "type>Text<"}, []string{"Über uns", "by the page"}},
		{"curated", curated, "marc21",
			[]string{">The site : of A.. News<", `tag="100" ind1="1"`, "code=\"q\">text/html<", ">dut<", "tag=\"773\""},
			[]string{"Über uns"}},
		{"curated", curated, "mods", []string{"<mods:nonSort>The <", "<mods:title>site<",
			"internetMediaType>text/html<", `usage="primary">https://a.example/<`}, []string{"Über uns"}},
		{"page", page("https://a.example/", "text/html", html), "oai_dc",
			[]string{"title>Über uns &amp; mehr<", "creator>A. Müller<", "subject>a<", "subject>b<", "language>de<",
				"date>2026-01-01<", "description>declared by the page itself<", "description>x<",
				"identifier>https://a.example/<"}, []string{"made of the HTTP", "utf-8"}},
		{"page", page("https://a.example/", "text/html", html), "marc21",
			[]string{"tag=\"588\"", "declared by the page itself"}, nil},
		{"silent page", page("https://a.example/", "text/html", "<p>x"), "oai_dc",
			[]string{"title>[https://a.example/]<", "made of the HTTP header"}, []string{"by the page"}},
		{"image", page("https://a.example/i", "image/png", "x"), "oai_dc",
			[]string{"format>image/png<", "format>1 bytes<", "type>StillImage<"}, nil},
		{"withheld", kinds()["withheld"], "oai_dc", []string{"rights>closed until 2030: &lt;statute&gt;<"},
			[]string{"Über"}},
		{"captured", kinds()["captured"], "mods",
			[]string{"dateCaptured", "identifier type=\"uri\">http://a.example/100%<"}, nil},
		{"captured", kinds()["captured"], "mets", []string{"eventDetail>Heritrix<", "PREMIS:EVENT", "success"}, nil},
		{"withheld", kinds()["withheld"], "mets", []string{"PREMIS:RIGHTS", "disallow"}, []string{"CHECKSUM"}},
		{"broken", kinds()["broken"], "mets", []string{"significantPropertiesType>unreadable<"}, []string{"CHECKSUM"}},
	}
	for _, c := range cases {
		got := record(t, &Disseminator{}, c.r, c.prefix)
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s in %s has no %s:\n%s", c.name, c.prefix, want, got)
			}
		}
		for _, unwant := range c.unwants {
			if strings.Contains(got, unwant) {
				t.Errorf("%s in %s has %s:\n%s", c.name, c.prefix, unwant, got)
			}
		}
	}
	if fmt.Sprintf("%+v", *curated.Description) != before {
		t.Error("the curators' description was changed")
	}
}

// A page that is longer than the limit, or incomplete, is described by the part read.
func TestPagesAreReadForTheirHeads(t *testing.T) {
	r := page("https://a.example/", "text/html", "")
	r.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(strings.NewReader(html), &again{s: "<p>again"})), nil
	}
	if got := record(t, &Disseminator{}, r, "oai_dc"); !strings.Contains(got, "Über uns") {
		t.Error(got)
	}
}
