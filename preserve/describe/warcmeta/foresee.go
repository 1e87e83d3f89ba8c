package warcmeta

import (
	"context"
	"io"
	"path/filepath"

	"quire/format/inflate"
	"quire/internal/atomicdir"
	"quire/internal/disk"
)

// foresee lists the files that would be written and their sizes. It makes and counts the records,
// and then discards them. As in a real run, it refuses containers that cannot be extended.
func (j *job) foresee(ctx context.Context) error {
	switch {
	case j.result.New == 0:
		return nil
	case j.o.InPlace:
		return j.eachInPlace(func(path string, c *container, all []*planned) (string, error) {
			if err := disk.Writable(filepath.Dir(path)); err != nil {
				return "", err
			}
			added, err := j.writeRecords(ctx, io.Discard, filepath.Base(path), c.compression == inflate.Gzip, all)
			j.would(all, File{Path: path, Bytes: c.size + added, Added: added})
			return "", err
		})
	case j.o.Out != "":
		name, err := j.freeName()
		if err == nil {
			err = atomicdir.CheckParents(filepath.Join(j.o.Out, name))
		}
		if err != nil {
			return err
		}
		all := j.missing()
		size, err := j.writeRecords(ctx, io.Discard, name, true, all)
		j.would(all, File{Path: filepath.Join(j.o.Out, name), Bytes: size, Added: size})
		return err
	}
	return nil
}

func (j *job) would(all []*planned, f File) {
	f.Records = int64(len(all))
	j.result.Files = append(j.result.Files, f)
}
