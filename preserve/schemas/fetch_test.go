package schemas

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// small returns a schema of a namespace with one element.
func small(namespace string) string {
	return fmt.Sprintf(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace=%q><xs:element `+
		`name="a" type="xs:string"/></xs:schema>`, namespace)
}

// home is a server with the home pages of three schemas. One of these schemas is not pinned. The
// server counts the requests.
type home struct {
	*httptest.Server
	mu      sync.Mutex // the handler continues after a client gives up
	asked   []string
	answers map[string]http.HandlerFunc // replaces the file, by path
}

// ask counts a request. It returns the handler that replaces the file, or nil.
func (h *home) ask(place string) http.HandlerFunc {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, place)
	return h.answers[place]
}

// answer replaces the file at a path with a handler; nil restores the file.
func (h *home) answer(place string, f http.HandlerFunc) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answers[place] = f
}

// forget returns the requests since its last call.
func (h *home) forget() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

var testFiles = map[string]string{"a.example/one.xsd": small("urn:one"), "b.example/d/two.xsd": small("urn:two"),
	"c.example/three.xsd": small("urn:three")}

func testList() []official {
	pin := func(file, ns, place string) official {
		return official{file: file, sha256: digest([]byte(testFiles[place])), size: int64(len(testFiles[place])),
			namespace: ns, url: "http://" + place}
	}
	exported := pin("x/exported.xsd", "urn:one", "a.example/one.xsd")
	exported.export = true
	return []official{pin("one.xsd", "urn:one", "a.example/one.xsd"),
		pin("d/two.xsd", "urn:two", "b.example/d/two.xsd"),
		{file: "three.xsd", namespace: "urn:three", url: "https://c.example/three.xsd"}, exported}
}

func newHome(t *testing.T) *home {
	h := &home{answers: map[string]http.HandlerFunc{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		place := strings.TrimPrefix(r.URL.Path, "/mirror/")
		if answer := h.ask(place); answer != nil {
			answer(w, r)
			return
		}
		text, there := testFiles[place]
		if !there || r.UserAgent() != "tester" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *home) options(dir string) Options {
	return Options{To: dir, From: h.URL + "/mirror/", Agent: "tester", list: testList(), Timeout: 5 * time.Minute}
}

// inside lists the files of a folder.
func inside(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(p, dir+"/"))
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

func states(r *Report) string {
	var all []string
	for _, f := range r.Files {
		all = append(all, f.Path+": "+f.State)
	}
	return strings.Join(all, ", ")
}

func mustFetch(t *testing.T, o Options) *Report {
	t.Helper()
	r, err := Fetch(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const whole = "catalog.xml d/two.xsd drivers/mets-all-legacy.xsd drivers/mets-all.xsd one.xsd quire/harvestmd.xsd"

func TestFetch(t *testing.T) {
	h, dir := newHome(t), filepath.Join(t.TempDir(), "new", "schemas")
	o := h.options(dir)
	var total, done int64
	o.Start, o.Progress = func(n int64) { total = n }, func(n int64) { done += n }
	r := mustFetch(t, o)
	if got := states(r); got != "one.xsd: fetched, d/two.xsd: fetched, three.xsd: left out" || inside(t, dir) != whole {
		t.Errorf("%s; there is %s", got, inside(t, dir))
	}
	if total == 0 || total != done || r.Catalog != "catalog.xml" || len(r.Drivers) != 2 {
		t.Errorf("%d of %d bytes reported; %+v", done, total, r)
	}
	for _, driver := range []string{Driver, LegacyDriver} {
		engine, err := Compile(context.Background(), dir, driver)
		if err != nil {
			t.Fatal(err)
		}
		if err := engine.Validate(context.Background(), strings.NewReader(`<a xmlns="urn:two">x</a>`)); err != nil {
			t.Error(err)
		}
		if engine.Validate(context.Background(), strings.NewReader(`<b xmlns="urn:two">x</b>`)) == nil {
			t.Error("an element that no schema declares is valid")
		}
	}
	h.forget()
	got, asked := states(mustFetch(t, h.options(dir))), h.forget()
	if got != "one.xsd: there already, d/two.xsd: there already, three.xsd: left out" || asked != nil {
		t.Errorf("%s, asked for %v", got, asked)
	}
	o = h.options(dir)
	o.Exports, o.Unpinned = true, true
	if got := states(mustFetch(t, o)); !strings.HasSuffix(got, "three.xsd: taken unchecked, x/exported.xsd: fetched") {
		t.Error(got)
	}
	if got := states(mustFetch(t, h.options(dir))); !strings.HasSuffix(got, "three.xsd: there already") {
		t.Errorf("a stored file is requested again: %s", got)
	}
}

// A damaged or edited file is downloaded again.
func TestFetchReplaces(t *testing.T) {
	h, dir := newHome(t), t.TempDir()
	mustFetch(t, h.options(dir))
	if err := os.WriteFile(filepath.Join(dir, "one.xsd"), []byte(small("urn:other")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := states(mustFetch(t,
		h.options(dir))); got != "one.xsd: replaced, d/two.xsd: there already, three.xsd: left out" {
		t.Error(got)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "one.xsd")); err != nil || string(b) != small("urn:one") {
		t.Errorf("%s, %v", b, err)
	}
}

// For any fault of a home page, the error is reported, no partial file remains, and complete files
// are not downloaded again.
func TestFetchRefuses(t *testing.T) {
	redirect := func(to string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Location", to); w.WriteHeader(302) }
	}
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) }
	}
	for name, c := range map[string]struct {
		place  string
		answer http.HandlerFunc
		want   string
	}{
		"another file": {"a.example/one.xsd", text(small("urn:changed")),
			"it is not the known file"},
		"an empty file": {"a.example/one.xsd", text(""), "and 0 bytes"},
		"not there":     {"a.example/one.xsd", http.NotFound, `a.example/one.xsd: the status is "404 Not Found"`},
		"a server in trouble": {"a.example/one.xsd", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(503)
		}, "503"},
		"round in circles": {"a.example/one.xsd", redirect("/mirror/a.example/one.xsd"), "more than 5 redirects"},
		"to a file":        {"a.example/one.xsd", redirect("file:///etc/passwd"), "file:///etc/passwd"},
		"without end":      {"a.example/one.xsd", text(strings.Repeat("x", maxFile+1)), "the limit for a schema"},
		"breaks off": {"a.example/one.xsd", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("x"))
		}, "ended after 1 bytes"},
		"hangs": {"a.example/one.xsd", func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}, "Client.Timeout"},
		"sorry":   {"c.example/three.xsd", text("<html><p>sorry"), "starts with <html"},
		"nothing": {"c.example/three.xsd", text("not found"), "is not a schema"},
		"a schema of something else": {"c.example/three.xsd", text(small("urn:four")),
			"is not a schema of the namespace urn:three"},
		"a DTD": {"c.example/three.xsd",
			text(`<!DOCTYPE a [<!ENTITY b "c">]>` + small("urn:three")), "is not a schema"},
	} {
		t.Run(name, func(t *testing.T) {
			h, dir := newHome(t), t.TempDir()
			h.answer(c.place, c.answer)
			o := h.options(dir)
			o.Unpinned = true
			r, err := fetchInTime(o, name == "hangs")
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.Contains(err.Error(), "1 of 3 schemas could not be downloaded") {
				t.Fatalf("%+v, %v; want %q", r, err, c.want)
			}
			left := map[string]string{"a.example/one.xsd": "d/two.xsd three.xsd",
				"c.example/three.xsd": "d/two.xsd one.xsd"}[c.place]
			if got := inside(t, dir); got != left {
				t.Errorf("there is %s, want %s", got, left)
			}
			h.answer(c.place, nil)
			h.forget()
			mustFetch(t, o)
			if asked := h.forget(); len(asked) != 1 || asked[0] != c.place {
				t.Errorf("asked again for %v", asked)
			}
		})
	}
}

// fetchInTime sets a short time limit if a file hangs. On a busy machine other files may be late
// too. Then it retries with a longer limit.
func fetchInTime(o Options, hangs bool) (r *Report, err error) {
	if !hangs {
		return Fetch(context.Background(), o)
	}
	for o.Timeout = 100 * time.Millisecond; o.Timeout < time.Minute; o.Timeout *= 3 {
		if r, err = Fetch(context.Background(), o); err == nil || strings.Contains(err.Error(), "1 of 3") {
			break
		}
	}
	return r, err
}

// A home page may redirect, and a file that is not a usable schema is reported before the driver is
// written.
func TestFetchFollows(t *testing.T) {
	h := newHome(t)
	testFiles["moved.example/one.xsd"] = testFiles["a.example/one.xsd"]
	defer delete(testFiles, "moved.example/one.xsd")
	h.answer("a.example/one.xsd", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/mirror/moved.example/one.xsd", http.StatusMovedPermanently)
	})
	mustFetch(t, h.options(t.TempDir()))
}

func TestFetchOfSchemasThatDoNotCompile(t *testing.T) {
	h, dir := newHome(t), t.TempDir()
	h.answer("c.example/three.xsd", func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = w.Write([]byte(`<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:three">` +
			`<xs:element name="a" type="xs:nothing"/></xs:schema>`))
	})
	o := h.options(dir)
	o.Unpinned = true
	if _, err := Fetch(context.Background(), o); err == nil || !strings.Contains(err.Error(), "do not work together") {
		t.Errorf("%v", err)
	}
	if got := inside(t, dir); got != "catalog.xml d/two.xsd one.xsd quire/harvestmd.xsd three.xsd" {
		t.Errorf("there is %s", got)
	}
}

func TestFetchRefusesTheCall(t *testing.T) {
	for _, from := range []string{"mirror.example", "file:///etc", "http://", "://"} {
		if _, err := Fetch(context.Background(), Options{To: t.TempDir(), From: from}); err == nil ||
			!strings.Contains(err.Error(), "is not the URL of a mirror") {
			t.Errorf("%s: %v", from, err)
		}
	}
	h := newHome(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Fetch(context.Background(), h.options(file))
	if asked := h.forget(); err == nil || len(asked) > 0 {
		t.Errorf("a file is accepted as a folder: %v; requests: %v", err, asked)
	}
}

func TestFetchCancelled(t *testing.T) {
	h, dir := newHome(t), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	h.answer("b.example/d/two.xsd", func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() })
	if _, err := Fetch(ctx, h.options(dir)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := inside(t, dir); got != "one.xsd" {
		t.Errorf("there is %s", got)
	}
}
