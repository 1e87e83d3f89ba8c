//go:build interop

package nasty

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/internal/warcbuild"
	"quire/model"
	"quire/source"
	"quire/source/detect"
)

// crawl is one run of a crawler over the site.
type crawl struct {
	name, command string
	after         func(t *testing.T, dir string) // changes what it left
	// URLs that the crawler asks for in another spelling than it notes, so that its error is noted for
	// a URL which it did not ask for
	misspelt string
	// without a log, URLs come from names; they must be stated as assumed
	assumed bool
	// the dates may have a range
	ranges bool
}

// touched moves the mtime of the log, as a copy does.
func touched(t *testing.T, dir string) {
	t.Helper()
	p := filepath.Join(dir, "w.log")
	info, err := os.Stat(p)
	if err != nil {
		t.Fatal(err)
	}
	at := info.ModTime().Add(3 * time.Hour)
	if err := os.Chtimes(p, at, at); err != nil {
		t.Fatal(err)
	}
}

const (
	wget    = "wget --no-config --no-netrc --no-hsts -t 2 --waitretry=0 -o w.log "
	httrack = "httrack -O . -r4 -s0 -R1 -T5 -q -%c100 -c8 --disable-security-limits -A100000000 "
)

var crawls = []crawl{
	{name: "wget, all kept", command: wget + "-m -k -K -E -p"},
	{name: "wget, with headers", command: wget + "-m -p -S"},
	{name: "wget, a touched log", command: wget + "-m -k -K -E -p", after: touched, ranges: true},
	{name: "wget, short log and names of Windows", command: wget + "-r -k -K -E -p -nv --restrict-file-names=windows"},
	{name: "HTTrack", command: httrack, misspelt: "/caf%C3%A9.html"},
	{name: "HTTrack without a cache", command: httrack + "-C0", misspelt: "/caf%C3%A9.html", assumed: true,
		ranges: true},
}

// TestNastySite compares each URL of each mirror with the live site. Nothing is invented, stated with
// a wrong date, or graded as original without being it, and nothing whose bytes are there is lost.
func TestNastySite(t *testing.T) {
	for _, c := range crawls {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(c.command)
			if _, err := exec.LookPath(words[0]); err != nil {
				t.Skip(words[0] + " is not installed")
			}
			s, dir := newSite(t, words[0] == "httrack" && !prove.Whole()), t.TempDir()
			cmd := exec.Command(words[0], append(words[1:], s.URL+"/")...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "TZ=Asia/Kathmandu", "LC_ALL=C.UTF-8", "http_proxy=", "no_proxy=*",
				"HOME="+dir)
			_ = cmd.Run() // it fails on the errors of the site
			if c.after != nil {
				c.after(t, dir)
			}
			compare(t, s, &c, dir)
		})
	}
}

func compare(t *testing.T, s *site, c *crawl, dir string) {
	found, err := detect.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = found.Close() }()
	if len(found.Found) != 1 {
		for _, f := range found.Found {
			t.Errorf("%s in %s: %v", f.Reader, f.Root, f.Why)
		}
		t.Fatalf("%d harvests", len(found.Found))
	}
	h, err := found.Found[0].Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	findings := map[string]int{}
	for _, f := range h.About().Findings {
		findings[f.Code]++
	}
	whole := map[string]bool{}
	urls := 0
	count := func(f model.Finding) { findings[f.Code]++ }
	for r, err := range h.(source.Mirror).Resources(context.Background(), count) {
		if err != nil {
			t.Fatal(err)
		}
		if r.URL == "" {
			continue
		}
		urls++
		if compareURL(t, s, c, r) {
			whole[strings.TrimPrefix(warcbuild.TargetURI(r.URL), s.URL)] = true
		}
	}
	for uri, a := range s.pages {
		if a.status == 0 && a.announced == 0 && len(s.seen[uri]) > 0 && !whole[uri] && !c.assumed {
			t.Errorf("%s was fetched, and its bytes are in no resource", uri)
		}
	}
	if c.ranges && !c.assumed && findings[source.CodeClock] == 0 {
		t.Error("no finding names the doubt about the clock")
	}
	t.Logf("%d URLs, %d of them whole, findings %v", urls, len(whole), findings)
}

// compareURL compares one resource with the live site, and reports whether it has the whole body.
func compareURL(t *testing.T, s *site, c *crawl, r *source.Resource) (whole bool) {
	uri := strings.TrimPrefix(warcbuild.TargetURI(r.URL), s.URL) // as in the records
	a, live := s.pages[uri]
	if uri == c.misspelt && len(s.seen[uri]) == 0 {
		return false
	}
	if !live {
		if r.Assumed == "" || !c.assumed {
			t.Errorf("%s is invented, assumed %q: %q", r.URL, r.Assumed, r.Why)
		}
		return false
	}
	if r.Status > 0 && r.Status != max(a.status, 200) {
		t.Errorf("%s: status %d", uri, r.Status)
	}
	compareDate(t, s, uri, r)
	if r.Body == nil {
		return a.body == "" && a.status == 0
	}
	in, err := r.Body()
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(in)
	if err != nil || in.Close() != nil {
		t.Fatal(err)
	}
	original := r.Grade == source.OriginalEntity || r.Grade == source.OriginalFile
	switch {
	case a.announced > 0 && (original || r.Truncated == ""):
		t.Errorf("%s has %d of %d bytes, and is graded %s, truncated %q: %q", uri, len(body), a.announced, r.Grade,
			r.Truncated, r.Why)
	case original && string(body) != a.body && !a.coded:
		t.Errorf("%s is graded %s, with other bytes: %.80q: %q", uri, r.Grade, body, r.Why)
	case a.announced == 0 && r.Truncated != "":
		t.Errorf("%s is whole, and stated as truncated", uri)
	}
	return true
}

// compareDate checks that the date is that of one of the answers, to two seconds or within its range.
func compareDate(t *testing.T, s *site, uri string, r *source.Resource) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Time.IsZero() {
		return
	}
	for _, at := range s.seen[uri] {
		if r.Time.Sub(at).Abs() <= r.Leeway+2*time.Second {
			return
		}
	}
	t.Errorf("%s: %s ± %v from %s, and it was answered at %v", uri, r.Time, r.Leeway, r.TimeFrom, s.seen[uri])
}
