package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/http1"
	"quire/format/warc"
	"quire/internal/testsamples"
	"quire/model"
	"quire/oai/provider"
	"quire/oai/resource"
	"quire/preserve/aip"
	"quire/preserve/pack"
	"quire/repository/store"
	"quire/source/records"
)

// Every bytestream of real crawls is served exactly as stored in the containers, compared with a
// separate reading.
func TestSamples(t *testing.T) {
	samples := testsamples.Path(t, "samples")
	names := []string{"netarchivesuite_solrwayback", "webrecorder_pywb", "harvard-lil_js-wacz", "netarchivesuite_jwat"}
	if testing.Short() {
		names = names[1:2]
	}
	r, c := newRepo(t), later()
	want := map[string]int{} // type, URL and digest of the payload
	for _, name := range names {
		out := filepath.Join(r.Dir, name)
		if _, err := pack.Pack(context.Background(), []string{filepath.Join(samples, name)},
			pack.Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Store.Ingest(context.Background(), out, store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(filepath.Join(out, aip.ContainersDir),
			func(path string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				return payloads(path, want)
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	a := r.open("oai", all(c))
	got, revisits, known := 0, 0, map[string]bool{}
	for key := range want {
		known[key[strings.LastIndexByte(key, ' '):]] = true
	}
	for h, err := range a.List(context.Background(), provider.Query{}) {
		if err != nil {
			t.Fatal(err)
		}
		got++
		res, err := a.Resource(context.Background(), h.Identifier)
		if err != nil {
			t.Errorf("%s: %v", h.Identifier, err)
			continue
		}
		body, err := res.Open(context.Background())
		if err != nil {
			t.Errorf("%s: %v", h.Identifier, err)
			continue
		}
		sum := sha256.New()
		n, err := io.Copy(sum, body)
		_ = body.Close()
		if err != nil || res.Size >= 0 && n != res.Size {
			t.Errorf("%s: %d bytes of %d, %v", h.Identifier, n, res.Size, err)
		}
		if slices.ContainsFunc(res.Events, func(e resource.Event) bool {
			return strings.HasPrefix(e.Detail, "a revisit")
		}) {
			revisits++
			if digest := fmt.Sprintf(" %x", sum.Sum(nil)); !known[digest] {
				t.Errorf("%s has bytes that no record has", h.Identifier)
			}
			continue
		}
		if key := fmt.Sprintf("%s %x", res.URL, sum.Sum(nil)); want[key] == 0 {
			t.Errorf("%s has bytes that no record of that URL has", h.Identifier)
		} else {
			want[key] = -1
		}
	}
	s, err := a.Summary(context.Background())
	if err != nil || len(s.Problems) > 0 {
		t.Fatal(s, err)
	}
	t.Logf("%d records, %d of them revisits; left out %v", got, revisits, s.LeftOut)
	left := 0
	for _, n := range want {
		if n > 0 {
			left++
		}
	}
	most := int64(0)
	for _, out := range s.LeftOut {
		if out.Why != outRevisit {
			most += out.Count
		}
	}
	if int64(left) > most {
		t.Errorf("%d bytestreams have no record, and %d are said to be left out", left, most)
	}
}

// payloads collects the payloads of a container, read record by record from its start.
func payloads(path string, to map[string]int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // read only
	r := records.NewReader(f, nil)
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch rec.Type {
		case warc.TypeResponse, warc.TypeResource, warc.TypeConversion:
		default:
			continue
		}
		uri := rec.URI
		body := io.Reader(rec)
		if strings.HasPrefix(rec.ContentType, "application/http") {
			m, err := http1.ReadMessage(rec, http1.Response)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if body = bytes.NewReader(nil); m != nil {
				body = m.Payload()
			}
		}
		sum := sha256.New()
		var cut *http1.ChunkError
		if _, err := io.Copy(sum, body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &cut) {
			return err
		}
		to[fmt.Sprintf("%s %x", uri, sum.Sum(nil))]++
	}
}
