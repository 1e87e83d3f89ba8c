package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"strings"
	"time"

	"quire/repository/place"
)

// lookAtPlace looks at the deliveries of a place. The names come sorted, so those of a delivery follow each other.
func (w *watch) lookAtPlace(ctx context.Context, address string) error {
	p, err := place.Open(address)
	if err != nil {
		return &unreadableError{err}
	}
	var d *inPlace
	for e, err := range p.List(ctx, "") {
		if err != nil {
			return &unreadableError{err}
		}
		base, _, inside := strings.Cut(e.Name, "/")
		if isHidden(base) || !inside && isMarker(base) {
			continue
		}
		if d != nil && d.base != base {
			if err := w.consider(ctx, d); err != nil {
				return err
			}
			d = nil
		}
		if d == nil {
			d = newInPlace(p, base, w.options.Spool)
		}
		d.add(e)
	}
	if d == nil || ctx.Err() != nil {
		return nil
	}
	return w.consider(ctx, d)
}

// inPlace is a delivery in a place: the files whose names begin with its name, or one file.
type inPlace struct {
	place  place.Place
	base   string
	spool  string
	isFile bool
	sum    hash.Hash // of names, sizes, times and tags
	newest time.Time
}

func newInPlace(p place.Place, base, spool string) *inPlace {
	return &inPlace{place: p, base: base, spool: spool, sum: sha256.New()}
}

func (d *inPlace) add(e place.Entry) {
	d.isFile = e.Name == d.base
	if e.Modified.After(d.newest) {
		d.newest = e.Modified
	}
	_, _ = fmt.Fprintf(d.sum, "%q %d %d %q\n", e.Name, e.Size, e.Modified.UnixNano(), e.Tag) // a hash never fails
}

func (d *inPlace) name() (path, source string) { return d.place.URL() + "/" + d.base, d.place.URL() }

func (d *inPlace) state() (string, time.Time, error) {
	return hex.EncodeToString(d.sum.Sum(nil)), d.newest, nil
}

// complete asks the place. The digests of a manifest are compared when the files were fetched.
func (d *inPlace) complete(ctx context.Context, by *Completeness, newest time.Time) (complete bool, err error) {
	defer func() {
		if err != nil {
			err = &unreadableError{err}
		}
	}()
	if err := d.alone(ctx); err != nil {
		return false, err
	}
	switch by.kind {
	case byAge:
		return time.Since(newest) >= by.age, nil
	case byManifest:
		return d.hasListed(ctx)
	}
	if by.marker == "" {
		if there, err := d.has(ctx, d.base+markerEnd); there || err != nil {
			return there, err
		}
	}
	if d.isFile {
		return false, nil
	}
	return d.has(ctx, d.base+"/"+by.markerName())
}

// alone refuses a name that a bucket has for a file and for a folder: no file system has both.
func (d *inPlace) alone(ctx context.Context) error {
	other := d.base // the shortest name comes first
	if d.isFile {
		other += "/"
	}
	for e, err := range d.place.List(ctx, other) {
		if err == nil && (d.isFile || e.Name == d.base) {
			err = fmt.Errorf("%s is a file, and has files below it", d.base)
		}
		return err
	}
	return nil
}

func (d *inPlace) has(ctx context.Context, name string) (bool, error) {
	_, err := d.place.Stat(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// hasListed reports whether the place has each file of the strongest manifest.
func (d *inPlace) hasListed(ctx context.Context) (bool, error) {
	for _, algorithm := range digests {
		name := d.base + "/" + manifestName(algorithm.name)
		manifest, err := d.place.Open(ctx, name, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it may come, or another one
		}
		if err != nil {
			return false, err
		}
		complete, err := eachListed(manifest, func(_, file string) (bool, error) { return d.has(ctx, d.base+"/"+file) })
		return complete, errors.Join(err, manifest.Close())
	}
	return false, nil
}
