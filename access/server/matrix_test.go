package server

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/address"
	"quire/access/export"
	"quire/access/export/formats"
	"quire/access/replay"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/internal/accesscontrol"
	"quire/model"
)

// asker is a class of readers, with content that it must never get.
type asker struct {
	class     holdings.Class
	from      string
	lines     []string
	forbidden map[string]string // texts, with their cases
	hidden    []string          // URLs that it must not learn
}

// TestMatrix requests all open and closed content, as each class of readers, in every way. Open
// content is present. Neither a byte nor the digest of denied content is returned. Hidden content
// is treated as nonexistent.
func TestMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("some thousand requests")
	}
	r, o, cases := holdingstest.Matrix(t)
	drawings := drawings(r)
	c := config(t)
	c.Rules, c.Unstated = o.Rules, string(o.Unstated)
	c.OnSite = []accesscontrol.Agreement{{Networks: []string{"192.0.2.0/24"}}}
	c.SiteRules = filepath.Join(t.TempDir(), "site-rules.yaml")
	if err := os.WriteFile(c.SiteRules, []byte(matrixSiteRules), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Downloads, c.Sitemap = export.Names(formats.All())[1:], true
	s := open(t, r, Options{Config: c, Location: time.UTC, Problem: func(err error) {
		if !errors.Is(err, captures.ErrNotFound) { // this error is of the revisit with a missing payload
			t.Errorf("problem: %v", err)
		}
	}})
	if err := s.pictures.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	known := identifiersOf(t, r)
	for _, who := range []*asker{{class: holdings.Public, from: abroad}, {class: holdings.OnSite, from: home},
		{class: holdings.Staff, from: abroad, lines: []string{token}}} {
		who.forbidden = map[string]string{}
		for _, text := range holdingstest.PurgedTexts {
			who.forbidden[text] = "a tombstone"
		}
		cases := append(slices.Clone(cases), holdingstest.Purged)
		for _, c := range slices.Concat(cases, drawings) {
			switch c.Of(who.class) {
			case holdingstest.Hidden:
				who.hidden = append(who.hidden, c.URL)
				fallthrough
			case holdingstest.Denied:
				who.forbidden[c.Body], who.forbidden[strings.TrimPrefix(holdingstest.Digest(c.Body), "sha1:")] = c.Name,
					"digest of "+c.Name
			}
		}
		t.Run(string(who.class), func(t *testing.T) {
			for _, c := range cases {
				t.Run(c.Name, func(t *testing.T) {
					for _, there := range []address.Replay{archived, s.Sites, "http://other.localhost:8000"} {
						who.replayed(t, s, there, &c)
					}
					who.similar(t, s, &c)
					who.listed(t, s, &c)
					who.banner(t, s, &c)
					who.thumbnail(t, s, &c)
					who.statement(t, s, &c)
				})
			}
			for _, c := range drawings {
				t.Run(c.Name, func(t *testing.T) { who.drawn(t, s, &c) })
			}
			t.Run("pages", func(t *testing.T) { who.pages(t, s, cases) })
			t.Run("search", func(t *testing.T) { who.search(t, s, cases) })
			t.Run("exports", func(t *testing.T) { who.exports(t, s) })
			t.Run("harvesters", func(t *testing.T) {
				harvesters(t, r, who, o.Rules, model.Zone(o.Unstated)).harvested(t,
					slices.Concat(cases[:len(cases)-1], drawings), known)
			})
		})
	}
}

// clean checks a response, including its header, for forbidden content.
func (who *asker) clean(t *testing.T, way string, a answer) {
	t.Helper()
	var head strings.Builder
	_ = a.header.Write(&head)
	for text, whose := range who.forbidden {
		if has(a.body, text) || has(head.String(), text) {
			t.Errorf("%s: %s leaks: %d %s", way, whose, a.status, a.body)
		}
	}
}

// has finds a text, but not "SECRET of dated" in "SECRET of dated-later".
func has(where, text string) bool {
	for {
		i := strings.Index(where, text)
		if i < 0 {
			return false
		}
		if where = where[i+len(text):]; !strings.HasPrefix(where, "-") {
			return true
		}
	}
}

// unaware checks a response for hidden URLs other than the requested one.
func (who *asker) unaware(t *testing.T, way, asked string, a answer) {
	t.Helper()
	for _, u := range who.hidden {
		if u != asked && (strings.Contains(a.body, u+`"`) || strings.Contains(a.body, u+"<") ||
			strings.Contains(a.body, url.QueryEscape(u))) {
			t.Errorf("%s: reveals %s: %s", way, u, a.body)
		}
	}
}

func status(c *holdingstest.Case, class holdings.Class) int {
	switch c.Of(class) {
	case holdingstest.Hidden:
		return http.StatusNotFound
	case holdingstest.Denied:
		if c.Infected || c.Verdict == holdings.Reading {
			return http.StatusForbidden
		}
		return http.StatusUnavailableForLegalReasons
	}
	if c.Missing {
		return http.StatusNotFound
	}
	return http.StatusOK
}

// in returns a collection with the capability that our pages would give this class, including the
// package of the case even if they give none.
func (who *asker) in(t *testing.T, s *Server, c *holdingstest.Case) address.In {
	in := address.In{Collection: address.All}
	if who.class == holdings.Public {
		return in
	}
	packages, _, err := s.packagesOf(t.Context(), holdings.Reader{Class: who.class}, in, c.At, c.URL)
	if err != nil {
		t.Fatal(err)
	}
	in.Capability = s.key.Sign(replay.Capability{Class: who.class, Packages: append(packages, c.Package),
		Until: s.o.Now().Add(time.Hour)})
	return in
}

// replayed requests the bytes in every form, on the single host or the site's host.
func (who *asker) replayed(t *testing.T, s *Server, there address.Replay, c *holdingstest.Case) {
	want := status(c, who.class)
	for _, m := range []address.Modifier{"", "mp_", "id_", "ir_", "im_", "cs_", "js_", "if_", "fr_", address.Worker,
		address.Module} {
		at := there.Capture(who.in(t, s, c), c.At, m, c.URL)
		ways := []string{"GET", "GET Range: bytes=0-5"}
		switch m {
		case "mp_", "id_":
			ways = append(ways, "HEAD", "GET Range: bytes=-4", "GET If-None-Match: *", "GET X-Quire-Worker: empty",
				"GET Sec-Fetch-Dest: image", "GET Prefer: original-content", "GET Accept: text/html",
				"GET If-Range: \"x\"")
		case "ir_":
			ways = append(ways, "GET Referer: "+archived+"/-/wabac/sw.js")
		}
		for _, way := range ways {
			method, line, _ := strings.Cut(way, " ")
			a := ask(t, s, method, at, who.from, line)
			who.clean(t, way+" "+at, a)
			switch {
			case strings.Contains(line, "wabac") && m == "ir_" && a.status == 200 && want > 404:
				t.Errorf("%s %s: a refusal as 200", way, at)
			case want != 200 && a.status != want, want == 200 && a.status >= 400:
				t.Errorf("%s %s: %d, not %d", way, at, a.status, want)
			case want == 200 && way == "GET" && m != address.Worker && m != address.Module &&
				!strings.Contains(a.body, c.Body):
				t.Errorf("%s %s: not there: %s", way, at, a.body)
			case want != 200 && (a.header.Get("Memento-Datetime") != "" || a.header.Get("ETag") != "" ||
				!strings.Contains(a.header.Get("Cache-Control"), "no-store")):
				t.Errorf("%s %s: %v", way, at, a.header)
			case c.Verdict != holdings.Open && !strings.Contains(a.header.Get("Cache-Control"), "no-store"):
				t.Errorf("%s %s: may be kept: %v", way, at, a.header)
			}
			if way == "HEAD" && a.body != "" {
				t.Errorf("HEAD %s: %s", at, a.body)
			}
		}
		if a := ask(t, s, "GET", there.TimeGate(who.in(t, s, c), m, c.URL), who.from,
			"Accept-Datetime: Fri, 02 Jan 2015 03:04:05 GMT"); want == 200 && a.status != 302 || want != 200 &&
			a.status != want {
			t.Errorf("TimeGate %s: %d, not %d", m, a.status, want)
		} else {
			who.clean(t, "TimeGate", a)
		}
	}
	if c.Of(who.class) == holdingstest.Hidden {
		never := "http://never.example" + strings.Repeat("x", max(0, len(c.URL)-20))
		a, b := ask(t, s, "GET", there.Capture(who.in(t, s, c), c.At, "mp_", c.URL), who.from),
			ask(t, s, "GET", there.Capture(who.in(t, s, c), c.At, "mp_", never), who.from)
		if before, _, _ := strings.Cut(a.body, "<p>Other archived pages"); a.status != b.status ||
			!strings.HasPrefix(strings.ReplaceAll(b.body, never, c.URL), before[:min(len(before), 900)]) {
			t.Errorf("hidden is not the same as never captured:\n%s\n%s", a.body, b.body)
		}
	}
}

// listed requests the lists for machines: closed content must be absent.
func (who *asker) listed(t *testing.T, s *Server, c *holdingstest.Case) {
	allowed := c.Of(who.class) == holdingstest.Allowed
	u, err := url.Parse(c.URL)
	if err != nil {
		t.Fatal(err)
	}
	for at, in := range map[address.Replay]address.In{archived: who.in(t, s, c), s.Sites: who.in(t, s, c),
		ui: {Collection: address.All}} {
		for _, format := range []string{"link", "json", "cdxj"} {
			a := ask(t, s, "GET", at.TimeMap(in, format, "", c.URL), who.from, who.lines...)
			who.clean(t, "TimeMap", a)
			if got := a.status == 200; got != allowed || allowed && !strings.Contains(a.body, c.At) {
				t.Errorf("%s TimeMap: %d: %s", format, a.status, a.body)
			}
		}
		for _, query := range []string{"url=" + url.QueryEscape(c.URL),
			"url=" + url.QueryEscape(c.URL) + "&output=json", "url=" + u.Hostname() + "&matchType=domain",
			"url=" + url.QueryEscape(c.URL) + "&closest=2015&fl=urlkey,digest,length,mimetype",
			"url=" + url.QueryEscape(c.URL) + "&showNumPages=true"} {
			a := ask(t, s, "GET", at.CDX(in)+"?"+query, who.from, who.lines...)
			who.clean(t, "CDX "+query, a)
			who.unaware(t, "CDX "+query, "", a)
			who.placeless(t, "CDX "+query, a)
			if !strings.Contains(query, "NumPages") && !strings.Contains(query, "fl=") &&
				strings.Contains(a.body, c.URL+"\"") != allowed && strings.Contains(a.body, c.URL+" ") != allowed {
				t.Errorf("CDX %s: %d %s", query, a.status, a.body)
			}
		}
	}
}

// placeless checks a response for the positions of records: rules may hide content in each package
// here, and a gap between two offsets would reveal it. Curators see positions.
func (who *asker) placeless(t *testing.T, way string, a answer) {
	t.Helper()
	if told := strings.Contains(a.body, `"offset"`) || strings.Contains(a.body, "a.warc"); told &&
		who.class != holdings.Staff {
		t.Errorf("%s reveals the positions of records: %s", way, a.body)
	} else if !told && who.class == holdings.Staff && strings.Contains(a.body, `"digest"`) &&
		!strings.Contains(way, "fl=") {
		t.Errorf("%s omits the positions of records for curators: %s", way, a.body)
	}
}

// banner requests the capture from our own pages.
func (who *asker) banner(t *testing.T, s *Server, c *holdingstest.Case) {
	u := address.UI(ui)
	want := status(c, who.class)
	if c.Missing {
		want = http.StatusOK // the page around the frame
	}
	a := ask(t, s, "GET", u.Banner(address.All, c.At, c.URL), who.from, who.lines...)
	who.clean(t, "banner", a)
	if a.status != want {
		t.Errorf("banner: %d, not %d", a.status, want)
	}
	found := frameURL.FindStringSubmatch(a.body)
	if (found != nil) != (want == 200) {
		t.Errorf("banner: %s", a.body)
	}
	if found != nil && !c.Missing {
		a := ask(t, s, "GET", strings.ReplaceAll(found[1], "&amp;", "&"), who.from)
		if who.clean(t, "frame", a); a.status != 200 || !strings.Contains(a.body, c.Body) {
			t.Errorf("the frame of the banner, %s: %d %s", found[1], a.status, a.body)
		}
	}
	for _, at := range []string{u.Versions(address.All, c.URL), u.VersionsIn(address.All, c.At[:4], c.URL),
		u.VersionsIn(address.All, c.At[:6], c.URL), u.VersionsIn(address.All, c.At[:8], c.URL),
		u.Latest(address.All, c.URL), u.Compare(address.All, c.URL, c.At, c.At),
		u.Provenance(address.All, c.At, "", c.URL), u.Provenance(address.All, c.At, address.Parts, c.URL),
		u.Provenance(address.All, c.At, address.Mixed, c.URL),
		ui + "/browse/all/?url=" + url.QueryEscape(c.URL) + "*",
		ui + "/browse/all/?type=page&url=" + url.QueryEscape(c.URL) + "*"} {
		a := ask(t, s, "GET", at, who.from, who.lines...)
		who.clean(t, at, a)
		a.body = strings.ReplaceAll(a.body, url.QueryEscape(c.URL), "the requested one")
		who.unaware(t, at, c.URL, a)
		if a.status >= 500 {
			t.Errorf("%s: %d", at, a.status)
		}
	}
}

// thumbnail requests the thumbnail of the capture. Closed and hidden captures are missing, like those
// that never were.
func (who *asker) thumbnail(t *testing.T, s *Server, c *holdingstest.Case) {
	want := http.StatusNotFound
	if c.Of(who.class) == holdingstest.Allowed {
		want = http.StatusOK
	}
	for _, in := range []string{address.All, c.Package} {
		at := address.UI(ui).Thumbnail(in, c.At, c.URL)
		for _, method := range []string{"GET", "HEAD"} {
			a := ask(t, s, method, at, who.from, who.lines...)
			who.clean(t, "thumbnail", a)
			who.unaware(t, "thumbnail", c.URL, a)
			if a.status != want ||
				want != http.StatusOK && !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
				t.Errorf("%s %s: %d, not %d: %v", method, at, a.status, want, a.header)
			}
		}
		if never := ask(t, s, "GET", address.UI(ui).Thumbnail(in, "20010101000000", c.URL), who.from,
			who.lines...); never.status != http.StatusNotFound {
			t.Errorf("thumbnail of no capture: %d", never.status)
		}
		a := ask(t, s, "GET", at, who.from, append(slices.Clone(who.lines), "Sec-Fetch-Site: cross-site")...)
		if a.status != http.StatusForbidden {
			t.Errorf("another site gets a thumbnail: %d", a.status)
		}
	}
}

// statement requests a signed statement of a capture: of closed content there is none, and only
// curators learn positions in packages with closed content.
func (who *asker) statement(t *testing.T, s *Server, c *holdingstest.Case) {
	u := address.UI(ui)
	a := ask(t, s, "GET", u.Provenance(address.All, c.At, address.Statement, c.URL), who.from, who.lines...)
	who.clean(t, "statement", a)
	if got := a.status == http.StatusOK; got != (c.Of(who.class) == holdingstest.Allowed) {
		t.Errorf("a statement of %s: %d %s", c.Name, a.status, a.body)
	}
	if a.status != http.StatusOK {
		return
	}
	keys, err := s.statements.Published()
	if err != nil {
		t.Fatal(err)
	}
	stated, _, err := keys.Verify([]byte(a.body))
	if err != nil || stated.URL != c.URL {
		t.Errorf("%+v, %v", stated, err)
		return
	}
	placed := stated.Record.Container != "" || stated.Record.Offset != nil
	if placed != s.holdings.Whole(holdings.Reader{Class: who.class})(c.Package) {
		t.Errorf("the statement has a position: %v", placed)
	}
	a.body = fmt.Sprintf("%+v", stated)
	who.clean(t, "statement", a)
	page := ask(t, s, "GET", u.Provenance(address.All, c.At, "", c.URL), who.from, who.lines...)
	if !placed && strings.Contains(page.body, ".warc") {
		t.Errorf("the page of a capture has a position: %s", page.body)
	}
}

// pages requests our own pages about packages and collections.
func (who *asker) pages(t *testing.T, s *Server, cases []holdingstest.Case) {
	u := address.UI(ui)
	all := []string{u.Front(), ui + "/site/", ui + "/collection/", ui + "/feed.atom", ui + "/sitemap.xml",
		ui + "/robots.txt", ui + "/opensearch.xml", ui + "/browse/all/", u.Collection("closed"),
		u.Collection("open-collection"), u.Collection("closed") + "?thumbnail",
		u.Collection("open-collection") + "?thumbnail", ui + "/site/?year=2015",
		ui + "/site/?year=2020", u.File("secret", "logs/open.log")}
	seen := map[string]bool{}
	for _, c := range cases {
		if !seen[c.Package] {
			seen[c.Package] = true
			all = append(all, ui+"/browse/"+c.Package+"/",
				u.Site(c.Package), u.Site(c.Package)+"?thumbnail", u.Harvest(c.Package, 1),
				u.Missed(c.Package, 1, "", "", 0),
				u.History(c.Package), u.File(c.Package, "containers/a.warc"), u.File(c.Package, "logs/secret.log"),
				u.Export(c.Package, ""))
		}
	}
	for _, at := range all {
		a := ask(t, s, "GET", at, who.from, who.lines...)
		who.clean(t, at, a)
		who.unaware(t, at, "", a)
		if a.status >= 500 {
			t.Errorf("%s: %d", at, a.status)
		}
		if strings.Contains(a.body, "No check of the containers is recorded") && who.class != holdings.Staff {
			t.Errorf("%s claims that nothing was checked", at)
		}
		if strings.Contains(a.body, "SECRET of the log") && who.class != holdings.Staff {
			t.Errorf("%s: a restricted log", at)
		}
	}
}

// search searches for words of denied content, and for words of all captures.
func (who *asker) search(t *testing.T, s *Server, cases []holdingstest.Case) {
	found := ""
	for from := 0; from <= 50; from += 10 {
		a := ask(t, s, "GET", fmt.Sprintf("%s/search?q=SECRET&from=%d", ui, from), who.from, who.lines...)
		who.clean(t, "search", a)
		who.unaware(t, "search", "", a)
		found += a.body
	}
	for _, at := range []string{"/links?host=open.example", "/links.csv?host=open.example",
		"/search.csv?q=SECRET", "/trends?q=SECRET", "/trends.csv?q=SECRET"} {
		a := ask(t, s, "GET", string(ui)+at, who.from, who.lines...)
		who.clean(t, at, a)
		who.unaware(t, at, "", a)
		found += a.body
	}
	for _, form := range []string{"/search.json?q=SECRET", "/search.atom?q=SECRET"} {
		a := ask(t, s, "GET", ui+form, who.from, who.lines...)
		who.clean(t, form, a)
		who.unaware(t, form, "", a)
		if !strings.Contains(a.body, "http://open.example/") {
			t.Errorf("%s finds nothing: %s", form, a.body)
		}
		found += a.body
	}
	if !strings.Contains(found, "http://open.example/") {
		t.Errorf("nothing is found: %s", found)
	}
	who.suggestions(t, s, cases)
	for _, c := range cases {
		allowed := c.Of(who.class) == holdingstest.Allowed
		if !allowed && strings.Contains(found, c.URL+`"`) {
			t.Errorf("%s is found", c.URL)
		}
		images := ask(t, s, "GET", ui+"/search?"+url.Values{"type": {"image"}, "q": {c.Name}}.Encode(), who.from,
			who.lines...)
		if who.clean(t, "images", images); images.status != http.StatusOK {
			t.Errorf("images: %d", images.status)
		}
		who.unaware(t, "images", "", images)
		for _, q := range []string{`"` + strings.ReplaceAll(c.Name, "-", " ") + `"`, "url:" + c.URL,
			"host:" + strings.TrimPrefix(c.URL, "http://")} {
			for _, form := range []string{"/search?", "/search.json?", "/search.atom?",
				"/search.json?level=bytestream&"} {
				a := ask(t, s, "GET", ui+form+url.Values{"q": {q}}.Encode(), who.from, who.lines...)
				who.clean(t, form+q, a)
				if !allowed && strings.Contains(a.body, c.At+"/"+c.URL) || a.status != http.StatusOK {
					t.Errorf("%s%s: %d %s", form, q, a.status, a.body)
				}
				if !strings.Contains(a.header.Get("Cache-Control"), "private") {
					t.Errorf("%s%s may be kept for others: %v", form, q, a.header)
				}
			}
		}
	}
}

// exports downloads packages.
func (who *asker) exports(t *testing.T, s *Server) {
	for _, id := range []string{"open", "restricted", "parts", "infected", "secret"} {
		for _, as := range export.Names(formats.All())[1:] {
			a := ask(t, s, "GET", address.UI(ui).Export(id, as), who.from, who.lines...)
			a.body = unpacked(t, []byte(a.body))
			who.clean(t, id+" as "+as, a)
			who.unaware(t, id+" as "+as, "", a)
			if id == "open" && as != "mets" && (a.status != 200 || !strings.Contains(a.body, "SECRET of open")) {
				t.Errorf("%s as %s: %d %s", id, as, a.status, a.body)
			}
		}
	}
}

// unpacked returns the text of a ZIP or gzip file, including nested files.
func unpacked(t *testing.T, b []byte) string {
	t.Helper()
	var text strings.Builder
	if z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil {
		for _, f := range z.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			text.WriteString(f.Name + "\n" + unpacked(t, content))
		}
		return text.String()
	}
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	return string(b)
}
