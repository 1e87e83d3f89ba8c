package schematest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Manifest returns the lines of the manifest next to the schemas in dir, by file. A line has the
// file, version, source, path in the source, SHA-256, namespace, official URL and status.
func Manifest(t *testing.T, dir string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		all[fields[0]] = fields
	}
	return all
}

// Home starts a server on the loopback that serves the schemas in dir as their home pages do: below
// its URL are their hosts and paths. For containerMD it has the existing versions: a draft of 1.2,
// and a 1.1 derived from it.
func Home(t *testing.T, dir string) (url string) {
	t.Helper()
	files := map[string]string{
		"bibnum.bnf.fr/schema/containerMD-v1_2.xsd": "containerMD/containerMD-v1_2-draft-2016-07-25.xsd",
		"bibnum.bnf.fr/schema/containerMD-v1_1.xsd": "containerMD/containerMD-v1_1.derived.xsd",
	}
	for file, m := range Manifest(t, dir) {
		if _, place, ok := strings.Cut(m[6], "://"); ok && files[place] == "" {
			files[place] = file
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[strings.TrimPrefix(r.URL.Path, "/")]
		if !ok {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, filepath.Join(dir, filepath.FromSlash(file)))
	}))
	t.Cleanup(server.Close)
	return server.URL
}
