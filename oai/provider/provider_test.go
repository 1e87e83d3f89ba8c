package provider_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quire/internal/schematest"
	"quire/internal/testsamples"
	"quire/metadata/xmlstream"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// ask returns the body of an answer with status 200.
func ask(t testing.TB, p http.Handler, query string) string {
	t.Helper()
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/oai?"+query, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d: %s", query, w.Code, w.Body)
	}
	if got := w.Header().Get("Content-Type"); got != "text/xml; charset=utf-8" {
		t.Errorf("%s: Content-Type %s", query, got)
	}
	return w.Body.String()
}

// codes returns the error codes in an answer.
func codes(doc string) string {
	var all []string
	for _, m := range regexp.MustCompile(`<error code="(\w+)">`).FindAllStringSubmatch(doc, -1) {
		all = append(all, m[1])
	}
	return strings.Join(all, " ")
}

var tokenElement = regexp.MustCompile(`<resumptionToken[^>]*>([^<]*)</resumptionToken>`)

// token returns the token of an answer, and whether the element exists.
func token(doc string) (string, bool) {
	m := tokenElement.FindStringSubmatch(doc)
	if m == nil {
		return "", false
	}
	return m[1], true
}

func next(verb, token string) string {
	return "verb=" + verb + "&resumptionToken=" + url.QueryEscape(token)
}

// identifiers returns the identifiers of the records, in order.
func identifiers(doc string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`<identifier>([^<]*)</identifier>`).FindAllStringSubmatch(doc, -1) {
		all = append(all, m[1])
	}
	return all
}

// harvest reads a list by its tokens and returns every answer.
func harvest(t testing.TB, p http.Handler, verb, query string) (pages []string) {
	t.Helper()
	pages = append(pages, ask(t, p, "verb="+verb+"&"+query))
	for {
		tok, ok := token(pages[len(pages)-1])
		if !ok || tok == "" {
			return pages
		}
		if len(pages) > 10000 {
			t.Fatal("the list does not end")
		}
		pages = append(pages, ask(t, p, next(verb, tok)))
	}
}

// some returns records of all kinds: two to a second, in sets, one deleted.
func some(n int) *providertest.Records {
	r := providertest.New()
	for i := range n {
		r.Put(protocol.Header{Identifier: fmt.Sprintf("http://a.example/%03d?a=<&b", i)[0:len("http://a.example/000")],
			Datestamp: noon.Add(time.Duration(i/2) * time.Second),
			Sets: []string{"host:a.example",
				protocol.MIMESet([]string{"image/png", "image/svg+xml", "text/html"}[i%3])}})
	}
	return r
}

func id(i int) string { return fmt.Sprintf("http://a.example/%03d", i) }

// valid validates an answer if the schemas are installed. The other checks of a test need none.
func valid(t *testing.T, doc string) {
	t.Helper()
	driver := filepath.Join(testsamples.Dir(), "schemas", "drivers", "oai-all.xsd")
	if !exists(driver) && os.Getenv("QUIRE_SHARED_REQUIRED") != "1" {
		return
	}
	if err := schematest.InGo(driver, []byte(doc)); err != nil {
		t.Errorf("%v\n%s", err, doc)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestVerbs(t *testing.T) {
	r := some(7)
	r.Delete(id(2), noon.Add(time.Hour))
	r.PutSet(protocol.Set{Spec: "mime", Name: "By media type", Description: "Sets <by> type & subtype"})
	p := providertest.Provider(t, r, provider.Options{Now: func() time.Time { return noon.Add(2 * time.Hour) },
		OAIIdentifier: &provider.OAIIdentifier{Repository: "a.example", Sample: "oai:a.example:1"}})
	for query, want := range map[string][]string{
		"verb=Identify": {"<responseDate>2026-11-22T14:00:00Z</responseDate>",
			`<request verb="Identify">http://127.0.0.1/oai</request>`,
			"<repositoryName>Records of a test</repositoryName>\n<baseURL>http://127.0.0.1/oai</baseURL>\n" +
				"<protocolVersion>2.0</protocolVersion>\n" +
				"<adminEmail>oai@a.example</adminEmail>\n<earliestDatestamp>2026-11-22T12:00:00Z</earliestDatestamp>" +
				"\n<deletedRecord>persistent</deletedRecord>\n" +
				"<granularity>YYYY-MM-DDThh:mm:ssZ</granularity>\n<compression>gzip</compression>\n<description>"},
		"verb=ListMetadataFormats": {"<metadataPrefix>oai_dc</metadataPrefix>"},
		"verb=ListMetadataFormats&identifier=" +
			url.QueryEscape(id(1)): {"<metadataPrefix>oai_dc</metadataPrefix>", `identifier="http://a.example/001"`},
		"verb=ListSets": {"<setSpec>mime</setSpec>\n<setName>By media type</setName>",
			"Sets &lt;by&gt; type &amp; subtype", "<setSpec>mime:image:svg~xml</setSpec>", "<setSpec>host</setSpec>"},
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=" +
			id(1): {"<identifier>http://a.example/001</identifier><datestamp>2026-11-22T12:00:00Z</datestamp>" +
			"<setSpec>host:a.example</setSpec><setSpec>mime:image:svg~xml</setSpec>", "<metadata><oai_dc:dc",
			"<dc:title>http://a.example/001</dc:title>"},
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=" +
			id(2): {`<header status="deleted"><identifier>http://a.example/002</identifier><datestamp>` +
			`2026-11-22T13:00:00Z</datestamp>`},
		"verb=ListIdentifiers&metadataPrefix=oai_dc":                       {id(0), id(6), `status="deleted"`},
		"verb=ListRecords&metadataPrefix=oai_dc&set=mime:image":            {id(0), id(1), id(3), id(4)},
		"verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-22T13:00:00Z": {id(2), `from="2026-11-22T13:00:00Z"`},
	} {
		doc := ask(t, p, query)
		valid(t, doc)
		if driver := filepath.Join(testsamples.Dir(), "schemas", "drivers", "oai-all.xsd"); exists(driver) {
			schematest.Valid(t, driver, []byte(doc)) // and by xmllint
		}
		for _, s := range want {
			if !strings.Contains(doc, s) {
				t.Errorf("%s: no %s in\n%s", query, s, doc)
			}
		}
		if c := codes(doc); c != "" {
			t.Errorf("%s: %s", query, c)
		}
	}
	if doc := ask(t, p, "verb=GetRecord&metadataPrefix=oai_dc&identifier="+id(2)); strings.Contains(doc, "<metadata>") {
		t.Error("a deleted record has metadata")
	}
}

func TestConditions(t *testing.T) {
	p := providertest.Provider(t, some(7), provider.Options{Records: 2, Headers: 2})
	tok, _ := token(ask(t, p, "verb=ListRecords&metadataPrefix=oai_dc"))
	dead := providertest.New()
	dead.Put(protocol.Header{Identifier: "urn:x:1", Datestamp: noon, Deleted: true})
	bare := providertest.Provider(t, dead, provider.Options{})
	long := strings.Repeat("a", protocol.MaxIdentifier)
	for query, want := range map[string]string{
		"":                                   "badVerb",
		"junk":                               "badVerb",
		"verb":                               "badVerb",
		"verb=junk":                          "badVerb",
		"verb=identify":                      "badVerb",
		"verb=Identify&verb=Identify":        "badVerb",
		"verb=Identify&%zz":                  "badArgument",
		"verb=Identify&a=%":                  "badArgument",
		"verb=Identify&set=a":                "badArgument",
		"verb=Identify&resumptionToken=a":    "badArgument",
		"verb=ListSets&from=2026-11-22":      "badArgument",
		"verb=ListSets&resumptionToken=junk": "badResumptionToken",
		"verb=ListSets&resumptionToken=":     "badResumptionToken",
		"verb=ListMetadataFormats&identifier=urn:x:none": "idDoesNotExist",
		"verb=ListMetadataFormats&identifier=none":       "idDoesNotExist",
		"verb=ListMetadataFormats&metadataPrefix=oai_dc": "badArgument",
		"verb=GetRecord":                                                "badArgument badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc":                          "badArgument",
		"verb=GetRecord&identifier=" + id(1):                            "badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=invalid%22id":  "badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=" + long + "a": "badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=x:" + long[2:]: "idDoesNotExist",
		"verb=GetRecord&metadataPrefix=marc&identifier=urn:x:none": "idDoesNotExist " +
			"cannotDisseminateFormat",
		"verb=GetRecord&metadataPrefix=marc&identifier=" + id(1):                            "cannotDisseminateFormat",
		"verb=GetRecord&metadataPrefix=a:b&identifier=" + id(1):                             "badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=" + id(1) + "&identifier=" + id(1): "badArgument",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=":                                  "badArgument",
		"verb=ListRecords":                                                                                "badArgument",
		"verb=ListIdentifiers&until=junk":                                                                 "badArgument badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=junk":                                            "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=":                                                "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=2026-11-22T10:00:00.1Z":                          "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=2002-02-05&until=2002-02-06T05:35:00Z":           "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=2026-11-23&until=2026-11-22":                     "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=2026-11-22&until=2026-11-22":                     "",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&from=2026-11-22T12:00:01Z&until=2026-11-22T12:00:01Z": "",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&" +
			"until=2025-11-22": "noRecordsMatch",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&" +
			"from=2027-11-22": "noRecordsMatch",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&" +
			"set=mime:audio": "noRecordsMatch",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&set=mime:image:svg%2Bxml": "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&set=":                     "badArgument",
		"verb=ListIdentifiers&metadataPrefix=oai_dc&set=a&set=b":              "badArgument",
		"verb=ListIdentifiers&metadataPrefix=marc":                            "cannotDisseminateFormat",
		"verb=ListIdentifiers&resumptionToken=junk":                           "badResumptionToken",
		"verb=ListIdentifiers&resumptionToken=" +
			tok: "badResumptionToken",
		"verb=ListIdentifiers&resumptionToken=%00":                   "badArgument",
		"verb=ListIdentifiers&resumptionToken=junk&until=2000-02-05": "badArgument",
		"verb=ListRecords&resumptionToken=" + tok:                    "",
		"verb=ListRecords&metadataPrefix=oai_dc&resumptionToken=" +
			tok: "badArgument",
		"verb=ListRecords&resumptionToken=" + tok + "&resumptionToken=" +
			tok: "badArgument",
		"verb=ListRecords&resumptionToken=" +
			tok[1:]: "badResumptionToken",
		"verb=ListRecords&resumptionToken=" +
			strings.Repeat("A", 40000): "badResumptionToken",
		"verb=ListRecords&metadataPrefix=oai_dc&nonsense=1&from=junk&" +
			strings.Repeat("a=1&", 5): "badArgument badArgument badArgument badArgument",
		"verb=Identify&" + strings.Repeat("a=1&",
			50): "badArgument badArgument badArgument",
	} {
		doc := ask(t, p, query)
		if got := codes(doc); got != want {
			t.Errorf("%.200s: %q, want %q\n%.2000s", query, got, want, doc)
		}
		plain := strings.Contains(doc, "<request>")
		if bad := strings.Contains(want, "badVerb") || strings.Contains(want, "badArgument"); plain != bad {
			t.Errorf("%.200s: the request element must have attributes unless the arguments are bad\n%s", query, doc)
		}
		valid(t, doc)
	}
	for query, want := range map[string]string{
		"verb=ListSets": "noSetHierarchy",
		"verb=ListRecords&metadataPrefix=oai_dc&set=a":                "noSetHierarchy",
		"verb=ListRecords&metadataPrefix=marc&set=a":                  "cannotDisseminateFormat noSetHierarchy",
		"verb=ListMetadataFormats&identifier=urn:x:1":                 "noMetadataFormats",
		"verb=GetRecord&metadataPrefix=oai_dc&identifier=urn:x:1":     "",
		"verb=GetRecord&metadataPrefix=oai_other&identifier=urn:x:1":  "cannotDisseminateFormat",
		"verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-22&set=": "badArgument",
	} {
		doc := ask(t, bare, query)
		if got := codes(doc); got != want {
			t.Errorf("%s: %q, want %q\n%s", query, got, want, doc)
		}
		valid(t, doc)
	}
}

// TestPages reads lists of every length around the page size. No page is empty, and a list of one
// page has no token.
func TestPages(t *testing.T) {
	for total := 1; total <= 9; total++ {
		for _, verb := range []string{"ListRecords", "ListIdentifiers"} {
			p := providertest.Provider(t, some(total), provider.Options{Records: 3, Headers: 3})
			pages := harvest(t, p, verb, "metadataPrefix=oai_dc")
			if want := (total + 2) / 3; len(pages) != want {
				t.Errorf("%d records: %d pages", total, len(pages))
			}
			var all []string
			for i, doc := range pages {
				want := fmt.Sprintf(`<resumptionToken completeListSize="%d" cursor="%d">`, total, len(all))
				if has := strings.Contains(doc, want); has != (total > 3) ||
					strings.Contains(doc, "<resumptionToken") != has {
					t.Errorf("%d records, page %d: want %s only when the list is paged\n%s", total, i, want, doc)
				}
				all = append(all, identifiers(doc)...)
				valid(t, doc)
			}
			for i := range total {
				if len(all) != total || all[i] != id(i) {
					t.Fatalf("%d records: %v", total, all)
				}
			}
		}
	}
}

func TestSetsInPages(t *testing.T) {
	p := providertest.Provider(t, some(3), provider.Options{Headers: 2})
	pages := harvest(t, p, "ListSets", "")
	var all []string
	for i, doc := range pages {
		valid(t, doc)
		for _, m := range regexp.MustCompile(`<setSpec>([^<]*)<`).FindAllStringSubmatch(doc, -1) {
			all = append(all, m[1])
		}
		if want := fmt.Sprintf(`<resumptionToken cursor="%d">`, 2*i); !strings.Contains(doc, want) {
			t.Errorf("no %s in\n%s", want, doc)
		}
	}
	if got := strings.Join(all, " "); len(pages) != 4 ||
		got != "host host:a.example mime mime:image mime:image:png mime:image:svg~xml mime:text mime:text:html" {
		t.Errorf("%d pages: %s", len(pages), got)
	}
}

// TestTokensAreRepeatable requests each page again from another provider with the same key, as
// after a restart.
func TestTokensAreRepeatable(t *testing.T) {
	r := some(20)
	options := provider.Options{Records: 3, Now: func() time.Time { return noon }}
	first, second := providertest.Provider(t, r, options), providertest.Provider(t, r, options)
	options.Key = bytes.Repeat([]byte{1}, 32)
	stranger := providertest.Provider(t, r, options)
	query := "metadataPrefix=oai_dc&set=host&from=2026-11-22&until=2026-11-22"
	pages := harvest(t, first, "ListRecords", query)
	if len(pages) != 7 {
		t.Fatalf("%d pages", len(pages))
	}
	for i := range pages[1:] {
		tok, _ := token(pages[i])
		if again := ask(t, second, next("ListRecords", tok)); again != pages[i+1] {
			t.Errorf("page %d comes otherwise:\n%s\n%s", i+1, again, pages[i+1])
		}
		if got := codes(ask(t, stranger, next("ListRecords", tok))); got != "badResumptionToken" {
			t.Errorf("a token of another is answered by %q", got)
		}
	}
}

// TestTamperedTokens changes each byte of a token.
func TestTamperedTokens(t *testing.T) {
	p := providertest.Provider(t, some(9), provider.Options{Records: 3})
	tok, _ := token(ask(t, p, "verb=ListRecords&metadataPrefix=oai_dc"))
	for i := range tok {
		for _, c := range []byte{'A', 'B', '_', '=', ' ', '.', tok[i] ^ 1} {
			changed := tok[:i] + string(c) + tok[i+1:]
			if changed == tok {
				continue
			}
			for _, query := range []string{changed, tok[:i], tok + tok[:i+1]} {
				if got := codes(ask(t, p, next("ListRecords", query))); got != "badResumptionToken" &&
					got != "badArgument" {
					t.Fatalf("%q for %q: %q", query, tok, got)
				}
			}
		}
	}
}

// TestChangesInMidHarvest changes, deletes and adds records between pages. A harvester must see
// every record in its last state.
func TestChangesInMidHarvest(t *testing.T) {
	r := some(30)
	p := providertest.Provider(t, r, provider.Options{Records: 3})
	seen := map[string]string{}
	look := func(doc string) string {
		for _, m := range regexp.MustCompile(`<header( status="deleted")?><identifier>([^<]*)</identifier>`+
			`<datestamp>([^<]*)<`).FindAllStringSubmatch(doc, -1) {
			seen[m[2]] = m[1] + m[3]
		}
		tok, _ := token(doc)
		return tok
	}
	later := noon.Add(time.Hour)
	tok := look(ask(t, p, "verb=ListRecords&metadataPrefix=oai_dc"))
	for i := 0; tok != ""; i++ {
		if i < 5 {
			later = later.Add(time.Second)
			r.Put(protocol.Header{Identifier: id(i), Datestamp: later})      // sent already
			r.Put(protocol.Header{Identifier: id(29 - i), Datestamp: later}) // not sent yet
			r.Delete(id(12+i), later)
			r.Put(protocol.Header{Identifier: id(100 + i), Datestamp: later})
		}
		tok = look(ask(t, p, next("ListRecords", tok)))
	}
	if len(seen) != r.Len() {
		t.Errorf("%d of %d records", len(seen), r.Len())
	}
	for h, err := range r.List(t.Context(), provider.Query{}) {
		want := protocol.FormatDatestamp(h.Datestamp)
		if h.Deleted {
			want = ` status="deleted"` + want
		}
		if err != nil || seen[h.Identifier] != want {
			t.Errorf("%s was seen as %q; it is %q", h.Identifier, seen[h.Identifier], want)
		}
	}
}

// TestBadRecords mixes records with every kind of failure: the other records are complete.
func TestBadRecords(t *testing.T) {
	r := some(9)
	r.Put(protocol.Header{Identifier: "no URI --> <b> \xff", Datestamp: noon})
	r.Put(protocol.Header{Identifier: "urn:x:set", Datestamp: noon, Sets: []string{"a+b"}})
	r.Render = func(_ context.Context, h protocol.Header, _ string, out io.Writer) error {
		text := ""
		switch h.Identifier {
		case id(0):
			return fmt.Errorf("the disk -- is <gone>")
		case id(1):
			text = "<a>\x00</a>"
		case id(2):
			text = `<?xml version="1.0"?><a/>`
		case id(3):
			text = "<a>\xed\xa0\x80</a>"
		case id(4):
			panic("oh")
		case id(5):
			return fmt.Errorf("gone: %w", provider.ErrNotFound)
		case id(6):
			return provider.ErrNoFormat
		case id(7):
			text = "<a"
		}
		if text != "" {
			for _, b := range []byte(text) {
				_, _ = out.Write([]byte{b}) // a backend without checks
			}
			return nil
		}
		return providertest.WriteDC(h.Identifier, out)
	}
	var problems []string
	told := make(chan provider.Problem, 100)
	p := providertest.Provider(t, r, provider.Options{Problem: func(what provider.Problem) { told <- what }})
	doc := ask(t, p, "verb=ListRecords&metadataPrefix=oai_dc")
	close(told)
	for what := range told {
		problems = append(problems, what.Identifier)
	}
	valid(t, doc)
	if got := identifiers(doc); len(got) != 1 || got[0] != id(8) {
		t.Errorf("%v in\n%s", got, doc)
	}
	for i := range 8 {
		if !strings.Contains(doc, "<!-- left out: "+id(i)+" -->") {
			t.Errorf("%s is passed over in silence:\n%s", id(i), doc)
		}
	}
	if !strings.Contains(doc, "<!-- left out: no URI -%2D> <b> \uFFFD -->") ||
		!strings.Contains(doc, "<!-- left out: urn:x:set -->") {
		t.Error(doc)
	}
	if want := []string{id(0), id(1), "no URI --> <b> \xff", "urn:x:set", id(2), id(3), id(4),
		id(7)}; strings.Join(problems, " ") != strings.Join(want, " ") {
		t.Errorf("reported %q; want %q", problems, want)
	}

	p = providertest.Provider(t, r, provider.Options{})
	for query, want := range map[string]string{
		"identifier=" + id(0): "the disk -- is &lt;gone&gt;", "identifier=" + id(1): "bytes that XML forbids",
		"identifier=" + id(6): "lacks the format",
	} {
		doc := ask(t, p, "verb=GetRecord&metadataPrefix=oai_dc&"+query)
		valid(t, doc)
		if codes(doc) != "cannotDisseminateFormat" || !strings.Contains(doc, want) {
			t.Errorf("%s: %s", query, doc)
		}
	}
	if got := codes(ask(t, p, "verb=GetRecord&metadataPrefix=oai_dc&identifier="+id(5))); got != "idDoesNotExist" {
		t.Error(got)
	}
	// If there are no further records, the answer is an error, not an empty page.
	doc = ask(t, p, "verb=ListRecords&metadataPrefix=oai_dc&until=2026-11-22T12:00:03Z")
	if codes(doc) != "noRecordsMatch" ||
		!strings.Contains(doc, "all 10 matching records are currently unavailable") {
		t.Error(doc)
	}
	// A page of bad records is skipped.
	p = providertest.Provider(t, r, provider.Options{Records: 2})
	doc = ask(t, p, "verb=ListRecords&metadataPrefix=oai_dc")
	if got := identifiers(doc); len(got) != 1 || got[0] != id(8) || strings.Contains(doc, "resumptionToken") {
		t.Error(doc)
	}
	p = providertest.Provider(t, r, provider.Options{Records: 1})
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/oai?verb=ListRecords&metadataPrefix=oai_dc", nil))
	if w.Code != http.StatusInternalServerError {
		t.Errorf("ten bad records in a row: %d %s", w.Code, w.Body)
	}
}

// TestPagesByBytes has large records. A page ends with the record that fills it, and no record is
// rendered without room for it.
func TestPagesByBytes(t *testing.T) {
	r := some(12)
	rendered := make(chan string, 1000)
	r.Render = func(_ context.Context, h protocol.Header, _ string, out io.Writer) error {
		rendered <- h.Identifier
		return providertest.WriteDC(strings.Repeat("日本 ", 150<<10), out) // 1 MiB
	}
	p := providertest.Provider(t, r, provider.Options{Bytes: 5 << 20 / 2, Memory: 3 << 20, Spool: t.TempDir()})
	pages := harvest(t, p, "ListRecords", "metadataPrefix=oai_dc")
	if len(pages) != 4 {
		t.Errorf("%d pages", len(pages))
	}
	for _, doc := range pages {
		if n := strings.Count(doc, "<record>"); n != 3 ||
			!strings.Contains(doc, strings.Repeat("日本 ", 150<<10)+"</dc:title>") {
			t.Errorf("%d records in a page of %d bytes", n, len(doc))
		}
	}
	if n := len(rendered); n > 12+4 {
		t.Errorf("%d renderings of 12 records", n)
	}
}

func TestHTTP(t *testing.T) {
	p := providertest.Provider(t, some(3), provider.Options{})
	do := func(method, target, body string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, target, strings.NewReader(body))
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w
	}
	const form = "application/x-www-form-urlencoded"
	get := do("GET", "/oai?verb=ListRecords&metadataPrefix=oai_dc", "").Body.String()
	for _, w := range []*httptest.ResponseRecorder{
		do("POST", "/oai", "verb=ListRecords&metadataPrefix=oai_dc", "Content-Type", form),
		do("POST", "/oai", "metadataPrefix=oai_dc&verb=List%52ecords", "Content-Type", form+"; charset=UTF-8"),
		do("POST", "/oai?verb=ListRecords", "metadataPrefix=oai_dc", "Content-Type", form),
	} {
		tail := func(s string) string { return s[strings.Index(s, "<ListRecords>"):] }
		if w.Code != 200 || tail(w.Body.String()) != tail(get) {
			t.Errorf("%d\n%s\n%s", w.Code, w.Body, get)
		}
	}
	big := strings.Repeat("a", 65<<10)
	for _, c := range []struct {
		w    *httptest.ResponseRecorder
		want int
	}{
		{do("POST", "/oai", "verb=Identify", "Content-Type", "text/xml"), 415},
		{do("POST", "/oai", "verb=Identify"), 415},
		{do("POST", "/oai", "verb=Identify", "Content-Type", form, "Content-Encoding", "gzip"), 415},
		{do("POST", "/oai", big, "Content-Type", form), 413}, {do("GET", "/oai?"+big, ""), 414},
		{do("PUT", "/oai", ""), 405}, {do("DELETE", "/oai", ""), 405}, {do("OPTIONS", "/oai", ""), 204},
		{do("HEAD", "/oai?verb=Identify", ""), 200},
	} {
		if c.w.Code != c.want || (c.want == 405 && c.w.Header().Get("Allow") != "GET, HEAD, OPTIONS, POST") {
			t.Errorf("%d, want %d: %v %s", c.w.Code, c.want, c.w.Header(), c.w.Body)
		}
	}
	if w := do("HEAD", "/oai?verb=Identify", ""); w.Body.Len() > 0 ||
		w.Header().Get("Content-Type") != "text/xml; charset=utf-8" {
		t.Error(w)
	}
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "br, gzip;q=0.5": true, "x-gzip": true, "*": true, "gzip;q=0": false,
		"gzip; q=0.000": false, "*;q=0": false,
		"*, gzip;q=0": false, "gzip, *;q=0": true, "deflate": false, "identity": false, "GZIP": true,
	} {
		w := do("GET", "/oai?verb=Identify", "", "Accept-Encoding", accept)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want ||
			w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %v", accept, w.Header())
		}
		if !want {
			continue
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if doc, err := io.ReadAll(z); err != nil || !strings.HasSuffix(string(doc), "</OAI-PMH>\n") {
			t.Errorf("%v\n%s", err, doc)
		}
	}
}

// large writes a record of the given size.
func large(size int) func(context.Context, protocol.Header, string, io.Writer) error {
	text := []byte(strings.Repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", 1000)[:32<<10])
	return func(_ context.Context, _ protocol.Header, _ string, out io.Writer) error {
		if _, err := io.WriteString(out, `<a xmlns="urn:x">`); err != nil {
			return err
		}
		for left := size; left > 0; left -= len(text) {
			if _, err := out.Write(text); err != nil {
				return err
			}
		}
		_, err := io.WriteString(out, "</a>")
		return err
	}
}

// failing is a backend with a failing index.
type failing struct{ *providertest.Records }

func (failing) Earliest(context.Context) (time.Time, error) {
	return noon, errors.New("the disk is gone")
}

func TestErrorsOfTheMachine(t *testing.T) {
	var told []error
	p := providertest.Provider(t, failing{some(1)},
		provider.Options{Problem: func(w provider.Problem) { told = append(told, w) }})
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/oai?verb=Identify", nil))
	if w.Code != 500 || strings.Contains(w.Body.String(), "disk") || len(told) != 1 ||
		!strings.Contains(told[0].Error(), "disk") {
		t.Errorf("%d %s, reported %v", w.Code, w.Body, told)
	}
}

// TestClientGoesAway checks that work for a client that left ends.
func TestClientGoesAway(t *testing.T) {
	r := some(50)
	begun, stopped := make(chan bool, 100), make(chan bool, 100)
	r.Render = func(ctx context.Context, _ protocol.Header, _ string, _ io.Writer) error {
		begun <- true
		<-ctx.Done()
		stopped <- true
		return ctx.Err()
	}
	url := providertest.Serve(t, r, provider.Options{Problem: func(w provider.Problem) { t.Error("told of", w) }})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"?verb=ListRecords&metadataPrefix=oai_dc", nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-begun
		cancel()
	}()
	if res, err := http.DefaultClient.Do(req); err == nil {
		res.Body.Close()
		t.Fatal("an answer without records")
	}
	<-stopped
	if n := len(begun); n > 4 {
		t.Errorf("%d were begun", n)
	}
}

func TestOptions(t *testing.T) {
	good := provider.Options{Name: "a", BaseURL: "http://a.example/oai", AdminEmail: []string{"oai@a.example"},
		Key: providertest.Key}
	for name, spoil := range map[string]func(*provider.Options){
		"no name": func(o *provider.Options) {
			o.Name = " "
		}, "no URL": func(o *provider.Options) { o.BaseURL = "a.example" },
		"query": func(o *provider.Options) {
			o.BaseURL += "?a=b"
		}, "no address": func(o *provider.Options) { o.AdminEmail = nil },
		"mailto": func(o *provider.Options) {
			o.AdminEmail = []string{"mailto:oai@a.example"}
		}, "no dot": func(o *provider.Options) { o.AdminEmail = []string{"a@localhost"} },
		"short key": func(o *provider.Options) {
			o.Key = o.Key[:15]
		}, "negative": func(o *provider.Options) { o.Bytes = -1 },
		"oai-identifier": func(o *provider.Options) { o.OAIIdentifier = &provider.OAIIdentifier{Repository: "a"} },
	} {
		o := good
		spoil(&o)
		if _, err := provider.New(some(1), o); err == nil {
			t.Error(name, "is taken")
		}
	}
	if _, err := provider.New(some(1), good); err != nil {
		t.Error(err)
	}
	if _, err := provider.New(providertest.New(providertest.DC), good); err == nil {
		t.Error("the same format twice is taken")
	}
}

// TestSynthetic compares synthetic records with stored ones.
func TestSynthetic(t *testing.T) {
	s := providertest.Synthetic(250)
	p := providertest.Provider(t, s, provider.Options{Records: 100, Headers: 7})
	n := 0
	for _, doc := range harvest(t, p, "ListRecords", "metadataPrefix=oai_dc") {
		for _, got := range identifiers(doc) {
			if want := s.At(n).Identifier; got != want {
				t.Fatalf("%s, want %s", got, want)
			}
			n++
		}
	}
	for _, doc := range harvest(t, p, "ListIdentifiers", "metadataPrefix=oai_dc&set=s:3&from=2020-01-01T00:00:10Z") {
		n += len(identifiers(doc))
	}
	if n != 250+22 {
		t.Error(n)
	}
}

func FuzzQuery(f *testing.F) {
	p := providertest.Provider(f, some(9), provider.Options{Records: 3})
	tok, _ := token(ask(f, p, "verb=ListRecords&metadataPrefix=oai_dc"))
	for _, q := range []string{"", "verb=Identify",
		"verb=ListRecords&metadataPrefix=oai_dc&from=2026-11-22&until=2026-11-23&set=a:b", next("ListRecords", tok),
		"verb=GetRecord&identifier=http://a.example/001&metadataPrefix=oai_dc",
		"verb=GetRecord&identifier=%00\"<&metadataPrefix=%ff", "verb=ListSets&resumptionToken=%ef%bf%be"} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, query string) {
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/oai", RawQuery: query}, Header: http.Header{}}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		doc := w.Body.String()
		if w.Code == http.StatusRequestURITooLong {
			return
		}
		if w.Code != http.StatusOK || xmlstream.Sanitize(doc) != doc || !strings.HasSuffix(doc, "</OAI-PMH>\n") {
			t.Fatalf("%d\n%s", w.Code, doc)
		}
		if c := codes(doc); (strings.Contains(c, "badVerb") ||
			strings.Contains(c, "badArgument")) != strings.Contains(doc, "<request>") {
			t.Errorf("attributes of the request, with %q\n%s", c, doc)
		}
		valid(t, doc)
	})
}
