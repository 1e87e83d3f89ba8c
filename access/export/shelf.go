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

// shelf is a folder with exports that were made, for those who ask for them again: WHAT.json says
// what lies in WHAT-DIGEST. It holds so many bytes and no more; what was not asked for the longest
// goes first. What lies there is handed out only while the package, and what its readers may have
// of it, is as it was (Source.State).
type shelf struct {
	dir  string
	most int64 // bytes

	mu      sync.Mutex
	labels  map[string]*label
	checked map[string]bool // those whose bytes were compared with their digest
}

// label says what an export is.
type label struct {
	What     string         `json:"what"` // digest of the wish
	State    string         `json:"state"`
	Package  string         `json:"package"`
	Version  string         `json:"version"`
	As       string         `json:"as"`
	For      holdings.Class `json:"for"`
	FileName string         `json:"name"` // for who saves it
	MIME     string         `json:"mime"`
	Size     int64          `json:"size"`
	SHA512   string         `json:"sha512"`
	Made     time.Time      `json:"made"`

	used time.Time
}

// file is where it lies.
func (l *label) file() string { return l.What + "-" + l.SHA512[:min(16, len(l.SHA512))] }

const labelEnding = ".json"

// openShelf reads what lies in a folder. What no label tells of is removed: it was left when the
// machine stopped.
func openShelf(dir string, most int64) (*shelf, error) {
	s := &shelf{dir: dir, most: most, labels: map[string]*label{}, checked: map[string]bool{}}
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

// read reads a label; nil when it, or what it tells of, is not whole.
func (s *shelf) read(what string, e fs.DirEntry) *label {
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

// take gives what was made of a wish in that state; nil when there is nothing. Its bytes are
// compared with their digest once.
func (s *shelf) take(ctx context.Context, what, state string) (*parcel, error) {
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
		return nil, s.remove(what) // it can be made again
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checked[p.file.Name()] = true
	return p, nil
}

var errOther = errors.New("not the bytes that were written")

func (s *shelf) open(what, state string) (p *parcel, checked bool) {
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
	// only says what goes first after the next start
	_ = os.Chtimes(filepath.Join(s.dir, what+labelEnding), time.Time{}, l.used)
	return &parcel{label: *l, file: f, users: 1}, s.checked[f.Name()]
}

// put lays a file down, in the place of what was made of the same wish before, and opens it. What
// is too long for the shelf, or not to be kept, loses its name.
func (s *shelf) put(file string, l label, keep bool) (*parcel, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	l.Size = info.Size()
	p := &parcel{label: l, file: f, users: 1}
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

// room removes what was not asked for the longest, until there is room for so many bytes more.
func (s *shelf) room(bytes int64) error {
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

func (s *shelf) remove(what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.drop(what)
}

// drop removes what was made of a wish. Who reads it reads on.
func (s *shelf) drop(what string) error {
	l := s.labels[what]
	if l == nil {
		return nil
	}
	delete(s.labels, what)
	file := filepath.Join(s.dir, l.file())
	delete(s.checked, file)
	for _, name := range []string{filepath.Join(s.dir, what+labelEnding), file} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing an export that was kept: %w", err)
		}
	}
	return nil
}
