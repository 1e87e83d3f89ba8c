package harvest

import (
	"bytes"
	"compress/flate"
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
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quire/oai/client"
	"quire/source/oaiharvest"
)

// hostile is an oai_dc server that a test controls. Its pages are correct before spoil changes
// them.
type hostile struct {
	mu      sync.Mutex
	records []string // identifiers; the datestamp of the nth is n minutes after noon
	page    int
	asked   []url.Values
	days    bool

	// before may answer the nth request, from 1, except Identify and ListMetadataFormats.
	before func(n int, w http.ResponseWriter, q url.Values) bool
	// spoil changes the answer.
	spoil func(n int, q url.Values, answer string) string
}

func newHostile(n, page int) *hostile {
	h := &hostile{page: page}
	for i := range n {
		h.records = append(h.records, fmt.Sprintf("oai:a.example:%03d", i))
	}
	return h
}

func (h *hostile) serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func stampOf(i int) time.Time { return noon.Add(time.Duration(i) * time.Minute) }

func (h *hostile) stamp(i int) string {
	if h.days {
		return stampOf(i).Format("2006-01-02")
	}
	return stampOf(i).Format("2006-01-02T15:04:05Z")
}

const envelope = `<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">` +
	`<responseDate>2026-11-23T00:00:00Z</responseDate><request>http://a.example/</request>`

func (h *hostile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_ = r.ParseForm() // a bad request gets a bad answer
	q := r.Form
	granularity := "YYYY-MM-DDThh:mm:ssZ"
	if h.days {
		granularity = "YYYY-MM-DD"
	}
	switch q.Get("verb") {
	case "Identify":
		_,
			_ = fmt.Fprintf(w,
			"%s<Identify><repositoryName>Hostile</repositoryName><baseURL>x</baseURL><protocolVersion>"+
				"2.0</protocolVersion><adminEmail>a@a.example</adminEmail><earliestDatestamp>"+
				"2000-01-01</earliestDatestamp><deletedRecord>no</deletedRecord><granularity>%s</granularity>"+
				"</Identify></OAI-PMH>", envelope, granularity)
		return
	case "ListMetadataFormats":
		_,
			_ = fmt.Fprintf(w,
			"%s<ListMetadataFormats><metadataFormat><metadataPrefix>oai_dc</metadataPrefix><schema>x</schema>"+
				"<metadataNamespace>y</metadataNamespace></metadataFormat></ListMetadataFormats></OAI-PMH>", envelope)
		return
	}
	h.asked = append(h.asked, q)
	n := len(h.asked)
	if h.before != nil && h.before(n, w, q) {
		return
	}
	answer := h.list(q)
	if h.spoil != nil {
		answer = h.spoil(n, q, answer)
	}
	_, _ = io.WriteString(w, answer) // the client may have left
}

// list answers ListRecords. A token is the number of the next record.
func (h *hostile) list(q url.Values) string {
	at := 0
	if token := q.Get("resumptionToken"); token != "" {
		var err error
		if at, err = strconv.Atoi(token); err != nil {
			return envelope + `<error code="badResumptionToken">never heard of it</error></OAI-PMH>`
		}
	}
	var b strings.Builder
	n := 0
	for i := at; i < len(h.records) && n < h.page; i++ {
		if h.stamp(i) < q.Get("from") {
			continue
		}
		n++
		at = i + 1
		fmt.Fprintf(&b,
			`<record><header><identifier>%s</identifier><datestamp>%s</datestamp></header><metadata><dc `+
				`xmlns="urn:dc"><n>%d</n></dc></metadata></record>`, h.records[i], h.stamp(i), i)
	}
	switch {
	case n == 0:
		return envelope + `<error code="noRecordsMatch">none</error></OAI-PMH>`
	case at < len(h.records):
		fmt.Fprintf(&b, `<resumptionToken>%d</resumptionToken>`, at)
	default:
		b.WriteString(`<resumptionToken/>`)
	}
	return envelope + "<ListRecords>" + b.String() + "</ListRecords></OAI-PMH>"
}

// identifiers returns the identifiers of the stored metadata, in order. A duplicate fails the test.
func identifiers(t *testing.T, out string) []string {
	t.Helper()
	var all []string
	had := map[string]bool{}
	for _, w := range containersOf(t, out) {
		if w.part == "metadata" {
			if had[w.identifier] {
				t.Errorf("%s is duplicated", w.identifier)
			}
			had[w.identifier] = true
			all = append(all, w.identifier)
		}
	}
	return all
}

// With any server behaviour, each record is stored once, and the errors are reported.
func TestHostile(t *testing.T) {
	status := func(on, code int, header ...string) func(int, http.ResponseWriter, url.Values) bool {
		return func(n int, w http.ResponseWriter, _ url.Values) bool {
			if n != on {
				return false
			}
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			return true
		}
	}
	coded := func(name string, encode func([]byte) []byte) func(*hostile) {
		return func(h *hostile) {
			h.before = func(_ int, w http.ResponseWriter, q url.Values) bool {
				if name != "" {
					w.Header().Set("Content-Encoding", name)
				}
				_, _ = w.Write(encode([]byte(h.list(q))))
				return true
			}
		}
	}
	on := func(page int, change func(string) string) func(*hostile) {
		return func(h *hostile) {
			h.spoil = func(n int, _ url.Values, a string) string {
				if n == page {
					return change(a)
				}
				return a
			}
		}
	}
	for _, c := range []struct {
		name string
		set  func(*hostile)
		code string // of a finding
	}{
		{"nothing", func(*hostile) {}, ""},
		{"503 with seconds", func(h *hostile) {
			h.before = status(2, 503, "Retry-After", "2")
		}, client.CodeUnavailable},
		{"429 with a date", func(h *hostile) {
			h.before = status(2, 429, "Retry-After", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat))
		}, client.CodeUnavailable},
		{"503 without", func(h *hostile) { h.before = status(2, 503) }, client.CodeUnavailable},
		{"500", func(h *hostile) { h.before = status(3, 500) }, client.CodeUnavailable},
		{"504", func(h *hostile) { h.before = status(1, 504) }, client.CodeUnavailable},
		{"empty 200", func(h *hostile) { h.before = status(2, 200) }, client.CodeUnavailable},
		{"cut", on(2, func(a string) string { return a[:len(a)*2/3] }), client.CodeUnavailable},
		{"cut of its last tag", on(3, func(a string) string { return a[:len(a)-2] }), client.CodeUnavailable},
		{"page of HTML", on(2, func(string) string { return "<html><title>Maintenance</title></html>" }),
			client.CodeUnavailable},
		{"envelope alone", on(2, func(string) string { return envelope + "</OAI-PMH>" }), CodeServer},
		{"connection lost", func(h *hostile) {
			h.before = func(n int, w http.ResponseWriter, _ url.Values) bool {
				if n == 2 {
					w.Header().Set("Content-Length", "100000")
					_, _ = io.WriteString(w, envelope)
				}
				return n == 2
			}
		}, client.CodeUnavailable},
		{"token dead once", func(h *hostile) {
			h.before = func(n int, w http.ResponseWriter, _ url.Values) bool {
				if n == 3 {
					_, _ = io.WriteString(w, envelope+`<error code="badResumptionToken">expired</error></OAI-PMH>`)
				}
				return n == 3
			}
		}, CodeRestart},
		{"token dead once, days", func(h *hostile) {
			h.days = true
			h.before = func(n int, w http.ResponseWriter, _ url.Values) bool {
				if n == 3 {
					_, _ = io.WriteString(w, envelope+`<error code="badResumptionToken">expired</error></OAI-PMH>`)
				}
				return n == 3
			}
		}, CodeRestart},
		{"tokens always dead", func(h *hostile) {
			h.spoil = func(_ int, q url.Values, a string) string {
				if q.Get("resumptionToken") != "" {
					return envelope + `<error code="badResumptionToken">expired</error></OAI-PMH>`
				}
				return a
			}
		}, CodeRestart},
		{"same token for ever", func(h *hostile) {
			h.spoil = func(_ int, q url.Values, a string) string {
				if q.Get("resumptionToken") == "20" {
					return strings.Replace(a, "<resumptionToken>30<", "<resumptionToken>20<", 1)
				}
				return a
			}
		}, CodeRestart},
		{"tokens in a circle", func(h *hostile) {
			h.spoil = func(_ int, q url.Values, a string) string {
				if q.Get("from") < "2026-11-22T12:20" { // until a later part is requested
					return strings.Replace(a, "<resumptionToken>30<", "<resumptionToken>10<", 1)
				}
				return a
			}
		}, CodeRestart},
		{"extra empty page", func(h *hostile) {
			h.spoil = func(_ int, _ url.Values, a string) string {
				return strings.Replace(a, "<resumptionToken/>", "<resumptionToken>45</resumptionToken>", 1)
			}
		}, ""},
		{"empty page amid", func(h *hostile) {
			h.spoil = func(n int, _ url.Values, a string) string {
				if n == 2 {
					return envelope + "<ListRecords><resumptionToken>10</resumptionToken></ListRecords></OAI-PMH>"
				}
				return a
			}
		}, CodeRestart},
		{"no empty token", func(h *hostile) {
			h.spoil = func(_ int, _ url.Values, a string) string {
				return strings.Replace(a, "<resumptionToken/>", "", 1)
			}
		}, ""},
		{"token without its list", func(h *hostile) {
			h.spoil = func(_ int, _ url.Values, a string) string {
				return strings.Replace(a, "<resumptionToken>10", "<resumptionToken expirationDate='soon' cursor='x'>10",
					1)
			}
		}, client.CodeToken},
		{"huge token", func(h *hostile) {
			huge := strings.Repeat("t", 20000)
			h.spoil = func(_ int, _ url.Values, a string) string {
				return strings.Replace(a, ">10</resum", ">"+huge+"</resum", 1)
			}
			h.before = func(_ int, w http.ResponseWriter, q url.Values) bool {
				if q.Get("resumptionToken") == huge {
					q.Set("resumptionToken", "10")
					_, _ = io.WriteString(w, h.list(q))
					return true
				}
				return false
			}
		}, ""},
		{"token beyond all measure", func(h *hostile) {
			h.spoil = func(_ int, _ url.Values, a string) string {
				return strings.Replace(a, ">10</resum", ">"+strings.Repeat("t", maxToken+1)+"</resum", 1)
			}
		}, CodeRestart},
		{"gzip unasked", coded("gzip", gzipped), ""},
		{"gzip unsaid", coded("", gzipped), client.CodeEncoding},
		{"gzip said and not done", coded("gzip", func(b []byte) []byte { return b }), client.CodeEncoding},
		{"deflate", coded("deflate", deflated), ""},
		{"latin-1 declared, UTF-8 sent", on(1, func(a string) string {
			return strings.Replace(strings.Replace(a, "UTF-8", "ISO-8859-1", 1), "<n>0<", "<n>é<", 1)
		}), client.CodeEncoding},
		{"latin-1 declared and sent", on(1, func(a string) string {
			return strings.Replace(strings.Replace(a, "UTF-8", "ISO-8859-1", 1), "<n>0<", "<n>\xe9<", 1)
		}), client.CodeEncoding},
		{"byte order mark", on(1, func(a string) string { return "\ufeff" + a }), ""},
		{"milliseconds", on(1, func(a string) string {
			return strings.ReplaceAll(a, ":00Z</datestamp>", ":00.000Z</datestamp>")
		}), client.CodeDate},
		{"dates without Z", on(1, func(a string) string {
			return strings.ReplaceAll(a, "Z</datestamp>", "</datestamp>")
		}), client.CodeDate},
		{"no responseDate", on(2, func(a string) string {
			return strings.Replace(a, "<responseDate>2026-11-23T00:00:00Z</responseDate>", "", 1)
		}), client.CodeEnvelope},
		{"https namespace", on(2, func(a string) string { return strings.Replace(a, "http://www", "https://www", 1) }),
			client.CodeNamespace},
		{"prolog in each record", on(2, func(a string) string {
			return strings.ReplaceAll(a, "<metadata>", `<metadata><?xml version="1.0"?>`)
		}), client.CodeProlog},
		{"unordered, token dead once", func(h *hostile) {
			h.records[0], h.records[30] = h.records[30], h.records[0]
			first := true
			h.spoil = func(_ int, q url.Values, a string) string {
				a = strings.ReplaceAll(a, stampOf(15).Format("2006-01-02T15:04:05Z"),
					stampOf(1).Format("2006-01-02T15:04:05Z"))
				if q.Get("resumptionToken") == "30" && first {
					first = false
					return envelope + `<error code="badResumptionToken">expired</error></OAI-PMH>`
				}
				return a
			}
		}, CodeRestart},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHostile(45, 10)
			c.set(h)
			out := filepath.Join(t.TempDir(), "out")
			r := mustRun(t, options(h.serve(t), out))
			if got := identifiers(t, out); len(got) != 45 || !r.Complete {
				t.Errorf("%d records, complete %v: %s; asked %v", len(got), r.Complete, r.Window.End, h.asked)
			}
			switch {
			case c.code == "" && len(r.Findings) > 0:
				t.Errorf("found %v", r.First)
			case c.code != "" && r.Findings[c.code] == 0:
				t.Errorf("found %v", r.First)
			}
		})
	}
}

func gzipped(b []byte) []byte {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	_, _ = w.Write(b)
	_ = w.Close()
	return z.Bytes()
}

func deflated(b []byte) []byte {
	var z bytes.Buffer
	w, _ := flate.NewWriter(&z, 6)
	_, _ = w.Write(b)
	_ = w.Close()
	return z.Bytes()
}

// Unreadable records are stored separately, byte by byte, each with the reason; the others are
// stored normally.
func TestRefused(t *testing.T) {
	h := newHostile(30, 10)
	h.spoil = func(_ int, _ url.Values, a string) string {
		a = strings.Replace(a, "<n>3<", "<n>\x03<", 1)
		a = strings.Replace(a, "<n>14<", "<n>\xff\xfe<", 1)
		return strings.Replace(a, "<n>25<", "<n><![CDATA[<", 1)
	}
	out := filepath.Join(t.TempDir(), "out")
	r := mustRun(t, options(h.serve(t), out))
	if got := identifiers(t, out); len(got) != 27 || r.Counts.Refused != 3 || r.Counts.Records != 27 {
		t.Errorf("%d, %+v", len(got), r.Counts)
	}
	if r.Complete || !r.Window.Complete || r.Lacking != "records that cannot be read: 3 of 30" {
		t.Errorf("complete: %v, lacking %q", r.Complete, r.Lacking)
	}
	for name, want := range map[string]string{"000001.xml": "<n>\x03</n>", "000002.xml": "<n>\xff\xfe</n>",
		"000003.xml": "<n><![CDATA[</n>"} {
		b, err := os.ReadFile(filepath.Join(out, oaiharvest.RefusedDir, name))
		if err != nil || !bytes.Contains(b, []byte(want)) || !bytes.HasPrefix(b, []byte("<record>")) ||
			!bytes.HasSuffix(b, []byte("</record>")) {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	said, err := os.ReadFile(filepath.Join(out, oaiharvest.FindingsFile))
	if err != nil || strings.Count(string(said), client.CodeRecord) != 3 ||
		!strings.Contains(string(said), "oai:a.example:014") || !strings.Contains(string(said), "refused/000002.xml") {
		t.Errorf("%s, %v", said, err)
	}
}

// If a server never ends its list, the harvest reports itself as incomplete. The received records
// are kept, and the next run requests all again.
func TestIncomplete(t *testing.T) {
	h := newHostile(30, 10)
	broken := true
	h.spoil = func(_ int, q url.Values, a string) string {
		if broken && q.Get("resumptionToken") == "20" || broken && q.Get("from") > "2026-11-22T12:15" {
			return a[:len(a)-300]
		}
		return a
	}
	out := filepath.Join(t.TempDir(), "out")
	o := options(h.serve(t), out)
	r := mustRun(t, o)
	if r.Complete || r.Findings[CodeIncomplete] != 1 || r.Counts.Records < 20 {
		t.Errorf("%+v", r)
	}
	h.mu.Lock()
	broken = false
	h.mu.Unlock()
	if r = mustRun(t, o); !r.Complete || len(identifiers(t, out)) != 30 {
		t.Errorf("%+v", r)
	}
}

// TestEndless: a list that brings nothing new ends as incomplete, with all that came before. The next call does so,
// too, and a server that was mended is harvested to its end.
func TestEndless(t *testing.T) {
	token := func(n int) string { return fmt.Sprintf("<resumptionToken>again-%d</resumptionToken>", n) }
	for _, c := range []struct {
		name string
		most int // pages of the first call
		page func(h *hostile, n int) string
	}{
		{"empty pages", 2 + mostEmpty, func(_ *hostile, n int) string {
			return envelope + "<ListRecords>" + token(n) + "</ListRecords></OAI-PMH>"
		}},
		{"the same records", 2 + mostKnown, func(h *hostile, n int) string {
			whole := h.list(url.Values{"resumptionToken": {"0"}})
			from, until := strings.Index(whole, "<resumptionToken"), strings.Index(whole, "</ListRecords>")
			return whole[:from] + token(n) + whole[until:]
		}},
		{"the same records, and one that cannot be read", 3 + mostKnown, func(h *hostile, n int) string {
			whole := h.list(url.Values{"resumptionToken": {"0"}})
			from, until := strings.Index(whole, "<resumptionToken"), strings.Index(whole, "</ListRecords>")
			return whole[:from] + "<record><header><b></header></record>" + token(n) + whole[until:]
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHostile(20, 10)
			mended := false
			h.spoil = func(n int, q url.Values, a string) string {
				if first := q.Get("resumptionToken"); mended || first == "" {
					return a
				}
				return c.page(h, n)
			}
			out := filepath.Join(t.TempDir(), "out")
			o := options(h.serve(t), out)
			for call := range 2 {
				r := mustRun(t, o)
				h.mu.Lock()
				asked := len(h.asked)
				h.asked = nil
				h.mu.Unlock()
				if most := c.most * (1 + 2*call); r.Complete || r.Counts.Records != 10 || asked > most+mostKnown*call {
					t.Errorf("call %d: complete %v, %d records, %d pages", call, r.Complete, r.Counts.Records, asked)
				}
				if !strings.Contains(r.Window.End, "pages in a row") {
					t.Errorf("it ends because %s", r.Window.End)
				}
			}
			h.mu.Lock()
			mended = true
			h.mu.Unlock()
			if r := mustRun(t, o); !r.Complete || len(identifiers(t, out)) != 20 {
				t.Errorf("mended: %+v", r)
			}
		})
	}
}

// TestMaxRecords: one call takes so many records; the next calls take the others.
func TestMaxRecords(t *testing.T) {
	h := newHostile(30, 10)
	out := filepath.Join(t.TempDir(), "out")
	o := options(h.serve(t), out)
	o.MaxRecords = 10
	for i := 1; i < 3; i++ {
		if r := mustRun(t, o); r.Complete || r.Counts.Records != int64(10*i) {
			t.Errorf("call %d: complete %v, %d records", i, r.Complete, r.Counts.Records)
		}
	}
	if r := mustRun(t, o); !r.Complete || len(identifiers(t, out)) != 30 {
		t.Errorf("the last call: %+v", r)
	}
}

// A server that demands too long a wait is reported to the caller; the next run continues there.
func TestBusy(t *testing.T) {
	h := newHostile(30, 10)
	busy := true
	h.before = func(n int, w http.ResponseWriter, _ url.Values) bool {
		if busy && n >= 2 {
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(503)
			return true
		}
		return false
	}
	out := filepath.Join(t.TempDir(), "out")
	o := options(h.serve(t), out)
	var b *client.BusyError
	if _, err := Run(context.Background(), o); !errors.As(err, &b) || time.Until(b.Until) < 23*time.Hour {
		t.Fatal(err)
	}
	h.mu.Lock()
	busy = false
	h.mu.Unlock()
	if r := mustRun(t, o); !r.Resumed || !r.Complete || len(identifiers(t, out)) != 30 {
		t.Errorf("%+v", r)
	}
}

// A server with a granularity of days gets days.
func TestDays(t *testing.T) {
	h := newHostile(3, 10)
	h.days = true
	o := options(h.serve(t), filepath.Join(t.TempDir(), "out"))
	o.From = "2026-11-21T10:00:00Z"
	mustRun(t, o)
	if q := h.asked[0]; q.Get("from") != "2026-11-21" || q.Get("until") != "2026-11-23" {
		t.Error(q)
	}
}

// A harvest stopped at any page, with any part of its output written, continues there. At the end
// it has the same records, each once, as without the stop.
func TestStopAnywhere(t *testing.T) {
	clock := func() time.Time { return noon }
	whole := filepath.Join(t.TempDir(), "whole")
	h := newHostile(45, 10)
	o := options(h.serve(t), whole)
	o.Now = clock
	mustRun(t, o)
	want := blocksOf(t, whole)
	for stop := 1; stop <= 5; stop++ {
		h := newHostile(45, 10)
		ctx, cancel := context.WithCancel(context.Background())
		h.before = func(n int, _ http.ResponseWriter, _ url.Values) bool {
			if n == stop {
				cancel()
			}
			return false
		}
		out := filepath.Join(t.TempDir(), "out")
		o := options(h.serve(t), out)
		o.Now = clock
		if _, err := Run(ctx, o); err == nil && stop < 5 {
			t.Errorf("stopped at %d, it ended well", stop)
		}
		litter(t, out)
		r := mustRun(t, o)
		if got := blocksOf(t, out); got != want || !r.Complete {
			t.Errorf("stopped at %d: %+v\n%s\nwant\n%s", stop, r.Window, got, want)
		}
	}
}

// litter adds uncommitted bytes after the committed bytes, as an interrupted run leaves them.
func litter(t *testing.T, out string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(out, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".warc.gz") || strings.HasSuffix(name, ".jsonl") {
			f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteString("half a record")
			if err = errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(out, "data-00009.warc.gz"), []byte("never committed"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// blocksOf returns the content of the containers, without values that depend on the time of a page.
func blocksOf(t *testing.T, out string) string {
	var b strings.Builder
	for _, w := range containersOf(t, out) {
		if w.kind != "warcinfo" && w.part == "metadata" {
			fmt.Fprintf(&b, "%s %s %s\n", w.kind, w.uri, w.block)
		}
	}
	return b.String()
}
