package dedup

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"quire/format/inflate"
	"quire/internal/archivefs"
	"quire/model"
	"quire/preserve/inspect"
)

// item is one container of the source. It is open only during reading or writing: a harvest has
// thousands.
type item struct {
	Held
	number      int
	dest        string
	attempt     int // how often it was examined; data of earlier attempts is void
	compression inflate.Compression
	inflated    string // path of its inflated temporary file; "" if none
	report      ContainerReport
}

// list lists the containers of the source, and refuses other files.
func (j *job) list(ctx context.Context) error {
	var total int64
	for h, err := range j.source.Containers(ctx) {
		if err != nil {
			return err
		}
		it := &item{Held: h, number: len(j.items), dest: h.Path}
		it.report = ContainerReport{Path: it.dest, Left: map[Reason]int64{}}
		err = j.open(it, func(content archivefs.Content, size int64) error {
			total += size
			var format string
			format, it.compression, err = inspect.Kind(it.Name, content)
			if err == nil && format == "ARC" {
				err = fmt.Errorf("%s %w", it.dest, ErrARC)
			}
			return err
		})
		if err != nil {
			return err
		}
		j.items = append(j.items, it)
	}
	if len(j.items) == 0 {
		return fmt.Errorf("%w in %s", ErrNoContainer, j.report.Source)
	}
	if j.o.Start != nil {
		j.o.Start(total)
	}
	return nil
}

// open opens the container unchanged.
func (j *job) open(it *item, use func(content archivefs.Content, size int64) error) (err error) {
	content, err := j.source.Open(it.Path)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }() // it was only read
	return sized(content, use)
}

// openStored opens the file that records are copied from: the container, or its inflated temporary
// file.
func (j *job) openStored(it *item, use func(content archivefs.Content, size int64) error) error {
	if it.inflated == "" {
		return j.open(it, use)
	}
	f, err := os.Open(it.inflated)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return sized(f, use)
}

func sized(content archivefs.Content, use func(content archivefs.Content, size int64) error) error {
	size, err := content.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = content.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	return use(content, size)
}

// read examines a container, and keeps the data of its records.
func (j *job) read(ctx context.Context, it *item) error {
	shared, err := j.examine(ctx, it)
	if err != nil || !shared || it.compression == inflate.None {
		return err
	}
	// Several records share one member, so none of them can be replaced in place. The file is
	// processed as if uncompressed, and each record gets a separate member, as Annex D recommends.
	whole, err := j.inflate(ctx, it)
	if err != nil || !whole {
		return err
	}
	sum, size := it.report.SHA512, it.report.Size
	_, err = j.examine(ctx, it)
	it.report.MembersMade, it.report.SHA512, it.report.Size = true, sum, size
	return err
}

// examine reads the container. shared reports that a record with content shares its member with
// others.
func (j *job) examine(ctx context.Context, it *item) (shared bool, err error) {
	it.attempt++
	it.report.Records = 0
	x := &examiner{viral: j.o.Viral, smallest: j.o.Smallest, progress: j.o.Progress}
	visit := func(s *recordFacts) error {
		it.report.Records++
		if s.Content && s.Stored <= 0 {
			shared = true
		}
		if err := j.learn(ctx, s); err != nil {
			return err
		}
		s.Item, s.Attempt = it.number, it.attempt
		return j.spool.Add(*s)
	}
	err = j.openStored(it, func(content archivefs.Content, _ int64) error {
		c, err := x.examine(ctx, it.Name, content, visit)
		if err != nil {
			return err
		}
		it.report.Size, it.report.SHA512 = c.Bytes, c.SHA512
		if c.Outcome != model.Valid {
			j.report.Outcome = model.Warned
		}
		return nil
	})
	return shared, err
}

// inflate inflates the container into a temporary file. whole is false if the container is damaged:
// it then stays unchanged.
func (j *job) inflate(ctx context.Context, it *item) (whole bool, err error) {
	f, err := os.CreateTemp(j.scratch, "inflated-*")
	if err != nil {
		return false, err
	}
	err = j.open(it, func(content archivefs.Content, _ int64) error {
		in := inflate.NewReader(content, inflate.Options{})
		_, err := io.Copy(f, contextReader{ctx, in})
		return errors.Join(err, in.Close())
	})
	err = errors.Join(err, f.Close())
	var damage *inflate.Damage
	if err == nil {
		it.inflated = f.Name()
		return true, nil
	}
	if errors.As(err, &damage) {
		err = nil
	}
	return false, errors.Join(err, os.Remove(f.Name()))
}

// contextReader reads until the context ends.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// writeAll writes the containers again, each with the data of its own records.
func (j *job) writeAll(ctx context.Context, record func(ctx context.Context, w *writing, s *recordFacts) error) error {
	next, stop := iter.Pull2(j.spool.All())
	defer stop()
	s, err, more := next()
	for _, it := range j.items {
		err := j.write(it, func(w *writing) error {
			for ; more && err == nil && s.Item == it.number; s, err, more = next() {
				if s.Attempt != it.attempt {
					continue
				}
				if err := cmp.Or(ctx.Err(), w.reach(s.Offset)); err != nil {
					return err
				}
				if err := record(ctx, w, &s); err != nil {
					return fmt.Errorf("the record at byte %d: %w", s.Offset, err)
				}
			}
			return cmp.Or(err, w.reach(w.size))
		})
		if err != nil {
			return fmt.Errorf("writing %s again: %w", it.dest, err)
		}
	}
	return nil
}

// writing is a container that is being rewritten.
type writing struct {
	*item
	*rewriter
	content archivefs.Content
	size    int64 // of the content
}

// write makes the file of a container.
func (j *job) write(it *item, write func(*writing) error) error {
	err := j.openStored(it, func(content archivefs.Content, size int64) error {
		return j.create(it, func(out io.Writer) error {
			r, err := newRewriter(content, out, it.compression)
			if err != nil {
				return err
			}
			r.members = it.report.MembersMade
			if err := write(&writing{it, r, content, size}); err != nil {
				return err
			}
			if now, err := content.Seek(0, io.SeekEnd); err != nil || now != size {
				return cmp.Or(err, errChanged)
			}
			return nil
		})
	})
	if err == nil && it.inflated != "" && !j.undoing { // Undo may need it for another record
		err = os.Remove(it.inflated)
	}
	return err
}

// create makes a file of the result.
func (j *job) create(it *item, write func(io.Writer) error) (err error) {
	f, err := j.out.Create(it.dest)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sum := sha512.New()
	out := bufio.NewWriterSize(io.MultiWriter(f, sum, (*counter)(&it.report.Written)), 256<<10)
	if err := write(out); err != nil {
		return err
	}
	if err := errors.Join(out.Flush(), f.Sync()); err != nil {
		return err
	}
	it.report.WrittenSum = hex.EncodeToString(sum.Sum(nil))
	j.report.add(&it.report)
	return nil
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
