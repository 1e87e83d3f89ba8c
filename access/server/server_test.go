package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quire/access/address"
	"quire/access/export"
	"quire/access/replay"
	"quire/access/search"
	"quire/holdings/holdingstest"
	"quire/internal/accesscontrol"
)

// open starts a server for a repository, and waits until everything is indexed.
func open(t *testing.T, r *holdingstest.Repository, o Options) *Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Root == "" {
		o.Root = "http://127.0.0.1:8000"
	}
	if o.Problem == nil {
		o.Problem = func(err error) { t.Errorf("problem: %v", err) }
	}
	if o.Assets == "" {
		o.Assets = t.TempDir()
	}
	o.Now = r.Clock.Now
	if server := os.Getenv("QUIRE_SOLR"); server != "" { // see access/search: interop/solr sets it
		o.Search = search.Settings{Engine: search.SolrName, Solr: search.SolrSettings{URL: server, Collection: "quire",
			Open: "webarchive"}}
	}
	s, err := New(context.Background(), r.Store, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Holdings().Ready(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := s.search.Update(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}

// answer is the response.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request to a URL, from an address, with header lines.
func ask(t *testing.T, s http.Handler, method, url, from string, lines ...string) answer {
	t.Helper()
	rest := strings.TrimPrefix(strings.TrimPrefix(url, "http://"), "https://")
	host, path, _ := strings.Cut(rest, "/")
	q := httptest.NewRequest(method, "http://"+host+"/", nil)
	q.RequestURI, q.Host, q.RemoteAddr = "/"+path, host, from+":1"
	if u, err := q.URL.Parse("/" + path); err == nil {
		q.URL = u
	}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		q.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	func() {
		defer func() {
			if p := recover(); p != nil &&
				p != http.ErrAbortHandler { //nolint:errorlint // it is a value that was panicked
				panic(p)
			}
		}()
		s.ServeHTTP(w, q)
	}()
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{w.Code, w.Result().Header, string(body)}
}

const (
	ui, archived  = "http://localhost:8000", "http://127.0.0.1:8000"
	home, abroad  = "192.0.2.7", "198.51.100.7"
	capture       = "20150102030405"
	secretURL     = "http://secret.example/"
	openURL       = "http://open.example/"
	restrictedURL = "http://closed.example/"
)

// three returns three packages: open, for the reading rooms, for curators.
func three(t *testing.T) *holdingstest.Repository {
	r := holdingstest.New(t)
	const at = "2015-01-02T03:04:05Z"
	for _, p := range []struct{ id, rights, url, word string }{
		{"open", "access: open", openURL, "heron"}, {"rooms", "access: onsite", secretURL, "kingfisher"},
		{"closed", "access: restricted", restrictedURL, "bittern"},
	} {
		r.Ingest(holdingstest.Package{ID: p.id, Rights: p.rights, Containers: map[string]string{
			p.id + ".warc": holdingstest.Response(p.id+"1", p.url, at, "text/html",
				"<title>"+p.word+"</title><p>The "+p.word+" stands in the water.</p><a href='/b'>b</a>") +
				holdingstest.Response(p.id+"2", p.url+"film", at, "video/mp4", strings.Repeat(p.word, 100)),
		}})
	}
	return r
}

func config(t *testing.T) Config {
	sum := sha256.Sum256([]byte("open sesame"))
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(hex.EncodeToString(sum[:])+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Config{OnSite: []accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}}},
		Staff: []accesscontrol.Agreement{{TokenFile: file}}}
}

const token = "Authorization: Bearer open sesame"

var frameURL = regexp.MustCompile(`<iframe[^>]* src="([^"]+)"`)

// TestServer uses one repository for all of these tests.
func TestServer(t *testing.T) {
	r := three(t)
	for name, test := range map[string]func(*testing.T, *holdingstest.Repository){
		"Frames":          testFrames,
		"NoAmbientRights": testNoAmbientRights,
		"Hosts":           testHosts,
		"BelowAPath":      testBelowAPath,
		"Wildcard":        testWildcard,
		"OneHost":         testOneHost,
		"SignIn":          testSignIn,
		"Passwords":       testPasswords,
		"ReopenLog":       testReopenLog,
		"Languages":       testLanguages,
		"Proxies":         testProxies,
		"Log":             testLog,
	} {
		t.Run(name, func(t *testing.T) { test(t, r) })
	}
}

// testFrames: the frame of our own pages gives a reader access to that package, and to no other.
func testFrames(t *testing.T, r *holdingstest.Repository) {
	s := open(t, r, Options{Config: config(t)})
	for _, c := range []struct {
		url, from, line, word string
		status                int
	}{
		{openURL, abroad, "", "heron", 200}, {openURL, home, "", "heron", 200},
		{secretURL, abroad, "", "", 403}, {secretURL, home, "", "kingfisher", 200},
		{secretURL, abroad, token, "kingfisher", 200},
		{restrictedURL, abroad, "", "", 451}, {restrictedURL, home, "", "", 451},
		{restrictedURL, abroad, token, "bittern", 200},
	} {
		a := ask(t, s, "GET", ui+"/all/"+capture+"/"+c.url, c.from, c.line)
		found := frameURL.FindStringSubmatch(a.body)
		if a.status != c.status || (found != nil) != (c.status == 200) {
			t.Errorf("%+v: %d %s", c, a.status, a.body)
			continue
		}
		if found == nil {
			continue
		}
		at := strings.ReplaceAll(found[1], "&amp;", "&")
		in := address.In{Collection: address.All}
		in.Capability, _ = strings.CutPrefix(strings.Split(at, "/")[3], "all~")
		if in.Capability == "all" {
			in.Capability = ""
		}
		if want := s.Sites.For(in, c.url); s.Sites == "" || !strings.HasPrefix(at, string(want)+"/all") {
			t.Errorf("%s is not at %s", at, want)
		}
		if a := ask(t, s, "GET", at, c.from); a.status != 200 || !strings.Contains(a.body, c.word) {
			t.Errorf("%+v: %s: %d", c, at, a.status)
		}
		outside := ask(t, s, "GET", at, abroad).status
		if want := map[bool]int{true: 200, false: 403}[c.url == openURL || c.line != ""]; outside != want {
			t.Errorf("%+v, the same address from elsewhere: %d", c, outside)
		}
		prefix, _, _ := strings.Cut(at, "/"+capture)
		for _, other := range []string{secretURL, restrictedURL} {
			if a := ask(t, s, "GET", prefix+"/"+capture+"id_/"+other, c.from); other != c.url && a.status == 200 {
				t.Errorf("%+v: its page can read %s", c, other)
			}
		}
	}
}

// testNoAmbientRights: on the host of archived pages, the reader's address and credentials give no
// rights: a hostile page has both.
func testNoAmbientRights(t *testing.T, r *holdingstest.Repository) {
	s := open(t, r, Options{Config: config(t)})
	for _, mod := range []string{"", "mp_", "id_", "ir_"} {
		for _, line := range []string{"", token} {
			if a := ask(t, s, "GET", archived+"/all/"+capture+mod+"/"+secretURL, home, line); a.status != 403 ||
				strings.Contains(a.body, "kingfisher") {
				t.Errorf("%s %s: %d", mod, line, a.status)
			}
		}
	}
	// Archived pages cannot send requests to our own pages.
	for line, status := range map[string]int{
		"Sec-Fetch-Site: cross-site; Sec-Fetch-Mode: cors; Sec-Fetch-Dest: empty":               403,
		"Sec-Fetch-Site: cross-site; Sec-Fetch-Mode: no-cors; Sec-Fetch-Dest: script":           403,
		"Sec-Fetch-Site: same-site; Sec-Fetch-Mode: navigate; Sec-Fetch-Dest: iframe":           403,
		"Sec-Fetch-Site: cross-site; Sec-Fetch-Mode: navigate; Sec-Fetch-Dest: document":        200,
		"Sec-Fetch-Site: same-origin; Sec-Fetch-Mode: cors; Sec-Fetch-Dest: empty":              200,
		"Sec-Fetch-Site: none; Sec-Fetch-Mode: navigate; Sec-Fetch-Dest: document; Accept: */*": 200,
		"User-Agent: curl": 200,
	} {
		if a := ask(t, s, "GET", ui+"/", home, strings.Split(line, "; ")...); a.status != status {
			t.Errorf("%s: %d", line, a.status)
		}
	}
}

func testHosts(t *testing.T, r *holdingstest.Repository) {
	s := open(t, r, Options{})
	if s.UI != ui || s.Replay != archived || s.Sites != "http://*.localhost:8000" {
		t.Error(s.UI, s.Replay, s.Sites)
	}
	const navigate = "Sec-Fetch-Dest: document"
	there := s.Sites.Capture(address.In{Collection: address.All}, capture, address.Page, openURL)
	for _, at := range []string{archived, "http://any.localhost:8000"} {
		if a := ask(t, s, "GET", at+"/all/"+capture+"mp_/"+openURL, abroad, navigate); a.status != 302 ||
			a.header.Get("Location") != there {
			t.Errorf("%s: %+v", at, a)
		}
	}
	a := ask(t, s, "GET", there, abroad, navigate)
	if policy := a.header.Get("Content-Security-Policy"); a.status != 200 || strings.Contains(policy, "sandbox") ||
		!strings.Contains(policy, "frame-ancestors 'self' "+ui) {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, "GET", "http://evil.example/all/"+capture+"id_/"+openURL, abroad); a.status != 302 ||
		a.header.Get("Location") != ui+"/" || strings.Contains(a.body, "heron") {
		t.Errorf("a host that is none of ours: %+v", a)
	}
	if a := ask(t, s, "GET", archived+"/", abroad); a.header.Get("Location") != ui+"/" {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, "GET", archived+"/-/quire/worker.js", abroad); a.status != 200 ||
		a.header.Get("Service-Worker-Allowed") != "/" {
		t.Errorf("worker: %+v", a)
	}
	if a := ask(t, s, "GET", ui+"/-/quire/worker.js", abroad); a.status == 200 {
		t.Error("a worker of the replay on the host of our own pages")
	}
	for _, at := range []string{ui, archived} {
		for _, target := range []string{"", "/all", "/%zz", "/all/", "//", "/all/timemap/", "/-/",
			"/all/20150102030405mp_/"} {
			if a := ask(t, s, "GET", at+target, abroad); a.status >= 500 {
				t.Errorf("%s%s: %d", at, target, a.status)
			}
		}
	}
}

// testBelowAPath: our pages are below a path of a web server with other content, and all addresses
// include this path.
func testBelowAPath(t *testing.T, r *holdingstest.Repository) {
	s := open(t, r, Options{Config: Config{UI: "https://library.example/web", Replay: "https://replay.example/r"}})
	if notes := strings.Join(s.Greeting(), "\n"); !strings.Contains(notes, "in a sandbox") {
		t.Errorf("a host without a wildcard: %s", notes)
	}
	a := ask(t, s, "GET", "https://library.example/web/all/"+capture+"/"+openURL, abroad)
	found := frameURL.FindStringSubmatch(a.body)
	if found == nil || !strings.HasPrefix(found[1], "https://replay.example/r/all/"+capture+"mp_/"+openURL) {
		t.Fatalf("%+v", a)
	}
	a = ask(t, s, "GET", found[1], abroad)
	if a.status != 200 || !strings.Contains(a.body, "'/r/all/"+capture+"mp_/"+openURL+"b'") ||
		!strings.Contains(a.body, `src="/r/-/quire/page.js`) {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, "GET", "https://replay.example/r/-/quire/worker.js",
		abroad); a.header.Get("Service-Worker-Allowed") != "/r/" {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, "GET", "https://library.example/other", abroad); a.status != 404 {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, "GET", "https://replay.example/r/all/"+openURL,
		abroad); a.header.Get("Location") != "https://replay.example/r/all/"+capture+"mp_/"+openURL {
		t.Errorf("%+v", a)
	}
}

// testWildcard: with a wildcard, the parent domain redirects browsers to the site hosts, and a
// third name leads to our own pages.
func testWildcard(t *testing.T, r *holdingstest.Repository) {
	s := open(t, r, Options{Config: Config{UI: "https://library.example", Replay: "https://*.replay.example/r"}})
	there := s.Sites.Capture(address.In{Collection: address.All}, capture, address.Page, openURL)
	for at, want := range map[string]string{
		"https://replay.example": there, "https://any.replay.example": there,
		"https://a.b.replay.example": "https://library.example/",
		"https://evilreplay.example": "https://library.example/",
	} {
		if a := ask(t, s, "GET", at+"/r/all/"+capture+"mp_/"+openURL, abroad, "Accept: text/html"); a.status != 302 ||
			a.header.Get("Location") != want {
			t.Errorf("%s: %+v", at, a)
		}
	}
	a := ask(t, s, "GET", there, abroad)
	if !strings.HasPrefix(there, "https://open-example-") || a.status != 200 ||
		strings.Contains(a.header.Get("Content-Security-Policy"), "sandbox") ||
		!strings.Contains(a.body, "'/r/all/"+capture+"mp_/"+openURL+"b'") {
		t.Errorf("%s: %+v", there, a)
	}
	if links := a.header.Get("Link"); strings.Contains(links, "*") || !strings.Contains(links, "<"+there+">") {
		t.Error(links)
	}
	if notes := strings.Join(s.Greeting(), "\n"); !strings.Contains(notes,
		"https://*.replay.example/r/, each site on its own host") {
		t.Error(notes)
	}
}

// testOneHost: with a single host, archived pages have an opaque origin, and rights are still part
// of the address.
func testOneHost(t *testing.T, r *holdingstest.Repository) {
	c := config(t)
	if _, err := New(t.Context(), r.Store,
		Options{Root: "http://10.0.0.1:80", Config: c, Dir: t.TempDir()}); err == nil ||
		!strings.Contains(err.Error(), "ui: https://") {
		t.Errorf("reading rooms, and any name of this machine: %v", err)
	}
	c.AnyName = true
	s := open(t, r, Options{Root: "http://10.0.0.1:80", Config: c})
	const at = "http://archive.lan"
	a := ask(t, s, "GET", at+"/all/"+capture+"/"+secretURL, home)
	found := frameURL.FindStringSubmatch(a.body)
	if found == nil {
		t.Fatalf("%+v", a)
	}
	url := found[1]
	if strings.HasPrefix(url, "/") {
		url = at + url
	}
	a = ask(t, s, "GET", url, home)
	if policy := a.header.Get("Content-Security-Policy"); a.status != 200 || !strings.HasPrefix(policy, "sandbox ") ||
		strings.Contains(policy, "allow-same-origin") {
		t.Errorf("%d %s", a.status, policy)
	}
	if a := ask(t, s, "GET", at+"/all/"+capture+"mp_/"+secretURL, home); a.status != 403 {
		t.Errorf("without a permission: %d", a.status)
	}
	// browsers send no Fetch Metadata to http
	for _, list := range []string{"/all/timemap/json/" + secretURL, "/all/cdx?url=" + secretURL} {
		if a := ask(t, s, "GET", at+list, home, "Origin: null"); a.status != 200 ||
			!strings.Contains(a.body, secretURL) || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: content for reading rooms is readable by any page: %+v", list, a)
		}
	}
	if notes := strings.Join(s.Greeting(), "\n"); !strings.Contains(notes, "under any host name") {
		t.Errorf("no warning that every host name is answered: %s", notes)
	}
	from := "Referer: " + at + "/all/" + capture + "mp_/" + openURL
	for _, lines := range [][]string{{from},
		{from, "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"}} {
		if a := ask(t, s, "GET", at+"/img/x.png", abroad, lines...); a.status != 302 ||
			a.header.Get("Location") != at+"/all/"+capture+"mp_/"+openURL+"img/x.png" {
			t.Errorf("a stray: %+v", a)
		}
	}
	if a := ask(t, s, "GET", at+"/versions/all/"+openURL, abroad, from, "Sec-Fetch-Site: cross-site",
		"Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"); a.status != 200 {
		t.Errorf("a link to our own pages: %+v", a)
	}
	if a := ask(t, s, "GET", at+"/all/"+capture+"im_/"+openURL+"film", abroad, "Range: bytes=0-4"); a.status != 206 ||
		a.body != "heron" || a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%+v", a)
	}
}

func testSignIn(t *testing.T, r *holdingstest.Repository) {
	s := open(t, r, Options{Config: config(t)})
	if a := ask(t, s, "GET", ui+signInPath, abroad); a.status != 401 ||
		a.header.Get("WWW-Authenticate") != `Bearer realm="archive"` {
		t.Errorf("%+v", a)
	}
	if a := ask(t, s, "GET", ui+signInPath, abroad, token); a.status != 303 || a.header.Get("Location") != "/" {
		t.Errorf("%+v", a)
	}
	if a := ask(t, open(t, r, Options{}), "GET", ui+signInPath, abroad); a.status != 404 {
		t.Errorf("%+v", a)
	}
}

func basic(user, password string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// testPasswords: an invalid password is reported on every page; the reader does not silently get
// public access.
func testPasswords(t *testing.T, r *holdingstest.Repository) {
	dir := t.TempDir()
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	sum := func(s string) string { b := sha256.Sum256([]byte(s)); return hex.EncodeToString(b[:]) }
	c := Config{
		OnSite: []accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}},
			{PasswordFile: write("readers", "ann:"+sum("heron")+"\n")}},
		Staff: []accesscontrol.Agreement{{PasswordFile: write("staff", "bob:"+sum("bittern")+"\n"),
			Networks: []string{"192.0.2.0/24", abroad}}},
		Log: filepath.Join(dir, "log"),
	}
	s := open(t, r, Options{Config: c})
	front := ui + "/all/" + capture + "/"
	for _, c := range []struct {
		from, line, url string
		status          int
	}{
		{abroad, basic("ann", "heron"), secretURL, 200}, {abroad, basic("ann", "heron"), restrictedURL, 451},
		{abroad, basic("bob", "bittern"), restrictedURL, 200},
		{abroad, basic("ann", "bittern"), openURL, 401}, {abroad, basic("eve", "heron"), openURL, 401},
		{abroad, basic("bob", ""), openURL, 401},
		{home, basic("ann", "wrong"), secretURL, 401}, {home, "", secretURL, 200},
		{abroad, "Authorization: Bearer x", openURL, 401},
		// not a curator from there, and not a known reader
		{"203.0.113.9", basic("bob", "bittern"), openURL, 401},
	} {
		a := ask(t, s, "GET", front+c.url, c.from, c.line)
		if a.status != c.status {
			t.Errorf("%+v: %d", c, a.status)
		}
		if c.status == 401 && (!strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Basic ") ||
			!strings.Contains(a.body, "Unknown name or password") || strings.Contains(a.body, "iframe") ||
			!strings.Contains(a.header.Get("Vary"), "Authorization")) {
			t.Errorf("%+v: %+v", c, a)
		}
	}
	for _, target := range []string{"/", "/search?q=heron", "/all/cdx?url=" + openURL, "/all/timemap/link/" + openURL,
		signInPath, "/harvest/open/1"} {
		if a := ask(t, s, "GET", ui+target, "203.0.113.7", basic("ann", "no")); a.status != 401 {
			t.Errorf("%s: %d", target, a.status)
		}
	}
	if a := ask(t, s, "GET", ui+signInPath, abroad, basic("ann", "heron")); a.status != 303 {
		t.Errorf("%+v", a)
	}
	last := answer{}
	for range 30 { // 20 a minute per address
		last = ask(t, s, "GET", ui+"/", "203.0.113.8", basic("ann", "guess"))
	}
	if last.status != 429 || last.header.Get("Retry-After") == "" {
		t.Errorf("guessing: %+v", last)
	}
	if a := ask(t, s, "GET", ui+"/", abroad, basic("ann", "heron")); a.status != 200 {
		t.Errorf("after guessing from another address: %d", a.status)
	}
	if err := s.log.flushNow(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(c.Log)
	if err != nil || len(log) == 0 {
		t.Fatal(err)
	}
	for _, secret := range []string{"heron", "guess", "Basic",
		strings.TrimPrefix(basic("ann", "heron"), "Authorization: Basic ")} {
		if strings.Contains(strings.ReplaceAll(string(log), "q=heron", ""), secret) {
			t.Errorf("the log has %s", secret)
		}
	}

	// Readers who browse with a password do not use up the attempts of curators at the same
	// address.
	beside := c
	beside.Log = ""
	s = open(t, r, Options{Config: beside})
	for range 30 {
		if a := ask(t, s, "GET", front+secretURL, abroad, basic("ann", "heron")); a.status != 200 {
			t.Fatalf("a reader: %d", a.status)
		}
	}
	if a := ask(t, s, "GET", front+restrictedURL, abroad, basic("bob", "bittern")); a.status != 200 {
		t.Errorf("a curator beside readers: %d", a.status)
	}

	// Without logins, credentials are for a proxy.
	if a := ask(t, open(t, r, Options{}), "GET", ui+"/", abroad, basic("ann", "guess")); a.status != 200 {
		t.Errorf("%+v", a)
	}
}

// testLanguages: pages are in the language that the reader chose, or else in the language that the
// browser requests.
func testLanguages(t *testing.T, r *holdingstest.Repository) {
	dir := t.TempDir()
	hebrew := filepath.Join(dir, "he.yaml")
	if err := os.WriteFile(hebrew, []byte("language: he\nlanguage.name: עברית\nnav.search: חיפוש\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, r, Options{Config: Config{Languages: []string{"fr", hebrew}, Language: "fr"}})
	for line, want := range map[string]string{
		"": `<html lang="fr" dir="ltr">`, "Accept-Language: en-GB,en;q=0.9": `<html lang="en" dir="ltr">`,
		"Accept-Language: he":    `<html lang="he" dir="rtl">`,
		"Accept-Language: fr-CA": `<html lang="fr"`, "Accept-Language: ja": `<html lang="fr"`,
		"Accept-Language: \x00;;q=x": `<html lang="fr"`,
		"Cookie: quire-language=he":  `<html lang="he"`, "Cookie: quire-language=xx": `<html lang="fr"`,
	} {
		a := ask(t, s, "GET", ui+"/site/", abroad, line)
		if a.status != 200 || !strings.Contains(a.body, want) ||
			!strings.Contains(strings.Join(a.header.Values("Vary"), ", "), "Accept-Language, Cookie") ||
			!strings.Contains(want, `"`+a.header.Get("Content-Language")+`"`) {
			t.Errorf("%s: %s, %v", line, strings.SplitN(a.body, "\n", 3)[1], a.header)
		}
	}
	page := ask(t, s, "GET", ui+"/site/?x=1", abroad)
	if !strings.Contains(page.body, `href="/-/language?back=%2Fsite%2F%3Fx%3D1&amp;to=he"`) ||
		!strings.Contains(page.body, "עברית") {
		t.Errorf("nothing to choose: %s", page.body)
	}
	for target, want := range map[string]string{
		"/-/language?back=%2Fsite%2F%3Fx%3D1&to=he": "/site/?x=1", "/-/language?back=%2F%2Fevil.example%2F&to=he": "/",
		"/-/language?back=http:%2F%2Fevil.example&to=he": "/",
		"/-/language?back=%2F%5Cevil.example&to=he":      "/", "/-/language": "/", "/-/language?%zz": "/",
	} {
		a := ask(t, s, "GET", ui+target, abroad)
		cookie := a.header.Get("Set-Cookie")
		if a.status != 303 || a.header.Get("Location") != want ||
			strings.Contains(target, "to=he") != strings.HasPrefix(cookie, "quire-language=he; Path=/; Max-Age=") {
			t.Errorf("%s: %d %s, %q", target, a.status, a.header.Get("Location"), cookie)
		}
	}
	if notes := strings.Join(s.Greeting(), "\n"); !strings.Contains(notes, "languages: fr, en, he") ||
		!strings.Contains(notes, "texts are untranslated: banner.address") || strings.Contains(notes, "  fr:") {
		t.Errorf("%s", notes)
	}
	for line, segment := range map[string]string{"": "/all/", "Cookie: quire-language=en": "/all~~en/",
		"Cookie: quire-language=he; Accept-Language: he": "/all/", "Accept-Language: en": "/all/"} {
		found := frameURL.FindStringSubmatch(ask(t, s, "GET", ui+"/all/"+capture+"/"+openURL, abroad,
			strings.Split(line, "; ")...).body)
		if found == nil || !strings.Contains(found[1], segment) {
			t.Errorf("%s: the frame is %q, without %s", line, found, segment)
		}
	}
	if a := ask(t, open(t, r, Options{}), "GET", ui+"/-/language?to=fr&back=/site/", abroad); a.status == 303 {
		t.Errorf("a choice of one: %+v", a)
	}
	for _, c := range []Config{{Languages: []string{"tlh"}}, {Languages: []string{"fr", "fr"}}, {Language: "de"},
		{Languages: []string{filepath.Join(dir, "none.yaml")}}} {
		if _, err := New(t.Context(), r.Store,
			Options{Config: c, Root: "http://127.0.0.1:8000", Dir: t.TempDir()}); err == nil ||
			!strings.Contains(err.Error(), "languages: ") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// testProxies: an unconfigured proxy does not place its clients in the reading rooms.
func testProxies(t *testing.T, r *holdingstest.Repository) {
	c := config(t)
	for _, named := range []bool{false, true} {
		if named {
			c.Proxies = []string{"192.0.2.1"}
		}
		s := open(t, r, Options{Config: c})
		for forwarded, status := range map[string]int{abroad: 403, home: 200} {
			if !named {
				status = 403
			}
			if a := ask(t, s, "GET", ui+"/all/"+capture+"/"+secretURL,
				map[bool]string{true: "192.0.2.1", false: "127.0.0.1"}[named], "X-Forwarded-For: "+forwarded); a.status != status {
				t.Errorf("named %v, for %s: %d", named, forwarded, a.status)
			}
		}
	}
}

// TestWithoutCapability: capabilities in addresses never appear in the log.
func TestWithoutCapability(t *testing.T) {
	const token = "gQABAgM0c2VjcmV0LXBhY2thZ2UAYW5vdGhlcg"
	for _, target := range []string{"/all~" + token + "/2015mp_/http://a.example/",
		"/~web/replay/all~" + token + "/2015/http://a.example/",
		"/all/2015/http://a.example/?from=/all~" + token + "/2015/x", "/all~%67" + token + "/cdx"} {
		if got := withoutCapability(target); strings.Contains(got, token) {
			t.Errorf("%s", got)
		}
	}
	if got := withoutCapability("/all/2015/http://a.example/~ada/?q=~x"); got != "/all/2015/http://a.example/~"+
		"ada/?q=~x" {
		t.Errorf("%s", got)
	}
}

// testLog: the log has the requests, but gives no access.
func testLog(t *testing.T, r *holdingstest.Repository) {
	file := filepath.Join(t.TempDir(), "access.log")
	c := config(t)
	c.Log = file
	s := open(t, r, Options{Config: c})
	found := frameURL.FindStringSubmatch(ask(t, s, "GET", ui+"/all/"+capture+"/"+secretURL, home).body)
	if found == nil {
		t.Fatal("no frame")
	}
	ask(t, s, "GET", found[1], home, "Referer: "+found[1], "User-Agent: a\"b\nc")
	if err := s.log.flushNow(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, capability, _ := strings.Cut(found[1], "~")
	capability, _, _ = strings.Cut(capability, "/")
	if len(capability) < 30 || strings.Contains(string(text), capability) || strings.Count(string(text), "\n") != 2 ||
		!strings.Contains(string(text), `"GET /all~.../`+capture+"mp_/"+secretURL+` HTTP/1.1" 200 `) {
		t.Errorf("%s\n%s", capability, text)
	}
}

func TestKey(t *testing.T) {
	dir := t.TempDir()
	k, err := replay.OpenKey(dir)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "capability.key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	again, err := replay.OpenKey(dir)
	if err != nil || *again != *k {
		t.Error("another key", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "capability.key"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := replay.OpenKey(dir); err == nil {
		t.Error("a key that is none was taken")
	}
}

func TestConfig(t *testing.T) {
	c, err := Read(strings.NewReader(documented(t)), "the configuration")
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "Web archive of the Library" || c.UI != "https://archive.example" || len(c.OnSite) != 1 ||
		len(c.Staff) != 2 || c.Permission != DefaultPermission || c.Connections != 512 || len(c.Downloads) != 2 {
		t.Errorf("%+v", c)
	}
	if want := (export.Limits{AtOnce: export.DefaultAtOnce, Waiting: export.DefaultWaiting, Time: export.DefaultTime,
		Size: export.DefaultSize, Kept: export.DefaultKept}); c.Exports != want {
		t.Errorf("%+v; the documentation shows the defaults: %+v", c.Exports, want)
	}
	if err := c.complete(); err != nil {
		t.Error(err)
	}
	for text, part := range map[string]string{
		"exports: {time: soon}":          "is not a duration: write it as 10s",
		"ui: archive.example":            "write it as https://archive.example",
		"permission: 3d":                 "is not a duration from a minute to a day",
		"unstated: all":                  "open",
		"readers: {public: everyone}":    "unknown key",
		"ui: https://a.example/?q":       "is not the URL of a host",
		"nonsense: 1":                    "unknown key",
		"replay: https://a*.a.example":   "https://*.replay.example",
		"readers: {staff: [{user: me}]}": "password-file",
	} {
		if _, err := Read(strings.NewReader(text), "it"); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, c := range []Config{
		{UI: "https://a.example", Replay: "https://a.example:8443"}, {Replay: "https://a.example"},
		{UI: "https://*.a.example"},
		{UI: "https://a.example", Replay: "https://*.a.example"},
		{UI: "https://www.a.example", Replay: "https://*.a.example:8443"},
	} {
		if err := c.complete(); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	if err := (&Config{UI: "https://a.example", Replay: "https://*.replay.a.example"}).complete(); err != nil {
		t.Error(err)
	}
	for host, want := range map[string]string{"*.replay.lan": "http://*.replay.lan:8080",
		"replay.lan": "http://replay.lan:8080", "replay.lan:9": "http://replay.lan:9",
		"https://r.example": "https://r.example"} {
		o := Options{Root: "http://archive.lan:8080", ReplayHost: host}
		if err := o.place(); err != nil || o.Replay != want || o.UI != "http://archive.lan:8080" {
			t.Errorf("%s: %s, %v", host, o.Replay, err)
		}
	}
	if err := (&Options{Root: "http://archive.lan", ReplayHost: "a b"}).place(); err == nil {
		t.Error("a host with a space")
	}
}

// documented returns the configuration shown in docs/operations/855_serve.md.
func documented(t *testing.T) string {
	doc, err := os.ReadFile("../../docs/operations/855_serve.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "## The configuration")
	rest, _, _ = strings.Cut(rest, "\n## ")
	var text strings.Builder
	for line := range strings.Lines(rest) {
		if in, ok := strings.CutPrefix(line, "    "); ok {
			fmt.Fprint(&text, in)
		} else if strings.TrimSpace(line) == "" {
			fmt.Fprint(&text, "\n")
		}
	}
	return text.String()
}
