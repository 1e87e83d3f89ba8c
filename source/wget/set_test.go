package wget

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/internal/prove"
	"quire/model"
	"quire/source"
)

// rec returns a record like Wget's: in a separate gzip member.
func rec(kind, id, date, uri, contentType, block string) string {
	h := "WARC/1.0\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:uuid:" + id + ">\r\nWARC-Date: " + date + "\r\n"
	if uri != "" {
		h += "WARC-Target-URI: <" + uri + ">\r\n"
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := fmt.Fprintf(z, "%sContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", h, contentType, len(block),
		block)
	if err != nil || z.Close() != nil {
		return ""
	}
	return b.String()
}

func info(id, args string) string {
	return rec("warcinfo", id, "2026-11-22T15:16:28Z", "", "application/warc-fields",
		"software: Wget/1.21.3 (linux-gnu)\r\nformat: WARC File Format 1.0\r\nrobots: classic\r\nwget-arguments: "+args+
			"\r\noperator: Ann\r\n")
}

const (
	get     = "GET / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: Wget/1.21.3\r\n\r\n"
	started = "2026-11-22T15:16:28Z"
	ended   = "2026-11-22T15:16:30Z"
)

// ending returns the records that Wget writes last.
func ending(log string, ids ...string) string {
	text := rec("metadata", "m", ended, ownPrefix+ownManifest, "text/plain",
		"<urn:uuid:"+strings.Join(ids, ">\n<urn:uuid:")+">\n") +
		rec("resource", "a", ended, ownPrefix+ownArguments, "text/plain", `"x"`)
	if log != "-" {
		text += rec("resource", "l", ended, ownPrefix+ownLog, "text/plain", log)
	}
	return text
}

var shortLog = "2026-11-22 17:16:28 URL:http://a.test/ [5/5] -> \"index.html\" [1]\nhttp://a.test/x:\n2026-11-22 " +
	"17:16:29 ERROR 403: Forbidden.\nFINISHED --2026-11-22 17:16:30--\nTotal wall clock time: 2s\nDownloaded: 1 " +
	"files, 5 in 0s (1 KB/s)\n"

func onlySet(t *testing.T, tr *archivefs.Tree) source.Harvest {
	t.Helper()
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 {
		t.Fatalf("%d claims, %v", len(claims), err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, f := range h.About().Files {
		listed = append(listed, f.Path)
	}
	slices.Sort(listed)
	if !slices.Equal(listed, slices.Sorted(slices.Values(claims[0].Files))) {
		t.Errorf("%q are claimed, and %q listed", claims[0].Files, listed)
	}
	return h
}

func codes(a *model.Harvest) string {
	var all []string
	for _, f := range a.Findings {
		all = append(all, f.Code)
	}
	return strings.Join(all, " ")
}

func statuses(t *testing.T, h source.Harvest) string {
	t.Helper()
	var all []string
	for f, err := range h.Fetches(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%d %s %s %s", f.Status, f.URI, f.Time.Format(time.TimeOnly), f.Miss))
	}
	return strings.Join(all, ", ")
}

// TestSet reads a set in several containers with all of Wget's records, and checks the findings
// when parts are missing.
func TestSet(t *testing.T) {
	const args = `"-nv" "-r" "-l" "8" "-Q" "5M" "-e" "robots=off" "-i" "lists/seeds.txt" "--rejected-log=rej.csv" ` +
		`"--warc-file=t1" "http://a.test/" `
	files := func() map[string]string {
		return map[string]string{
			"t1-00000.warc.gz": info("1", args) +
				rec("request", "r", started, "http://a.test/", "application/http;msgtype=request", get),
			"t1-00001.warc.gz": info("2", args),
			"t1-meta.warc.gz":  info("3", args) + ending(shortLog, "1", "2", "3"), "t1.cdx": " CDX a b\n",
			"seeds.txt": "http://b.test/\n\n#no\nhttp://anna:geheim@c.test/\n",
			"rej.csv":   rejectedHead + "x\nROBOTS\thttp%3A//a.test/r\tS\ta\t80\tr\t\t\t\thttp%3A//a.test/\tS\n",
			"other.txt": "x",
		}
	}
	const fetched = "200 http://a.test/ 15:16:28 , 403 http://a.test/x 15:16:29 , 0 http://a.test/r 00:00:00 robots"
	for _, c := range []struct {
		name, without string
		codes         string
		fetched       string
		documentation model.Documentation
	}{
		{"whole", "", "SOURCE-SECRET", fetched, model.Documented},
		{"without its log", "t1-meta.warc.gz", "WGET-LOG-LOST SOURCE-SECRET", "0 http://a.test/r 00:00:00 robots",
			model.PartlyDocumented},
		{"without a container", "t1-00001.warc.gz", "SOURCE-SECRET WGET-MISSING", fetched, model.Documented},
	} {
		all := files()
		delete(all, c.without)
		h := onlySet(t, folder(t, all))
		a := h.About()
		if got := codes(a); got != c.codes || a.Documentation != c.documentation {
			t.Errorf("%s: %s, %s", c.name, got, a.Documentation)
		}
		if got := statuses(t, h); got != c.fetched {
			t.Errorf("%s: %s", c.name, got)
		}
		if fmt.Sprint(a.Seeds) != "[http://a.test/ http://b.test/ http://anna:…@c.test/]" ||
			a.UserAgent != "Wget/1.21.3" || a.Robots != "classic" || a.Operator != "Ann" ||
			fmt.Sprint(a.Scope) != "[-r -l 8 -i lists/seeds.txt]" || fmt.Sprint(a.Limits) != "[{-Q 5M}]" ||
			!a.Start.Equal(saved) {
			t.Errorf("%s: %+v", c.name, a)
		}
		if c.without != "t1-meta.warc.gz" && (!a.End.Equal(saved.Add(2*time.Second)) || a.EndReason != "FINISHED") {
			t.Errorf("%s: it ended %s, %q", c.name, a.End, a.EndReason)
		}
	}
}

func TestSetsInOneContainer(t *testing.T) {
	for _, c := range []struct {
		name, args, tail string
		beside           map[string]string
		codes, fetched   string
	}{
		{"with its log", `"x"`, ending(shortLog, "1"), nil, "",
			"200 http://a.test/ 15:16:28 , 403 http://a.test/x 15:16:29 "},
		{"log elsewhere, and here", `"-o" "/tmp/run.txt"`, ending("", "1"), map[string]string{"run.txt": shortLog}, "",
			"200 http://a.test/ 15:16:28 , 403 http://a.test/x 15:16:29 "},
		{"log elsewhere", `"-o" "/tmp/run.txt"`, ending("", "1"), nil, "WGET-LOG-LOST", ""},
		{"quiet", `"-q"`, ending("", "1"), nil, "", ""},
		{"no log wanted", `"--no-warc-keep-log"`, ending("-", "1"), nil, "", ""},
		{"stopped", `"x"`, "", nil, "WGET-LOG-LOST", ""},
		{"a password", `"--password=geheim" "--load-cookies" "c.txt"`, ending("", "1"),
			map[string]string{"c.txt": "a.test\tTRUE\t/\tFALSE\t0\tsid\tx\n"},
			"SOURCE-SECRET SOURCE-SECRET SOURCE-SECRET", ""},
		{"a password in the log", `"x"`,
			ending("2026-11-22 17:16:28 URL:http://u:geheim@a.test/ [5/5] -> \"index.html\" [1]\n", "1"), nil,
			"SOURCE-SECRET", "200 http://a.test/ 15:16:28 "},
	} {
		files := map[string]string{"t.warc.gz": info("1", c.args) +
			rec("request", "r", started, "http://a.test/", "application/http;msgtype=request", get) + c.tail}
		for name, content := range c.beside {
			files[name] = content
		}
		h := onlySet(t, folder(t, files))
		a := h.About()
		if got := statuses(t, h); codes(a) != c.codes || got != c.fetched {
			t.Errorf("%s: %s; %s", c.name, codes(a), got)
		}
		if strings.Contains(fmt.Sprint(a), "geheim") {
			t.Errorf("%s: %+v", c.name, a)
		}
		for _, f := range a.Files {
			if secret := strings.Contains(c.codes, source.CodeSecret); secret != (f.Restricted != "") {
				t.Errorf("%s: %s is restricted: %q", c.name, f.Path, f.Restricted)
			}
		}
	}
}

// TestOwnRecordsOfALargeContainer checks that the records at the end of a large container are found
// from there, and that text in a block is not mistaken for one.
func TestOwnRecordsOfALargeContainer(t *testing.T) {
	prove.Serial(t)
	noise := make([]byte, smallContainer+3*step/2)
	r := rand.NewChaCha8([32]byte{1})
	if _, err := r.Read(noise); err != nil {
		t.Fatal(err)
	}
	quote := "WARC/1.0\r\nWARC-Type: resource\r\n\r\n" + ownPrefix + ownLog + "\r\n"
	for _, plain := range []bool{false, true} {
		file := info("1", `"x"`) + rec("resource", "n", started, "http://a.test/", "x", string(noise)) +
			rec("resource", "q", started, "http://a.test/q", "x", quote) + ending(shortLog, "1")
		if plain {
			file = inflated(t, file)
		}
		h := onlySet(t, folder(t, map[string]string{"t.warc.gz": file}))
		if got := statuses(t, h); got != "200 http://a.test/ 15:16:28 , 403 http://a.test/x 15:16:29 " {
			t.Errorf("plain %v: %s, %s", plain, got, codes(h.About()))
		}
	}
}

// TestQuotedRecord checks that a record of a log is not identified as the log if a page only quotes
// it.
func TestQuotedRecord(t *testing.T) {
	noise := make([]byte, smallContainer)
	if _, err := rand.NewChaCha8([32]byte{1}).Read(noise); err != nil {
		t.Fatal(err)
	}
	quote := "WARC/1.0\r\nWARC-Type: resource\r\n\r\nWARC-Target-URI: " + ownPrefix + ownLog + "\r\n\r\n" + shortLog
	file := info("1", `"x"`) + rec("resource", "n", started, "http://a.test/", "x", string(noise)) +
		rec("resource", "q", started, "http://a.test/q", "x", quote)
	h := onlySet(t, folder(t, map[string]string{"t.warc": inflated(t, file)}))
	if got := statuses(t, h); got != "" || codes(h.About()) != findLost {
		t.Errorf("%s, %s", got, codes(h.About()))
	}
}

func inflated(t *testing.T, s string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(z); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSetWithMirror has a mirror and a set of one run: two harvests, and the log belongs to both.
func TestSetWithMirror(t *testing.T) {
	log := strings.ReplaceAll(shortLog, `"index.html"`, `"a.test/index.html"`)
	tr := folder(t, map[string]string{"t.warc.gz": info("1", `"-o" "w.log"`) + ending("", "1"), "w.log": log,
		"a.test/index.html": "12345"})
	claims, err := Reader{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 2 {
		t.Fatalf("%d claims, %v", len(claims), err)
	}
	for i, want := range []string{"t.warc.gz w.log", "a.test/index.html w.log"} {
		if got := strings.Join(claims[i].Files, " "); got != want {
			t.Errorf("%s, not %s", got, want)
		}
		h, err := claims[i].Read(context.Background())
		if err != nil || statuses(t, h) == "" {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// TestOthersContainers checks that other files with a container's name, and containers of other
// programs, are ignored.
func TestOthersContainers(t *testing.T) {
	tr := folder(t, map[string]string{"a.warc.gz": "no", "b.warc": "",
		"c.warc.gz": rec("warcinfo", "1", started, "", "application/warc-fields", "software: Wpull/1.0\r\n"),
		"crawl.log": "2005-10-02T03:04:05.006Z 200 1 http://a/ - - text/html #1 - - -\n"})
	if claims, err := (Reader{}).Find(context.Background(), tr); err != nil || len(claims) != 0 {
		t.Errorf("%d claims, %v", len(claims), err)
	}
}

// TestLooseLog checks that a log without its files still describes its run. Its own mtime is too
// weak as evidence of its zone.
func TestLooseLog(t *testing.T) {
	tr := folder(t, map[string]string{"x/w.log": shortLog,
		"crawl.log": "2005-10-02T03:04:05.006Z 200 1 http://a/ - - text/html #1 - - -\n"})
	if claims, err := (Reader{}).Find(context.Background(), tr); err != nil || len(claims) != 0 {
		t.Fatalf("%d claims, %v", len(claims), err)
	}
	claims, err := Loose{}.Find(context.Background(), tr)
	if err != nil || len(claims) != 1 || claims[0].Root != "x" {
		t.Fatalf("%v, %v", claims, err)
	}
	h, err := claims[0].Read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	a := h.About()
	if fmt.Sprint(a.Seeds) != "[http://a.test/]" || a.EndReason != "FINISHED" || a.Files[0].Role != model.RoleLog ||
		len(a.Findings) != 2 || a.Findings[0].Code != source.CodeClock || a.Findings[0].Severity != model.Info {
		t.Errorf("%+v", a)
	}
	if got := statuses(t, h); got != "200 http://a.test/ 00:00:00 , 403 http://a.test/x 00:00:00 server" {
		t.Error(got)
	}
}
