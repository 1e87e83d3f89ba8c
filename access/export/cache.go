package export

import (
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"quire/holdings"
	"quire/internal/disk"
)

// cache is a folder of finished exports, for later requests. The file WHAT.json describes the
// export WHAT-DIGEST. The size of the folder is limited: the least recently requested exports are
// removed first. An export is served only while the package and the rights of its readers are
// unchanged (Source.State).
type cache struct {
	dir  string
	most int64 // bytes

	mu      sync.Mutex
	labels  map[string]*label
	checked map[string]bool // exports already verified against their digests
}

// label describes an export.
type label struct {
	What     string         `json:"what"` // digest of the wish
	State    string         `json:"state"`
	Package  string         `json:"package"`
	Version  string         `json:"version"`
	As       string         `json:"as"`
	For      holdings.Class `json:"for"`
	FileName string         `json:"name"` // for the client that saves it
	MIME     string         `json:"mime"`
	Size     int64          `json:"size"`
	SHA512   string         `json:"sha512"`
	Made     time.Time      `json:"made"`

	used time.Time
}

// file returns the file name of the export.
func (l *label) file() string { return l.What + "-" + l.SHA512[:min(16, len(l.SHA512))] }

const labelEnding = ".json"

// openShelf reads the folder. It removes files without a label: the machine stopped while they were
// written.
func openShelf(dir string, most int64) (*cache, error) {
	s := &cache{dir: dir, most: most, labels: map[string]*label{}, checked: map[string]bool{}}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	told := map[string]bool{}
	for _, e := range entries {
		if what, ok := strings.CutSuffix(e.Name(), labelEnding); ok && e.Type().IsRegular() {
			if l := s.read(what, e); l != nil {
				s.labels[what] = l
				told[e.Name()], told[l.file()] = true, true
			}
		}
	}
	for _, e := range entries {
		if !told[e.Name()] && e.Type().IsRegular() {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return s, s.room(0)
}

// read reads a label; nil if the label or its export is incomplete.
func (s *cache) read(what string, e fs.DirEntry) *label {
	text, err := os.ReadFile(filepath.Join(s.dir, e.Name()))
	l := &label{}
	if err != nil || json.Unmarshal(text, l) != nil || l.What != what || len(l.SHA512) != hex.EncodedLen(sha512.Size) {
		return nil
	}
	info, err := os.Lstat(filepath.Join(s.dir, l.file()))
	if err != nil || !info.Mode().IsRegular() || info.Size() != l.Size {
		return nil
	}
	if info, err := e.Info(); err == nil {
		l.used = info.ModTime()
	}
	return l
}

// take returns the cached export for a request and a state of the package, or nil if there is no
// such export. It verifies the bytes once, at the first use.
func (s *cache) take(ctx context.Context, what, state string) (*sharedFile, error) {
	p, checked := s.open(what, state)
	if p == nil || checked {
		return p, nil
	}
	sum := sha512.New()
	_, err := Copy(ctx, sum, io.NewSectionReader(p.file, 0, p.Size), Progress{})
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != p.SHA512 {
		err = errOther
	}
	if err != nil {
		p.close()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, s.remove(what) // it can be created again
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checked[p.file.Name()] = true
	return p, nil
}

var errOther = errors.New("the bytes differ from those written")

func (s *cache) open(what, state string) (p *sharedFile, checked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.labels[what]
	if l == nil || l.State != state {
		return nil, false
	}
	f, err := os.Open(filepath.Join(s.dir, l.file()))
	if err != nil {
		return nil, false
	}
	if info, err := f.Stat(); err != nil || info.Size() != l.Size {
		_ = f.Close() // only read
		return nil, false
	}
	l.used = time.Now()
	// affects only the order of removal after the next start
	_ = os.Chtimes(filepath.Join(s.dir, what+labelEnding), time.Time{}, l.used)
	return &sharedFile{label: *l, file: f, users: 1}, s.checked[f.Name()]
}

// put stores an export in place of the previous one of the same wish, and opens it. If it exceeds
// the size of the shelf, or keep is false, the file is unlinked.
func (s *cache) put(file string, l label, keep bool) (*sharedFile, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	l.Size = info.Size()
	p := &sharedFile{label: l, file: f, users: 1}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.drop(l.What); err != nil {
		return p, err
	}
	if !keep || l.Size > s.most {
		return p, os.Remove(file)
	}
	if err := s.room(l.Size); err != nil {
		return p, err
	}
	target := filepath.Join(s.dir, l.file())
	if err := os.Rename(file, target); err != nil {
		return p, err
	}
	err = disk.Write(filepath.Join(s.dir, l.What+labelEnding), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(&l)
	})
	if err != nil {
		return p, errors.Join(err, os.Remove(target))
	}
	l.used = time.Now()
	s.labels[l.What], s.checked[target] = &l, true
	return p, nil
}

// room removes the least recently requested exports, until that many more bytes fit.
func (s *cache) room(bytes int64) error {
	all := make([]*label, 0, len(s.labels))
	total := bytes
	for _, l := range s.labels {
		all = append(all, l)
		total += l.Size
	}
	slices.SortFunc(all, func(a, b *label) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.What, b.What))
	})
	for _, l := range all {
		if total <= s.most {
			break
		}
		if err := s.drop(l.What); err != nil {
			return err
		}
		total -= l.Size
	}
	return nil
}

func (s *cache) remove(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drop(what)
}

// drop removes the export of a wish. Open readers can still finish.
func (s *cache) drop(what string) error {
	l := s.labels[what]
	if l == nil {
		return nil
	}
	delete(s.labels, what)
	file := filepath.Join(s.dir, l.file())
	delete(s.checked, file)
	for _, name := range []string{filepath.Join(s.dir, what+labelEnding), file} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing a stored export: %w", err)
		}
	}
	return nil
}
