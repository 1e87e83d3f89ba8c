package httpserver

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestCheckHealth(t *testing.T) {
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		want    string // in the error; "" for none
	}{
		{"healthy", Health, ""},
		{"another server", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) },
			`200 "hel`},
		{"failing", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "ok", 500) }, "answers 500"},
		{"redirect", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		}, "answers 302"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != HealthPath || r.URL.RawQuery != "" {
					t.Errorf("asked for %s", r.URL)
				}
				c.handler(w, r)
			}))
			defer s.Close()
			err := CheckHealth(t.Context(), s.URL+"/some/page?q=1")
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, not %q", err, c.want)
			}
		})
	}
	gone := httptest.NewServer(nil)
	gone.Close()
	if err := CheckHealth(t.Context(), gone.URL); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Errorf("a server that is gone: %v", err)
	}
	for _, wrong := range []string{"", "127.0.0.1:8000", "ftp://a.example", "http://"} {
		if err := CheckHealth(t.Context(), wrong); err == nil || !strings.Contains(err.Error(), "write it as") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestHealthMethods(t *testing.T) {
	for method, want := range map[string]int{"GET": 200, "HEAD": 200, "POST": 405, "DELETE": 405} {
		w := httptest.NewRecorder()
		Health(w, httptest.NewRequest(method, HealthPath, nil))
		if w.Code != want {
			t.Errorf("%s: %d, not %d", method, w.Code, want)
		}
	}
}
