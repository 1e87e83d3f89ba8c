package migrate

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"quire/internal/disk"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/inspect"
)

// readPackage reads the description of a package.
func readPackage(path string) (model.Package, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return model.Package{}, err
	}
	defer root.Close() //nolint:errcheck // it was only read
	p, err := aip.Describe(root.FS())
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// copyAll copies all files of the package except its METS, and compares each with the METS. It
// inspects the containers in the same pass, to find the records with the format.
func (j *job) copyAll(ctx context.Context) error {
	root, err := os.OpenRoot(j.pkg)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // it was only read
	j.begin("copying", j.old.Bytes)
	for _, f := range j.old.Files {
		if f.Path == aip.METSName || f.Path == aip.DigestName {
			continue
		}
		if err := j.copyFile(ctx, root, f); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) begin(what string, total int64) {
	if j.o.Start != nil {
		j.o.Start(what, total)
	}
}

func (j *job) copyFile(ctx context.Context, root *os.Root, f model.PackageFile) (err error) {
	// opening a pipe would wait
	if info, err := root.Lstat(filepath.FromSlash(f.Path)); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a file", ErrDamaged, f.Path)
	}
	src, err := root.Open(filepath.FromSlash(f.Path))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer src.Close() //nolint:errcheck // it was only read
	info, err := src.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a file", ErrDamaged, f.Path)
	}
	dst, err := j.work.Create(f.Path)
	if err != nil {
		return err
	}
	size, sum, err := j.copyContent(ctx, src, dst, f)
	if err = errors.Join(err, dst.Sync(), dst.Close()); err != nil {
		return err
	}
	if !j.o.DryRun {
		path := filepath.Join(j.out, filepath.FromSlash(f.Path))
		_ = os.Chtimes(path, info.ModTime(), info.ModTime()) // for convenience: the time is not part of the package
	}
	if size != f.Size || sum != f.SHA512 {
		return fmt.Errorf("%w: %s has %d bytes and the SHA-512 %s; its METS states %d and %s", ErrDamaged, f.Path, size,
			sum, f.Size, f.SHA512)
	}
	return nil
}

// copyContent copies a file, and inspects it if it is a container.
func (j *job) copyContent(ctx context.Context, src io.ReadSeeker, dst io.Writer, f model.PackageFile) (size int64,
	sum string, err error) {
	if n := j.outline.number[f.Path]; n > 0 {
		c, err := inspect.Reader(ctx, src, inspect.Options{
			CopyTo: dst, Progress: j.o.Progress, MaxFindings: -1, Identify: j.formats,
			Record: func(r model.Record) error { return j.choose(n, &r) },
		})
		if err != nil {
			return 0, "", fmt.Errorf("reading %s: %w", f.Path, err)
		}
		return c.Bytes, c.SHA512, nil
	}
	h := sha512.New()
	size, err = io.Copy(io.MultiWriter(dst, h), &disk.Counted{Ctx: ctx, From: src, Progress: j.o.Progress})
	return size, hex.EncodeToString(h.Sum(nil)), err
}

// create makes a file and its folders.
func create(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}
