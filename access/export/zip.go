package export

import (
	"archive/zip"
	"context"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"time"
)

// zipFolder writes a folder as a ZIP, its files below the name given, in the order of their paths. What was begun is broken off after an
// error, so that nobody takes it for whole.
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
		return zipFile(ctx, z, p, path.Join(name, filepath.ToSlash(rel)))
	})
	if err != nil {
		panic(http.ErrAbortHandler) // the head is out: only so does a client see that the rest is missing
	}
	return z.Close()
}

func zipFile(ctx context.Context, z *zip.Writer, file, name string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	entry, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	_, err = Copy(ctx, entry, in, Progress{})
	return err
}
