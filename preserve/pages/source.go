package pages

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quire/model"
	"quire/preserve/identify"
	"quire/preserve/inspect"
	"quire/preserve/internal/containers"
	"quire/source/detect"
)

// Found is a page of a source, and its declared metadata.
type Found struct {
	Container string `json:"container"` // path within the source
	Record    string `json:"record"`    // its id; "" for an ARC
	// of the record in the stored container, or of its own member
	Offset int64     `json:"offset"`
	URI    string    `json:"uri"`
	Date   time.Time `json:"date"`
	Format string    `json:"format"` // by PRONOM; "" if not identified
	// the content was fully read; otherwise the metadata is from its beginning
	Whole    bool      `json:"whole"`
	Declared *Declared `json:"declared"`
}

// Sum counts the content read from a source.
type Sum struct {
	Containers int64 `json:"containers"`
	Records    int64 `json:"records"`
	Pages      int64 `json:"pages"`
	// containers with errors in quire inspect; their readable parts were read
	Damaged []string `json:"damaged"`
}

// maxDamaged is how many damaged containers are listed.
const maxDamaged = 1000

// Source reports each page in the containers of the sources, in the order of the containers and
// their records. Memory does not grow with their number.
func Source(ctx context.Context, o detect.Options, told func(*Found) error, sources ...string) (sum *Sum, err error) {
	by, err := identify.New(identify.Options{})
	if err != nil {
		return nil, err
	}
	list, err := containers.Open(ctx, o, sources...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, list.Close()) }()
	r := &sourceReader{identify: by, told: told, sum: &Sum{Damaged: []string{}}}
	for i := range list.All {
		if err := r.container(ctx, &list.All[i]); err != nil {
			return nil, fmt.Errorf("reading %s: %w", list.All[i].Path, err)
		}
	}
	return r.sum, nil
}

// sourceReader reads one container after the other.
type sourceReader struct {
	identify *identify.Identifier
	told     func(*Found) error
	sum      *Sum
	path     string
	waiting  map[int64]*Found // metadata of records with an unknown format; the pass limits their number
}

func (r *sourceReader) container(ctx context.Context, c *containers.Container) (err error) {
	in, err := c.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	r.path, r.waiting = c.Path, map[int64]*Found{}
	l := &Listener{Told: func(order int64, d *Declared, whole bool) error {
		r.waiting[order] = &Found{Declared: d, Whole: whole}
		return nil
	}}
	defer l.Stop()
	result, err := inspect.Reader(ctx, in, inspect.Options{
		Name: c.Path, MaxFindings: 1, Identify: r.identify, Record: r.record,
		Served: func(rec model.Record) inspect.Served {
			if !l.Listen(rec) {
				return nil
			}
			return l
		},
	})
	if err != nil {
		return err
	}
	r.sum.Containers++
	r.sum.Records += result.Records.Total
	if result.Outcome != model.Valid && len(r.sum.Damaged) < maxDamaged {
		r.sum.Damaged = append(r.sum.Damaged, c.Path)
	}
	return nil
}

// record reports a page when its record is known.
func (r *sourceReader) record(rec model.Record) error {
	f := r.waiting[rec.Order]
	delete(r.waiting, rec.Order)
	if f == nil || !Is(rec.Type, rec.Status, rec.Format.PUID, rec.DeclaredMIME) {
		return nil
	}
	r.sum.Pages++
	f.Container, f.Record, f.Offset, f.URI, f.Date, f.Format = r.path, rec.ID, rec.Offset, rec.URI, rec.Date,
		rec.Format.PUID
	return r.told(f)
}
