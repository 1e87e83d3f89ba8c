package clean

import (
	"context"
	"errors"
	"io"
	"iter"
	"time"

	"quire/format/warc"
	"quire/internal/making"
	"quire/internal/program"
	"quire/model"
	"quire/preserve/inspect"
)

// Options of Begin.
type Options struct {
	Software string    // that has the bytestreams cleaned: name and version
	Date     time.Time // of the records that are made
	Name     string    // of the file that is made
	TempDir  string    // "" is where temporary files go
}

// Infected is a record whose content is infected.
type Infected struct {
	Order     int64 // in its container, from 1
	Signature string
}

// Result is what came of one of them.
type Result struct {
	Infected
	ID, URI string
	Failed  string // why there is no conversion; "" when there is one
}

// Run is the making of one WARC with conversions.
type Run struct {
	c       *Cleaner
	o       Options
	out     *making.Conversions
	content making.Held // infected
	made    making.Held
}

// Begin writes the warcinfo record, which says what follows.
func (c *Cleaner) Begin(out io.Writer, o Options) (*Run, error) {
	w, err := making.NewConversions(out, o.Name, o.Date, o.Software, []warc.NameValue{
		{Name: "description", Value: "bytestreams that were infected, as the program " + c.Name + " cleaned them"},
	})
	return &Run{c: c, o: o, out: w, content: making.Held{Dir: o.TempDir}, made: making.Held{Dir: o.TempDir}}, err
}

// Close gives the room of temporary files back.
func (r *Run) Close() error { return errors.Join(r.content.Close(), r.made.Close()) }

// Container reads a container again and has the content of those records cleaned that are named, in the order of the file. What
// came of each is reported in that order; that the program fails is no error.
func (r *Run) Container(ctx context.Context, container io.ReadSeeker, infected iter.Seq2[Infected, error], report func(Result) error) error {
	next, stop := iter.Pull2(infected)
	defer stop()
	head, err, there := next()
	if err != nil {
		return err
	}
	var read *whole
	_, err = inspect.Reader(ctx, container, inspect.Options{
		Served: func(rec model.Record) inspect.Served {
			read = nil
			if !there || rec.Order != head.Order {
				return nil
			}
			r.content.Cut(0)
			read = &whole{Held: &r.content}
			return read
		},
		Record: func(rec model.Record) (err error) {
			if !there || rec.Order != head.Order {
				return nil
			}
			of := Result{Infected: head, ID: rec.ID, URI: rec.URI}
			if err := r.clean(ctx, &rec, read, &of); err != nil {
				return err
			}
			if err := report(of); err != nil {
				return err
			}
			head, err, there = next()
			return err
		},
	})
	return err
}

// whole takes the content of one record.
type whole struct {
	*making.Held
	there bool
}

// End is told whether the content was there to its end.
func (w *whole) End(there bool) error {
	w.there = there
	return nil
}

// clean has one bytestream cleaned, and writes what came of it.
func (r *Run) clean(ctx context.Context, rec *model.Record, read *whole, of *Result) error {
	switch {
	case rec.ID == "":
		of.Failed = "the record has no id that a conversion could refer to"
		return nil
	case read == nil || !read.there:
		of.Failed = "what is served cannot be read to its end"
		return nil
	}
	r.made.Cut(0)
	_, err := r.c.command.Run(ctx, r.o.TempDir, r.content.Reader(), &r.made)
	var failed *program.Failure
	if errors.As(err, &failed) {
		of.Failed = failed.Error()
		return nil
	}
	if err != nil {
		return err
	}
	_, _, err = r.out.Write(making.Converted{
		TargetURI: rec.URI, RefersTo: rec.ID, ContentType: making.StatedType(rec.ServedType), Content: &r.made,
	})
	return err
}
