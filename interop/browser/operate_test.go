package browser

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"quire/interop/internal/peers"
)

// operated makes a repository with jobs that ended well and badly, a damaged copy and a request for a purge.
func operated(t *testing.T) (repo string, tokens map[string]string) {
	t.Helper()
	dir := t.TempDir()
	repo = filepath.Join(dir, "repo")
	quire(t, "init", repo, "--audit-schedule", "full every 365d, sample 1% every 7d")
	crawl := filepath.Join("..", "..", "examples", "crawl")
	for _, id := range []string{"boats", "harbour"} {
		quire(t, "pack", crawl, "--id", id, "--out", filepath.Join(dir, id))
	}
	quire(t, "ingest", filepath.Join(dir, "harbour"), "--repo", repo)
	tokens = map[string]string{}
	for name, roles := range map[string]string{"Ada": "operator,curator", "Bo": "approver", "Ro": "reader"} {
		tokens[name] = strings.TrimSpace(quire(t, "token", "add", name, "--role", roles, "--repo", repo))
	}
	quire(t, "submit", "--repo", repo, "ingest", filepath.Join(dir, "boats"))
	quire(t, "submit", "--repo", repo, "--attempts", "1", "ingest", filepath.Join(dir, "none"))
	quire(t, "work", "--drain", "--repo", repo)
	quire(t, "purge", "request", "harbour", "--because", "a court decided so", "--authority", "Court of Saltmarsh",
		"--by", "Ada", "--repo", repo)
	return repo, tokens
}

// operate starts the service, and returns its address.
func operate(t *testing.T, repo string) string {
	t.Helper()
	address := peers.FreeAddress(t)
	serveMore(t, repo, func(string) []string { return nil }, "--operate", address)
	_, port, _ := net.SplitHostPort(address)
	return "http://localhost:" + port
}

// signIn pastes a token, by keyboard alone.
func (b *chromium) signIn(t *testing.T, base, token string) {
	t.Helper()
	b.visit(t, base+"/")
	b.waitFor(t, "the sign-in", `location.pathname === "/sign-in"`)
	b.tabTo(t, `document.activeElement.id === "token"`)
	b.do(t, "the token", chromedp.KeyEvent(token), chromedp.KeyEvent(kb.Enter))
	b.waitFor(t, "the first page", `location.pathname === "/" && document.querySelector("h1").textContent === "Today"`)
}

// tabTo presses the tabulator until an element has the focus.
func (b *chromium) tabTo(t *testing.T, expression string) {
	t.Helper()
	for range 60 {
		b.do(t, "a tabulator", chromedp.KeyEvent(kb.Tab))
		if value[bool](t, b, expression) {
			return
		}
	}
	t.Fatalf("no tabulator reaches %s", expression)
}

// wide is the screen of a desk, narrow that of a phone.
var wide, narrow = [2]int64{1280, 900}, [2]int64{390, 844}

func (b *chromium) screen(t *testing.T, size [2]int64) {
	t.Helper()
	b.do(t, "a screen", emulation.SetDeviceMetricsOverride(size[0], size[1], 1, size == narrow))
}

// scripts allows scripts or forbids them.
func (b *chromium) scripts(t *testing.T, allowed bool) {
	t.Helper()
	b.do(t, "scripts", chromedp.ActionFunc(func(ctx context.Context) error {
		return emulation.SetScriptExecutionDisabled(!allowed).Do(ctx)
	}))
}

// look takes pictures of a page without scripts, see shots: axe-core is a script.
func (b *chromium) look(t *testing.T, name string) {
	t.Helper()
	b.scripts(t, true)
	shots(t, b, name)
	b.scripts(t, false)
}

// TestOperate goes through the pages for operators in Chromium: by keyboard, without scripts, on a desk and a phone.
// Nothing is wider than the screen, nothing comes from another host, and the policy refuses nothing.
func TestOperate(t *testing.T) {
	repo, tokens := operated(t)
	base := operate(t, repo)
	b := open(t, "MAP * ~NOTFOUND, EXCLUDE localhost")
	var refused []string
	chromedp.ListenTarget(b.ctx, func(event any) {
		if e, ok := event.(*page.EventJavascriptDialogOpening); ok {
			refused = append(refused, e.Message)
		}
	})
	b.visit(t, base+"/")
	b.look(t, "operate-sign-in")
	b.scripts(t, false)
	b.screen(t, wide)
	b.signIn(t, base, tokens["Ada"])
	for _, size := range [][2]int64{wide, narrow} {
		b.screen(t, size)
		for _, p := range []struct{ path, heading, has string }{
			{"/", "Today", "none"}, {"/jobs", "Jobs", "ingest"}, {"/jobs/1", "Job 1", "stored boats"},
			{"/packages", "Packages", "harbour"}, {"/packages/harbour", "", "ingestion"},
			{"/copies", "Copies and audits", "copy-1"}, {"/decisions", "Decisions", "Court of Saltmarsh"},
		} {
			b.visit(t, base+p.path)
			seen := value[struct {
				Heading, Text, Active string
				Wide                  int64
				Loaded                []string
				Unnamed               int
			}](t, b, `{Heading: document.querySelector("h1").textContent, Text: document.body.innerText,
				Wide: document.documentElement.scrollWidth,
				Loaded: performance.getEntriesByType("resource").map(e => e.name),
				Unnamed: [...document.querySelectorAll("input:not([type=hidden]), button, a")].filter(e =>
					!(e.labels && e.labels.length) && !e.textContent.trim()).length}`)
			if p.heading != "" && seen.Heading != p.heading || !strings.Contains(seen.Text, p.has) {
				t.Errorf("%s: %q lacks %s: %s", p.path, seen.Heading, p.has, seen.Text)
			}
			if seen.Wide > size[0] {
				t.Errorf("%s is %d wide on a screen of %d", p.path, seen.Wide, size[0])
			}
			if seen.Unnamed > 0 {
				t.Errorf("%s has %d controls without a name", p.path, seen.Unnamed)
			}
			for _, url := range seen.Loaded {
				if !strings.HasPrefix(url, base+"/static/") {
					t.Errorf("%s loads %s", p.path, url)
				}
			}
			if size == wide {
				b.look(t, "operate"+strings.ReplaceAll(p.path, "/", "-"))
				b.screen(t, size)
			}
		}
	}
	b.screen(t, wide)
	b.visit(t, base+"/jobs/2")
	b.tabTo(t, `document.activeElement.textContent === "Retry"`)
	b.do(t, "retry", chromedp.KeyEvent(kb.Enter))
	b.waitFor(t, "the new job", `location.pathname === "/jobs/3" && document.body.innerText.includes("waiting")`)
	if len(refused) > 0 {
		t.Errorf("dialogs: %q", refused)
	}
}

// TestOperateApprove is the second person of a purge.
func TestOperateApprove(t *testing.T) {
	repo, tokens := operated(t)
	base := operate(t, repo)
	b := open(t, "MAP * ~NOTFOUND, EXCLUDE localhost")
	b.screen(t, narrow)
	b.signIn(t, base, tokens["Bo"])
	b.visit(t, base+"/decisions")
	b.tabTo(t, `document.activeElement.textContent === "Approve this purge"`)
	b.do(t, "open the form", chromedp.KeyEvent(kb.Enter))
	b.tabTo(t, `document.activeElement.name === "package"`)
	b.do(t, "the id", chromedp.KeyEvent("harbour"))
	shots(t, b, "operate-approve")
	b.screen(t, narrow)
	b.do(t, "approve", chromedp.KeyEvent(kb.Enter))
	b.waitFor(t, "the decision", `document.body.innerText.includes("Approved by Bo")`)
	if list := quire(t, "purge", "list", "--repo", repo); !strings.Contains(list, "purged") {
		t.Errorf("not purged: %s", list)
	}
}
