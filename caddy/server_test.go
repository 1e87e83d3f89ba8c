package caddy

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2/caddytest"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
)

// The ports are the ports of caddytest, so these tests cannot run in parallel.
const (
	plainSite = "http://localhost:9080"
	safeSite  = "https://localhost:9443"
)

// global is the start of each configuration of these tests.
const global = `{
	skip_install_trust
	admin localhost:2999
	http_port 9080
	https_port 9443
	grace_period 1ns
	local_certs
}
`

// website is a running Caddy.
type website struct {
	*caddytest.Tester
	t    *testing.T
	base string
}

func serve(t *testing.T, root, caddyfile string) *website {
	t.Helper()
	w := &website{Tester: caddytest.NewTester(t), t: t, base: root + "/modoai"}
	w.InitServer(global+caddyfile, "caddyfile")
	if t.Failed() {
		t.FailNow()
	}
	t.Cleanup(func() { w.InitServer(global, "caddyfile") }) // releases the state, a folder of the test
	return w
}

// get requests a URL and returns the status and the body.
func (w *website) get(link string) (int, string) {
	w.t.Helper()
	res, err := w.Client.Get(link)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// page is the part of an answer that the tests read.
type page struct {
	Errors []struct {
		Code string `xml:"code,attr"`
	} `xml:"error"`
	Headers []struct {
		Identifier string `xml:"identifier"`
		Status     string `xml:"status,attr"`
	} `xml:"ListIdentifiers>header"`
	Token string `xml:"ListIdentifiers>resumptionToken"`
	Name  string `xml:"Identify>repositoryName"`
}

func (w *website) ask(arguments string) (p page) {
	w.t.Helper()
	status, body := w.get(w.base + "?" + arguments)
	if status != http.StatusOK {
		w.t.Fatalf("%s: %d %s", arguments, status, body)
	}
	if err := xml.Unmarshal([]byte(body), &p); err != nil {
		w.t.Fatalf("%s: %v\n%s", arguments, err, body)
	}
	return p
}

// listed waits until the scan has found a number of resources, and returns their paths.
func (w *website) listed(count int) (paths []string) {
	w.t.Helper()
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		paths = nil
		if status, body := w.get(w.base + "?verb=ListIdentifiers&metadataPrefix=oai_dc"); status != http.StatusOK {
			if status != http.StatusServiceUnavailable {
				w.t.Fatalf("%d %s", status, body)
			}
			continue
		}
		for _, h := range w.ask("verb=ListIdentifiers&metadataPrefix=oai_dc").Headers {
			if h.Status != "deleted" {
				paths = append(paths, strings.TrimPrefix(h.Identifier, strings.TrimSuffix(w.base, "/modoai")))
			}
		}
		if len(paths) >= count {
			break
		}
	}
	slices.Sort(paths)
	return paths
}

// resource returns the bytes of a resource from its CRATE.
func (w *website) resource(path string) string {
	w.t.Helper()
	id := strings.TrimSuffix(w.base, "/modoai") + path
	status, body := w.get(w.base + "?verb=GetRecord&metadataPrefix=oai_crate&identifier=" + url.QueryEscape(id))
	if status != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, status, body)
	}
	for x := xml.NewDecoder(strings.NewReader(body)); ; {
		token, err := x.Token()
		if err != nil {
			w.t.Fatalf("%s: no bytes: %v\n%s", path, err, body)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "Resource" {
			var text string
			if err := x.DecodeElement(&text, &e); err != nil {
				w.t.Fatalf("%s: %v", path, err)
			}
			got, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
			if err != nil {
				w.t.Fatalf("%s: %v\n%s", path, err, text)
			}
			return string(got)
		}
	}
}

// folder writes a website and returns its folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("listed are %q; want %q", got, want)
	}
}

// A page behind a password is not served to harvesters. The resource of a script is its output, not
// its source. Visitors see no difference.
func TestFileServer(t *testing.T) {
	dir := folder(t, map[string]string{
		"index.html":           "<title>Home</title>",
		"a b.txt":              "blank",
		"script.html":          `{{/* the password is hunter2 */}}<p>{{lower "PRINTED"}}</p>`,
		"private/secret.html":  "behind a password",
		"internal/secret.html": "for this machine only",
		"gone/old.html":        "answered with 410",
		".env":                 "hidden",
	})
	w := serve(t, plainSite, fmt.Sprintf(`http://localhost:9080 {
	root * %q
	templates /script.html
	basic_auth /private/* {
		bob $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	@stranger {
		path /internal/*
		not remote_ip 127.0.0.1 ::1
	}
	respond @stranger 404
	respond /gone/* 410
	crate {
		base %s/modoai
		folder %[1]q
		state %[3]q
		name Museum
	}
	file_server {
		hide .env
	}
}
`, dir, plainSite, t.TempDir()))
	same(t, w.listed(3), "/", "/a%20b.txt", "/script.html")
	if p := w.ask("verb=Identify"); p.Name != "Museum" {
		t.Errorf("%+v", p)
	}
	if got := w.resource("/"); got != "<title>Home</title>" {
		t.Errorf("%q", got)
	}
	if got := w.resource("/a%20b.txt"); got != "blank" {
		t.Errorf("%q", got)
	}
	if got := w.resource("/script.html"); got != "<p>printed</p>" {
		t.Errorf("of a script there is %q", got)
	}
	for _, path := range []string{"/private/secret.html", "/internal/secret.html", "/gone/old.html", "/.env"} {
		p := w.ask("verb=GetRecord&metadataPrefix=oai_crate&identifier=" + url.QueryEscape(plainSite+path))
		if len(p.Errors) != 1 || p.Errors[0].Code != "idDoesNotExist" {
			t.Errorf("%s: %+v", path, p)
		}
	}
	for path, want := range map[string]int{"/": 200, "/a%20b.txt": 200, "/private/secret.html": 401,
		"/internal/secret.html": 200, "/gone/old.html": 410, "/none": 404} {
		if status, body := w.get(plainSite + path); status != want {
			t.Errorf("a visitor gets %d %s of %s", status, body, path)
		}
	}
}

// The pages of a site behind a proxy are found by its links and its sitemap. The sitemap uses
// another name of the site.
func TestReverseProxy(t *testing.T) {
	var backend *httptest.Server
	backend = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			_,
				_ = fmt.Fprintf(w,
				`<a href="/one.html">1</a> <a href="%s/two.html">2</a> <a href="https://other.example/">3</a>`,
				backend.URL)
		case "/one.html", "/two.html", "/mapped.html":
			w.Header().Set("X-Backend", "yes")
			_, _ = io.WriteString(w, "page "+r.URL.Path)
		case "/sitemap.xml":
			_,
				_ = fmt.Fprintf(w,
				`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s/mapped.html</loc></url>`+
					`</urlset>`, backend.URL)
		default:
			http.NotFound(w, r)
		}
	}))
	defer backend.Close()
	w := serve(t, plainSite, fmt.Sprintf(`http://localhost:9080 {
	crate {
		base %s/modoai
		state %q
		aliases %s/
		find {
			sitemap /sitemap.xml
			seeds /
		}
	}
	reverse_proxy %[3]s
}
`, plainSite, t.TempDir(), backend.URL))
	got := w.listed(4)
	for _, want := range []string{"/", "/one.html", "/two.html", "/mapped.html"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among %q", want, got)
		}
	}
	if got := w.resource("/one.html"); got != "page /one.html" {
		t.Errorf("%q", got)
	}
}

// A site with HTTPS gets internal requests as HTTPS: no redirect from http, and rules on the
// protocol apply.
func TestHTTPS(t *testing.T) {
	dir := folder(t, map[string]string{"index.html": "safe", "other.html": "safe, too"})
	w := serve(t, safeSite, fmt.Sprintf(`localhost {
	root * %q
	@plain protocol http
	respond @plain 403
	crate {
		base %s/modoai
		folder %[1]q
		state %[3]q
	}
	file_server
}
`, dir, safeSite, t.TempDir()))
	same(t, w.listed(2), "/", "/other.html")
	if got := w.resource("/other.html"); got != "safe, too" {
		t.Errorf("%q", got)
	}
}

// The configuration may change while harvests continue, both outside and inside the crate block.
// Tokens stay valid in both cases.
func TestReload(t *testing.T) {
	dir := folder(t, map[string]string{"index.html": "0", "1.html": "1", "2.html": "2", "3.html": "3", "4.html": "4"})
	state := t.TempDir()
	config := func(records int, header string) string {
		return fmt.Sprintf(`http://localhost:9080 {
	root * %q
	header X-Version %s
	crate {
		base %s/modoai
		folder %[1]q
		state %[4]q
		pages {
			records %[5]d
		}
	}
	file_server
}
`, dir, header, plainSite, state, records)
	}
	w := serve(t, plainSite, config(1000, "one"))
	same(t, w.listed(5), "/", "/1.html", "/2.html", "/3.html", "/4.html")
	before := runs()
	w.InitServer(global+config(1000, "two"), "caddyfile")
	if after := runs(); len(before) != 1 || !slices.Equal(before, after) {
		t.Errorf("the running endpoints were %v and are now %v; nothing had changed in them", before, after)
	}
	if got := w.header("/", "X-Version"); got != "two" {
		t.Errorf("visitors meet version %s", got)
	}
	w.InitServer(global+config(2, "three"), "caddyfile")
	if after := runs(); len(after) != 1 || slices.Equal(before, after) {
		t.Errorf("the running endpoints are %v", after)
	}
	first := w.askAgain("verb=ListRecords&metadataPrefix=http_header")
	token := between(first, "<resumptionToken", "</resumptionToken>")
	token = token[strings.Index(token, ">")+1:]
	if token == "" {
		t.Fatalf("no token in\n%s", first)
	}
	for _, again := range []string{config(2, "four"), config(3, "five"), config(2, "six")} {
		w.InitServer(global+again, "caddyfile")
		second := w.askAgain("verb=ListRecords&resumptionToken=" + url.QueryEscape(token))
		if strings.Count(second, "<record>") < 2 || strings.Contains(second, "<error") {
			t.Fatalf("the token is worth nothing: %s", second)
		}
		if !strings.Contains(second, "X-Version") {
			t.Error("headers of the site are missing")
		}
		if strings.Contains(second, "X-Version</") &&
			!strings.Contains(second, strings.Fields(again[strings.Index(again, "X-Version"):])[1]) {
			t.Errorf("the site is asked by an old configuration:\n%s", second)
		}
	}
}

// runs returns the running endpoints.
func runs() (all []*running) {
	pool.Range(func(_, value any) bool {
		all = append(all, value.(*running))
		return true
	})
	return all
}

// askAgain repeats a request until the endpoint, which may have just started, answers.
func (w *website) askAgain(arguments string) string {
	w.t.Helper()
	for end := time.Now().Add(3 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		status, body := w.get(w.base + "?" + arguments)
		if status == http.StatusOK {
			return body
		}
		if time.Now().After(end) {
			w.t.Fatalf("%s: %d %s", arguments, status, body)
		}
	}
}

func (w *website) header(path, name string) string {
	w.t.Helper()
	res, err := w.Client.Get(plainSite + path)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	return res.Header.Get(name)
}

func between(s, begin, end string) string {
	_, s, _ = strings.Cut(s, begin)
	s, _, _ = strings.Cut(s, end)
	return s
}

// A refused configuration does not affect the running one.
func TestRefusedReload(t *testing.T) {
	dir := folder(t, map[string]string{"index.html": "0"})
	site := fmt.Sprintf(`http://localhost:9080 {
	root * %q
	crate {
		base %s/modoai
		folder %[1]q
		state %[3]q
		SUB
	}
	file_server
}
`, dir, plainSite, t.TempDir())
	w := serve(t, plainSite, strings.Replace(site, "SUB", "requests 3", 1))
	same(t, w.listed(1), "/")
	before := runs()
	for _, sub := range []string{
		"admin nobody", "endpoint modoai", "allow nowhere", "allow {\nrate 1/s\n}",
		"allow {\nuser kb\npassword_file /nonexistent\n}", "proxies everyone",
		"plugin md5 {\nbuiltin md5\n}\nplugin md5 {\nbuiltin md5\n}", "base x", "state /proc/quire",
	} {
		status := w.load(global + strings.Replace(site, "SUB", sub, 1))
		if status == http.StatusOK {
			t.Errorf("%s is taken", sub)
		}
		if after := runs(); !slices.Equal(before, after) {
			t.Errorf("%s: the running endpoints were %v and are now %v", sub, before, after)
		}
		if got := w.resource("/"); got != "0" {
			t.Errorf("%s: %q", sub, got)
		}
	}
}

// load loads a configuration into Caddy and returns the status of its answer.
func (w *website) load(config string) int {
	w.t.Helper()
	res, err := http.Post("http://localhost:2999/load", "text/caddyfile", strings.NewReader(config))
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// A client without an access agreement learns nothing. Visitors are not affected.
func TestAllow(t *testing.T) {
	dir := folder(t, map[string]string{"index.html": "0"})
	w := serve(t, plainSite, fmt.Sprintf(`http://localhost:9080 {
	root * %q
	crate {
		base %s/modoai
		folder %[1]q
		state %[3]q
		allow 192.0.2.0/24
	}
	file_server
}
`, dir, plainSite, t.TempDir()))
	if status, body := w.get(w.base + "?verb=Identify"); status != http.StatusForbidden ||
		strings.Count(body, "\n") != 1 || strings.Contains(body, "OAI") {
		t.Errorf("%d %q", status, body)
	}
	if status, body := w.get(plainSite + "/"); status != http.StatusOK || body != "0" {
		t.Errorf("%d %q", status, body)
	}
}

// The access log does not contain internal requests.
func TestAccessLog(t *testing.T) {
	dir := folder(t, map[string]string{"index.html": "0", "1.html": "1"})
	log := filepath.Join(t.TempDir(), "access.log")
	w := serve(t, plainSite, fmt.Sprintf(`http://localhost:9080 {
	root * %q
	log {
		output file %q
	}
	crate {
		base %s/modoai
		folder %[1]q
		state %[4]q
	}
	file_server
}
`, dir, log, plainSite, t.TempDir()))
	same(t, w.listed(2), "/", "/1.html")
	w.resource("/1.html")
	w.get(plainSite + "/1.html?visitor")
	lines, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(lines, []byte("/1.html?visitor")) || !bytes.Contains(lines, []byte("/modoai?verb=GetRecord")) {
		t.Errorf("requests that came from outside are missing:\n%s", lines)
	}
	if bytes.Contains(lines, []byte("192.0.2.1")) || bytes.Contains(lines, []byte(`"uri":"/1.html"`)) {
		t.Errorf("requests of ours are there:\n%s", lines)
	}
}

// If the base URL leads to no site of the configuration, a warning appears, nothing hangs, and
// visitors are served.
func TestElsewhere(t *testing.T) {
	dir := folder(t, map[string]string{"index.html": "0"})
	w := serve(t, plainSite, fmt.Sprintf(`http://localhost:9080 {
	root * %q
	crate {
		base https://elsewhere.example/modoai
		folder %[1]q
		state %[2]q
	}
	file_server
}
`, dir, t.TempDir()))
	if r := runs(); len(r) != 1 || r[0].server.Load() != nil {
		t.Errorf("%v", r)
	}
	if status, body := w.get(plainSite + "/"); status != http.StatusOK || body != "0" {
		t.Errorf("%d %q", status, body)
	}
}

// Many visitors and harvesters at the same time: each gets its own answers.
func TestTogether(t *testing.T) {
	files := map[string]string{}
	for i := range 20 {
		files[fmt.Sprintf("%d.html", i)] = fmt.Sprintf("page %d", i)
	}
	dir := folder(t, files)
	w := serve(t, plainSite, fmt.Sprintf(`http://localhost:9080 {
	root * %q
	rewrite /old/* /1.html
	crate {
		base %s/modoai
		folder %[1]q
		state %[3]q
	}
	handle_errors {
		respond "sorry {err.status_code}" {err.status_code}
	}
	file_server
}
`, dir, plainSite, t.TempDir()))
	w.listed(20)
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 50 {
				n := (i + worker) % 20
				for link, want := range map[string]string{
					fmt.Sprintf("/%d.html", n): fmt.Sprintf("page %d", n), "/old/x": "page 1", "/none": "sorry 404",
				} {
					res, err := http.Get(plainSite + link)
					if err != nil {
						t.Error(err)
						return
					}
					body, err := io.ReadAll(res.Body)
					res.Body.Close()
					if err != nil || string(body) != want {
						t.Errorf("%s: %q, %v; want %q", link, body, err, want)
					}
				}
			}
		})
	}
	for range 3 {
		if _, body := w.get(w.base + "?verb=ListRecords&metadataPrefix=oai_crate"); strings.Count(body,
			"<record>") == 0 {
			t.Errorf("no records: %s", body)
		}
	}
	wait.Wait()
}
