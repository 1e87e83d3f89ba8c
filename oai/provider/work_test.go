package provider_test

import (
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/provider/providertest"
)

// TestRecordsAreRenderedAhead makes each record wait for the next one. They still come in order.
func TestRecordsAreRenderedAhead(t *testing.T) {
	const n = 12
	r := some(n)
	var begun [n + 1]chan struct{}
	for i := range begun {
		begun[i] = make(chan struct{})
	}
	close(begun[n])
	var under, most atomic.Int32
	r.Render = func(ctx context.Context, h protocol.Header, _ string, out io.Writer) error {
		for now := under.Add(1); ; {
			old := most.Load()
			if now <= old || most.CompareAndSwap(old, now) {
				break
			}
		}
		defer under.Add(-1)
		var i int
		if _, err := fmt.Sscanf(h.Identifier, "http://a.example/%03d", &i); err != nil {
			return err
		}
		close(begun[i])
		select {
		case <-begun[i+1]:
		case <-ctx.Done():
			return ctx.Err()
		}
		return providertest.WriteDC(h.Identifier, out)
	}
	doc := ask(t, providertest.Provider(t, r, provider.Options{Ahead: 3}), "verb=ListRecords&metadataPrefix=oai_dc")
	for i, got := range identifiers(doc) {
		if got != id(i) {
			t.Errorf("%s is at position %d", got, i)
		}
	}
	if m := most.Load(); len(identifiers(doc)) != n || m > 3 || m < 2 {
		t.Errorf("%d records, %d at a time", len(identifiers(doc)), m)
	}
}

// TestFewAreRenderedAtATime has many concurrent clients.
func TestFewAreRenderedAtATime(t *testing.T) {
	r := some(20)
	var under, most atomic.Int32
	r.Render = func(_ context.Context, h protocol.Header, _ string, out io.Writer) error {
		if now := under.Add(1); now > most.Load() {
			most.Store(now)
		}
		defer under.Add(-1)
		return providertest.WriteDC(h.Identifier, out)
	}
	p := providertest.Provider(t, r, provider.Options{Renders: 2, Records: 7})
	var ended sync.WaitGroup
	for range 16 {
		ended.Go(func() {
			n := 0
			for _, doc := range harvest(t, p, "ListRecords", "metadataPrefix=oai_dc") {
				n += len(identifiers(doc))
			}
			if n != 20 {
				t.Errorf("%d records", n)
			}
		})
	}
	ended.Wait()
	if most.Load() > 2 {
		t.Errorf("%d at a time", most.Load())
	}
}

// TestHarvestersAtOnce harvests while records change: each harvester sees every unchanged record.
func TestHarvestersAtOnce(t *testing.T) {
	r := some(60)
	base := providertest.Serve(t, r, provider.Options{Records: 7, Headers: 5})
	stop, changed := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(changed)
		for i := 0; ; i = (i + 1) % 20 {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				r.Put(protocol.Header{Identifier: id(i), Datestamp: noon.Add(time.Hour), Deleted: i%2 == 0})
			}
		}
	}()
	var ended sync.WaitGroup
	for n := range 8 {
		verb := []string{"ListRecords", "ListIdentifiers"}[n%2]
		ended.Go(func() {
			seen := map[string]bool{}
			for query := "verb=" + verb + "&metadataPrefix=oai_dc"; query != ""; {
				doc := get(t, base+"?"+query)
				for _, i := range identifiers(doc) {
					seen[i] = true
				}
				query = ""
				if tok, _ := token(doc); tok != "" {
					query = next(verb, tok)
				}
			}
			for i := 20; i < 60; i++ {
				if !seen[id(i)] {
					t.Errorf("%s: %s is missing", verb, id(i))
				}
			}
		})
	}
	ended.Wait()
	close(stop)
	<-changed
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("%s: %d %v", url, res.StatusCode, err)
	}
	return string(body)
}

// TestLittleMemory has records in temporary files, plain and compressed. Afterwards no file
// remains.
func TestLittleMemory(t *testing.T) {
	dir := t.TempDir()
	r := some(6)
	r.Render = large(3 << 20)
	p := providertest.Provider(t, r, provider.Options{Memory: 1, Spool: dir, Bytes: 7 << 20})
	var sums [2][sha256.Size]byte
	for i, accept := range []string{"identity", "gzip"} {
		req := httptest.NewRequest(http.MethodGet, "/oai?verb=ListRecords&metadataPrefix=oai_dc", nil)
		req.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		p.ServeHTTP(w, req)
		var body io.Reader = w.Body
		if accept == "gzip" {
			z, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		doc, err := io.ReadAll(body)
		if err != nil || strings.Count(string(doc), "</a></metadata>") != 3 || len(doc) < 9<<20 {
			t.Errorf("%d bytes, %v", len(doc), err)
		}
		_, rest, _ := strings.Cut(string(doc), "<request")
		sums[i] = sha256.Sum256([]byte(rest))
	}
	if sums[0] != sums[1] {
		t.Error("compressed, the page is another")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
	p = providertest.Provider(t, r, provider.Options{Memory: 1, Spool: "/nonexistent"})
	if got := codes(ask(t, p, "verb=GetRecord&metadataPrefix=oai_dc&identifier="+
		id(1))); got != "cannotDisseminateFormat" {
		t.Errorf("without a folder for temporary files: %s", got)
	}
}

// TestSlowPages checks that pages end at their time limit, and that the list continues after them.
func TestSlowPages(t *testing.T) {
	p := providertest.Provider(t, some(5), provider.Options{Time: 1})
	pages := harvest(t, p, "ListRecords", "metadataPrefix=oai_dc")
	var all []string
	for _, doc := range pages {
		all = append(all, identifiers(doc)...)
		valid(t, doc)
	}
	if len(pages) != 5 || len(all) != 5 || all[4] != id(4) {
		t.Errorf("%d pages, %v", len(pages), all)
	}
}

// TestClientTakesNothing checks that the connection of a client that does not read is closed.
func TestClientTakesNothing(t *testing.T) {
	r := some(50)
	r.Render = large(2 << 20)
	p := providertest.Provider(t, r, provider.Options{Stall: 50 * time.Millisecond, Bytes: 1 << 30, Spool: t.TempDir()})
	ended := make(chan any, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { ended <- recover() }()
		p.ServeHTTP(w, r)
	}))
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		server.URL+"/oai?verb=ListRecords&metadataPrefix=oai_dc", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", "identity") // compressed, it would fit in buffers
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if why := <-ended; why != http.ErrAbortHandler { //nolint:errorlint // a panic's value, as it is
		t.Errorf("the handler ended with %v", why)
	}
	if _, err := io.Copy(io.Discard, res.Body); err == nil {
		t.Error("an answer that is torn looks whole")
	}
}
