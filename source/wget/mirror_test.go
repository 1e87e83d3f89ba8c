package wget

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/lines"
	"quire/model"
	"quire/source"
)

var (
	served = time.Date(2015, 10, 21, 7, 28, 0, 0, time.UTC)   // Last-Modified
	saved  = time.Date(2026, 11, 22, 15, 16, 28, 0, time.UTC) // start of the Wget run, in UTC
	logEnd = "FINISHED --2026-11-22 16:16:29--\nTotal wall clock time: 2s\nDownloaded: 9 files, 1K in 0s (1 KB/s)\n"
)

// fresh begins the name of a file to which the server gave no time.
const fresh = "fresh:"

// folder writes files with the server's time as mtime, and fresh ones with the time of the download;
// logs have the time of their last line.
func folder(t *testing.T, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name, dynamic := strings.CutPrefix(name, fresh)
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		at := served
		switch {
		case strings.HasSuffix(name, ".log"):
			at = saved.Add(time.Second)
		case dynamic:
			at = saved
		}
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

func onlyMirror(t *testing.T, tr *archivefs.Tree) *mirror {
	t.Helper()
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d claims, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	m, ok := h.(*mirror)
	if !ok {
		t.Fatalf("%T is no mirror", h)
	}
	accounted(t, m, claims[0].Files)
	return m
}

// accounted checks that each file appears once: as a resource, or as an artefact.
func accounted(t *testing.T, m source.Mirror, files []string) {
	t.Helper()
	var told []string
	for r, err := range m.Resources(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if r.File != "" {
			told = append(told, r.File)
		}
	}
	for _, f := range m.Artefacts() {
		told = append(told, f.Path)
	}
	slices.Sort(told)
	if want := slices.Sorted(slices.Values(files)); !slices.Equal(told, want) {
		t.Errorf("got  %q\nwant %q", told, want)
	}
}

// linesOf returns each resource as one line.
func linesOf(t *testing.T, m source.Mirror) []string {
	t.Helper()
	var all []string
	for r, err := range m.Resources(context.Background(), func(f model.Finding) {
		all = append(all, "! "+f.Code+" "+f.Path)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		body := "-"
		if r.Body != nil {
			in, err := r.Body()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(in)
			if err != nil || in.Close() != nil || int64(len(b)) != r.Size {
				t.Errorf("%s: %d bytes, not %d, %v", r.URL, len(b), r.Size, err)
			}
			body = fmt.Sprintf("%.12q", b)
		}
		line := fmt.Sprintf("%d %s %s %s", r.Status, r.URL, body, r.Grade)
		for _, f := range []struct {
			name, value string
		}{{" to=", r.Location}, {" file=", r.File}, {" saved=", r.Saved}, {" assumed=", r.Assumed}} {
			if f.value != "" && (f.name != " saved=" || f.value != r.File) {
				line += f.name + f.value
			}
		}
		if r.Rewritten {
			line += " rewritten"
		}
		all = append(all, line)
	}
	return all
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// request returns a part of a verbose log.
func request(url, mime, file string, size int) string {
	return "--2026-11-22 16:16:28--  " + url + "\nHTTP request sent, awaiting response... 200 OK\nLength: " +
		fmt.Sprint(size) + " [" + mime + "]\nSaving to: ‘" + file + "’\n\n     0K  100%\n\n" +
		"2026-11-22 16:16:28 (1 KB/s) - ‘" + file + "’ saved [" + fmt.Sprintf("%d/%d", size, size) + "]\n\n"
}

func redirect(url, to string) string {
	return "--2026-11-22 16:16:28--  " + url + "\nHTTP request sent, awaiting response... 301 Moved\nLocation: " + to +
		" [following]\n"
}

// TestMirrorWithLog reads a mirror with -m -k -K -E and its log: names, backups and redirects as
// Wget 1.21.3 left them.
func TestMirrorWithLog(t *testing.T) {
	log := request("http://a.test/", "text/html", "a.test/index.html", 8) +
		request("http://a.test/i.png", "image/png", "a.test/i.png", 3) +
		request("http://a.test/page?id=1", "text/html", "a.test/page?id=1.html", 7) +
		request("http://a.test/plain.html", "text/html", "a.test/plain.html", 5) +
		request("http://a.test/dir/", "text/html", "a.test/dir/index.html", 4) +
		redirect("http://a.test/dir", "/dir/") + request("http://a.test/dir/", "text/html", "a.test/dir.html", 4) +
		redirect("http://a.test/old", "http://b.test/new") +
		request("http://b.test/new", "text/html", "a.test/old.html", 3) +
		request("http://a.test/q.css?v=2", "text/css", "a.test/q.css?v=2.css", 6) +
		"--2026-11-22 16:16:28--  http://a.test/gone\nHTTP request sent, awaiting response... 404 Not Found\n" +
		"2026-11-22 16:16:28 ERROR 404: Not Found.\n\n" +
		request("http://a.test/lost.png", "image/png", "a.test/lost.png", 3) + logEnd +
		"Converting links in a.test/index.html... 1-0\nConverting links in a.test/plain.html... nothing to do.\n"
	m := onlyMirror(t, folder(t, map[string]string{
		"wget.log": log, "a.test/index.html": "<html>turned", "a.test/index.html.orig": "original",
		"a.test/i.png":                  "png",
		fresh + "a.test/page?id=1.html": "turned", "a.test/page?id=1.orig": "page id", "a.test/plain.html": "plain",
		"a.test/dir/index.html": "dir/", "a.test/dir.html": "dirT", "a.test/dir.orig": "dir1", "a.test/old.html": "new",
		"a.test/q.css?v=2.css": "turned", "a.test/q.css?v=2orig": "style!", "a.test/stray.txt": "stray",
	}))
	expect(t, linesOf(t, m),
		`200 http://a.test/ "original" original entity file=a.test/index.html`,
		`200 http://a.test/i.png "png" original file file=a.test/i.png`,
		`200 http://a.test/page?id=1 "page id" original entity file=a.test/page?id=1.html`,
		`200 http://a.test/plain.html "plain" original file file=a.test/plain.html`,
		`200 http://a.test/dir/ "dir/" original file file=a.test/dir/index.html`,
		`301 http://a.test/dir - lost to=/dir/ file=a.test/dir.html`,
		`301 http://a.test/old - lost to=http://b.test/new saved=a.test/old.html`,
		`200 http://b.test/new "new" original file file=a.test/old.html`,
		`200 http://a.test/q.css?v=2 "style!" original entity file=a.test/q.css?v=2.css`,
		`404 http://a.test/gone - lost`,
		`200 http://a.test/lost.png - lost`,
		`0 http://a.test/stray.txt "stray" original file file=a.test/stray.txt assumed=scheme: the names of the `+
			`folders do not tell it`)
	a := m.About()
	if a.System != model.Wget || a.EndReason != "FINISHED" || !a.Start.Equal(saved) ||
		!a.End.Equal(saved.Add(time.Second)) || a.Documentation != model.PartlyDocumented ||
		m.Style() != source.StyleWget {
		t.Errorf("%+v", a)
	}
	if len(a.Findings) != 1 || a.Findings[0].Code != findGone {
		t.Error(a.Findings)
	}
	roles := map[model.Role]int{}
	for _, f := range m.Artefacts() {
		roles[f.Role]++
	}
	if roles[model.RoleCache] != 4 || roles[model.RoleLog] != 1 || len(roles) != 2 {
		t.Error(roles)
	}
}

// TestMirrorWithShortLog has a log that is not verbose: it has only the last URL, and the one
// before is derived from the name.
func TestMirrorWithShortLog(t *testing.T) {
	m := onlyMirror(t, folder(t, map[string]string{
		"job/wget.log": "2026-11-22 16:16:28 URL:http://anna:geheim@a.test/dir/ [4/4] -> " +
			"\"out/a.test/dir/index.html\" [1]\n" +
			"2026-11-22 16:16:28 URL:http://a.test/dir/ [4/4] -> \"out/a.test/dir.html\" [1]\nhttp://a.test/gone:\n" +
			"2026-11-22 16:16:29 ERROR 404: Not Found.\n",
		"job/a.test/dir/index.html": "dir/", "job/a.test/dir.html": "turn", "job/a.test/dir.orig": "dir2",
		"job/a.test/dir/index.html.orig": "diff",
		"job/readme.txt":                 "not of it",
	}))
	expect(t, linesOf(t, m),
		`200 http://a.test/dir/ "diff" original entity file=job/a.test/dir/index.html saved=a.test/dir/index.html`,
		`0 http://a.test/dir - lost file=job/a.test/dir.html saved=a.test/dir.html assumed=scheme: the names of the `+
			`folders do not tell it; that it redirected to http://a.test/dir/, which was saved under its name`,
		`404 http://a.test/gone - lost`)
	a := m.About()
	secret := slices.ContainsFunc(a.Files, func(f model.SourceFile) bool {
		return f.Path == "job/wget.log" && f.Restricted != ""
	})
	if !secret || strings.Contains(fmt.Sprint(a), "geheim") {
		t.Errorf("%+v", a)
	}
}

// TestWhetherLinksWereConverted checks that links are reported as possibly changed by -k, unless
// there is evidence against it.
func TestWhetherLinksWereConverted(t *testing.T) {
	short := "2026-11-22 16:16:28 URL:http://a.test/ [%d] -> \"a.test/index.html\" [1]\n"
	for _, c := range []struct {
		name, log, page string
		want            string
		style           source.Style
	}{
		{"nothing tells", short, `<html><a href="x/y.html">`, "links reconstructed", source.StyleWget},
		{"a link to the root of the host", short, `<html><a class="x" href="/y.html">`, "original file",
			source.StyleNone},
		{"such a link in a script or a comment", short, `<html><script>'<a href="/y">'</script><!-- <a href="/z"> -->`,
			"links reconstructed", source.StyleWget},
		{"a link to another host without its scheme", short, `<html><a href="//b.test/">`, "links reconstructed",
			source.StyleWget},
		{"a verbose log that came to its end", request("http://a.test/", "text/html", "a.test/index.html", 8) + logEnd,
			`<html>xx`, "original file", source.StyleNone},
		{"one that did not", request("http://a.test/", "text/html", "a.test/index.html", 8), `<html>xx`,
			"links reconstructed", source.StyleWget},
		{"one that says so", request("http://a.test/", "text/html", "a.test/index.html", 7) + logEnd +
			"Umwandlung von Links in »a.test/index.html« … 2-1\n", `<html>xx`, "links reconstructed", source.StyleWget},
	} {
		log := c.log
		if strings.Contains(log, "%d") {
			log = fmt.Sprintf(log, len(c.page))
		}
		m := onlyMirror(t, folder(t, map[string]string{"x.log": log, "a.test/index.html": c.page}))
		for r, err := range m.Resources(context.Background(), func(f model.Finding) { t.Errorf("%s: %s", c.name, f) }) {
			if err != nil || string(r.Grade) != c.want || r.Rewritten != (c.style == source.StyleWget) ||
				m.Style() != c.style {
				t.Errorf("%s: %s, %s, %q", c.name, r.Grade, m.Style(), r.Why)
			}
		}
	}
}

// TestMirrorWithoutLog recognises a mirror without a log by its backups; all its facts are derived
// from names.
func TestMirrorWithoutLog(t *testing.T) {
	m := onlyMirror(t, folder(t, map[string]string{
		"x/a.test+8080/index.html": "t", "x/a.test+8080/index.html.orig": "o", "x/a.test+8080/p@id=1.html": "<html>p",
		"x/a.test+8080/Name.html": "N", "x/a.test+8080/name.html.1": "n",
		"x/a.test+8080/index.html.1": "again", "x/a.test+8080/i.png": "png", "x/other/y": "no host",
	}))
	const scheme = " assumed=scheme: the names of the folders do not tell it"
	const host, dir = "http://a.test:8080/", " saved=a.test+8080/"
	expect(t, linesOf(t, m),
		`0 `+host+`Name.html "N" original file file=x/a.test+8080/Name.html`+dir+`Name.html`+scheme,
		`0 `+host+`i.png "png" original file file=x/a.test+8080/i.png`+dir+`i.png`+scheme,
		`0 `+host+` "o" original entity file=x/a.test+8080/index.html`+dir+`index.html`+scheme+
			`; that the path ended in a slash, of which Wget makes index.html`,
		`0 `+host+`index.html.1 "again" original file file=x/a.test+8080/index.html.1`+dir+`index.html.1`+scheme,
		`0 `+host+`name.html "n" original file file=x/a.test+8080/name.html.1`+dir+`name.html.1`+scheme+
			`; that the number behind the name was put there because another name differs in case alone`,
		`0 `+host+`p?id=1 "<html>p" original file file=x/a.test+8080/p@id=1.html`+dir+`p@id=1.html`+scheme+
			`; that -E put .html behind the name; that @ stands for ?`)
	a := m.About()
	if a.Documentation != model.Undocumented || len(a.Evidence) == 0 || !strings.Contains(a.Evidence[0].Value, "-K") {
		t.Errorf("%+v", a)
	}
	for r, err := range m.Resources(context.Background(), nil) {
		if err != nil || !r.Time.Equal(served) || !strings.HasPrefix(r.TimeFrom, "mtime of ") {
			t.Errorf("%s: %s from %s", r.URL, r.Time, r.TimeFrom)
		}
	}
}

// TestHeads reads heads within the files (--save-headers), and in the log (-S).
func TestHeads(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nDate: Sun, 22 Nov 2026 15:16:27 GMT\r\nContent-Type: text/html; charset=x\r\n\r\n"
	inFile := onlyMirror(t, folder(t,
		map[string]string{"a.test/index.html": head + "body", "a.test/x": head + "x", "a.test/robots.txt": head + "r"}))
	indented := "  " + strings.ReplaceAll(strings.TrimSpace(head), "\r\n", "\n  ") + "\n"
	inLog := onlyMirror(t, folder(t,
		map[string]string{"w.log": indented + "2026-11-21 02:16:28 URL:http://a.test/x [4] -> \"a.test/x\" [1]\n",
			"a.test/x": "body"}))
	for _, c := range []struct {
		m    *mirror
		head string
		n    int
	}{{inFile, head, 3}, {inLog, strings.ReplaceAll(head, "\r", ""), 1}} {
		n := 0
		for r, err := range c.m.Resources(context.Background(), nil) {
			if n++; err != nil || r.Status != 200 || r.MIME != "text/html; charset=x" ||
				!r.Time.Equal(saved.Add(-time.Second)) || !strings.HasPrefix(r.TimeFrom, "header Date") ||
				r.Response == nil {
				t.Fatalf("%+v, %v", r, err)
			}
			if got, err := r.Response(); string(got) != c.head || err != nil {
				t.Errorf("%q, %v", got, err)
			}
			if r.Size > 4 {
				t.Errorf("%s has %d bytes", r.URL, r.Size)
			}
		}
		if n != c.n {
			t.Errorf("%d resources", n)
		}
	}
	if z := inLog.logs[0].clock.zone; z.Why != "" && z.Ahead != -13*time.Hour {
		t.Error(z)
	}
	if claims, err := (Reader{}).Find(context.Background(),
		folder(t, map[string]string{"a.test/x.html": "no head", "a.test/y": ""})); err != nil || len(claims) != 0 {
		t.Errorf("%d claims of files without evidence for Wget, %v", len(claims), err)
	}
}

// TestUpdate checks that files not fetched again by an update belong to the earlier run, with an
// unknown time.
func TestUpdate(t *testing.T) {
	m := onlyMirror(t, folder(t, map[string]string{
		"wget.log": "--2026-11-22 16:16:28--  http://a.test/x.png\nHTTP request sent, awaiting response... 304 Not " +
			"Modified\nFile ‘a.test/x.png’ not modified on server. Omitting download.\n\n" +
			"File ‘a.test/y.png’ already there; not retrieving.\n\n" + logEnd,
		"a.test/x.png": "x", "a.test/y.png": "y",
	}))
	expect(t, linesOf(t, m), `0 http://a.test/x.png "x" original file file=a.test/x.png`,
		`0 http://a.test/y.png "y" original file file=a.test/y.png assumed=scheme: the names of the folders do not `+
			`tell it`)
	for r, err := range m.Resources(context.Background(), nil) {
		if err != nil || !r.Time.Equal(served) {
			t.Errorf("%s: %s from %s", r.URL, r.Time, r.TimeFrom)
		}
	}
}

// TestFlatMirror reads files in one folder (-nd), with foreign files beside them.
func TestFlatMirror(t *testing.T) {
	m := onlyMirror(t, folder(t, map[string]string{
		"w.log": request("http://a.test/", "text/html", "index.html", 2) +
			request("http://a.test/d/", "text/html", "index.html.1", 3) + logEnd,
		"index.html": "ab", "index.html.1": "xyz", "notes.txt": "ours", "index.html.orig": "oo",
	}))
	expect(t, linesOf(t, m), `200 http://a.test/ "oo" original entity file=index.html`,
		`200 http://a.test/d/ "xyz" original file file=index.html.1`)
}

// TestNamesThatLeadOut checks that names leading out of the mirror are refused.
func TestNamesThatLeadOut(t *testing.T) {
	m := onlyMirror(t, folder(t, map[string]string{
		"w.log": request("http://a.test/p", "text/plain", "../../etc/passwd", 2) +
			request("http://a.test/q", "text/plain", "/etc/passwd", 2) +
			request("http://a.test/x", "text/plain", "a.test/x", 1) + logEnd,
		"a.test/x": "x",
	}))
	expect(t, linesOf(t, m), `200 http://a.test/p - lost`, `200 http://a.test/q - lost`,
		`200 http://a.test/x "x" original file file=a.test/x`)
}

func TestFetches(t *testing.T) {
	m := onlyMirror(t, folder(t, map[string]string{
		"w.log": redirect("http://a.test/old", "/x") + request("http://a.test/x", "text/plain", "a.test/x", 1) +
			"--2026-11-22 16:16:28--  http://b.test/\nConnecting... failed: Connection refused.\n\n" + logEnd,
		fresh + "a.test/x": "x",
	}))
	m.rejected = []string{"w.log"} // no line has the columns
	var got []string
	bad := 0
	for f, err := range m.Fetches(context.Background(), func(model.Finding) { bad++ }) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%d %s %s %q %d %s", f.Status, f.URI, f.Miss, f.Time.Format(time.DateTime),
			f.Size, strings.Join(f.Notes, "|")))
	}
	expect(t, got, `301 http://a.test/old  "2026-11-22 15:16:28" -1 reason:Moved|to:/x`,
		`200 http://a.test/x  "2026-11-22 15:16:28" 1 reason:OK|saved:a.test/x`,
		`0 http://b.test/ network "2026-11-22 15:16:28" -1 message:Connecting... failed: Connection refused.`)
	if bad == 0 {
		t.Error("lines without columns were taken")
	}
}

func TestRejected(t *testing.T) {
	text := rejectedHead +
		"U_SCHEME\nROBOTS\thttp%3A//u%3Ap%40a.test/i%2520.png\tS\ta\t80\ti\t\t\t\thttp%3A//a.test/\tS\n" +
		"SPANNEDHOST\thttp%3A//b.test/\tS\ta\t80\ti\t\t\t\thttp%3A//a.test/\tS\nBLACKLIST\tx\t\t\t\t\t\t\t\ty\n" +
		"NEWS\tx\t\t\t\t\t\t\t\ty\nshort\n"
	var got []string
	err := readRejected(strings.NewReader(text), func(f model.Fetch) bool {
		got = append(got, fmt.Sprintf("%s from %s: %q", f.URI, f.Via, f.Miss))
		return true
	}, func(l *lines.Reader, problem string) { got = append(got, fmt.Sprint(l.Number, " ", problem)) })
	if err != nil {
		t.Fatal(err)
	}
	expect(t, got, `http://a.test/i%20.png from http://a.test/: "robots"`,
		`http://b.test/ from http://a.test/: "scope"`, `x from y: ""`, `x from y: "untried"`,
		"6 it has not the columns of --rejected-log")
}
