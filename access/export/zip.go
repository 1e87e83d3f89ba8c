package export

import (
	"archive/zip"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"quire/internal/disk"
	"quire/internal/portable"
)

// zip packs the finished folder into one file, and returns its path. It removes the packed files.
func (w *work) zip(ctx context.Context, r *Result) (string, error) {
	file, sum := filepath.Join(w.scratch.Path(), "zip"), sha512.New()
	err := disk.WriteNew(file, func(to io.Writer) error {
		return zipFolder(ctx, w.out.Bounded(io.MultiWriter(to, sum)), w.place.Path(), portable.Name(r.ID+"-"+r.As))
	})
	r.SHA512 = hex.EncodeToString(sum.Sum(nil))
	return file, err
}

// zipFolder writes a folder as a ZIP, with its files below the given name, sorted by path. It
// removes each packed file to free disk space. The same folder gives the same bytes.
func zipFolder(ctx context.Context, w io.Writer, dir, name string) error {
	z := zip.NewWriter(w)
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		if err := zipFile(ctx, z, p, path.Join(name, filepath.ToSlash(rel))); err != nil {
			return err
		}
		return os.Remove(p)
	})
	if err != nil {
		return err
	}
	return z.Close()
}

func zipFile(ctx context.Context, z *zip.Writer, file, name string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	entry, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	_, err = Copy(ctx, entry, in, Progress{})
	return err
}
