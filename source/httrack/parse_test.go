package httrack

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quire/format/weburl"
	"quire/internal/lines"
	"quire/source/internal/zone"
)

const rowHead = "date\tsize'/'remotesize\tflags(request:Update,Range state:File response:Modified,Chunked," +
	"gZipped)\tstatuscode\tstatus ('servermsg')\tMIME\tEtag|Date\tURL\tlocalfile\t(from URL)\n"

func TestRow(t *testing.T) {
	for _, c := range []struct {
		line string
		want Row
	}{
		{"21:06:00\t541/541\tU--M--\t200\tupdated " +
			"('OK')\ttext/html\tetag:%22abc-123%22\thttp://127.0.0.1:8899/\t127.0.0.1_8899/index.html\t(from )",
			Row{Clock: 21*time.Hour + 6*time.Minute, Size: 541, Remote: 541, Flags: "U--M--", Status: 200,
				Outcome: "updated", Message: "OK", MIME: "text/html",
				Validator: `etag:"abc-123"`, URL: "http://127.0.0.1:8899/", Local: "127.0.0.1_8899/index.html"}},
		{"21:06:01\t40/40\t---M--\t301\terror ('Moved%20Permanently')\ttext/html\tdate:Fri," +
			"%2020%20Nov%202026%2021:06:01%20GMT\thttp://127.0.0.1:8899/dir\t127.0.0.1_8899/dir.2.delayed\t(from " +
			"http://127.0.0.1:8899/)",
			Row{Clock: 21*time.Hour + 6*time.Minute + time.Second, Size: 40, Remote: 40, Flags: "---M--", Status: 301,
				Outcome: "error", Message: "Moved Permanently", MIME: "text/html",
				Validator: "date:Fri, 20 Nov 2026 21:06:01 GMT", URL: "http://127.0.0.1:8899/dir",
				Local: "127.0.0.1_8899/dir.2.delayed", Via: "http://127.0.0.1:8899/"}},
		{"13:39:31\t606/-1\t---M-Z\t-1\terror ('Open (x)')\t\t\twww.example.org/robots.txt\t\t(from )",
			Row{Clock: 13*time.Hour + 39*time.Minute + 31*time.Second, Size: 606, Remote: -1, Flags: "---M-Z",
				Status: -1, Outcome: "error", Message: "Open (x)", URL: "www.example.org/robots.txt"}},
	} {
		got, problem := parseRow([]byte(c.line))
		if problem != "" || got != c.want {
			t.Errorf("%q:\n%+v\n%s", c.line, got, problem)
		}
	}
}

func TestBrokenRowsAreToldAndPassedOver(t *testing.T) {
	good := "21:06:00\t1/1\t---M--\t200\tadded ('OK')\ttext/html\t\thttp://a/\ta/index.html\t(from )\n"
	bad := []string{"x\n", strings.Replace(good, "21:06:00", "25:06:00", 1), strings.Replace(good, "1/1", "1", 1),
		strings.Replace(good, "\t200\t", "\tOK\t", 1),
		strings.Replace(good, "('OK')", "OK", 1), strings.Replace(good, "(from )", "from", 1),
		strings.Replace(good, "http://a/\t", "\t", 1),
		strings.Replace(good, "http://a/\t", "http://a/"+strings.Repeat("x", lines.DefaultMax)+"\t", 1)}
	log := rowHead + good
	for _, b := range bad {
		log += b
	}
	log += rowHead + strings.TrimSuffix(good, "\n") // continued, and truncated after the last column
	var kept, told []int64
	err := readRows(strings.NewReader(log), func(r *Row) error { kept = append(kept, r.Line); return nil },
		func(l *lines.Reader, _ string) { told = append(told, l.Number) })
	if want := []int64{3, 4, 5, 6, 7, 8, 9, 10}; err != nil || !slices.Equal(told, want) ||
		!slices.Equal(kept, []int64{2, 12}) {
		t.Errorf("rows %v, reported %v, %v", kept, told, err)
	}
}

func TestKeysMeet(t *testing.T) {
	for raw, logged := range map[string]string{
		`http://a/page WITH "special" chars.html`: "http://a/page%20WITH%20%22special%22%20chars.html",
		"http://a/caf\xe9":                        "http://a/caf%e9",
		"http://a/100%":                           "http://a/100%",
		"http://a/a%2fb":                          "http://a/a%2Fb",
	} {
		if key(raw) != key(logged) || key(key(raw)) != key(raw) {
			t.Errorf("%q and %q do not meet: %q, %q", raw, logged, key(raw), key(logged))
		}
	}
	if got := weburl.Unescape("a%20b%zz%4"); got != "a b%zz%4" {
		t.Errorf("%q", got)
	}
}

func TestOptionsOfPandas(t *testing.T) {
	line := `/usr/local/bin/httrack http://www.industry.gov.au/acreagereleases/ar_home.html -O ` +
		`"/pandas/working/13982/20030403" ` +
		`-%HzZfI0A50000c6H1tx%xo0b1%sqZI0%I0%Hr50M1000000000E172800%PnK0L1p3Das0 -j -%A standard -%U pandora -#Z -#f ` +
		`-F "Mozilla/4.5 (x; y)" -pandora.nla.gov.au* -www.nla.gov.au/pandora* +*.gif`
	o := readOptions(arguments(line)[1:])
	limits := ""
	for _, l := range o.Limits {
		limits += l.Name + "=" + l.Value + " "
	}
	if o.Output != "/pandas/working/13982/20030403" || o.Robots != "s0" || o.UserAgent != "Mozilla/4.5 (x; y)" ||
		limits != "A=50000 r=50 M=1000000000 E=172800 " ||
		!slices.Equal(o.Seeds, []string{"http://www.industry.gov.au/acreagereleases/ar_home.html"}) ||
		!slices.Equal(o.Filters, []string{"-pandora.nla.gov.au*", "-www.nla.gov.au/pandora*", "+*.gif"}) {
		t.Errorf("%+v", o)
	}
}

// A mirror that ended early states that it is complete, too; its messages have the reason.
func TestStopMessages(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"21:17:24\tError: \tMore than 5000 bytes have been transferred.. giving up",
			"More than 5000 bytes have been transferred.. giving up"},
		{"21:17:24\tError: \tMore than 60 seconds passed.. giving up", "More than 60 seconds passed.. giving up"},
		{"21:17:24\tError: \tExit requested by shell or user", "Exit requested by shell or user"},
		{"21:17:24\tError: \tMirror aborted: disk full or filesystem problems",
			"Mirror aborted: disk full or filesystem problems"},
		{"21:17:24\tError: \t\"Exit requested by x\" (404) at link a.test/x (from a.test/)", ""},
		{"Error: Exit requested by shell or user", ""},
	} {
		var j journal
		log := c.line + "\n21:17:25\tError: \tExit requested by engine\n"
		if c.want == "" {
			log = c.line + "\n"
		}
		if err := readMessages(strings.NewReader(log), &j, func(message) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if j.Stopped != c.want {
			t.Errorf("%q: %q, want %q", c.line, j.Stopped, c.want)
		}
	}
}

func TestMessages(t *testing.T) {
	log := "HTTrack3.49-4+libhtsjava.so.2 launched on Fri, 20 Nov 2026 21:17:23 at http://a.test/ -*.epub\n(httrack " +
		"-q http://a.test/ )\n\n" +
		"21:17:24\tError: \t\"Not Found\" (404) at link a.test/x(1) (from a.test/)\n" +
		"21:17:25\tWarning: \tFile has moved from a.test/y to http://a.test/z\n" +
		"21:17:25\tError: \t\"Unable to get server's address: unknown error\" (-5) after 1 retries at link " +
		"https://b.test/ (from a.test/)\n" +
		"21:17:25\tInfo: \tengine: end\n\n" +
		"HTTrack Website Copier/3.49-4 mirror complete in 1 hour 3 minutes 30 seconds : 17 links scanned\n(1 errors, " +
		"2 warnings, 0 messages)\n"
	var j journal
	var got []message
	if err := readMessages(strings.NewReader(log), &j, func(m message) bool {
		got = append(got, m)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	if j.Software != "HTTrack3.49-4+libhtsjava.so.2" || j.At != "http://a.test/ -*.epub" ||
		j.Command != "httrack -q http://a.test/" {
		t.Errorf("%+v", j)
	}
	if at := parseLaunched(j.Launched); !at.Equal(time.Date(2026, 11, 20, 21, 17, 23, 0, time.UTC)) {
		t.Error(at)
	}
	if d, ok := duration(j.Complete); !ok || d != time.Hour+3*time.Minute+30*time.Second {
		t.Error(d, ok)
	}
	if len(got) != 3 || got[0].URL != "a.test/x(1)" || got[0].Status != 404 || got[0].Via != "a.test/" ||
		got[1].URL != "a.test/y" || got[1].To != "http://a.test/z" ||
		got[2].Status != -5 || got[2].URL != "https://b.test/" {
		t.Errorf("%+v", got)
	}
}

func TestHeadersOfBothKinds(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"3.49",
			"[1] request for a.test/x y:\n<<< GET /x%20y HTTP/1.1\n<<< Cookie: s=1\n<<< User-Agent: H\n\n\n[1] " +
				"response for a.test/x y:\ncode=404\n>>> HTTP/1.1 404 Not Found\n>>> Server: n\n\n\n",
			"request a.test/x y 0 GET /x%20y HTTP/1.1|Cookie: s=1|User-Agent: H|; cookies; response a.test/x y 404 " +
				"HTTP/1.1 404 Not Found|Server: n|; "},
		{"3.01",
			"Out:\nGET http://a.test/ HTTP/1.1\nUser-Agent: H\nAuthorization: Basic eA==\n\n\n\nresponse for " +
				"a.test/:\n(Buffer) Status-Code=200\n(buffer)>Date: D\n(buffer)>Server: n\n(buffer)>\nOut:\nGET " +
				"http://a.test/b HTTP/1.1\n",
			"request a.test/ 0 GET http://a.test/ HTTP/1.1|User-Agent: H|Authorization: Basic eA==|; a password; " +
				"response a.test/ 200 Date: D|Server: n|; request a.test/b 0 GET http://a.test/b HTTP/1.1|; "},
		{"odd", "code=200\n>>> lost\nrequest for :\n[9 request for x:\nresponse for y:\ncode=x\n", ""},
	} {
		var got strings.Builder
		secret := ""
		p := ioinfo{agent: func(a string) {
			if a != "H" {
				t.Errorf("%s: user agent %q", c.name, a)
			}
		}, secret: func(_ *lines.Reader, what string) { secret = what + "; " },
			found: func(url string, response bool, h Headers) {
				kind := "request"
				if response {
					kind = "response"
				}
				text, err := readHeader(strings.NewReader(c.text), &h)
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString(strings.Join([]string{kind, url, strconv.Itoa(h.Status),
					strings.ReplaceAll(string(text), "\n", "|")}, " ") + "; " + secret)
				secret = ""
			}}
		if err := p.read(strings.NewReader(c.text)); err != nil || got.String() != c.want {
			t.Errorf("%s: %v\n%s\n%s", c.name, err, got.String(), c.want)
		}
	}
}

func TestDaysAndZones(t *testing.T) {
	d := startAt(time.Date(2003, 4, 3, 23, 59, 0, 0, time.UTC))
	for _, c := range []struct {
		clock time.Duration
		want  string
	}{
		{23*time.Hour + 59*time.Minute, "2003-04-03 23:59:00"}, {5 * time.Second, "2003-04-04 00:00:05"},
		{3 * time.Second, "2003-04-04 00:00:03"},
		{20 * time.Hour, "2003-04-04 20:00:00"}, {time.Hour, "2003-04-05 01:00:00"},
	} {
		if got := d.at(c.clock).Format(time.DateTime); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
	local := time.Date(2016, 10, 15, 13, 53, 36, 0, time.UTC)
	votes := zone.Evidence{Kind: "rows", Weight: zone.Enough}
	addDate(&votes, local, `etag:"x"`)
	addDate(&votes, local, "date:Sat, 15 Oct 2006 08:23:33 GMT") // Last-Modified
	addDate(&votes, local, "date:Sat, 15 Oct 2016 08:23:33 GMT")
	if z := zone.Weigh(&votes); z.Ahead != 5*time.Hour+30*time.Minute || z.Why != "rows" {
		t.Error(z)
	}
}

func FuzzLogs(f *testing.F) {
	f.Add([]byte(rowHead +
		"21:06:00\t541/541\tU--M--\t200\tupdated " +
		"('OK')\ttext/html\tetag:%22abc-123%22\thttp://a/\ta/index.html\t(from )\n"))
	f.Add([]byte("Out:\nGET http://a.test/ HTTP/1.1\n\nresponse for a.test/:\n(Buffer) Status-Code=200\n(buffer)>" +
		"Date: D\n"))
	f.Add([]byte("HTTrack3 launched on x at y\n21:17:24\tError: \t\"x\" (404) at link a (from b)\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		rows := int64(0)
		err := readRows(bytes.NewReader(b), func(r *Row) error {
			if rows++; r.URL == "" || r.Offset < 0 || r.Offset >= int64(len(b)) {
				t.Errorf("%+v", r)
			}
			return nil
		}, func(l *lines.Reader, problem string) {
			if problem == "" || len(l.Text) > lines.DefaultMax {
				t.Errorf("line %d: %q, %d bytes", l.Number, problem, len(l.Text))
			}
		})
		var j journal
		err2 := readMessages(bytes.NewReader(b), &j, func(message) bool { return true })
		p := ioinfo{agent: func(string) {}, secret: func(*lines.Reader, string) {},
			found: func(url string, _ bool, h Headers) {
				if url == "" || h.from < 0 || h.to <= h.from || h.to > int64(len(b)) {
					t.Errorf("%q %+v", url, h)
				}
			}}
		if err3 := p.read(bytes.NewReader(b)); err != nil || err2 != nil || err3 != nil {
			t.Error(err, err2, err3)
		}
		readOptions(arguments(j.Command))
		duration(j.Complete)
	})
}
