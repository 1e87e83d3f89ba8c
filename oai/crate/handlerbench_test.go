package crate_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"quire/oai/crate"
	"quire/oai/plugin"
)

// BenchmarkHandler requests pages of CRATEs of files of 25 KB, without tools, from the handler.
func BenchmarkHandler(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		put(b, dir, fmt.Sprintf("%02d/file-%05d.html", i%20, i),
			strings.Repeat(fmt.Sprintf("<p>text of %d</p>\n", i), 1400))
	}
	m, err := crate.Handler(filesOf(b, dir),
		crate.HandlerOptions{Base: "http://a.example/modoai", Folder: dir, State: b.TempDir(),
			Plugins: []plugin.Config{}})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	for {
		if st, err := m.Status(b.Context()); err != nil || st.Ready {
			break
		}
	}
	token := regexp.MustCompile(`<resumptionToken[^>]*>([^<]+)<`)
	query := "verb=ListRecords&metadataPrefix=oai_crate"
	n := 0
	b.ResetTimer()
	for b.Loop() {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/modoai?"+query, nil)
		m.ServeHTTP(w, r)
		page, err := io.ReadAll(w.Body)
		if err != nil || w.Code != http.StatusOK {
			b.Fatal(w.Code, err)
		}
		n += strings.Count(string(page), "<record>")
		query = "verb=ListRecords&metadataPrefix=oai_crate"
		if t := token.FindSubmatch(page[max(0, len(page)-1000):]); t != nil {
			query = "verb=ListRecords&resumptionToken=" + string(t[1])
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "CRATEs/s")
}
