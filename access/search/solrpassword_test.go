package search

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSolrPassword: requests have the user, and the password of the file. Neither the note nor a message has it.
func TestSolrPassword(t *testing.T) {
	t.Parallel()
	const secret = "correct horse"
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if user, password, _ := r.BasicAuth(); user != "quire" || password != secret {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{}`))
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	file := filepath.Join(dir, "password")
	settings := SolrSettings{URL: server.URL + "/solr", Collection: "quire", Open: "open", User: "quire",
		PasswordFile: file}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text string
		good bool
	}{{secret + "\n", true}, {secret, true}, {"other horse", false}} {
		write(c.text)
		s, err := OpenSolr(t.Context(), dir, newHouse(), settings, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, client := range s.both() {
			err := client.Select(t.Context(), map[string]any{}, &struct{}{})
			if (err == nil) != c.good || err != nil && strings.Contains(err.Error(), "horse") {
				t.Errorf("with %q: %v", c.text, err)
			}
		}
		if err := s.note(); err != nil {
			t.Fatal(err)
		}
		note, err := os.ReadFile(filepath.Join(dir, noteName))
		if err != nil || strings.Contains(string(note), "horse") || !strings.Contains(string(note), file) {
			t.Errorf("the note: %s, %v", note, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if asked != 6 {
		t.Errorf("%d requests", asked)
	}
	for _, text := range []string{"", "\n", secret + "\nhorse", strings.Repeat("horse", 1000)} {
		write(text)
		_, err := OpenSolr(t.Context(), dir, newHouse(), settings, Options{})
		if err == nil || strings.Contains(err.Error(), "horse") {
			t.Errorf("%q: %v", text, err)
		}
	}
	settings.User = ""
	if settings.check() == nil {
		t.Error("a password without a user is accepted")
	}
}
