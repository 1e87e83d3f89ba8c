package captures

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/internal/disk"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
	"quire/repository/store"
)

// Lines of containers without sufficient lines in their package are stored in files of the same
// form, by the SHA-512 of the container. So a container is read only once, even for more data than
// pages need.
const (
	madeDir    = "made"
	madeExt    = ".cdxj.gz"
	cachedPath = "made" // container path in these files, because the container may be in several places
)

func (x *Index) madePath(sha512 string) string { return filepath.Join(x.dir, madeDir, sha512+madeExt) }

// make reads a container, stores its lines, and yields them. If they cannot be stored, it still
// yields them.
func (x *Index) make(ctx context.Context, f io.ReadSeeker, c *Container, progress func(bytes int64),
	visit func(*cdxj.Line) error) (*cdxj.Header, error) {
	m, size, err := pass(ctx, f, c, progress)
	defer func() { _ = m.Close() }() // its content is not needed any more
	if err != nil {
		return nil, err
	}
	of := cdxj.Container{Path: cachedPath, Size: size, SHA512: c.SHA512}
	path := x.madePath(c.SHA512)
	err = os.MkdirAll(filepath.Dir(path), 0o750)
	if err == nil {
		err = disk.Write(path, func(w io.Writer) error { _, err := m.Write(w, of); return err })
	}
	var out *os.File
	if err != nil { // no write permission
		if out, err = os.CreateTemp("", "quire-lines-*"); err != nil {
			return nil, err
		}
		defer func() { _ = os.Remove(out.Name()) }() // a temporary file
		_, err = m.Write(out, of)
	} else {
		out, err = os.Open(path)
	}
	if err != nil {
		return nil, errors.Join(err, closeIf(out))
	}
	h, err := reread(ctx, out, of, visit)
	return h, errors.Join(err, out.Close())
}

func closeIf(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}

// abandoned is the age at which a temporary file is treated as abandoned.
const abandoned = 24 * time.Hour

// Sweep removes the stored lines of a container if no version of any package has the container any
// more.
func (x *Index) Sweep(ctx context.Context, s *store.Store) error {
	entries, err := os.ReadDir(filepath.Join(x.dir, madeDir))
	if errors.Is(err, fs.ErrNotExist) || len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for p, err := range s.Packages(ctx) {
		if err != nil {
			return err
		}
		h, err := s.History(ctx, p.ID)
		if err != nil {
			return err
		}
		for _, v := range h.Versions {
			for _, f := range v.Files {
				there[f.SHA512] = there[f.SHA512] || f.Use == aip.UseContainers
			}
		}
	}
	for _, e := range entries {
		sum, ok := strings.CutSuffix(e.Name(), madeExt)
		if info, err := e.Info(); !ok && err == nil {
			ok = time.Since(info.ModTime()) > abandoned // another process may still be writing this temporary file
		}
		if ok && !there[sum] {
			if err := os.Remove(filepath.Join(x.dir, madeDir, e.Name())); err != nil &&
				!errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
