package antivirus

import (
	"context"
	"errors"
	"io"
	"time"

	"quire/format/warc"
	"quire/internal/blockbuffer"
	"quire/internal/sandbox"
	"quire/internal/warcbuild"
	"quire/model"
)

// CleaningOptions describes the WARC that a Cleaning writes.
type CleaningOptions struct {
	Software string    // the software that runs the cleaning: name and version
	Date     time.Time // of the new records
	Name     string    // of the new file
	TempDir  string    // for temporary files; "" is the system's folder
}

// Cleaning writes one WARC with conversion records. It is used by one goroutine.
type Cleaning struct {
	c       *Cleaner
	o       CleaningOptions
	out     *warcbuild.Conversions
	content blockbuffer.Buffer // infected
	whole   bool               // content was read to its end
	made    blockbuffer.Buffer
}

// Begin writes the warcinfo record, with a description of the conversion records.
func (c *Cleaner) Begin(out io.Writer, o CleaningOptions) (*Cleaning, error) {
	w, err := warcbuild.NewConversions(out, o.Name, o.Date, o.Software, []warc.NameValue{
		{Name: "description", Value: "bytestreams that were infected, as the program " + c.Name + " cleaned them"},
	})
	return &Cleaning{c: c, o: o, out: w, content: blockbuffer.Buffer{Dir: o.TempDir}, made: blockbuffer.Buffer{Dir: o.TempDir}},
		err
}

// Close removes the temporary files.
func (c *Cleaning) Close() error { return errors.Join(c.content.Close(), c.made.Close()) }

// Content returns a writer for the infected content, as it would be served. It belongs to the
// record of the next call to Record. End takes whether the content was complete.
func (c *Cleaning) Content() *InfectedContent {
	c.content.Cut(0)
	c.whole = false
	return (*InfectedContent)(c)
}

// InfectedContent receives the infected content of one record.
type InfectedContent Cleaning

// Write adds to the content.
func (i *InfectedContent) Write(p []byte) (int, error) { return i.content.Write(p) }

// End ends the content.
func (i *InfectedContent) End(whole bool) error {
	i.whole = whole
	return nil
}

// Record cleans the content of an infected record, and writes the conversion record. failed is the
// reason why there is no conversion; it is "" on success. A failed conversion is not an error.
func (c *Cleaning) Record(ctx context.Context, rec *model.Record) (failed string, err error) {
	whole := c.whole
	c.whole = false
	switch {
	case rec.ID == "":
		return "the record has no id that a conversion could refer to", nil
	case !whole:
		return "what is served cannot be read to its end", nil
	}
	c.made.Cut(0)
	_, err = c.c.command.Run(ctx, c.o.TempDir, c.content.Reader(), &c.made)
	var failure *sandbox.Failure
	if errors.As(err, &failure) {
		return failure.Error(), nil
	}
	if err != nil {
		return "", err
	}
	_, _, err = c.out.Write(warcbuild.Converted{
		TargetURI: rec.URI, RefersTo: rec.ID, ContentType: warcbuild.StatedType(rec.ServedType), Content: &c.made,
	})
	return "", err
}
