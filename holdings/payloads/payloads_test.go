package payloads

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/dedup"
	"quire/preserve/pack"
	"quire/repository/store"
)

func record(id, date, body string) string {
	block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	return fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:%s>\r\nWARC-Target-URI: "+
		"http://a.org/%s\r\nWARC-Date: %s\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		id, id, date, len(block), block)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRepository: payloads in a repository are found in its packages; the cache follows new
// packages, and is rebuilt if lost or damaged.
func TestRepository(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	repo := filepath.Join(dir, "repo")
	s, err := store.Init(ctx, repo, store.InitOptions{Describe: aip.Describe})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cache := filepath.Join(repo, "payloads.db")
	source := filepath.Join(dir, "new.warc")
	write(t, source, record("a2", "2021-01-01T00:00:00Z", "first")+record("b2", "2021-01-01T00:00:00Z", "second")+
		record("c2", "2021-01-01T00:00:00Z", "third"))
	number := 0
	ingest := func(content string) {
		number++
		crawl, packed := filepath.Join(dir, fmt.Sprint("crawl", number)),
			filepath.Join(dir, fmt.Sprint("package", number))
		write(t, filepath.Join(crawl, "old.warc"), content)
		if _, err := pack.Pack(ctx, []string{crawl},
			pack.Options{Out: packed, Agent: model.Agent{Name: "Quire", Version: "test"}}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Ingest(ctx, packed, store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	replaced := func() int64 {
		number++
		out := filepath.Join(dir, fmt.Sprint("out", number))
		stored, err := Open(ctx, s, repo, Options{Problem: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		defer stored.Close()
		o := dedup.Options{Out: out, Against: []dedup.Holding{stored},
			Agent: model.Agent{Name: "Quire", Version: "test"}}
		r, err := dedup.Run(ctx, source, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Out += "-undone"
		u, err := dedup.Undo(ctx, out, o)
		if err != nil || u.Replaced != r.Replaced || u.LostAll != 0 {
			t.Fatalf("undone %+v, %v", u, err)
		}
		was, _ := os.ReadFile(source)
		is, err := os.ReadFile(filepath.Join(o.Out, "new.warc"))
		if err != nil || string(was) != string(is) {
			t.Errorf("it comes back otherwise: %v", err)
		}
		return r.Replaced
	}
	ingest(record("a", "2020-01-01T00:00:00Z", "first"))
	if n := replaced(); n != 1 {
		t.Errorf("%d replaced after the first package", n)
	}
	ingest(record("b", "2020-02-01T00:00:00Z", "second"))
	if n := replaced(); n != 2 {
		t.Errorf("%d replaced after the second package", n)
	}
	write(t, cache, "no database at all, and long enough to be taken for one of another kind")
	if n := replaced(); n != 2 {
		t.Errorf("%d replaced when the cache is broken", n)
	}
	for _, ext := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(cache + ext)
	}
	if n := replaced(); n != 2 {
		t.Errorf("%d replaced when the cache is lost", n)
	}
}
