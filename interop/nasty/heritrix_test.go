//go:build interop

package nasty

import (
	"archive/zip"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/warcbuild"
	"quire/model"
	"quire/preserve/inspect"
	"quire/source"
)

// heritrixHome is where interop/install puts Heritrix.
const heritrixHome = "../../build/interop/heritrix/heritrix-3.13.0"

// politeness ends the politeness of Heritrix, and the waiting before it tries again.
const politeness = `
metadata.operatorContactUrl=http://127.0.0.1/
metadata.jobName=nasty
metadata.description=a nasty site
crawlController.pauseAtStart=false
crawlController.maxToeThreads=8
disposition.delayFactor=0
disposition.minDelayMs=0
disposition.maxDelayMs=0
fetchDns.acceptNonDnsResolves=true
fetchHttp.soTimeoutMs=3000
fetchHttp.timeoutSeconds=5
frontier.retryDelaySeconds=1
frontier.maxRetries=6
crawlLimiter.maxTimeSeconds=120
statisticsTracker.intervalSeconds=5
`

// heritrix crawls the site with Heritrix's own profile, and returns the folder of the job.
func heritrix(t *testing.T, s *site) string {
	t.Helper()
	home, err := filepath.Abs(heritrixHome)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(home); err != nil {
		t.Skip("Heritrix is not installed: interop/install")
	}
	if _, err := exec.LookPath("java"); err != nil {
		t.Skip("Java is not installed")
	}
	dir := t.TempDir()
	job := filepath.Join(dir, "jobs", "nasty")
	if err := os.MkdirAll(job, 0o755); err != nil {
		t.Fatal(err)
	}
	beans := profile(t, home)
	begin, end := strings.Index(beans, "metadata.operatorContactUrl="), strings.Index(beans, "##..more?..##")
	if begin < 0 || end < begin {
		t.Fatal("the profile of Heritrix has another form")
	}
	beans = beans[:begin] + politeness[1:] + beans[end:]
	beans = strings.Replace(beans, "http://example.example/example", strings.Join(s.hosts, "/\n")+"/", 1)
	if err := os.WriteFile(filepath.Join(job, "crawler-beans.cxml"), []byte(beans), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "java", "-Xmx512m", "-Dheritrix.home="+home, "-Djava.io.tmpdir="+dir,
		"-cp", filepath.Join(home, "lib", "*"), "org.archive.crawler.Heritrix", "--run-job", "nasty", "--jobs-dir",
		filepath.Join(dir, "jobs"), "--web-admin", "nasty:nasty", "--web-bind-hosts", "127.0.0.1",
		"--web-port", freePort(t))
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("Heritrix: %v\n%s", err, out)
	}
	return job
}

// profile returns Heritrix's profile of a crawl.
func profile(t *testing.T, home string) string {
	t.Helper()
	jars, err := filepath.Glob(filepath.Join(home, "lib", "heritrix-engine-*.jar"))
	if err != nil || len(jars) != 1 {
		t.Fatalf("%v, %v", jars, err)
	}
	z, err := zip.OpenReader(jars[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	in, err := z.Open("org/archive/crawler/restlet/profile-crawler-beans.cxml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// freePort returns a port that is free now.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// ofHeritrix are the differences that have a reason outside of Quire.
var ofHeritrix = []difference{
	{"bytes", "1/more.bin", "Heritrix writes the bytes behind Content-Length, too; inspect finds HTTP-BODY-LONG"},
}

// TestHeritrix crawls the site with Heritrix, and compares each line of its log and each record with
// the live site.
func TestHeritrix(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(string) bool { return false })
	c := &comparison{t, s, &crawl{name: "Heritrix", explained: ofHeritrix}, map[string]bool{}, map[string]bool{}}
	job := heritrix(t, s)
	h := c.open(job)
	c.fetches(h)
	containers := 0
	for _, f := range h.About().Files {
		if f.Role == model.RoleContainer {
			containers++
			c.records(filepath.Join(job, f.Path))
		}
	}
	if containers == 0 {
		t.Error("no containers")
	}
	c.lost()
}

// fetches compares the log.
func (c *comparison) fetches(h source.Harvest) {
	n := 0
	for f, err := range h.Fetches(c.Context(), func(f model.Finding) { c.Errorf("%s: %s", f.Code, f.Message) }) {
		if err != nil {
			c.Fatal(err)
		}
		if !strings.HasPrefix(f.URI, "http") {
			continue
		}
		n++
		uri := warcbuild.TargetURI(f.URI)
		if c.asked(uri) == "" {
			c.differs("invented", uri, "status %d, %v", f.Status, f.Notes)
			continue
		}
		if f.Status > 0 && !c.answered(uri, f.Status) {
			c.differs("status", uri, "%d, answered %v", f.Status, c.seen[uri])
		}
		c.date(uri, f.Time, 0, f.Log)
	}
	c.Logf("%d lines in the log", n)
}

// records compares each response in a container.
func (c *comparison) records(path string) {
	checked, err := inspect.File(c.Context(), path, inspect.Options{})
	if err != nil {
		c.Fatal(err)
	}
	short := map[int64]bool{} // records whose body is reported as broken off
	for _, f := range checked.Findings {
		if f.Code == "HTTP-BODY-SHORT" || f.Code == "HTTP-CHUNK-TRUNCATED" {
			short[f.Offset] = true
		}
		c.Logf("%s at %d: %s", f.Code, f.Offset, f.Message)
	}
	in, err := os.Open(path)
	if err != nil {
		c.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	for rec, err := range warc.NewReader(in).Records() {
		if err != nil {
			c.Fatal(err)
		}
		uri := rec.TargetURI()
		if !strings.HasPrefix(uri, "http") || rec.Type() != "response" && rec.Type() != "revisit" {
			continue
		}
		c.record(uri, rec, short[rec.Offset])
	}
}

// record compares a response.
func (c *comparison) record(uri string, rec *warc.Record, short bool) {
	asked := c.asked(uri)
	if asked == "" {
		c.differs("invented", uri, "a record")
		return
	}
	m, err := http1.ReadMessage(rec, http1.Any)
	if err != nil {
		c.Fatal(uri, err)
	}
	body, err := io.ReadAll(m.Payload()) // the damage of the framing is a finding of inspect
	if err != nil {
		c.Log(uri, err)
	}
	if !c.answered(asked, m.Head.StatusCode) {
		c.differs("status", uri, "%d, answered %v", m.Head.StatusCode, c.seen[asked])
	}
	at, err := rec.Date()
	if err != nil {
		c.Fatal(uri, err)
	}
	c.date(asked, at, 0, "WARC-Date")
	a := c.pages[asked]
	if m.Head.StatusCode != max(a.status, 200) { // as without a cookie
		return
	}
	c.whole[asked] = true
	switch got := string(body); {
	case a.broken && !short && rec.Get("WARC-Truncated") == "":
		c.differs("broken", uri, "%d bytes of a body that broke off, and no finding", len(got))
	case !a.broken && got != a.body && (a.sent == "" || got != a.sent):
		c.differs("bytes", uri, "%.80q", got)
	case !a.broken && short:
		c.differs("broken", uri, "it is whole, and reported as short")
	}
}
