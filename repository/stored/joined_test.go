package stored

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJoin: parts in several files are one record. A damaged or missing part, or a wrong digest of the whole, is
// an error where it is reached, and no file stays open.
func TestJoin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	blocks := []string{"HTTP/1.1 200 OK\r\n\r\none ", "two ", "three"}
	kinds := []string{"response", "continuation", "continuation"}
	var places []Place
	for i, block := range blocks {
		text := record(kinds[i], "", "application/http;msgtype=response", block)
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := Place{Stored: int64(len(text)), Body: int64(len(block))}
		if i == 0 {
			p.Head = int64(strings.Index(block, "one"))
			p.Body -= p.Head
		}
		sum := sha256.Sum256([]byte(block[p.Head:]))
		p.SHA256 = sum[:]
		places = append(places, p)
	}
	const body = "one two three"
	sum := sha256.Sum256([]byte(body))
	for name, c := range map[string]struct {
		damage int // the part whose digest is another
		sum    []byte
		missing,
		verify bool
		read, err string
	}{
		"whole":                {-1, sum[:], false, false, body, ""},
		"without a digest":     {-1, nil, false, false, body, ""},
		"another digest":       {-1, make([]byte, 32), false, false, body, "has different bytes"},
		"a damaged part":       {1, sum[:], false, false, "one two ", "segment 2: the body has different bytes"},
		"verified beforehand":  {1, sum[:], false, true, "one ", "segment 2: the body has different bytes"},
		"no file of a segment": {-1, sum[:], true, false, "one two ", "segment 3: open "},
	} {
		opened := map[int]*Record{}
		whole := Place{Head: places[0].Head, Body: int64(len(body)), SHA256: c.sum}
		r, err := Join(&whole, len(places), func(i int) (rec *Record, err error) {
			p, path := places[i], filepath.Join(dir, string(rune('a'+i)))
			if c.missing && i == 2 {
				path += "-missing"
			}
			if i == c.damage {
				p.SHA256 = make([]byte, 32)
			}
			f, err := os.Open(path)
			if err != nil {
				return nil, err
			}
			if c.verify {
				rec, err = Verified(context.Background(), f, &p)
			} else {
				rec, err = Opened(context.Background(), f, &p)
			}
			opened[i] = rec
			return rec, err
		})
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := io.ReadAll(r)
		if string(text) != c.read || (err == nil) != (c.err == "") ||
			err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: read %q, %v", name, text, err)
		}
		if r.Head == nil || r.Head.StatusCode != 200 || c.sum == nil && string(r.Sum()) != string(sum[:]) {
			t.Errorf("%s: head %v, sum %x", name, r.Head, r.Sum())
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		for i, rec := range opened {
			if rec == nil {
				continue
			}
			if err := rec.file.Close(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("%s: the file of part %d was open: %v", name, i, err)
			}
		}
	}
}
