package register

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

var (
	background = context.Background()
	someTime   = time.Date(2026, 11, 28, 12, 0, 0, 123456000, time.UTC)
	origin     = Origin("1b7e3a52-0000-4000-8000-000000000001")
)

// fastDir returns a temporary folder, in memory if possible: these tests sync thousands of times.
func fastDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "quire-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// options returns places for a register, with two copies.
func options(t testing.TB) Options {
	root := fastDir(t)
	return Options{Folder: filepath.Join(root, "register"), Key: filepath.Join(root, "register.key"),
		Copies: []string{filepath.Join(root, "copy-1"), filepath.Join(root, "copy-2")}}
}

func mustCreate(t testing.TB, o Options) *Writer {
	t.Helper()
	w, err := Create(background, o, origin, someTime)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func mustOpen(t testing.TB, o Options) *Writer {
	t.Helper()
	w, err := Open(background, o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// leaf returns a leaf that differs for each number.
func leaf(n int) Leaf {
	salt := Salt{byte(n >> 8), byte(n)}
	at := someTime.Add(time.Duration(n) * time.Second)
	switch n % 6 {
	case 0:
		return Version{Time: at, Object: salt.Object("urn:x:1"), Number: uint32(n + 1),
			Inventory: salt.Inventory([64]byte{1})}
	case 1:
		return Batch{Time: at, Run: [16]byte{byte(n)}, Root: salt.Line(nil), Lines: uint64(n), Objects: 5, Problems: 1,
			Type: "fixity check"}
	case 2:
		return Setting{Time: at, Digest: salt.Setting([]byte("rules")), Name: "rules.yaml"}
	case 3:
		return Tombstone{Time: at, Object: salt.Object("urn:x:2"), Record: salt.Record([]byte("gone"))}
	default:
		return Event{Time: at, Object: salt.Object("urn:x:1"), File: salt.Event([]byte{byte(n)}), Type: "ingestion"}
	}
}

func mustAppend(t testing.TB, w *Writer, from, to int) {
	t.Helper()
	_, err := w.Append(background, func(yield func(Leaf, error) bool) {
		for n := from; n < to; n++ {
			if !yield(leaf(n), nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func mustCatchUp(t testing.TB, w *Writer, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if _, err := w.CatchUp(background, path); err != nil {
			t.Fatal(err)
		}
	}
}

// mustBeSound requires a register without findings, with this number of leaves.
func mustBeSound(t testing.TB, w *Writer, path string, size int64) {
	t.Helper()
	report, err := Verify(background, path, VerifyOptions{Keys: []string{w.Keys()[0].Key}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("%s: %v", path, f)
	}
	if report.Head.Size != size {
		t.Errorf("%s has %d leaves, not %d", path, report.Head.Size, size)
	}
}

// codes returns the codes of a verification.
func codes(t testing.TB, path, key string) []Code {
	t.Helper()
	report, err := Verify(background, path, VerifyOptions{Keys: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	var all []Code
	for _, f := range report.Findings {
		all = append(all, f.Code)
	}
	return all
}

// copyFolder copies a register, as a backup.
func copyFolder(t testing.TB, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// change changes one byte of a file.
func change(t testing.TB, path string, at int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[at] ^= 1
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// peer computes trees by tlog alone.
type peer struct{ hashes []tlog.Hash }

func (p *peer) add(t testing.TB, entry []byte) {
	t.Helper()
	n := int64(0)
	for tlog.StoredHashCount(n) < int64(len(p.hashes)) {
		n++
	}
	hashes, err := tlog.StoredHashesForRecordHash(n, tlog.RecordHash(entry), p)
	if err != nil {
		t.Fatal(err)
	}
	p.hashes = append(p.hashes, hashes...)
}

// ReadHashes implements tlog.HashReader.
func (p *peer) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var all []tlog.Hash
	for _, i := range indexes {
		if i >= int64(len(p.hashes)) {
			return nil, fs.ErrNotExist
		}
		all = append(all, p.hashes[i])
	}
	return all, nil
}

func (p *peer) root(t testing.TB, size int64) tlog.Hash {
	t.Helper()
	h, err := tlog.TreeHash(size, p)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var errInjected = errors.New("injected fault")

// door counts the changes to files. It makes a chosen change fail, and, if dies is set, all later
// changes too.
type door struct {
	mu    sync.Mutex
	count int
	at    int // the change that fails; 0: none
	dies  bool
}

func (d *door) fault(op, path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count++
	if d.count == d.at || d.dies && d.at > 0 && d.count > d.at {
		return fmt.Errorf("%s %s: %w", op, filepath.Base(path), errInjected)
	}
	return nil
}

func random(t testing.TB) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}
