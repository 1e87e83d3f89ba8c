package caddy

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quire/oai/crate"
)

// While another process holds the index, visitors are served and harvesters wait. After its
// release, harvesters are served.
func TestAnotherProcess(t *testing.T) {
	state := t.TempDir()
	other, err := os.Create(filepath.Join(state, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(other.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	visitors := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("a page")) })
	e := &endpoint{path: "/modoai", site: visitors, make: func() (*crate.Middleware, error) {
		return crate.Handler(visitors, crate.HandlerOptions{Base: "http://a.example/modoai", State: state})
	}}
	if err := e.open(); err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://a.example"+path, nil))
		return w.Code, w.Body.String()
	}
	for path, want := range map[string]int{"/": 200, "/modoaix": 200, "/modoai": 503, "/modoai/sitemap.xml": 503} {
		if code, said := get(path); code != want || want == 200 && said != "a page" {
			t.Errorf("%s: %d %s", path, code, said)
		}
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	e.tried = time.Time{} // simulate the passing of time
	code, said := get("/modoai?verb=Identify")
	for code == 503 && strings.Contains(said, "the first scan of the site is running") {
		time.Sleep(5 * time.Millisecond)
		code, said = get("/modoai?verb=Identify")
	}
	if code != 200 {
		t.Errorf("when it has let go: %d %s", code, said)
	}
	if code, said := get("/"); code != 200 || said != "a page" {
		t.Errorf("a visitor: %d %s", code, said)
	}
	if err := e.close(); err != nil {
		t.Error(err)
	}
}
