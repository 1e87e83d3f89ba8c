package dedup

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"io"
	"path"
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

// ofContainers reports whether a file states places or digests in containers, by its name: an index, or the list of
// files of a WACZ.
func ofContainers(name string) bool {
	base := strings.ToLower(path.Base(name))
	for _, end := range []string{".cdx", ".cdx.gz", ".cdxj", ".cdxj.gz", ".idx"} {
		if strings.HasSuffix(base, end) {
			return true
		}
	}
	return base == "datapackage.json" || base == "datapackage-digest.json"
}
