package dedup

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// copyBeside copies the other files of the harvests, so that the result is a harvest with its logs and seeds, and can
// be packed. Files that state places or digests in the containers of before stay behind.
func (j *job) copyBeside(ctx context.Context) error {
	for i := range j.source.beside {
		f := &j.source.beside[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if ofContainers(f.Path) {
			j.report.NotCopied = append(j.report.NotCopied, f.Path)
			continue
		}
		in, err := f.Open()
		if err != nil {
			return err
		}
		o, err := j.copyFile(f.Path, in)
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
		if at := f.Modified(); !at.IsZero() && !j.o.DryRun { // readers date a harvest by its files
			if err := os.Chtimes(filepath.Join(j.out.Path(), filepath.FromSlash(f.Path)), at, at); err != nil {
				return err
			}
		}
		j.report.Copied = append(j.report.Copied, o)
	}
	return nil
}

func (j *job) copyFile(name string, in io.Reader) (o Object, err error) {
	out, err := j.out.Create(name)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := sha512.New()
	o.Path = name
	if o.Size, err = io.Copy(io.MultiWriter(out, sum), in); err != nil {
		return o, err
	}
	o.SHA512 = hex.EncodeToString(sum.Sum(nil))
	return o, out.Sync()
}

// ofContainers reports whether a file states places in containers or their digests, by its name: an index, a list of
// digests, or the list of files of a WACZ.
func ofContainers(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, coded := range []string{".gz", ".zst", ".bz2"} {
		base = strings.TrimSuffix(base, coded)
	}
	for _, end := range []string{".cdx", ".cdxj", ".idx", ".md5", ".sha1", ".sha256", ".sha512"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return strings.HasPrefix(base, "datapackage") && strings.HasSuffix(base, ".json") ||
		strings.HasPrefix(base, "manifest-") || strings.HasPrefix(base, "tagmanifest-")
}
