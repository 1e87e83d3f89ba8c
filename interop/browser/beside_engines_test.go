package browser

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"quire/interop/internal/peers"
)

// The replay engines of the comparison.
const (
	ofQuire = "Quire"
	ofPywb  = "pywb"
	ofWabac = "wabac.js"
)

var engineNames = []string{ofQuire, ofPywb, ofWabac}

// engine is a replay engine with the captures of the comparison, and a browser of its own.
type engine struct {
	name    string
	v       *meter
	l       *live
	address func(timestamp, url string) string
}

// engines serves WARC and ARC files by all three engines. Outside hosts lead to a listener.
func engines(t *testing.T, containers ...string) (all []*engine) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "crawl")
	if err := os.Mkdir(source, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range containers {
		if err := os.Link(path, filepath.Join(source, filepath.Base(path))); err != nil {
			t.Fatal(err)
		}
	}
	repo := filepath.Join(dir, "repo")
	quire(t, "init", repo)
	quireDamaged(t, "pack", source, "--out", filepath.Join(dir, "package"))
	quireDamaged(t, "ingest", filepath.Join(dir, "package"), "--repo", repo)
	config := filepath.Join(dir, "open.yaml")
	if err := os.WriteFile(config, []byte("unstated: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	id := strings.Fields(quire(t, "list", "--repo", repo))[0]
	wacz := filepath.Join(dir, "all.wacz")
	quireDamaged(t, "export", id, "--repo", repo, "--config", config, "--as", "wacz", "--out", wacz)

	s := serve(t, repo)
	all = append(all, newEngine(t, ofQuire, []string{s.replay}, "/-/", func(timestamp, address string) string {
		return s.replay + "/all/" + timestamp + "mp_/" + address
	}))
	pywb, frames := servePywb(t, dir, containers), serveFrames(t)
	all = append(all, newEngine(t, ofPywb, []string{pywb, frames}, "/static/", func(timestamp, address string) string {
		return frames + "/frame?show=" + url.QueryEscape(pywb+"/all/"+timestamp+"mp_/"+address)
	}))
	worker := serveWorker(t, wacz)
	e := newEngine(t, ofWabac, []string{worker}, "/static/", func(timestamp, address string) string {
		return worker + "/frame?show=" + url.QueryEscape("/w/all/"+timestamp+"mp_/"+address)
	})
	// The worker reads the whole index at first, which is no matter of a page.
	e.v.b.visit(t, e.address("2026", "about:blank"))
	e.v.b.waitFor(t, "the worker of wabac.js", `document.getElementById("page").src`)
	return append(all, e)
}

func newEngine(t *testing.T, name string, origins []string, files string,
	address func(string, string) string) *engine {
	t.Helper()
	l, live := listenLive(t)
	ports := map[string]bool{}
	for _, o := range origins {
		ports[o[strings.LastIndex(o, ":")+1:]] = true
	}
	own := func(host string) bool {
		name, port, _ := net.SplitHostPort(host)
		return ports[port] && (name == "127.0.0.1" || name == "localhost" || strings.HasSuffix(name, ".localhost"))
	}
	v := newMeter(t, "MAP * "+live+", EXCLUDE localhost, EXCLUDE 127.0.0.1", own, func(path string) bool {
		return strings.HasPrefix(path, files) || path == "/frame" || path == "/sw.js" || path == "/all.wacz"
	})
	return &engine{name, v, l, address}
}

// quireDamaged is quire for files of the samples that have problems.
func quireDamaged(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(binary(t), args...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		t.Fatalf("quire %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// servePywb starts pywb with its default settings, on its own index of the containers.
func servePywb(t *testing.T, dir string, containers []string) (origin string) {
	t.Helper()
	bin, err := filepath.Abs("../../build/interop/venv/bin")
	if err != nil {
		t.Fatal(err)
	}
	if set := os.Getenv("QUIRE_PYWB"); set != "" {
		bin = set
	}
	root := filepath.Join(dir, "pywb")
	if err := os.Mkdir(root, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "all"}, append([]string{"add", "all"}, containers...)} {
		args = append([]string{filepath.Join(bin, "wb-manager")}, args...)
		cmd := exec.Command(filepath.Join(bin, "python"), args...)
		cmd.Dir = root
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("wb-manager %s: %v\n%s", args[1], err, said)
		}
	}
	address := peers.FreeAddress(t)
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(filepath.Join(bin, "python"), filepath.Join(bin, "wayback"), "-p", port, "-t", "4")
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_ = cmd.Wait() // it ends with a status of its own
	})
	origin = "http://localhost:" + port
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if answer, err := http.Get(origin + "/all/"); err == nil {
			_ = answer.Body.Close()
			return origin
		}
	}
	t.Fatalf("pywb does not answer\n%s", said.String())
	return ""
}

// framePage returns a page that fills the window with a frame, as pywb and wabac.js show pages. The
// script runs before.
func framePage(script string) []byte {
	return []byte(strings.Replace(besideFile("frame.html"), "/*START*/", script, 1))
}

// serveFrames serves the page around the pages of pywb.
func serveFrames(t *testing.T) (origin string) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(framePage(""))
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// serveWorker serves wabac.js and a WACZ file.
func serveWorker(t *testing.T, wacz string) (origin string) {
	t.Helper()
	file := workerFile(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /frame", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write(framePage(besideFile("worker.js")))
	})
	mux.HandleFunc("GET /sw.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) })
	mux.HandleFunc("GET /all.wacz", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, wacz) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
}

// workerFile returns the file of wabac.js.
func workerFile(t *testing.T) string {
	t.Helper()
	assets := os.Getenv("QUIRE_ASSETS")
	if assets == "" {
		assets = "../../build/interop/assets"
	}
	found, _ := filepath.Glob(filepath.Join(assets, "wabac-*", "sw.js"))
	if len(found) == 0 {
		t.Fatalf("%s has no wabac.js: interop/run browser brings it", assets)
	}
	return found[0]
}

// crawlOwn visits websites with Chromium, and records them. It returns the measures of the live pages.
func crawlOwn(t *testing.T, sites []ownSite, handler http.Handler) (file string, live map[string]measure) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "own.warc.gz")
	r, closeFile := record(t, file, handler)
	origin := httptest.NewServer(r)
	defer origin.Close()
	v := newMeter(t, "MAP *.example "+origin.Listener.Addr().String()+", MAP * ~NOTFOUND",
		func(host string) bool { return strings.HasSuffix(host, ".example") }, func(string) bool { return false })
	live = map[string]measure{}
	for _, s := range sites {
		live[s.name] = v.measure(t, s.front, s.front, nil)
	}
	if err := chromedp.Run(v.b.ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	closeFile()
	return file, live
}
