package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/holdings"
)

// single is a format of one file.
var single = export.Format{Name: "single", Ending: ".txt", MIME: "text/plain", Make: func(ctx context.Context, s *export.Source, out *export.Output) error {
	if err := s.WriteKept(io.Discard); err != nil {
		return err
	}
	_, err := out.Copy(ctx, "file", strings.NewReader(s.Title()))
	return err
}}

func TestHandler(t *testing.T) {
	r, h := repository(t)
	dir := t.TempDir()
	hidden := export.Format{Name: "never", Make: func(context.Context, *export.Source, *export.Output) error { return os.ErrPermission }}
	handler := export.NewHandler(export.Handler{Store: r.Store, Holdings: h, Formats: []export.Format{urls, single, hidden}, Dir: dir})
	ask := func(method, id, as string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.Serve(w, httptest.NewRequestWithContext(t.Context(), method, "/export/"+id+"?as="+as, nil), holdings.Reader{Class: holdings.Public}, "", id)
		return w
	}
	for _, c := range []struct {
		method, id, as string
		want           int
	}{
		{"GET", "site-1", "single", http.StatusOK}, {"GET", "site-1", "urls", http.StatusOK}, {"GET", "site-1", "aip", http.StatusBadRequest},
		{"GET", "none", "urls", http.StatusNotFound}, {"HEAD", "site-1", "urls", http.StatusMethodNotAllowed}, {"GET", "site-1", "never", http.StatusInternalServerError},
	} {
		if w := ask(c.method, c.id, c.as); w.Code != c.want {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
	if w := ask("GET", "site-1", "single"); w.Body.Len() == 0 || w.Header().Get("Content-Type") != "text/plain" || !strings.Contains(w.Header().Get("Content-Disposition"), "site-1-single.txt") {
		t.Errorf("%v %s", w.Header(), w.Body)
	}
	w := ask("GET", "site-1", "urls")
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
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestHandlerAtOnce: more exports than the server makes at once are told to come back.
func TestHandlerAtOnce(t *testing.T) {
	r, h := repository(t)
	begun, release := make(chan struct{}), make(chan struct{})
	slow := export.Format{Name: "slow", Make: func(context.Context, *export.Source, *export.Output) error {
		close(begun)
		<-release
		return nil
	}}
	handler := export.NewHandler(export.Handler{Store: r.Store, Holdings: h, Formats: []export.Format{slow}, Dir: t.TempDir(), AtOnce: 1})
	ask := func() int {
		w := httptest.NewRecorder()
		handler.Serve(w, httptest.NewRequestWithContext(t.Context(), "GET", "/export/site-1?as=slow", nil), holdings.Reader{Class: holdings.Public}, "", "site-1")
		return w.Code
	}
	done := make(chan int)
	go func() { done <- ask() }()
	<-begun
	if code := ask(); code != http.StatusServiceUnavailable {
		t.Errorf("the second: %d", code)
	}
	close(release)
	if code := <-done; code != http.StatusOK {
		t.Errorf("the first: %d", code)
	}
}
