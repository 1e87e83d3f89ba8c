package holdings

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"quire/holdings/captures"
	"quire/preserve/aip"
	"quire/repository/stored"
)

// AllFiles gives access to the files of a package without access control. It is for derived data
// that is stored next to the index. Callers that show such data to readers must consult
// [Holdings.Naming] first.
type AllFiles struct {
	Version int
	Files   []StoredFile

	h *Holdings
	p *pkg
}

// StoredFile is a file of a package, possibly a container.
type StoredFile struct {
	Path, Use string // Use is "" for a container
	Harvest   int    // 0 if it belongs to none, or to several
	Size      int64
}

// AllFiles lists the files of the newest version of a package. It returns [captures.ErrNotFound] if
// the package is missing or unreadable.
func (h *Holdings) AllFiles(ctx context.Context, id string) (*AllFiles, error) {
	if err := h.current(ctx); err != nil {
		return nil, err
	}
	h.mu.RLock()
	p := h.packages[id]
	h.mu.RUnlock()
	if p == nil || p.isCollection {
		return nil, fmt.Errorf("package %s: %w", id, captures.ErrNotFound)
	}
	stated, err := h.details(ctx, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("package %s is unreadable: %w", id, captures.ErrNotFound)
	}
	contents, err := h.store.Contents(ctx, id)
	if err != nil {
		return nil, err
	}
	in := &AllFiles{Version: int(p.head), h: h, p: p}
	known := map[string]StoredFile{}
	for i := range stated.Files {
		f := &stated.Files[i]
		known[f.Path] = StoredFile{Use: f.Use, Harvest: f.Harvest}
	}
	for path, c := range stated.Containers {
		known[path] = StoredFile{Harvest: c.Harvest}
	}
	for _, c := range contents {
		if f, ok := known[c.Path]; ok {
			f.Path, f.Size = c.Path, c.Size
			in.Files = append(in.Files, f)
		}
	}
	return in, nil
}

// Open opens a file in storage. Containers have digests for their records; other files are first
// verified against their SHA-512, copy by copy, until one is intact.
func (in *AllFiles) Open(ctx context.Context, f StoredFile) (*os.File, error) {
	var out *os.File
	at := stored.File{Package: in.p.id, Version: in.Version, Path: f.Path}
	want := ""
	if f.Use != "" {
		var err error
		if want, err = in.sum(ctx, f.Path); err != nil {
			return nil, err
		}
	}
	err := in.h.copies.Read(ctx, at, f.Path, nil, func(from *os.File) error {
		if want != "" {
			if err := whole(ctx, from, want); err != nil {
				return errors.Join(err, from.Close())
			}
		}
		out = from
		return nil
	})
	return out, err
}

// whole verifies the SHA-512 of a file, and seeks back to its start.
func whole(ctx context.Context, from *os.File, want string) error {
	in := newChecked(from, want)
	b := make([]byte, 256<<10)
	for {
		_, err := in.Read(b)
		if errors.Is(err, io.EOF) {
			_, err = from.Seek(0, io.SeekStart)
			return err
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
}

// sum returns the stored SHA-512 of a file.
func (in *AllFiles) sum(ctx context.Context, path string) (string, error) {
	contents, err := in.h.store.Contents(ctx, in.p.id)
	if err != nil {
		return "", err
	}
	for i := range contents {
		if contents[i].Path == path {
			return contents[i].SHA512, nil
		}
	}
	return "", fmt.Errorf("%s of package %s is not in %s: %w", path, in.p.id, aip.METSName, captures.ErrNotFound)
}
