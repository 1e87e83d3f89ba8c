package payloads

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/model"
	"quire/preserve/dedup"
)

// inPackage matches the fields that name the package of an original.
var inPackage = regexp.MustCompile(`Dedup-(Package|Path): [^\r]*\r\n`)

// bodies returns captures of all kinds, of one year.
func bodies(year int, more ...string) string {
	http := "application/http; msgtype=response"
	date := func(s string) string { return fmt.Sprintf("%d-02-03T04:05:%s", year, s) }
	n := 0
	record := func(kind, url, date, media, block string, fields ...string) string {
		n++
		return repotest.Record(kind, fmt.Sprintf("%d-%d", year, n), url, date, media, block, fields...)
	}
	page := func(body string, fields ...string) string {
		return "HTTP/1.1 200 OK\r\n" + strings.Join(append(fields, ""), "\r\n") + "\r\n" + body
	}
	return record("response", "http://a.example/plain", date("06Z"), http, page("plain")) +
		record("response", "http://a.example/exact", date("07.123456Z"), http, page("exact")) +
		record("response", "http://a.example/later", date("08Z"), http, page("exact")) +
		record("response", "http://a.example/chunked", date("09Z"), http,
			page("5\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked")) +
		record("response", "http://a.example/unframed", date("09Z"), http, page("hello")) +
		record("response", "http://a.example/coded", date("10Z"), http,
			page("no gzip at all", "Content-Encoding: gzip")) +
		record("resource", "http://a.example/file", date("11Z"), "text/plain", "a file") +
		record("resource", "dns:a.example", date("12Z"), "text/dns", "1.2.3.4") +
		record("response", "http://a.example/cut", date("13Z"), http, page("cut short"), "WARC-Truncated: length") +
		record("response", "http://a.example/wrong", date("14Z"), http, page("wrong"),
			"WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") +
		record("response", "http://a.example/day", fmt.Sprintf("%d-02-03", year), http, page("a day")) +
		record("response", "http://a.example/short", date("15Z"), http, page("short", "Content-Length: 50")) +
		record("response", "http://a.example/empty", date("16Z"), http, page("")) +
		record("metadata", "http://a.example/plain", date("17Z"), "text/plain", "plain") + strings.Join(more, "")
}

// tree returns all files of a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, readErr := os.ReadFile(path)
			all[strings.TrimPrefix(path, dir)], err = string(text), readErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestAsFolder: a repository gives the same result as a folder with its containers, byte for byte,
// without opening a container. Records converted to revisits are restored; logs with places find
// them.
func TestAsFolder(t *testing.T) {
	ctx := t.Context()
	r := repotest.New(t)
	old, same := bodies(2020), repotest.Record("response", "same", "http://a.example/again", "2020-02-03T04:05:06Z",
		"application/http", "HTTP/1.1 200 OK\r\n\r\nplain")
	folder := r.Path("folder")
	r.Write(filepath.Join(folder, "old.warc"), old)
	r.Write(filepath.Join(folder, "same.warc"), same)
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"old.warc": old}})
	r.Ingest(repotest.Package{ID: "q", Containers: map[string]string{"same.warc": same}})
	source := r.Path("source")
	r.Write(filepath.Join(source, "new.warc"),
		bodies(2021, repotest.Record("response", "new", "http://a.example/new", "2021-01-01T00:00:00Z",
			"application/http", "HTTP/1.1 200 OK\r\n\r\nnew")))
	line := func(second, url, sum, note string) string {
		return fmt.Sprintf("2021-01-01T00:00:%s.000Z   200          5 %s L http://a.example/ text/html #001 "+
			"202101010000%s000+1 %s - %s\n", second, url, second, sum, note)
	}
	r.Write(filepath.Join(source, "crawl.log"),
		line("01", "http://a.example/plain", repotest.Digest("plain"), "duplicate:digest")+
			line("02", "http://a.example/log", repotest.Digest("plain"), `duplicate:"old.warc,0"`)+
			line("03", "http://a.example/log", repotest.Digest("hello"), `duplicate:"old.warc,0"`))
	containers := func(hide bool) {
		for _, copy := range []string{"copy-1", "copy-2"} {
			err := filepath.WalkDir(filepath.Join(r.Dir, copy), func(path string, _ fs.DirEntry, err error) error {
				if err == nil && hide && strings.HasSuffix(path, ".warc") {
					return os.Rename(path, path+".away")
				}
				if err == nil && !hide && strings.HasSuffix(path, ".away") {
					return os.Rename(path, strings.TrimSuffix(path, ".away"))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	against := func() dedup.Holding {
		h, err := Open(ctx, r.Store, filepath.Join(r.Dir, "repo"), Options{Problem: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = h.Close() })
		return h
	}
	in, err := dedup.OpenFolder(ctx, folder)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	both := func(do func(context.Context, string, dedup.Options) (*dedup.Report, error), source string,
		hide bool) (out string, report *dedup.Report) {
		t.Helper()
		if hide {
			containers(true)
			defer containers(false)
		}
		var made []map[string]string
		for _, h := range []dedup.Holding{in, against()} {
			out = r.Path("out")
			if report, err = do(ctx, source,
				dedup.Options{Out: out, Against: []dedup.Holding{h}, Agent: model.Agent{Name: "Quire", Version: "test"},
					Now: r.Clock.Now}); err != nil {
				t.Fatal(err)
			}
			made = append(made, tree(t, out))
		}
		for name, text := range made[0] {
			// only a repository has packages to name
			if inPackage.ReplaceAllString(made[1][name], "") != text {
				t.Errorf("%s is otherwise:\n%s\nand not\n%s", name, made[1][name], text)
			}
		}
		if len(made[0]) != len(made[1]) {
			t.Errorf("%d and %d files", len(made[0]), len(made[1]))
		}
		return out, report
	}
	slim, report := both(dedup.Run, source, true)
	if report.Replaced != 9 || report.Left[dedup.NotStored] != 1 {
		t.Errorf("%d became revisits, left %v", report.Replaced, report.Left)
	}
	full, report := both(dedup.Undo, slim, false)
	if report.Replaced != 9 || tree(t, full)["/new.warc"] != tree(t, source)["/new.warc"] {
		t.Errorf("%d came back", report.Replaced)
	}
	if _, report = both(dedup.Annotations, source, true); report.Replaced != 2 || report.Left[dedup.Contradicted] != 1 {
		t.Errorf("%d of lines, left %v", report.Replaced, report.Left)
	}
}

// TestPlace: an impossible index folder is an error. The cache of earlier versions is removed.
func TestPlace(t *testing.T) {
	r := repotest.New(t)
	r.Ingest(repotest.Package{ID: "p", Containers: map[string]string{"old.warc": bodies(2020)}})
	root := filepath.Join(r.Dir, "repo")
	r.Write(filepath.Join(root, "access"), "no folder, and none can be made")
	if _, err := Open(t.Context(), r.Store, root, Options{}); err == nil {
		t.Error("a file is treated as a folder")
	}
	r.Write(filepath.Join(root, formerCache), "of an earlier version")
	if err := os.Remove(filepath.Join(root, "access")); err != nil {
		t.Fatal(err)
	}
	h, err := Open(t.Context(), r.Store, root, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(root, formerCache)); err == nil {
		t.Error("the cache of an earlier version is there still")
	}
}
