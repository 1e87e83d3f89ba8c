package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/model"
)

// single is a format with one file.
var single = export.Format{Name: "single", Ending: ".txt", MIME: "text/plain",
	Make: func(ctx context.Context, s *export.Source, out *export.Output) error {
		if err := s.WriteWithheld(io.Discard); err != nil {
			return err
		}
		_, err := out.Copy(ctx, "file", strings.NewReader(s.Title()+" and more"))
		return err
	}}

// counted returns a format that counts how often it runs.
func counted(name string, n *atomic.Int32) export.Format {
	f := urls
	f.Name = name
	f.Make = func(ctx context.Context, s *export.Source, out *export.Output) error {
		n.Add(1)
		return urls.Make(ctx, s, out)
	}
	return f
}

// desk is a handler with its repository.
type desk struct {
	t       *testing.T
	r       *holdingstest.Repository
	h       *holdings.Holdings
	handler *export.Handler
	dir     string
}

func openDesk(t *testing.T, limits export.Limits, formats ...export.Format) *desk {
	r, h := repository(t)
	d := &desk{t: t, r: r, h: h, dir: t.TempDir()}
	d.open(limits, formats...)
	return d
}

// open opens or reopens the handler.
func (d *desk) open(limits export.Limits, formats ...export.Format) {
	d.t.Helper()
	handler, err := export.NewHandler(export.HandlerOptions{
		Store: d.r.Store, Holdings: d.h, Formats: formats, Dir: filepath.Join(d.dir, "exports"), Limits: limits,
		Log: filepath.Join(d.dir, "downloads.jsonl"),
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.handler = handler
	d.t.Cleanup(handler.Close)
}

// ask requests an export; fields are alternating names and values of header fields.
func (d *desk) ask(method, id, query string, class holdings.Class, fields ...string) *httptest.ResponseRecorder {
	return d.askIn(d.t.Context(), method, id, query, class, fields...)
}

func (d *desk) askIn(ctx context.Context, method, id, query string, class holdings.Class,
	fields ...string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(ctx, method, "/export/"+id+"?as="+query, nil)
	for i := 0; i < len(fields); i += 2 {
		r.Header.Set(fields[i], fields[i+1])
	}
	d.handler.Serve(w, r, holdings.Reader{Class: class}, "", id)
	return w
}

// events returns the number of export events in the package.
func (d *desk) events() (n int) {
	d.t.Helper()
	p, err := d.r.Store.Show(d.t.Context(), "site-1")
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range p.Events {
		if e.Type == string(model.Dissemination) {
			n++
		}
	}
	return n
}

func (d *desk) kept() (files int) {
	entries, err := os.ReadDir(filepath.Join(d.dir, "exports"))
	if err != nil {
		d.t.Fatal(err)
	}
	return len(entries)
}

func TestHandler(t *testing.T) {
	never := export.Format{Name: "never", Make: func(context.Context, *export.Source, *export.Output) error {
		return os.ErrPermission
	}}
	mad := export.Format{Name: "mad", Make: func(context.Context, *export.Source, *export.Output) error { panic("no") }}
	d := openDesk(t, export.Limits{}, urls, single, never, mad)
	for _, c := range []struct {
		method, id, as string
		want           int
	}{
		{"GET", "site-1", "single", http.StatusOK}, {"GET", "site-1", "urls", http.StatusOK},
		{"GET", "site-1", "aip", http.StatusBadRequest},
		{"GET", "none", "urls", http.StatusNotFound}, {"POST", "site-1", "urls", http.StatusMethodNotAllowed},
		{"GET", "site-1", "never", http.StatusInternalServerError},
		{"GET", "site-1", "mad", http.StatusInternalServerError},
	} {
		if w := d.ask(c.method, c.id, c.as, holdings.Public); w.Code != c.want {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
	if w := d.ask("GET", "site-1", "single", holdings.Public); w.Body.Len() == 0 ||
		w.Header().Get("Content-Type") != "text/plain" ||
		!strings.Contains(w.Header().Get("Content-Disposition"), "site-1-single.txt") {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	w := d.ask("GET", "site-1", "urls", holdings.Public)
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	if !slices.Equal(names, []string{"site-1-urls/kept-back.json", "site-1-urls/urls.txt"}) {
		t.Errorf("%q", names)
	}
	if n := d.kept(); n != 4 {
		t.Errorf("%d files are kept, not two exports with a label each", n)
	}
}

// TestHandlerMakesOnce: an export is created once for a class of readers, and again when their
// rights change; each creation is an event, each download a line of the log.
func TestHandlerMakesOnce(t *testing.T) {
	var n atomic.Int32
	form := counted("counted", &n)
	d := openDesk(t, export.Limits{}, form)
	first := d.ask("GET", "site-1", "counted", holdings.Public)
	tag := first.Header().Get("ETag")
	for range 3 {
		if w := d.ask("GET", "site-1", "counted", holdings.Public); w.Code != 200 ||
			!bytes.Equal(w.Body.Bytes(), first.Body.Bytes()) || w.Header().Get("ETag") != tag {
			t.Errorf("%d, %q", w.Code, w.Header().Get("ETag"))
		}
	}
	if n.Load() != 1 || d.events() != 1 {
		t.Errorf("made %d times, %d events", n.Load(), d.events())
	}
	if w := d.ask("GET", "site-1", "counted", holdings.Public, "If-None-Match", tag); w.Code != http.StatusNotModified {
		t.Errorf("If-None-Match: %d", w.Code)
	}
	if w := d.ask("GET", "site-1", "counted", holdings.Public, "Range",
		"bytes=2-5"); w.Code != http.StatusPartialContent || !bytes.Equal(w.Body.Bytes(), first.Body.Bytes()[2:6]) {
		t.Errorf("Range: %d %q", w.Code, w.Body)
	}
	if w := d.ask("HEAD", "site-1", "counted", holdings.Public); w.Code != 200 || w.Header().Get("ETag") != tag ||
		w.Body.Len() != 0 {
		t.Errorf("HEAD: %d %v", w.Code, w.Header())
	}
	if w := d.ask("HEAD", "site-1", "counted", holdings.Staff); w.Code != 200 || w.Header().Get("ETag") != "" ||
		n.Load() != 1 {
		t.Errorf("HEAD without an export: %d %v, created %d times", w.Code, w.Header(), n.Load())
	}

	log, err := os.ReadFile(filepath.Join(d.dir, "downloads.jsonl"))
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	var last struct {
		Package, As, For, SHA512 string
		Status, Sent             int
	}
	if err := errors.Join(err, json.Unmarshal([]byte(lines[len(lines)-1]), &last)); err != nil {
		t.Fatal(err)
	}
	if len(lines) != 5 || last.Package != "site-1" || last.As != "counted" || last.For != "public" ||
		last.Status != 206 || last.Sent != 4 || `"`+last.SHA512[:32]+`"` != tag {
		t.Errorf("%s", log)
	}

	if w := d.ask("GET", "site-1", "counted", holdings.Staff); w.Header().Get("ETag") == tag || n.Load() != 2 {
		t.Errorf("curators get the public's export: created %d times", n.Load())
	}
	// A stored export stays valid after two days and after a restart.
	d.r.Clock.Set(d.r.Clock.Now().Add(48 * time.Hour))
	d.ask("GET", "site-1", "counted", holdings.Public)
	d.handler.Close()
	d.open(export.Limits{}, form)
	if w := d.ask("GET", "site-1", "counted", holdings.Public); w.Header().Get("ETag") != tag || n.Load() != 2 {
		t.Errorf("after a start: made %d times", n.Load())
	}
	// A change of rights does.
	d.r.Rules("rules:\n  - urls: [http://a.example/z]\n    access: blocked\n")
	w := d.ask("GET", "site-1", "counted", holdings.Public)
	if w.Header().Get("ETag") == tag || n.Load() != 3 || d.events() != 3 {
		t.Errorf("after a rule: made %d times, %d events", n.Load(), d.events())
	}
	if z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len())); err != nil ||
		z.File[1].UncompressedSize64 != uint64(len("http://a.example/a <p>two\nhttp://a.example/secret <p>three\n")) {
		t.Errorf("after a rule: %v, %v", z.File[1].FileHeader, err)
	}
	if n := d.kept(); n != 4 {
		t.Errorf("%d files are stored: an export with closed content is still there", n)
	}
}

// TestHandlerRulesWhileMaking: content closed during an export is in no export served afterwards.
func TestHandlerRulesWhileMaking(t *testing.T) {
	made := 0
	var d *desk
	slow := urls
	slow.Name = "slow"
	slow.Make = func(ctx context.Context, s *export.Source, out *export.Output) error {
		err := urls.Make(ctx, s, out)
		if made++; made == 1 { // everything is written, but not yet in place
			d.r.Rules("rules:\n  - urls: [http://a.example/z]\n    access: blocked\n")
		}
		return err
	}
	d = openDesk(t, export.Limits{}, slow)
	w := d.ask("GET", "site-1", "slow", holdings.Public)
	if w.Code != http.StatusOK || made != 2 {
		t.Fatalf("%d, made %d times", w.Code, made)
	}
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	in, err := z.File[1].Open()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(in); err != nil || len(text) == 0 ||
		strings.Contains(string(text), "http://a.example/z") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestHandlerDamagedShelf: a damaged stored export is created again, not served.
func TestHandlerDamagedShelf(t *testing.T) {
	var n atomic.Int32
	form := counted("counted", &n)
	d := openDesk(t, export.Limits{}, form)
	want := d.ask("GET", "site-1", "counted", holdings.Public).Body.Bytes()
	d.handler.Close()
	files, err := filepath.Glob(filepath.Join(d.dir, "exports", "*-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	if err := errors.Join(os.WriteFile(files[0], bytes.Repeat([]byte{'x'}, len(want)), 0o600),
		os.WriteFile(filepath.Join(d.dir, "exports", "left-behind"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	d.open(export.Limits{}, form)
	if w := d.ask("GET", "site-1", "counted", holdings.Public); !bytes.Equal(w.Body.Bytes(), want) || n.Load() != 2 ||
		d.kept() != 2 {
		t.Errorf("%q, made %d times, %d files kept", w.Body, n.Load(), d.kept())
	}
}

// TestHandlerKeepsSoMuch: the least recently requested export is removed first; an export above the
// storage limit is still served.
func TestHandlerKeepsSoMuch(t *testing.T) {
	var n [3]atomic.Int32
	a, b, c := counted("a", &n[0]), counted("b", &n[1]), counted("c", &n[2])
	d := openDesk(t, export.Limits{}, a, b, c)
	size := int64(d.ask("GET", "site-1", "a", holdings.Public).Body.Len())
	d.handler.Close()
	d.open(export.Limits{Kept: 2*size + size/2}, a, b, c)
	for _, as := range []string{"a", "b", "a", "c", "a", "b"} {
		if w := d.ask("GET", "site-1", as, holdings.Public); w.Code != 200 {
			t.Errorf("%s: %d", as, w.Code)
		}
	}
	if n[0].Load() != 1 || n[1].Load() != 2 || n[2].Load() != 1 || d.kept() != 4 {
		t.Errorf("made %d, %d, %d times; %d files kept", n[0].Load(), n[1].Load(), n[2].Load(), d.kept())
	}
	d.handler.Close()
	d.open(export.Limits{Kept: -1}, a)
	if w := d.ask("GET", "site-1", "a", holdings.Public); w.Code != 200 || w.Body.Len() == 0 || d.kept() != 0 {
		t.Errorf("%d, %d bytes, %d files kept", w.Code, w.Body.Len(), d.kept())
	}
}

// slow is a format that signals its start, and waits.
func slow(begun chan<- string, release <-chan struct{}) export.Format {
	return export.Format{Name: "slow", Make: func(ctx context.Context, _ *export.Source, out *export.Output) error {
		begun <- out.Options.At
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
}

// TestHandlerGone: an export without waiting clients is cancelled, and leaves nothing.
func TestHandlerGone(t *testing.T) {
	begun := make(chan string, 10)
	d := openDesk(t, export.Limits{AtOnce: 1}, slow(begun, nil), single)
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.askIn(ctx, "GET", "site-1", "slow", holdings.Public)
	}()
	<-begun
	leave()
	<-done
	// The slot is free again.
	if w := d.ask("GET", "site-1", "single", holdings.Public); w.Code != http.StatusOK {
		t.Errorf("after it: %d %s", w.Code, w.Body)
	}
	if d.events() != 1 || d.kept() != 2 {
		t.Errorf("%d events, %d files", d.events(), d.kept())
	}
	d.handler.Close()
	if w := d.ask("GET", "site-1", "single&at=2", holdings.Public); w.Code != http.StatusServiceUnavailable {
		t.Errorf("after the end: %d", w.Code)
	}
}

// TestHandlerLimits: an export that is too large or too slow is reported, and not retried at once.
func TestHandlerLimits(t *testing.T) {
	var n atomic.Int32
	large := export.Format{Name: "large", Make: func(_ context.Context, _ *export.Source, out *export.Output) error {
		n.Add(1)
		_, err := out.Write("x", func(w io.Writer) error {
			for {
				if _, err := w.Write(make([]byte, 1000)); err != nil {
					return err
				}
			}
		})
		return err
	}}
	beside := export.Format{Name: "beside", Make: func(_ context.Context, _ *export.Source, out *export.Output) error {
		for {
			if _, err := out.Bounded(io.Discard).Write(make([]byte, 1000)); err != nil {
				return err
			}
		}
	}}
	d := openDesk(t, export.Limits{Size: 1 << 20, Time: time.Hour}, large, beside)
	for _, as := range []string{"large", "large", "beside"} {
		if w := d.ask("GET", "site-1", as, holdings.Public); w.Code != http.StatusForbidden ||
			!strings.Contains(w.Body.String(), "1.0 MB") {
			t.Errorf("%s: %d %s", as, w.Code, w.Body)
		}
	}
	if n.Load() != 1 || d.events() != 0 || d.kept() != 0 {
		t.Errorf("tried %d times, %d events, %d files", n.Load(), d.events(), d.kept())
	}

	begun := make(chan string, 10)
	d.handler.Close()
	d.open(export.Limits{Time: 300 * time.Millisecond}, slow(begun, nil))
	for range 2 {
		if w := d.ask("GET", "site-1", "slow", holdings.Public); w.Code != http.StatusServiceUnavailable ||
			!strings.Contains(w.Body.String(), "300ms") || w.Header().Get("Retry-After") != "3600" {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
}

// TestHandlerNothing: readers to whom nothing is open get no export.
func TestHandlerNothing(t *testing.T) {
	d := openDesk(t, export.Limits{}, urls)
	d.r.Rules("rules:\n  - urls: [\"(example,a,)/\"]\n    access: restricted\n")
	if w := d.ask("GET", "site-1", "urls", holdings.Public); w.Code != http.StatusForbidden ||
		!strings.Contains(w.Body.String(), "nothing of this package is open to you") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if w := d.ask("GET", "site-1", "urls", holdings.Staff); w.Code != http.StatusOK {
		t.Errorf("curators: %d: %s", w.Code, w.Body)
	}
}
