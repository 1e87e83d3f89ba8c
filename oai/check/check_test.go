package check

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/internal/findingtest"
	"quire/internal/prove"
	"quire/internal/testsamples"
	"quire/model"
	"quire/oai/client"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// records returns 25 records, three to a second, every fifth one deleted.
func records() *providertest.Records {
	r := providertest.New()
	for i := range 25 {
		r.Put(protocol.Header{Identifier: id(i), Datestamp: noon.Add(time.Duration(i/3) * time.Second), Deleted: i == 4,
			Sets: []string{"host:a.example",
				protocol.MIMESet([]string{"image/png", "image/svg+xml", "text/html"}[i%3])}})
	}
	return r
}

func id(i int) string { return fmt.Sprintf("http://a.example/%03d", i) }

// later returns the time of the checks.
func later() time.Time { return noon.Add(time.Hour) }

// fault is an error built into a provider.
type fault struct {
	name string
	want string // codes
	doc  func(q url.Values, doc string) string
	http func(q url.Values, w http.ResponseWriter, r *http.Request) (done bool)
}

// serve starts a provider with a fault on the loopback.
func serve(t *testing.T, b provider.Backend, f fault) string {
	t.Helper()
	var p http.Handler
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		if f.http != nil && f.http(r.Form, w, r) {
			return
		}
		zip := strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
		inner := httptest.NewRequest(http.MethodGet, "/oai?"+r.Form.Encode(), nil)
		rec := httptest.NewRecorder()
		p.ServeHTTP(rec, inner)
		doc := rec.Body.String()
		if f.doc != nil {
			doc = f.doc(r.Form, doc)
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "text/xml; charset=utf-8")
		}
		if zip && w.Header().Get("X-Plain") == "" {
			w.Header().Set("Content-Encoding", "gzip")
			z := zippers.Get().(*gzip.Writer)
			z.Reset(w)
			defer zippers.Put(z)
			defer z.Close()
			_, _ = io.WriteString(z, doc)
			return
		}
		_, _ = io.WriteString(w, doc)
	}))
	base := "http://" + server.Listener.Addr().String() + "/oai"
	p = providertest.Provider(t, b, provider.Options{BaseURL: base, Records: 10, Headers: 10, Now: later})
	server.Start()
	t.Cleanup(server.Close)
	return base
}

var zippers = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// run runs a check without the waits that a server requests.
func run(t *testing.T, base string, opt Options) *Report {
	t.Helper()
	opt.Now = later
	opt.Client.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	report, err := Run(t.Context(), base, opt)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// codes returns the distinct codes of the findings.
func codes(r *Report) string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, f.Code)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

func TestOurProviderIsRight(t *testing.T) {
	options := Options{}
	if dir := filepath.Join(testsamples.Dir(), "schemas"); exists(dir) {
		options.Schemas = dir
	}
	bare := providertest.New()
	for i := range 3 {
		bare.Put(protocol.Header{Identifier: id(i), Datestamp: noon})
	}
	for name, b := range map[string]provider.Backend{"paged": records(), "no sets, one page": bare,
		"synthetic": providertest.Synthetic(995)} {
		base := providertest.Serve(t, b, provider.Options{Records: 10, Headers: 10, Now: later})
		r := run(t, base, options)
		if len(r.Findings) > 0 || r.Errors+r.Warnings > 0 || (len(r.Undone) > 0 && name != "synthetic") {
			t.Errorf("%s: %v, undone %q", name, r.Findings, r.Undone)
		}
		if r.Requests < 40 || r.Records == 0 {
			t.Errorf("%s: %d requests, %d records", name, r.Requests, r.Records)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// replace returns a fault that replaces a text in every answer.
func replace(old, with string) func(url.Values, string) string {
	return func(_ url.Values, doc string) string { return strings.ReplaceAll(doc, old, with) }
}

// of limits a fault to answers to one verb.
func of(verb string, f func(url.Values, string) string) func(url.Values, string) string {
	return func(q url.Values, doc string) string {
		if q.Get("verb") != verb {
			return doc
		}
		return f(q, doc)
	}
}

// match returns a fault that replaces the matches of a pattern.
func match(pattern, with string) func(url.Values, string) string {
	re := regexp.MustCompile(pattern)
	return func(_ url.Values, doc string) string { return re.ReplaceAllString(doc, with) }
}

// resumed limits a fault to answers to a token, or to other answers.
func resumed(is bool, f func(url.Values, string) string) func(url.Values, string) string {
	return func(q url.Values, doc string) string {
		if (q.Get("resumptionToken") != "") != is || strings.Contains(doc, "<error") {
			return doc
		}
		return f(q, doc)
	}
}

func header(name, value string) func(url.Values, http.ResponseWriter, *http.Request) bool {
	return func(_ url.Values, w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set(name, value)
		return false
	}
}

// once applies a function to the first request of a kind.
func once(f func(w http.ResponseWriter, r *http.Request)) func(url.Values, http.ResponseWriter, *http.Request) bool {
	done := false
	return func(q url.Values, w http.ResponseWriter, r *http.Request) bool {
		if done || q.Get("verb") != "ListSets" {
			return false
		}
		done = true
		f(w, r)
		return true
	}
}

// answerAs answers the chosen requests as if they were others.
func answerAs(chosen func(url.Values) bool, change func(url.Values)) func(url.Values, http.ResponseWriter,
	*http.Request) bool {
	return func(q url.Values, _ http.ResponseWriter, _ *http.Request) bool {
		if chosen(q) {
			change(q)
		}
		return false
	}
}

// faults are all kinds of errors. Each must be found, without other findings.
func faults() []fault {
	return []fault{
		{name: "status 500", want: CodeStatus,
			http: once(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })},
		{name: "errors with status 400", want: CodeStatus,
			http: func(q url.Values, w http.ResponseWriter, _ *http.Request) bool {
				if q.Get("resumptionToken") == "junk" {
					w.Header().Set("Content-Type", "text/xml")
					w.Header().Set("X-Plain", "1")
					w.WriteHeader(http.StatusBadRequest)
				}
				return false
			}},
		{name: "moved for ever", want: CodeMoved, http: once(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/oai?verb=ListSets", http.StatusMovedPermanently)
		})},
		{name: "found elsewhere", want: "", http: once(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/oai?verb=ListSets", http.StatusFound)
		})},
		{name: "busy", want: "", http: once(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "10")
			w.WriteHeader(http.StatusServiceUnavailable)
		})},
		{name: "busy without end", want: CodeRetryAfter,
			http: once(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })},
		{name: "busy for days", want: CodeRetryAfter, http: once(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "Sun, 22 Nov 2026 14:00:00 GMT")
			w.WriteHeader(http.StatusServiceUnavailable)
		})},
		{name: "application/xml", want: CodeType, http: header("Content-Type", "application/xml")},
		{name: "a page of HTML", want: CodeNotOAI,
			doc: of("ListSets", func(url.Values, string) string { return "<html><title>Log in</title></html>" })},
		{name: "never compressed", want: CodeCoding, http: header("X-Plain", "1")},
		{name: "always compressed", want: CodeCoding,
			http: func(_ url.Values, _ http.ResponseWriter, r *http.Request) bool {
				r.Header.Set("Accept-Encoding", "gzip")
				return false
			}},
		{name: "no arguments by POST", want: CodePost,
			http: func(q url.Values, _ http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPost && q.Get("verb") == "GetRecord" {
					q.Set("identifier", id(7))
				}
				return false
			}, doc: replace(`identifier="`+id(7)+`"`, `identifier="`+id(0)+`"`)},

		{name: "a control character", want: CodeXML, doc: of("GetRecord", replace("<dc:title>", "<dc:title>\x01"))},
		{name: "Latin 1", want: CodeXML, doc: of("GetRecord", replace("<dc:title>", "<dc:title>caf\xe9"))},
		{name: "a prolog in a record", want: CodeXML,
			doc: of("GetRecord", replace("<metadata>", `<metadata><?xml version="1.0"?>`))},
		{name: "a bare ampersand", want: CodeXML, doc: of("GetRecord", replace("<dc:title>", "<dc:title>A & B"))},
		{name: "cut", want: CodeXML, doc: of("ListSets", func(_ url.Values, doc string) string {
			return doc[:len(doc)-30]
		})},
		{name: "the wrong namespace", want: CodeRootSpace,
			doc: replace(`xmlns="http://www.openarchives.org/OAI/2.0/"`,
				`xmlns="https://www.openarchives.org/OAI/2.0/"`)},
		{name: "no schemaLocation", want: CodeSchemaLocation,
			doc: match(` xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ [^"]*"`, "")},
		{name: "another prefix of schemaLocation", want: CodeSchemaLocation,
			doc: match(`xmlns:xsi="([^"]*)" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ `,
				`xmlns:x="$1" x:schemaLocation="http://www.openarchives.org/OAI/2.0/ `)},
		{name: "a day as responseDate", want: CodeResponseDate,
			doc: of("ListSets", match(`<responseDate>(.{10})[^<]*`, "<responseDate>$1"))},
		{name: "fractions in responseDate", want: CodeResponseDate,
			doc: match(`Z</responseDate>`, ".123Z</responseDate>")},
		{name: "a clock an hour ahead", want: CodeClock,
			doc: replace("<responseDate>2026-11-22T13", "<responseDate>2026-11-22T14")},
		{name: "another URL in request", want: CodeRequestURL,
			doc: of("ListSets", match(`(<request[^>]*>)[^<]*`, "${1}http://inside:8080/oai"))},
		{name: "no attributes in request", want: CodeRequestArguments,
			doc: of("ListSets", match(`<request[^>]*>`, "<request>"))},
		{name: "attributes beside badArgument", want: CodeRequestArguments,
			doc: replace(`<request>`, `<request verb="GetRecord">`)},
		{name: "Identify in answer to ListMetadataFormats", want: CodeVerb,
			doc: of("ListMetadataFormats", func(q url.Values, doc string) string {
				if q.Get("identifier") != "" {
					return doc
				}
				return regexp.MustCompile(`(?s)<ListMetadataFormats>.*</ListMetadataFormats>`).ReplaceAllString(doc,
					"<Identify></Identify>")
			})},
		{name: "arguments that are passed over", want: CodeNoError, doc: func(q url.Values, doc string) string {
			if q.Has("junk") && q.Get("verb") == "Identify" {
				return regexp.MustCompile(`(?s)<request>(.*)<error.*</error>`).ReplaceAllString(doc,
					`<request verb="Identify" junk="junk">$1<Identify></Identify>`)
			}
			return doc
		}},
		{name: "dates that are passed over", want: CodeNoError,
			http: answerAs(func(q url.Values) bool {
				return q.Get("until") == "junk" && q.Has("metadataPrefix")
			}, func(q url.Values) { q.Set("until", "2030-01-01") }),
			doc: replace(`until="2030-01-01"`, `until="junk"`)},
		{name: "another error", want: CodeOtherError,
			doc: replace(`code="badResumptionToken"`, `code="noRecordsMatch"`)},

		{name: "no name", want: CodeName, doc: match("<repositoryName>[^<]*", "<repositoryName>")},
		{name: "a slash more", want: CodeBaseURL, doc: replace("</baseURL>", "/</baseURL>")},
		{name: "version 1.1", want: CodeVersion, doc: replace("<protocolVersion>2.0", "<protocolVersion>1.1")},
		{name: "no address", want: CodeEmail, doc: match("<adminEmail>.*</adminEmail>", "")},
		{name: "localhost", want: CodeEmail, doc: match("<adminEmail>[^<]*", "<adminEmail>root@localhost")},
		{name: "mailto", want: CodeMailto, doc: replace("<adminEmail>", "<adminEmail>mailto:")},
		{name: "granularity of minutes", want: CodeGranularity + " " + CodeDatestamp,
			doc: replace("YYYY-MM-DDThh:mm:ssZ", "YYYY-MM-DDThh:mmZ")},
		{name: "a day as earliest", want: CodeEarliest,
			doc: match(`<earliestDatestamp>(.{10})[^<]*`, "<earliestDatestamp>$1")},
		{name: "earliest too late", want: CodeEarlier + " " + CodeNoError,
			doc: match(`<earliestDatestamp>[^<]*`, "<earliestDatestamp>2028-01-01T00:00:00Z")},
		{name: "an own way to delete", want: CodeDeletedRecord,
			doc: replace("<deletedRecord>persistent", "<deletedRecord>yes")},
		{name: "none are deleted, it says", want: CodeDeletedRecord,
			doc: replace("<deletedRecord>persistent", "<deletedRecord>no")},
		{name: "oai-identifier", want: CodeScheme,
			doc: replace("</Identify>",
				`<description><oai-identifier xmlns="http://www.openarchives.org/OAI/2.0/oai-identifier"><scheme>`+
					`oai</scheme>`+
					`<repositoryIdentifier>localhost</repositoryIdentifier><delimiter>:</delimiter><sampleIdentifier>`+
					`oai:localhost:1</sampleIdentifier></oai-identifier></description></Identify>`)},

		{name: "a colon in a prefix", want: CodePrefix,
			doc: replace("</ListMetadataFormats>",
				"<metadataFormat><metadataPrefix>a:b</metadataPrefix></metadataFormat></ListMetadataFormats>")},
		{name: "another namespace of oai_dc", want: CodeDC + " " + CodeMetadataSpace,
			doc: of("ListMetadataFormats", replace("<metadataNamespace>http:", "<metadataNamespace>https:"))},
		{name: "a plus in a setSpec", want: CodeSetSpec, doc: replace("svg~xml", "svg+xml")},
		{name: "a set twice", want: CodeSetTwice,
			doc: of("ListSets", replace("<set>\n<setSpec>host</setSpec>",
				"<set><setSpec>host</setSpec><setName>a</setName></set><set><setSpec>host</setSpec>"))},
		{name: "a set without name", want: CodeSetName, doc: match("<setName>All of mime:text</setName>", "")},
		{name: "a set without the one above", want: CodeSetAbove,
			doc: of("ListSets", match("(?s)<set>\n<setSpec>mime:text</setSpec>.*?</set>", ""))},
		{name: "a set that is not listed", want: CodeSetUnlisted,
			doc: of("ListSets", match("(?s)<set>\n<setSpec>mime:text:html</setSpec>.*?</set>", ""))},
		{name: "no sets, it says", want: CodeSetUnlisted + " " + CodeOtherError,
			doc: of("ListSets", match("(?s)<ListSets>.*</ListSets>", `<error code="noSetHierarchy">none</error>`))},
		{name: "a set without those below it", want: CodeSetMissing, doc: func(q url.Values, doc string) string {
			if q.Get("set") != "mime" {
				return doc
			}
			return regexp.MustCompile("(?s)<ListIdentifiers>.*</ListIdentifiers>").ReplaceAllString(doc,
				`<error code="noRecordsMatch">none</error>`)
		}},
		func() fault {
			other := false
			return fault{name: "sets that are passed over", want: CodeSetOther,
				http: func(q url.Values, _ http.ResponseWriter, _ *http.Request) bool {
					if other = q.Get("set") == "mime:image:png"; other {
						q.Set("set", "host")
					}
					return false
				}, doc: func(_ url.Values, doc string) string {
					if other {
						return strings.Replace(doc, `set="host"`, `set="mime:image:png"`, 1)
					}
					return doc
				}}
		}(),

		{name: "an identifier that is no URI", want: CodeIdentifier, doc: replace(id(6), "record 6")},
		{name: "a record twice", want: CodeTwice,
			doc: of("ListIdentifiers", match(`(<header><identifier>`+id(6)+`.*\n)<header>.*\n`, "$1$1"))},
		{name: "milliseconds", want: CodeDatestamp, doc: of("ListIdentifiers", replace("12:00:02Z", "12:00:02.000Z"))},
		{name: "the future", want: CodeFuture,
			doc: replace("<datestamp>2026-11-22T12:00:08Z", "<datestamp>2026-11-22T14:00:08Z")},
		{name: "no order", want: CodeOrder,
			doc: replace("<datestamp>2026-11-22T12:00:03Z", "<datestamp>2026-11-22T12:00:00Z")},
		{name: "metadata of the dead", want: CodeDeletedMetadata,
			doc: of("ListRecords", match(`(?s)(<header status="deleted">.*?</header>)`,
				`$1<metadata><a xmlns="`+providertest.DC.Namespace+`"/></metadata>`))},
		{name: "no metadata", want: CodeNoMetadata,
			doc: of("ListRecords", match(`<metadata>.*`+id(8)+`.*</metadata>`, ""))},
		{name: "metadata of another kind", want: CodeMetadataSpace,
			doc: of("GetRecord", match(`<metadata>.*</metadata>`, `<metadata><a xmlns="urn:x"/></metadata>`))},
		{name: "another datestamp by another verb", want: CodeHeader,
			doc: of("GetRecord", replace("<datestamp>2026-11-22T12:00:00Z", "<datestamp>2026-11-22T12:00:01Z"))},
		{name: "fewer sets by another verb", want: CodeHeader,
			doc: of("ListRecords", replace("<setSpec>host:a.example</setSpec>", ""))},
		{name: "a record that cannot be had", want: CodeGetRecord,
			doc: of("GetRecord", match("(?s)<GetRecord>.*</GetRecord>", `<error code="idDoesNotExist">none</error>`))},
		{name: "a record that is left out", want: CodeLists + " " + CodeTokenCursor + " " + CodeTokenSize,
			doc: of("ListRecords", match(`<record>\n<header><identifier>`+id(3)+`(?s:.*?)</record>`, ""))},
		{name: "datestamps of another field", want: CodeSelect, doc: func(q url.Values, doc string) string {
			if q.Get("from") != "2026-11-22T12:00:00Z" || q.Has("set") {
				return doc
			}
			return regexp.MustCompile("(?s)<List(Id|Rec).*</List[^>]*>").ReplaceAllString(doc,
				`<error code="noRecordsMatch">none</error>`)
		}},
		{name: "no days", want: CodeDay, doc: func(q url.Values, doc string) string {
			if q.Get("from") != "2026-11-22" {
				return doc
			}
			return regexp.MustCompile("(?s)<List(Id|Rec).*</List[^>]*>").ReplaceAllString(doc,
				`<error code="noRecordsMatch">none</error>`)
		}},
		{name: "until is passed over", want: CodeRange,
			http: answerAs(func(q url.Values) bool {
				return q.Get("until") == "2026-11-22T12:00:00Z" && !q.Has("set")
			}, func(q url.Values) { q.Set("until", "2026-11-22T12:00:01Z") }),
			doc: replace(`until="2026-11-22T12:00:01Z"`, `until="2026-11-22T12:00:00Z"`)},

		{name: "two tokens", want: CodeTokenTwo,
			doc: of("ListRecords", match("(<resumptionToken[^>]*>[^<]+</resumptionToken>)", "$1$1"))},
		{name: "an empty token of a whole list", want: CodeTokenFirst, doc: func(q url.Values, doc string) string {
			if strings.Contains(doc, "resumptionToken") || q.Has("from") || q.Has("until") || q.Has("set") {
				return doc
			}
			return strings.Replace(doc, "</ListSets>", "<resumptionToken/></ListSets>", 1)
		}},
		{name: "no token on the last page", want: CodeTokenLast,
			doc: match("<resumptionToken[^>]*></resumptionToken>", "")},
		{name: "cursor from 1", want: CodeTokenCursor, doc: replace(`cursor="0"`, `cursor="1"`)},
		{name: "cursor of the next page", want: CodeTokenCursor,
			doc: resumed(true, replace(`cursor="10"`, `cursor="20"`))},
		{name: "a size that is too small", want: CodeTokenSize,
			doc: replace(`completeListSize="25"`, `completeListSize="5"`)},
		{name: "a size that is too large", want: CodeTokenSize,
			doc: replace(`completeListSize="25"`, `completeListSize="26"`)},
		{name: "a circle", want: CodeTokenLoop, doc: func() func(url.Values, string) string {
			re, first := regexp.MustCompile(`(<resumptionToken[^>]*>)[^<]+<`), ""
			return of("ListRecords", func(q url.Values, doc string) string {
				if m := regexp.MustCompile(`resumptionToken="([^"]*)"`).FindStringSubmatch(doc); m != nil &&
					q.Get("resumptionToken") != "junk" {
					first = m[1]
					return re.ReplaceAllString(doc, "${1}"+first+"<")
				}
				return doc
			})
		}()},
		{name: "dead tokens", want: CodeTokenDead,
			doc: of("ListRecords", resumed(true,
				match("(?s)<ListRecords>.*</ListRecords>", `<error code="badResumptionToken">no</error>`)))},
		{name: "tokens that are used up", want: CodeTokenRepeat, doc: func() func(url.Values, string) string {
			used := map[string]int{}
			return of("ListRecords", func(q url.Values, doc string) string {
				token := q.Get("resumptionToken")
				if used[token]++; token == "" || used[token] != 2 || strings.Contains(doc, "<error") {
					return doc
				}
				return regexp.MustCompile("(?s)<ListRecords>.*</ListRecords>").ReplaceAllString(doc,
					`<error code="badResumptionToken">used</error>`)
			})
		}()},
		{name: "tokens that lead on", want: CodeTokenRepeat, doc: func() func(url.Values, string) string {
			used := map[string]int{}
			return of("ListRecords", func(q url.Values, doc string) string {
				token := q.Get("resumptionToken")
				if used[token]++; token == "" || used[token] != 2 {
					return doc
				}
				return strings.Replace(doc, id(10), id(9), 1)
			})
		}()},
		{name: "expired tokens", want: CodeTokenExpired,
			doc: replace("<resumptionToken ", `<resumptionToken expirationDate="2026-11-22T12:59:00Z" `)},
		{name: "an empty last page", want: CodeEmptyPage + " " + CodeLists + " " + CodeTokenSize,
			doc: of("ListRecords", resumed(true,
				match(`(?s)<record>\n<header><identifier>http://a.example/02.*</record>`, "")))},
	}
}

func TestEachFaultIsFoundAndOnlyIt(t *testing.T) {
	prove.Serial(t)
	found := map[string]bool{}
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			r := run(t, serve(t, records(), f), Options{})
			for code := range strings.FieldsSeq(codes(r)) {
				found[code] = true
			}
			want := strings.Fields(f.want)
			slices.Sort(want)
			if got := codes(r); got != strings.Join(want, " ") {
				for _, f := range r.Findings {
					t.Log(f)
				}
				t.Errorf("found %q, want %q", got, want)
			}
			for _, f := range r.Findings {
				if !strings.Contains(f.Request, "/oai?verb=") && !strings.HasPrefix(f.Request, "POST ") &&
					!strings.Contains(f.Request, "/oai?junk=") || strings.ContainsAny(f.Message, "\n\r") ||
					f.Clause == "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
	for _, code := range []string{CodeSchema, CodeTooLarge, CodeBytes} {
		found[code] = true // in separate tests
	}
	for _, e := range Catalogue.All() {
		if !found[e.Code] {
			t.Errorf("%s is never found", e.Code)
		}
	}
}

func TestSchemas(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	f := fault{doc: of("GetRecord", replace("<dc:title>", "<dc:headline>a</dc:headline><dc:title>"))}
	if r := run(t, serve(t, records(), f), Options{Schemas: schemas}); codes(r) != CodeSchema {
		t.Error(r.Findings)
	}
	// A format without its schema cannot be judged, whether or not it declares the schema's
	// location.
	for _, hint := range []string{"",
		` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:y http://y.example/y.xsd"`} {
		b := providertest.New(protocol.Format{Prefix: "other", Schema: "http://y.example/y.xsd", Namespace: "urn:y"})
		b.Put(protocol.Header{Identifier: id(1), Datestamp: noon})
		b.Render = func(_ context.Context, h protocol.Header, prefix string, out io.Writer) error {
			if prefix == "oai_dc" {
				return providertest.WriteDC(h.Identifier, out)
			}
			_, err := io.WriteString(out, `<y xmlns="urn:y"`+hint+`><z/></y>`)
			return err
		}
		r := run(t, serve(t, b, fault{}), Options{Schemas: schemas})
		if len(r.Findings) > 0 || len(r.Undone) != 1 || !strings.Contains(r.Undone[0], "has no schema of urn:y") {
			t.Errorf("%v %q", r.Findings, r.Undone)
		}
	}
	if _, err := Run(t.Context(), "http://127.0.0.1/", Options{Schemas: t.TempDir()}); err == nil {
		t.Error("a folder without schemas is taken")
	}
}

func TestEncodingAndSize(t *testing.T) {
	latin := fault{doc: of("GetRecord", func(_ url.Values, doc string) string {
		return strings.Replace(strings.Replace(doc, `encoding="UTF-8"`, `encoding="ISO-8859-1"`, 1), "<dc:title>",
			"<dc:title>caf\xe9", 1)
	})}
	r := run(t, serve(t, records(), latin), Options{})
	if !strings.Contains(codes(r), CodeBytes) {
		t.Error(r.Findings)
	}
	large := fault{doc: of("ListSets", replace("</ListSets>", strings.Repeat(" ", 200<<10)+"</ListSets>"))}
	r = run(t, serve(t, records(), large), Options{Client: client.Options{MaxBytes: 100 << 10}})
	if codes(r) != CodeTooLarge {
		t.Error(r.Findings)
	}
}

// TestRequests checks that the limit of requests is kept, and that incomplete steps are reported.
func TestRequests(t *testing.T) {
	n := 0
	f := fault{http: func(url.Values, http.ResponseWriter, *http.Request) bool { n++; return false }}
	r := run(t, serve(t, records(), f), Options{Requests: 20})
	if n != 20 || r.Requests != 20 || len(r.Undone) < 5 || len(r.Findings) > 0 {
		t.Errorf("%d asked, %+v", n, r)
	}
}

// TestManyOfOneKind checks that the same error in every record is reported only a few times.
func TestManyOfOneKind(t *testing.T) {
	var told []Finding
	f := fault{doc: replace("<identifier>http://", "<identifier>")}
	r := run(t, serve(t, records(), f), Options{Found: func(f Finding) { told = append(told, f) }})
	n := 0
	for _, f := range told {
		if f.Code == CodeIdentifier {
			n++
		}
	}
	if n != maxPerCode || r.Errors < 25 {
		t.Errorf("%d reported, %d errors", n, r.Errors)
	}
}

func TestNobodyIsThere(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	r, err := Run(t.Context(), server.URL,
		Options{Client: client.Options{Sleep: func(context.Context, time.Duration) error { return nil }}})
	if err == nil {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, serve(t, records(), fault{}), Options{}); err == nil {
		t.Error("a check that was stopped is one that was done")
	}
	// A wrong answer is a finding, not an error.
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>hello</html>")
	}))
	defer page.Close()
	if r := run(t, page.URL, Options{}); codes(r) != CodeNotOAI || r.Errors != 1 {
		t.Errorf("%+v", r)
	}
}

// TestDaysOnly checks a provider with a granularity of days.
func TestDaysOnly(t *testing.T) {
	days := func(_ url.Values, doc string) string {
		doc = strings.Replace(doc, "YYYY-MM-DDThh:mm:ssZ", "YYYY-MM-DD", 1)
		return regexp.MustCompile(`<(datestamp|earliestDatestamp)>(.{10})[^<]*`).ReplaceAllString(doc, "<$1>$2")
	}
	refuse := answerAs(func(q url.Values) bool {
		return strings.Contains(q.Get("from"), "T")
	}, func(q url.Values) { q.Set("from", "junk") })
	if r := run(t, serve(t, records(), fault{doc: days, http: refuse}), Options{}); len(r.Findings) > 0 ||
		len(r.Undone) > 0 {
		t.Error(r.Findings, r.Undone)
	}
	if r := run(t, serve(t, records(), fault{doc: days}), Options{}); codes(r) != CodeNoError &&
		codes(r) != CodeOtherError {
		t.Error(r.Findings)
	}
}

func TestCatalogue(t *testing.T) {
	findingtest.Document(t, "../../docs/reference/520_oai-findings.md", findingtest.Table(Catalogue))
	seen := map[string]bool{}
	for _, e := range Catalogue.All() {
		if seen[e.Code] || !strings.HasPrefix(e.Code, "OAI-") || e.Meaning == "" || e.Advice == "" || e.Clause == "" {
			t.Errorf("%+v", e)
		}
		seen[e.Code] = true
		if e.Severity != model.Error && e.Severity != model.Warning && e.Severity != model.Info {
			t.Error(e.Code, e.Severity)
		}
	}
}
