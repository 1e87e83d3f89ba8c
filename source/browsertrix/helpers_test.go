package browsertrix

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

// rec returns a record.
func rec(kind, date, uri, contentType, block string) string {
	h := "WARC/1.1\r\nWARC-Type: " + kind + "\r\nWARC-Record-ID: <urn:uuid:" +
		fmt.Sprintf("%x", sha256.Sum256([]byte(kind+uri+block)))[:8] + ">\r\nWARC-Date: " + date + "\r\n"
	if uri != "" {
		h += "WARC-Target-URI: " + uri + "\r\n"
	}
	return h + fmt.Sprintf("Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", contentType, len(block), block)
}

const (
	crawlerName = "Browsertrix-Crawler 1.2.6 (with warcio.js 2.2.1)"
	begun       = "2024-08-13T19:53:20.782Z"
	firstInfo   = `{"pageid":"p1","url":"https://a.test/","ts":"2024-08-13T19:53:22Z",` +
		`"urls":{"https://a.test/":{"status":200,"mime":"text/html","type":"document"},` +
		`"https://a.test/x.js":{"status":404,"type":"script"},"https://ads.test/":{"status":0,"type":"script",` +
		`"error":"net::ERR_BLOCKED_BY_CLIENT"},"https://gone.test/":{"error":"net::ERR_NAME_NOT_RESOLVED"}},` +
		`"counts":{"jsErrors":0}}`
	request = "GET / HTTP/1.1\r\nHost: a.test\r\nUser-Agent: Mozilla/5.0 Chrome\r\n\r\n"
)

// crawl returns the folder of a crawl, with the files that Browsertrix writes there.
func crawl() map[string]string {
	warc := rec("warcinfo", begun, "", "application/warc-fields",
		"software: "+crawlerName+"\r\nformat: WARC File Format 1.1\r\noperator: Ann\r\n") +
		rec("response", begun, "https://a.test/", "application/http; msgtype=response", "HTTP/1.1 200 OK\r\n\r\nx") +
		rec("request", begun, "https://a.test/", "application/http; msgtype=request", request)
	at := len(warc)
	warc += rec("resource", "2024-08-13T19:53:22.423Z", pageInfoPrefix+"https://a.test/", "application/json", firstInfo)
	bad := len(warc)
	warc += rec("resource", "2024-08-13T19:53:23Z", pageInfoPrefix+"https://a.test/bad", "application/json",
		`{"urls":5}`)
	line := func(key string, offset int) string {
		return fmt.Sprintf("%s 20240813195322 {\"url\":%q,\"mime\":\"application/json\",\"offset\":%d,\"length\":1,"+
			"\"filename\":\"rec-c1-0.warc\"}\n", key, key, offset)
	}
	return map[string]string{
		"archive/rec-c1-0.warc": warc,
		"indexes/index.cdxj": "test,a)/ 20240813195322 {\"url\":\"https://a.test/\",\"offset\":0," +
			"\"filename\":\"rec-c1-0.warc\"}\n" + line(pageInfoPrefix+"https://a.test/", at) +
			line(pageInfoPrefix+"https://a.test/bad", bad) + line(pageInfoPrefix+"https://a.test/astray", 1<<40) +
			strings.Replace(line(pageInfoPrefix+"https://a.test/other", 0), "rec-c1-0", "rec-c1-9", 1) +
			line(pageInfoPrefix+"https://a.test/else", at) + "broken\n",
		"pages/pages.jsonl": "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"Seed Pages\"}\n" +
			"{\"id\":\"p1\",\"url\":\"https://a.test/\",\"ts\":\"2024-08-13T19:53:22Z\",\"seed\":true,\"depth\":0," +
			"\"status\":200,\"loadState\":4}\n",
		"pages/extraPages.jsonl": "{\"format\":\"json-pages-1.0\",\"id\":\"extra\"}\n" +
			"{\"url\":\"https://a.test/slow\",\"ts\":\"2024-08-13T19:53:25Z\",\"depth\":1,\"loadState\":0}\n" +
			"{\"url\":\"https://a.test/denied\",\"ts\":\"2024-08-13T19:53:25Z\",\"depth\":1,\"status\":403," +
			"\"loadState\":2}\nbroken\n",
		"logs/crawl-1.log": logOf("info", "general", crawlerName, "{}") +
			logOf("info", "general", "Seeds",
				`[{"url":"https://a.test/","scopeType":"prefix","include":["/^https?:\\/\\/a\\.test\\//",{}],`+
					`"exclude":["x"],"auth":null},{"url":"https://anna:geheim@b.test/"}]`) +
			logOf("error", "pageStatus", "Page Load Timeout, skipping page",
				`{"msg":"Navigation timeout","page":"https://a.test/timeout","workerid":0}`) +
			logOf("warn", "general", "Invalid Page - URL must start with http:// or https://",
				`{"url":"mailto:x@a.test","page":"https://a.test/"}`) + "not json\n",
		"logs/crawl-2.log": logOf("info", "pageStatus", "Page Finished",
			`{"loadState":4,"page":"https://a.test/late"}`) +
			logOf("info", "pageStatus", "Page Finished", `{"loadState":4,"page":"https://a.test/denied"}`) +
			logOf("info", "crawlStatus", "Crawl statistics",
				`{"crawled":3,"total":5,"pending":1,"failed":1,"limit":{"max":3,"hit":true}}`) +
			logOf("info", "general", "Crawling done", "{}") +
			logOf("info", "general", "Exiting, Crawl status: interrupted", "{}"),
		"reports/skippedPages.jsonl": "{\"format\":\"json-pages-1.0\"}\n" + skipped("https://b.test/", "outOfScope") +
			skipped("https://a.test/r", "robotsTxt") + skipped("https://a.test/l", "pageLimit") +
			skipped("https://a.test/d", "duplicate") + skipped("https://a.test/n", "new"),
		"crawls/crawl-1.yaml": "seeds: []\nhttpAuth: anna:geheim\n",
		"crawls/crawl-2.yaml": "crawlId: c1\ncollection: coll\ntitle: Title\ndescription: >-\n  long\n  text\n" +
			"seeds:\n  - url: https://a.test/\n    scopeType: prefix\n  - https://c.test/\nlimit: 3\nsizeLimit: 0\n" +
			"timeLimit: 60\nexclude:\n  - /ads/\nuserAgent: null\n" +
			"profile: /crawls/profiles/p.tar.gz\nrobots: true\nwarcInfo:\n  operator: Bob\nstate:\n  done: 1\n  " +
			"queued:\n    - '{\"url\":\"https://a.test/queued\",\"depth\":1}'\n    - https://a.test/slow\n  failed:\n" +
			"    - '{\"url\":\"https://a.test/failed\"}'\n  pending: []\n",
		"crawlIds/crawlIds.txt": "c1\n", "profile/Default/Cookies": "SQLite", "warc-cdx/x.cdxj": "",
	}
}

func skipped(url, reason string) string {
	return fmt.Sprintf("{\"url\":%q,\"ts\":\"2024-08-13T19:53:24Z\",\"seedUrl\":\"https://a.test/\",\"depth\":1,"+
		"\"reason\":%q}\n", url, reason)
}

func logOf(level, context, message, details string) string {
	return fmt.Sprintf("{\"timestamp\":%q,\"logLevel\":%q,\"context\":%q,\"message\":%q,\"details\":%s}\n", begun,
		level, context, message, details)
}

// folder writes files, and opens them.
func folder(t *testing.T, files map[string]string) *archivefs.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return openTree(t, dir)
}

func openTree(t *testing.T, p string) *archivefs.Tree {
	t.Helper()
	tr, err := archivefs.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tr.Close() })
	return tr
}

// below puts files into a folder.
func below(dir string, files map[string]string) map[string]string {
	all := map[string]string{}
	for p, c := range files {
		all[dir+"/"+p] = c
	}
	return all
}

// zipped writes a zip, and returns its path.
func zipped(t *testing.T, method uint16, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archive writes a zip, and opens it.
func archive(t *testing.T, content string) *archivefs.Tree {
	t.Helper()
	p := filepath.Join(t.TempDir(), "test.wacz")
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return openTree(t, p)
}

// described adds datapackage.json and its digest.
func described(t *testing.T, files map[string]string, more map[string]any) map[string]string {
	t.Helper()
	p := map[string]any{"wacz_version": "1.1.1", "software": crawlerName, "created": "2024-08-13T20:00:00Z",
		"title": "Packed"}
	maps.Copy(p, more)
	var list []map[string]any
	for _, name := range slices.Sorted(maps.Keys(files)) {
		list = append(list, map[string]any{"name": strings.ToLower(filepath.Base(name)), "path": name,
			"bytes": len(files[name]), "hash": fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(files[name])))})
	}
	p["resources"] = list
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(files)
	all[wacz.PackageName] = string(b)
	all[wacz.DigestName] = fmt.Sprintf(`{"path":"datapackage.json","hash":"sha256:%x"}`, sha256.Sum256(b))
	return all
}

func only(t *testing.T, tr *archivefs.Tree, r source.Reader) *Harvest {
	t.Helper()
	claims, err := r.Find(context.Background(), tr)
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
	return h.(*Harvest)
}

func codes(a *model.Harvest) string {
	var all []string
	for _, f := range a.Findings {
		all = append(all, f.Code)
	}
	return strings.Join(all, " ")
}

// outcomes returns a line for each fetch, and the number of reported findings.
func outcomes(t *testing.T, h source.Harvest) (all []string, reported int) {
	t.Helper()
	for f, err := range h.Fetches(context.Background(), func(model.Finding) { reported++ }) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%d %s %s", f.Status, f.URI, f.Miss))
	}
	return all, reported
}
