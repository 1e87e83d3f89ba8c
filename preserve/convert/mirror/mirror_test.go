package mirror

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/model"
	"quire/source"
)

const factsOf = "metadata http://a.test/x application/warc-fields; facts; "

// The records made from a URL, one by one.
func TestWhatAResourceBecomes(t *testing.T) {
	for _, c := range []struct {
		name string
		r    source.Resource
		kept bool // Options.KeptHeadsOnly
		want []string
	}{
		{"an entity without a head", source.Resource{URL: "http://a.test/x", Status: 200,
			MIME: "text/html; charset=utf-8", Body: body("<p>"), Size: 3, Sent: 3, Grade: source.OriginalEntity}, false,
			[]string{"resource http://a.test/x text/html; charset=utf-8; payload; original entity",
				factsOf + "original entity"}},
		{"a type that is none", source.Resource{URL: "http://a.test/x", Status: 200, MIME: "html\xff",
			Body: body("<p>"), Size: 3, Sent: 3, Grade: source.OriginalEntity}, false,
			[]string{"resource http://a.test/x ; payload; original entity", factsOf + "original entity"}},
		{"a URL with spaces and bytes",
			source.Resource{URL: "http://a.test/a b\xff", Status: 200, Body: body("x"), Sent: -1,
				Grade: source.OriginalFile}, false,
			[]string{"resource http://a.test/a%20b%FF ; payload; original file",
				"metadata http://a.test/a%20b%FF application/warc-fields; facts; original file"}},
		{"heads as kept", source.Resource{URL: "http://a.test/x", Status: 200, Body: body("hello"), Sent: 5,
			Grade:    source.OriginalEntity,
			Response: head("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"),
			Request:  head("GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n")}, false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; original entity; as kept",
				"request http://a.test/x application/http;msgtype=request; request; as kept",
				factsOf + "original entity"}},
		{"heads that were kept with LF",
			source.Resource{URL: "http://a.test/x", Status: 200, Body: body("hello"), Sent: 5,
				Grade:    source.OriginalEntity,
				Response: head("HTTP/1.1 200 OK\nContent-Length: 5\n"),
				Request:  head("GET /x HTTP/1.1\nHost: a.test\n")},
			false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; original entity; line ends",
				"request http://a.test/x application/http;msgtype=request; request; line ends",
				factsOf + "original entity"}},
		{"a head that no longer fits the body",
			source.Resource{URL: "http://a.test/x", Status: 200, Body: body("hello"), Sent: 25,
				Grade:    source.OriginalEntity,
				Response: head("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n")}, false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; original entity; renamed",
				factsOf + "original entity"}},
		{"a head without a status line",
			source.Resource{URL: "http://a.test/x", Status: 200, Body: body("hello"), Sent: 5,
				Grade: source.OriginalEntity, Response: head("Server: n\n")}, false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; original entity; status " +
				"line, line ends", factsOf + "original entity"}},
		{"the same, when no head is to be made",
			source.Resource{URL: "http://a.test/x", Status: 200, Body: body("hello"), Sent: 5,
				Grade: source.OriginalEntity, Response: head("Server: n\n")}, true,
			[]string{"resource http://a.test/x ; payload; original entity", factsOf + "original entity"}},
		{"a redirect", source.Resource{URL: "http://a.test/x", Status: 301, Reason: "Moved", Location: "/y", Sent: 0,
			Grade: source.Lost}, false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; lost; reconstructed",
				factsOf + "lost"}},
		{"a redirect whose page is lost",
			source.Resource{URL: "http://a.test/x", Status: 301, Location: "/y", Sent: 9, Grade: source.Lost}, false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; lost; reconstructed; " +
				"unspecified", factsOf + "lost"}},
		{"a redirect, when no head is to be made",
			source.Resource{URL: "http://a.test/x", Status: 301, Location: "/y", Sent: 0, Grade: source.Lost}, true,
			[]string{factsOf + "lost"}},
		{"a redirect to nowhere", source.Resource{URL: "http://a.test/x", Status: 302, Sent: 0, Grade: source.Lost},
			false, []string{factsOf + "lost"}},
		{"a redirect that cannot be written",
			source.Resource{URL: "http://a.test/x", Status: 302, Location: "/a\r\nb", Sent: 0, Grade: source.Lost},
			false, []string{factsOf + "lost"}},
		{"a redirect of unknown status",
			source.Resource{URL: "http://a.test/x", Location: "/y", Sent: -1, Grade: source.Lost}, false,
			[]string{factsOf + "lost"}},
		{"an error with its page", source.Resource{URL: "http://a.test/x", Status: 404, MIME: "text/html",
			Body: body("gone"), Sent: 4, Grade: source.OriginalFile}, false,
			[]string{"response http://a.test/x application/http;msgtype=response; payload; original file; " +
				"reconstructed", factsOf + "original file"}},
		{"an error of the crawler", source.Resource{URL: "http://a.test/x", Status: -5, Sent: -1, Grade: source.Lost},
			false, []string{factsOf + "lost"}},
		{"a page that is lost, with its head",
			source.Resource{URL: "http://a.test/x", Status: 200, Sent: 9, Grade: source.Lost,
				Response: head("HTTP/1.1 200 OK\r\n\r\n")}, false,
			[]string{factsOf + "lost"}},
		{"FTP has no heads", source.Resource{URL: "ftp://a.test/x", Status: 550, Body: body("x"), Sent: 1,
			Grade: source.OriginalFile}, false,
			[]string{"resource ftp://a.test/x ; payload; original file",
				"metadata ftp://a.test/x application/warc-fields; facts; original file"}},
		{"a file that is too short", source.Resource{URL: "http://a.test/x", Status: 200, Body: body("x"), Sent: 9,
			Grade: source.Differing}, false,
			[]string{"resource http://a.test/x ; payload; differing file; unspecified", factsOf + "differing file"}},
		{"a file whose response broke off, of a size that nobody announced",
			source.Resource{URL: "http://a.test/x", Status: 200, Body: body("x"), Sent: -1, Truncated: "disconnect",
				Grade: source.Differing}, false,
			[]string{"resource http://a.test/x ; payload; differing file; disconnect", factsOf + "differing file"}},
		{"a body that breaks off", source.Resource{URL: "http://a.test/x", Status: 200, Body: torn("x"), Sent: 9,
			Grade: source.OriginalEntity}, false,
			[]string{"resource http://a.test/x ; payload; differing file; unspecified", factsOf + "differing file"}},
		{"a body that cannot be read",
			source.Resource{URL: "http://a.test/x", Status: 200, Body: torn(""), Sent: 9, Grade: source.OriginalEntity},
			false, []string{factsOf + "lost"}},
		{"a page whose links were changed",
			source.Resource{URL: "http://a.test/x", Status: 200, MIME: "text/html", File: "a.test/x é.html",
				Saved: "a.test/x.html", Body: body("go rel:a.test/x.html"), Sent: 9, Rewritten: true,
				Grade: source.LinksReconstructed}, false,
			[]string{"resource urn:mirror-file:a.test/x%20%C3%A9.html text/html; file",
				"conversion http://a.test/x text/html; payload; links reconstructed", factsOf + "links reconstructed"}},
		{"one in which nothing is to be turned back, of the right size",
			source.Resource{URL: "http://a.test/x", Status: 200, File: "f.html", Body: body("plain"), Sent: 5,
				Rewritten: true, Grade: source.LinksReconstructed}, false,
			[]string{"resource http://a.test/x text/html; payload; original file", factsOf + "original file"}},
		{"one in which nothing is to be turned back, of another size",
			source.Resource{URL: "http://a.test/x", Status: 200, File: "f.html", Body: body("plain"), Sent: 6,
				Rewritten: true, Grade: source.LinksReconstructed}, false,
			[]string{"resource urn:mirror-file:f.html text/html; file",
				"conversion http://a.test/x text/html; payload; links reconstructed", factsOf + "links reconstructed"}},
		{"a page with a link of unknown target",
			source.Resource{URL: "http://a.test/x", Status: 200, File: "f.html", Body: body("rel:y"), Sent: 5,
				Rewritten: true, Grade: source.LinksReconstructed}, false,
			[]string{"resource urn:mirror-file:f.html text/html; file",
				"conversion http://a.test/x text/html; payload; links reconstructed", factsOf + "links reconstructed"}},
		{"one that cannot be turned back",
			source.Resource{URL: "http://a.test/x", Status: 200, File: "f.html", Body: body("it cannot"), Sent: 6,
				Rewritten: true, Grade: source.LinksReconstructed}, false,
			[]string{"resource http://a.test/x text/html; payload; differing file", factsOf + "differing file"}},
		{"a script that leads to no file, of the right size",
			source.Resource{URL: "http://a.test/x", Status: 200, MIME: "text/javascript", File: "a.test/x.js",
				Saved: "a.test/x.js", Body: body(`f("y.js", 'http://b.test/x.js')`), Sent: 31, Rewritten: true}, false,
			[]string{"resource http://a.test/x text/javascript; payload; original file", factsOf + "original file"}},
		{"a script that leads to a file",
			source.Resource{URL: "http://a.test/x", Status: 200, MIME: "text/javascript", File: "a.test/x.js",
				Saved: "a.test/x.js", Body: body(`f("../a.test\/%78.js?a")`), Sent: 23, Rewritten: true}, false,
			[]string{"resource http://a.test/x text/javascript; payload; differing file", factsOf + "differing file"}},
		{"a script of another size", source.Resource{URL: "http://a.test/x", Status: 200, MIME: "text/javascript",
			File: "a.test/x.js", Saved: "a.test/x.js", Body: body(`f()`), Sent: -1, Rewritten: true}, false,
			[]string{"resource http://a.test/x text/javascript; payload; differing file", factsOf + "differing file"}},
		{"a file without a URL", source.Resource{File: "stray.gif", MIME: "image/gif", Body: body("GIF"), Sent: -1,
			Grade: source.OriginalFile}, false,
			[]string{"resource urn:mirror-file:stray.gif image/gif; file",
				"metadata urn:mirror-file:stray.gif application/warc-fields; facts; original file"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.r.Time = then
			o := options
			o.KeptHeadsOnly = c.kept
			r := converted(t, mirrorOf(c.r), o)
			if got := r.briefs(); !slices.Equal(got, c.want) {
				t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			for _, w := range r.records[1:] {
				if w.fields["WARC-Date"] != "2003-04-03T14:00:05Z" ||
					w.fields["WARC-Warcinfo-ID"] != r.records[0].fields["WARC-Record-ID"] ||
					w.fields["WARC-IP-Address"] != "" {
					t.Errorf("%v", w.fields)
				}
			}
		})
	}
}

// The records of one URL refer to each other, and have the expected blocks.
func TestBlocks(t *testing.T) {
	r := converted(t, mirrorOf(
		source.Resource{URL: "http://a.test/a", Time: then, Status: 200, Body: body("hello"), Sent: 25,
			Grade:    source.OriginalEntity,
			Response: head("HTTP/1.1 200 OK\nServer: n\nContent-Encoding: gzip\nTransfer-Encoding: chunked\n")},
		source.Resource{URL: "http://a.test/b", Time: then, Status: 301, Reason: "Moved Permanently", Location: "/a",
			MIME: "text/html", Sent: 0, Grade: source.Lost},
		source.Resource{URL: "http://a.test/c", Time: then, Status: 200, File: "c.html", Body: body("rel:c and rel:d"),
			Sent: 5, Rewritten: true, Saved: "c"},
	), options)
	a, fa, b := r.records[1], r.records[2], r.records[3]
	if a.block != "HTTP/1.1 200 OK\r\nServer: n\r\nx-orig-Content-Encoding: gzip\r\nx-orig-Transfer-Encoding: "+
		"chunked\r\n\r\nhello" || a.fields["WARC-Payload-Digest"] != "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N" {
		t.Errorf("%+v", a)
	}
	if !strings.Contains(fa.block,
		"response-head-escaped: HTTP/1.1 200 OK%0AServer: n%0AContent-Encoding: gzip%0ATransfer-Encoding: "+
			"chunked%0A\r\n") || fa.fields["WARC-Concurrent-To"] != a.fields["WARC-Record-ID"] {
		t.Errorf("%+v", fa)
	}
	if b.block != "HTTP/1.0 301 Moved Permanently\r\nLocation: /a\r\nContent-Type: text/html\r\nContent-Length: 0\r\n"+
		"\r\n" {
		t.Errorf("%+v", b)
	}
	file, conversion := r.records[5], r.records[6]
	if file.block != "rel:c and rel:d" || conversion.block != "http://a.test/c and rel:d" ||
		conversion.fields["WARC-Refers-To"] != file.fields["WARC-Record-ID"] {
		t.Errorf("%+v %+v", file, conversion)
	}
	e := r.fileEntry("c.html")
	if e.Derived == nil || e.Derived.Source != file.fields["WARC-Record-ID"] ||
		e.Derived.Outcome != conversion.fields["WARC-Record-ID"] || r.report.Transformed != 1 || e.Fate != Kept {
		t.Errorf("%+v", e)
	}
}

// The conversion report writes a URL in the same form as the records, so that they can be compared.
func TestAccountNamesURLsAsRecordsDo(t *testing.T) {
	r := converted(t, mirrorOf(source.Resource{URL: "http://a.test/a b\xff", Time: then, Status: 200, File: "a b",
		Body: body("x"), Sent: 1, Grade: source.OriginalFile}), options)
	if len(r.entries) == 0 {
		t.Fatal("nothing is told")
	}
	for _, e := range r.entries {
		if e.URL != "" && e.URL != r.records[1].fields["WARC-Target-URI"] || e.Kind == "url" && e.URL == "" {
			t.Errorf("%s %q, and the record has %q", e.Kind, e.URL, r.records[1].fields["WARC-Target-URI"])
		}
	}
}

// A body that still has the coding in the head keeps the header field.
func TestBodyThatIsStillCoded(t *testing.T) {
	gz := "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00"
	r := converted(t, mirrorOf(source.Resource{URL: "http://a.test/x.gz", Time: then, Status: 200, Body: body(gz),
		Sent: 25, Grade: source.OriginalFile,
		Response: head("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n")}), options)
	if !strings.HasPrefix(r.records[1].block,
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 25\r\n\r\n\x1f") || r.report.Heads[AsKept] != 1 {
		t.Errorf("%+v", r.records[1])
	}
}

// A file without a date is stored as metadata. An approximate date is not written with more
// precision than is known.
func TestDates(t *testing.T) {
	for _, c := range []struct {
		at     time.Time
		leeway time.Duration
		want   string
		kind   string
	}{
		{then, 0, "2003-04-03T14:00:05Z", "resource"},
		{then.In(time.FixedZone("", 36000)), 0, "2003-04-03T14:00:05Z", "resource"},
		{then, 20 * time.Second, "2003-04-03T14:00Z", "resource"},
		{then, 14 * time.Hour, "2003-04-03", "resource"},
		{time.Time{}, 0, "2026-01-02T03:04:05Z", "metadata"},
		{time.Date(12003, 1, 1, 0, 0, 0, 0, time.UTC), 0, "2026-01-02T03:04:05Z", "metadata"},
	} {
		r := converted(t, mirrorOf(source.Resource{URL: "http://a.test/x", Time: c.at, Leeway: c.leeway,
			TimeFrom: "somewhere", Status: 200, Body: body("x"), Sent: 1, Grade: source.OriginalFile}), options)
		w := r.records[1]
		if w.fields["WARC-Date"] != c.want || w.fields["WARC-Type"] != c.kind ||
			(r.report.Undated == 1) != (c.kind == "metadata") ||
			strings.Contains(r.records[2].block, "date-leeway") != (c.leeway > 0) ||
			strings.HasPrefix(w.fields["WARC-Target-URI"], "http:") == (c.kind == "metadata") {
			t.Errorf("%v: %v\n%s", c.at, w.fields, r.records[2].block)
		}
	}
}

// The metadata record has all known facts, with any bytes.
func TestFacts(t *testing.T) {
	r := converted(t, mirrorOf(source.Resource{
		URL: "http://a.test/ü", Assumed: "scheme", Time: then, TimeFrom: "header Date", Status: 404, Reason: "Nö\xff",
		Location: "/a  b", MIME: "text/html", Sent: 7, Via: "http://a.test/",
		Facts: []model.Field{{Name: "etag", Value: `"x"`}, {Name: "httrack-save", Value: " a\r\nb "}},
		Why:   []string{"URL: cache", "status: log"}, Grade: source.Lost,
	}), options)
	want := "grade: lost\r\nurl: http://a.test/ü\r\nassumed: scheme\r\nstatus: 404\r\nreason-escaped: N%C3%B6%FF\r\n" +
		"location: /a  b\r\ncontent-type: text/html\r\nsent-bytes: 7\r\nvia: http://a.test/\r\n" +
		"date-from: header Date\r\nhead: reconstructed\r\netag: \"x\"\r\nhttrack-save-escaped: %20a%0D%0Ab%20\r\n" +
		"evidence: URL: cache\r\nevidence: status: log\r\n"
	if got := r.records[2].block; got != want {
		t.Errorf("%s", got)
	}
}

// Each file is reported, for any source data.
func TestFilesAreAccountedFor(t *testing.T) {
	page := func(url, file string, b, copied source.Body) source.Resource {
		return source.Resource{URL: url, File: file, Time: then, Status: 200, Body: b, Copy: copied, Size: 5, Sent: 5,
			Grade: source.OriginalFile}
	}
	backed := page("http://a.test/7", "7.html", body("hello"), body("HELLO"))
	backed.From = "7.orig"
	left := source.Resource{URL: "http://a.test/8", File: "8", Time: then, Status: 302, Size: 6, Grade: source.Lost}
	m := mirrorOf(
		backed, left,
		page("http://a.test/1", "1", body("hello"), nil),
		page("http://a.test/2", "2", body("hello"), body("hello")),
		page("http://a.test/3", "3", body("hello"), body("HELLO")),
		page("http://a.test/4", "4", body("hello"), torn("hello")),
		page("http://a.test/5", "5", torn(""), nil),
		page("http://a.test/9", "9", torn("hell"), nil),
		source.Resource{URL: "http://a.test/6", File: "6", Time: then, Status: 500, Sent: 5, Grade: source.Lost},
	)
	m.resources = append(m.resources, page("http://a.test/again", "1", body("hello"), nil),
		page("http://a.test/out", "../../etc/passwd", body("hello"), nil))
	m.about.Files = append(m.about.Files,
		model.SourceFile{Path: "log", Size: 7, Role: model.RoleLog, Restricted: "cookies"},
		model.SourceFile{Path: "nobody", Size: 8})
	m.about.Files = append(m.about.Files, model.SourceFile{Path: "7.orig", Size: 5, Role: model.RoleCache})
	m.artefacts = []model.SourceFile{{Path: "log", Role: model.RoleLog}, {Path: "7.orig", Role: model.RoleCache}}
	r := converted(t, m, options)
	for file, want := range map[string]Fate{"1": Converted, "2": Same, "3": Superseded, "4": Unreadable,
		"5": Unreadable, "9": Unreadable, "6": Empty, "log": Artefact, "nobody": Untold, "7.html": Superseded,
		"7.orig": Converted, "8": LeftOut} {
		if e := r.fileEntry(file); e.Fate != want || e.InWARC != want.inWARC() ||
			(len(e.Records) > 0) != (want == Converted || file == "9") {
			t.Errorf("%s: %+v, want %s", file, e, want)
		}
	}
	if r.report.OnlyInOriginal != (Sum{8, 46}) || r.fileEntry("log").Restricted != "cookies" || r.report.Errors != 2 {
		t.Errorf("%+v", r.report)
	}
	var codes []string
	for _, f := range r.found {
		codes = append(codes, f.Code)
	}
	slices.Sort(codes)
	if want := []string{CodeBody, CodeBody, CodeFile, CodeTwice, CodeUntold}; !slices.Equal(codes, want) {
		t.Errorf("%v", r.found)
	}
}

// If several URLs have one path, a link refers to the URL of the stored bytes.
func TestLinksLeadToWhatIsThere(t *testing.T) {
	r := converted(t, mirrorOf(
		source.Resource{URL: "http://a.test/old", Time: then, Status: 301, Location: "/new", Saved: "p",
			Grade: source.Lost},
		source.Resource{URL: "http://a.test/new", Time: then, Status: 200, Saved: "p", File: "p.html",
			Body: body("rel:p rel:q"), Sent: 3, Rewritten: true},
		source.Resource{URL: "http://a.test/q", Time: then, Status: 404, Saved: "q", Grade: source.Lost},
	), options)
	for _, w := range r.records {
		if w.fields["WARC-Type"] == "conversion" && w.block != "http://a.test/new http://a.test/q" {
			t.Error(w.block)
		}
	}
}

// Passwords and sessions in the WARC are counted.
func TestSecretsAreCounted(t *testing.T) {
	r := converted(t, mirrorOf(source.Resource{URL: "http://u:p@a.test/x", Time: then, Status: 200, Body: body("x"),
		Sent: 1, Grade: source.OriginalEntity,
		Response: head("HTTP/1.1 200 OK\nSet-Cookie: a=b\n"),
		Request:  head("GET /x HTTP/1.1\nCookie: a=b\nAuthorization: Basic x\n")}), options)
	if r.report.Secrets["cookies"] != 2 || r.report.Secrets["passwords"] != 2 {
		t.Errorf("%v", r.report.Secrets)
	}
}

// A body larger than memory uses the disk and is converted completely.
func TestLargeBody(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 1<<19)
	o := options
	o.TempDir = t.TempDir()
	r := converted(t, mirrorOf(source.Resource{URL: "http://a.test/x", Time: then, Status: 200, Body: body(large),
		Sent: 8 << 20, Grade: source.OriginalFile}), o)
	if r.records[1].block != large {
		t.Errorf("%d bytes", len(r.records[1].block))
	}
}

func TestWhatEndsAConversion(t *testing.T) {
	whole := mirrorOf(source.Resource{URL: "http://a.test/x", Time: then, Status: 200, Body: body("x"),
		Grade: source.OriginalFile})
	broken := mirrorOf()
	broken.broken = errTorn
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	o := options
	o.Tell = func(Entry) error { return errTorn }
	for name, c := range map[string]struct {
		ctx  context.Context
		m    source.Mirror
		o    Options
		want error
	}{
		"a mirror that cannot be read": {context.Background(), broken, options, errTorn},
		"an account that is full":      {context.Background(), whole, o, errTorn},
		"a context that ended":         {cancelled, whole, options, context.Canceled},
	} {
		if _, err := Convert(c.ctx, c.m, &strings.Builder{}, c.o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, o := range []Options{{}, {Name: "a\nb", Software: "x", Date: then}} {
		if _, err := Convert(context.Background(), whole, &strings.Builder{}, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
