package server

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"quire/access/address"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/holdingstest"
	"quire/internal/testsamples"
)

// matrixSiteRules is a rule by which each capture answers for another path and for another host.
const matrixSiteRules = `
version: matrix
rules:
  - name: other-path
    reason: A rule can name any capture.
    match: ^(.+?)(?:\+rule)?$
    same: $1
    within: [$1]
  - name: other-host
    reason: A rule can name captures of another host.
    match: ^(?:any\.example/\?)?(.+?)$
    same: $1
    within: [$1]
`

// similar requests the capture by rules for similar requests, from other addresses. A rule gives
// nothing that its own address would not give, and denied content is as if it never was.
func (who *asker) similar(t *testing.T, s *Server, c *holdingstest.Case) {
	allowed := c.Of(who.class) == holdingstest.Allowed && !c.Missing
	for _, near := range []string{c.URL + "?_=1", c.URL + "+rule",
		"http://any.example/?" + strings.TrimPrefix(c.URL, "http://")} {
		for _, m := range []address.Modifier{"mp_", "js_", "id_"} {
			ways := []string{"GET", "HEAD", "GET Accept: text/html"}
			if m != "mp_" {
				ways = ways[:1]
			}
			for _, way := range ways {
				method, line, _ := strings.Cut(way, " ")
				a := ask(t, s, method, address.Replay(archived).Capture(who.in(t, s, c), c.At, m, near), who.from, line)
				who.clean(t, way+" "+near, a)
				who.unaware(t, way+" "+near, near, a)
				shown := a.status < 400
				if shown != (allowed && m != "id_") {
					t.Errorf("%s %s%s: %d", way, m, near, a.status)
				}
				if shown && !strings.Contains(a.header.Get("X-Archive-Note"), "by the site rules ") {
					t.Errorf("%s %s%s does not say so: %v", way, m, near, a.header)
				}
				if !shown && (a.status != http.StatusNotFound || a.header.Get("X-Archive-Note") != "") {
					t.Errorf("%s %s%s: %d %v", way, m, near, a.status, a.header)
				}
			}
		}
	}
}

// TestSiteRulesOnSamples checks our rules on crawls of sites with WordPress and MediaWiki: a request
// with another version gets the captured bytes.
func TestSiteRulesOnSamples(t *testing.T) {
	const rule = `by the site rules (wordpress-assets|mediawiki-modules|mediawiki-pictures) \(Quire `
	for file, of := range map[string]struct {
		version *regexp.Regexp
		least   int
	}{
		"openzim_warc2zim/data/kiwix-with-redirects.warc.gz": {
			regexp.MustCompile(`^(https://kiwix\.org/wp-content/.*\?ver=)[0-9.]+()$`), 2},
		"iipc_openwayback/history/warcs/sopa-wikipedia-homepage.warc.gz": {
			regexp.MustCompile(`^(http://bits\.wikimedia\.org/.*(?:version=|/images/.*\?))[0-9TZ:-]+(.*)$`), 30},
	} {
		sample, err := os.ReadFile(testsamples.Path(t, "samples", file))
		if err != nil {
			t.Fatal(err)
		}
		r := holdingstest.New(t)
		r.Ingest(holdingstest.Package{ID: "sample", Rights: "access: open",
			Containers: map[string]string{"a.warc.gz": string(sample)}})
		s := open(t, r, Options{})
		asked := map[string]bool{}
		for c, err := range s.Holdings().Captures(t.Context(), holdings.Reader{Class: holdings.Public},
			captures.Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			m := of.version.FindStringSubmatch(c.URL)
			if m == nil || asked[c.URL] || c.Status != http.StatusOK {
				continue
			}
			asked[c.URL] = true
			old := ask(t, s, "GET", archived+"/all/"+c.Timestamp+"im_/"+c.URL, abroad)
			now := ask(t, s, "GET", archived+"/all/"+c.Timestamp+"im_/"+m[1]+"2031"+m[2], abroad)
			if old.status != 200 || now.status != 200 || old.body != now.body ||
				!regexp.MustCompile(rule).MatchString(now.header.Get("X-Archive-Note")) {
				t.Errorf("%s: %d, and with another version %d, %d and %d bytes, note %q", c.URL, old.status, now.status,
					len(old.body), len(now.body), now.header.Get("X-Archive-Note"))
			}
		}
		if len(asked) < of.least {
			t.Errorf("%s has only %d such captures", file, len(asked))
		}
		t.Logf("%s: %d requests with another version get the captured bytes", file, len(asked))
	}
}
