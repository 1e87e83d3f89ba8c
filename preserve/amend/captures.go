package amend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"quire/format/warc"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
	"quire/preserve/describe/rowmatch"
	"quire/source/records"
	"quire/source/records/lookup"
)

// captures adds the captures of all containers to the index: from the CDXJ lines in the package
// (clause 2.17). Only a container without usable lines is read. The validation of the new version
// compares lines and containers with their digests.
func (j *job) captures(ctx context.Context, index *rowmatch.Index) error {
	var unlisted []int
	total := int64(0)
	for _, n := range slices.Sorted(maps.Keys(j.s.containers)) {
		ok, err := j.readLines(ctx, n, index)
		if err != nil {
			return err
		}
		if !ok {
			unlisted = append(unlisted, n)
			total += j.s.containers[n].size
		}
	}
	if len(unlisted) > 0 && j.o.Start != nil {
		j.o.Start(total)
	}
	for _, n := range unlisted {
		if err := j.readContainer(ctx, n, index); err != nil {
			return fmt.Errorf("%s: %w", j.s.containers[n].path, err)
		}
	}
	return nil
}

// readLines adds the captures of a container from its CDXJ lines, and returns false if there are none that
// can be used. All lines are checked before the first is added.
func (j *job) readLines(ctx context.Context, n int, index *rowmatch.Index) (bool, error) {
	c := j.s.containers[n]
	f, err := os.Open(filepath.Join(j.pkg, filepath.FromSlash(aip.IndexOf(c.path))))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // it was only read
	of := cdxj.Container{Path: c.path, Size: c.size, SHA512: c.sha512}
	if _, err := cdxj.Read(f, of, func(*cdxj.Line) error { return ctx.Err() }); err != nil {
		return false, ctx.Err()
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	_, err = cdxj.Read(f, of, func(l *cdxj.Line) error {
		if l.Unlisted || l.Type != warc.TypeResponse && l.Type != warc.TypeResource && l.Type != warc.TypeRevisit {
			return nil
		}
		date, err := warc.ParseDate(l.Date)
		if err != nil {
			return err
		}
		return index.Add(lookup.Capture{URI: l.URL, Date: date, ID: l.ID, Type: l.Type, Status: l.Status,
			Location: l.Location, Container: n, Offset: l.Offset, Order: l.Order}, j.s.harvestOf[n])
	})
	return true, err
}

// readContainer adds the captures of a container from its records.
func (j *job) readContainer(ctx context.Context, n int, index *rowmatch.Index) error {
	f, err := os.Open(filepath.Join(j.pkg, filepath.FromSlash(j.s.containers[n].path)))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	in := records.NewReader(f, nil)
	for at, order := int64(0), int64(1); ; order++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if j.o.Progress != nil {
			j.o.Progress(r.Offset - at)
		}
		at = r.Offset
		c, ok, err := lookup.Of(r, n)
		if err != nil {
			return err
		}
		c.Order = order
		if ok {
			err = index.Add(c, j.s.harvestOf[n])
		}
		if err != nil {
			return err
		}
	}
}
