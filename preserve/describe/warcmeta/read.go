package warcmeta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/format/fault"
	"quire/format/inflate"
	"quire/internal/spool"
	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/internal/containers"
	"quire/source/detect"
	"quire/source/records"
	"quire/source/records/lookup"
)

// job is the state of one call.
type job struct {
	o          Options
	now        time.Time
	lists      []*containers.List
	containers []*container
	index      *lookup.Index
	known      *spool.Spool[written] // existing descriptions
	planned    []planned
	claimed    map[subject]int // subject in any form: the row that describes it
	result     *Result
}

// container is a container that was read.
type container struct {
	containers.Container
	beside      bool // it is in Options.Out, and only its descriptions count
	arc         bool
	compression inflate.Compression
	records     int64
	damage      Damage
	size        int64
	modified    time.Time
}

// open lists the containers to read.
func (j *job) open(ctx context.Context, sources []string) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, j.close())
		}
	}()
	if err := j.list(ctx, j.o.Source, false, sources...); err != nil {
		return err
	}
	if len(j.containers) == 0 {
		return fmt.Errorf("%w in %s: convert a mirror to WARC first (quire convert)", ErrNoContainer,
			strings.Join(sources, ", "))
	}
	j.result.Containers = len(j.containers)
	if info, err := os.Stat(j.o.Out); j.o.Out != "" && err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder: descriptions are written into a file of a folder",
				j.o.Out)
		}
		if err := j.list(ctx, detect.Options{}, true, j.o.Out); err != nil {
			return err
		}
	}
	j.index = lookup.New(j.o.TempDir)
	j.known, err = spool.New[written](j.o.TempDir)
	return err
}

// list adds the containers of sources that are not yet listed.
func (j *job) list(ctx context.Context, o detect.Options, beside bool, sources ...string) error {
	l, err := containers.Open(ctx, o, sources...)
	if err != nil {
		return err
	}
	j.lists = append(j.lists, l)
	listed := map[string]bool{}
	for _, c := range j.containers {
		listed[absolute(&c.Container)] = true
	}
	for _, c := range l.All {
		if p := absolute(&c); p == "" || !listed[p] {
			j.containers = append(j.containers, &container{Container: c, beside: beside})
		}
	}
	return nil
}

func absolute(c *containers.Container) string {
	p, ok := c.OnDisk()
	if !ok {
		return ""
	}
	if full, err := filepath.Abs(p); err == nil {
		return full
	}
	return p
}

func (j *job) close() error {
	var err error
	if j.index != nil {
		err = j.index.Close()
	}
	if j.known != nil {
		err = errors.Join(err, j.known.Close())
	}
	for _, l := range j.lists {
		err = errors.Join(err, l.Close())
	}
	return err
}

// read reads all containers once.
func (j *job) read(ctx context.Context) error {
	if j.o.Start != nil {
		total := int64(0)
		for _, c := range j.containers {
			total += c.Size()
		}
		j.o.Start(total)
	}
	for i, c := range j.containers {
		if err := j.readOne(ctx, i, c); err != nil {
			return fmt.Errorf("%s: %w", c.Place(), err)
		}
		if c.damage.Faults > 0 {
			c.damage.Container = c.Place()
			j.result.Damaged = append(j.result.Damaged, c.damage)
		}
	}
	j.result.Captures = j.index.Count()
	return nil
}

func (j *job) readOne(ctx context.Context, i int, c *container) error {
	content, err := c.Open()
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	if file, ok := content.(interface{ Stat() (fs.FileInfo, error) }); ok {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		c.size, c.modified = info.Size(), info.ModTime()
	}
	n, err := eachRecord(ctx, content, c.fault, j.o.Progress, func(in *records.Reader, r *records.Record) error {
		c.compression, c.arc = in.Compression(), r.ARC != nil
		return j.record(i, c, r)
	})
	c.records = n
	if errors.Is(err, records.ErrNotContainer) {
		c.fault(fault.Fault{Code: "", Detail: "it has the name of a container, but does not begin like one"})
		return nil
	}
	return err
}

// eachRecord visits the records of a container, and counts them.
func eachRecord(ctx context.Context, content io.ReadSeeker, report fault.Sink, progress func(int64),
	visit func(*records.Reader, *records.Record) error) (count int64, err error) {
	in := records.NewReader(content, report)
	for at := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		r, err := in.Next()
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		if progress != nil {
			progress(r.Offset - at)
		}
		at = r.Offset
		count++
		if err := visit(in, r); err != nil {
			return count, err
		}
	}
}

// record collects the needed data of a record.
func (j *job) record(i int, c *container, r *records.Record) error {
	if isDescription(r) {
		w, _, err := readWritten(r)
		var bad *unreadable
		if errors.As(err, &bad) {
			return nil // List reports the problem; here the description is ignored
		}
		if err != nil {
			return err
		}
		return j.known.Add(w)
	}
	if c.beside {
		return nil
	}
	capture, ok, err := lookup.Of(r, i)
	if err != nil || !ok {
		return err
	}
	return j.index.Add(capture)
}

// fault counts a fault that may have made records unreadable.
func (c *container) fault(f fault.Fault) {
	if f.Code != "" && inspect.Catalogue.Severity(string(f.Code)) != model.Error {
		return
	}
	if c.damage.Faults++; c.damage.Faults == 1 {
		c.damage.First = fmt.Sprintf("%s at byte %d: %s", f.Code, f.Offset, f.Detail)
	}
}
