package cdxserver

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/captures"
)

// open is a repository that is open, except for package "secret".
type open struct {
	x    *captures.Index
	fail bool
}

func (o open) Whole(holdings.Reader) func(string) bool { return func(string) bool { return true } }

func (o open) Captures(ctx context.Context, _ holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error] {
	return func(yield func(holdings.Judged, error) bool) {
		n := 0
		for c, err := range o.x.Captures(ctx, q) {
			if n++; o.fail && n == 2 {
				yield(holdings.Judged{}, errors.New("the disk is gone"))
				return
			}
			j := holdings.Judged{Capture: c}
			if err == nil {
				j.Allowed, j.Hidden = c.Package != "secret", c.Package == "hidden"
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

func add(t *testing.T, x *captures.Index, pkg string, lines ...captures.Line) {
	t.Helper()
	err := x.Add(t.Context(), pkg,
		[]captures.Container{{Path: "containers/" + pkg + ".warc.gz", SHA512: pkg, Harvest: 2}},
		func(_ context.Context, _ *captures.Container, line func(*captures.Line) error) error {
			for i, l := range lines {
				l.Record = captures.Place{Order: int64(i + 1), Offset: int64(i * 100), Stored: 100}
				if err := line(&l); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

func capture(url, timestamp string, status int) captures.Line {
	return captures.Line{Capture: captures.Capture{URL: url, Timestamp: timestamp, Status: status, Type: "response",
		MIME: "text/html", Digest: "sha1:AAA", Length: 7,
		Digests: []string{"sha1:AAA"}}}
}

func serve(t *testing.T) (*httptest.Server, open) {
	t.Helper()
	x, err := captures.Open(t.TempDir(), captures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	again := capture("http://a.example/", "20200301000000", 0)
	again.Type, again.MIME, again.Digests = "revisit", "", nil
	lost := capture("http://a.example/", "20200201000000", 404)
	lost.Digests = nil
	moved := capture("http://a.example/old", "20200101000000", 302)
	moved.Location = "http://a.example/new page"
	post := capture("http://a.example/api", "20200101000000", 200)
	post.Key, post.Method = "example,a)/api?__wb_method=post&q=1", "POST"
	add(t, x, "one", capture("http://a.example/", "20200101000000", 200), lost, again, moved, post)
	add(t, x, "two", capture("http://sub.a.example/x", "20210101000000", 200),
		capture("http://a.example/", "20200101120000", 200))
	add(t, x, "secret", capture("http://a.example/", "20190101000000", 200),
		capture("http://a.example/secret", "20190101000000", 200))
	add(t, x, "hidden", capture("http://a.example/", "20180101000000", 200))
	h := open{x: x}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var packages []string
		if of := r.URL.Query().Get("of"); of != "" {
			packages = []string{of}
		}
		h := h
		h.fail = r.URL.Query().Has("fail")
		(&Server{Holdings: h}).Serve(w, r, holdings.Reader{}, packages)
	}))
	t.Cleanup(s.Close)
	return s, h
}

func get(t *testing.T, s *httptest.Server, query string) (int, string) {
	t.Helper()
	r, err := http.Get(s.URL + "/?" + query)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestQuestions(t *testing.T) {
	s, _ := serve(t)
	for _, c := range []struct{ query, want string }{
		{"url=a.example&fl=timestamp,status&output=text",
			"20200101000000 200\n20200101120000 200\n20200201000000 404\n20200301000000 200\n"},
		{"url=http://www.a.example:80/&fl=timestamp&output=text&limit=1", "20200101000000\n"},
		{"url=a.example&fl=timestamp&output=text&sort=reverse&limit=1", "20200301000000\n"},
		{"url=a.example&fl=timestamp&output=text&reverse=true&limit=1", "20200301000000\n"},
		{"url=a.example&fl=timestamp&output=text&limit=-2", "20200201000000\n20200301000000\n"},
		{"url=a.example&fl=timestamp&output=text&closest=20200210&limit=2", "20200201000000\n20200301000000\n"},
		{"url=a.example&fl=timestamp&output=text&sort=closest&closest=20200210000000&filter=status:200",
			"20200301000000\n20200101120000\n20200101000000\n"},
		{"url=a.example&fl=timestamp&output=text&from=202002&to=202002", "20200201000000\n"},
		{"url=a.example&fl=timestamp&output=text&from_ts=2021", ""},
		{"url=a.example&fl=timestamp&output=text&filter=!=status:200", "20200201000000\n"},
		{"url=a.example&fl=timestamp&output=text&filter=~statuscode:4..", "20200201000000\n"},
		{"url=a.example&fl=timestamp&output=text&filter=!~status:[23]", "20200201000000\n"},
		{"url=a.example&fl=timestamp&output=text&filter=mime:revisit&filter=20200301", "20200301000000\n"},
		{"url=a.example/*&fl=urlkey&output=text&of=one&collapse=urlkey",
			"example,a)/\nexample,a)/api?__wb_method=post&q=1\nexample,a)/old\n"},
		{"url=*.a.example&fl=original,timestamp&output=text&filter=package:two",
			"http://a.example/ 20200101120000\nhttp://sub.a.example/x 20210101000000\n"},
		{"url=a.example&matchType=host&fl=urlkey&output=text&from=2021", ""},
		{"url=a.example&fl=timestamp&output=text&collapseTime=6", "20200101000000\n20200201000000\n20200301000000\n"},
		{"url=a.example&fl=timestamp&output=text&collapse=timestamp:4", "20200101000000\n"},
		{"url=a.example/api&method=POST&requestType=application/json&requestBody=" + url.QueryEscape(`{"q":1}`) +
			"&fl=method&output=text", "POST\n"},
		{"url=a.example/api&fl=method&output=text", ""},
		{"url=a.example/old&output=text",
			"example,a)/old 20200101000000 http://a.example/old text/html 302 AAA http://a.example/new%20page - 100 " +
				"300 one.warc.gz\n"},
		{"url=a.example/old",
			`example,a)/old 20200101000000 {"url": "http://a.example/old", "mime": "text/html", "status": "302", ` +
				`"digest": "AAA", "redirect": "http://a.example/new page", "length": "100", "offset": "300", ` +
				`"filename": "one.warc.gz", "type": "response", "size": "7", "package": "one", "harvest": "2"}` + "\n"},
		{"url=a.example&from=202003&output=json&fl=mime,status,filename",
			`{"mime": "warc/revisit", "status": "200", "filename": "one.warc.gz"}` + "\n"},
		{"url=a.example&from=202003&output=text&resolveRevisits=true&fl=orig.offset,orig.filename", "0 one.warc.gz\n"},
		{"url=a.example&fl=timestamp&output=text&page=1&pageSize=3", "20200301000000\n"},
		{"url=a.example&showNumPages=true&pageSize=3", `{"pages": 2, "pageSize": 3, "captures": 4}` + "\n"},
	} {
		if status, got := get(t, s, c.query); status != http.StatusOK || got != c.want {
			t.Errorf("%s: %d\n%s want\n%s", c.query, status, got, c.want)
		}
	}
	for query, want := range map[string]string{
		"": "url=", "url=a&matchType=range": "matchType", "url=a&from=x": "timestamp", "url=a&sort=up": "sort",
		"url=a&sort=closest":  "closest",
		"url=a*&closest=2020": "one URL", "url=a&limit=x": "limit", "url=a&filter=~(": "filter",
		"url=a&filter=~(.?){600}": "repetitions", "url=a&filter=~a{600}&filter=!~url:(b{10}){60}": "repetitions",
		"url=a&filter=nofield:x": "nofield", "url=a&fl=x": "x",
		"url=a&output=xml": "output", "url=a&resumeKey=x": "resumeKey", "url=a&collapse=x": "collapse",
		"url=a&pageSize=0": "pageSize", "%zz": "read",
	} {
		if status, got := get(t, s, query); status != http.StatusBadRequest || !strings.Contains(got, want) {
			t.Errorf("%s: %d %s", query, status, got)
		}
	}
}

// TestResume: resuming after each page returns every capture exactly once.
func TestResume(t *testing.T) {
	s, _ := serve(t)
	_, all := get(t, s, "url=*.a.example&output=text&fl=urlkey,timestamp")
	var got strings.Builder
	for key, n := "", 0; n < 20; n++ {
		_, page := get(t, s, "url=*.a.example&output=text&fl=urlkey,timestamp&limit=2&showResumeKey=true&resumeKey="+
			key)
		lines, next, more := strings.Cut(page, "\n\n")
		got.WriteString(lines)
		if more {
			got.WriteString("\n")
		}
		if key = strings.TrimSpace(next); !more {
			break
		}
	}
	if got.String() != all {
		t.Errorf("in pieces:\n%s\nat once:\n%s", got.String(), all)
	}
}

// TestHow: forms are accepted as queries, and interrupted responses are handled.
func TestHow(t *testing.T) {
	s, _ := serve(t)
	r, err := http.PostForm(s.URL,
		url.Values{"url": {"a.example"}, "fl": {"timestamp"}, "output": {"text"}, "limit": {"1"}})
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(body) != "20200101000000\n" || r.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("%q %v", body, r.Header)
	}
	if status, got := get(t, s, "url=a.example&fail=1"); status != http.StatusInternalServerError ||
		strings.Contains(got, "disk") {
		t.Errorf("%d %s", status, got)
	}
	for method, want := range map[string]int{http.MethodHead: http.StatusOK,
		http.MethodDelete: http.StatusMethodNotAllowed} {
		request, err := http.NewRequest(method, s.URL+"/?url=a.example", nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != want {
			t.Errorf("%s: %d", method, r.StatusCode)
		}
	}
}
