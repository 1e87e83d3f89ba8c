package migrate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"quire/format/warc"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/cdxj"
	"quire/preserve/inspect"
)

// placed is a record of the new container with its position.
type placed struct {
	Order, Offset, Stored    int64
	Inflated, Length, BodyAt int64
	Size                     int64 // of its body
	SHA256, SHA512           string
	Type, ID, URI, MIME      string
	Format                   model.Format
	Made                     bool // it is a conversion,
	From                     done // of this
}

// place reads the new container back from disk, and records the position of each record.
func (j *job) place(ctx context.Context) (err error) {
	next, stop := iter.Pull2(j.done.All())
	defer stop()
	lines := cdxj.NewMaker(j.scratch)
	defer func() { err = errors.Join(err, lines.Close()) }()
	if err := lines.Begin(); err != nil {
		return err
	}
	c, err := inspect.File(ctx, filepath.Join(j.out, filepath.FromSlash(j.name)), lines.Options(inspect.Options{
		MaxFindings: 1, Identify: j.formats, Bodies: inspect.AllBodies, SHA512: true, Languages: true,
		Record: func(r model.Record) error { return j.placeRecord(&r, next) },
	}))
	if err != nil {
		return err
	}
	c.Path = j.name
	j.container = c
	if c.Outcome != model.Valid || c.Records.Total != j.result.Converted+1 {
		return fmt.Errorf("%s reads back differently than it was written: %s, %d records", j.name, c.Outcome,
			c.Records.Total)
	}
	return j.index(lines)
}

// index writes the CDXJ index of the captures that the pass saw (clause 2.17).
func (j *job) index(lines *cdxj.Maker) error {
	j.lines = aip.MadeFile{ID: aip.IndexFileID(j.number), Container: aip.ContainerFileID(j.number),
		Path: aip.IndexOf(j.name), Restrictions: j.restrictions()}
	err := j.write(filepath.FromSlash(j.lines.Path), func(out io.Writer) error {
		return j.lines.Write(out, func(out io.Writer) error {
			container := cdxj.Container{Path: j.name, Size: j.container.Bytes, SHA512: j.container.SHA512}
			_, err := lines.Write(out, container)
			return err
		})
	})
	if err != nil {
		return fmt.Errorf("writing the index of %s: %w", j.name, err)
	}
	return nil
}

// errBack reports that the disk returns other bytes than were written.
var errBack = errors.New("the disk returned other bytes than were written")

func (j *job) placeRecord(r *model.Record, next func() (done, error, bool)) error {
	p := placed{
		Order: r.Order, Offset: r.Offset, Stored: r.Stored, Inflated: r.Inflated, Length: r.Length, BodyAt: r.BodyAt,
		Size:   r.Payload,
		SHA256: hex.EncodeToString(r.Body.SHA256[:]), SHA512: hex.EncodeToString(r.Body.SHA512[:]),
		Type: r.Type, ID: r.ID, URI: r.URI, MIME: bare(r.ContentType), Format: r.Format,
	}
	for p.Type == warc.TypeConversion && !p.Made {
		d, err, more := next()
		switch {
		case err != nil:
			return err
		case !more:
			return errBack
		case d.Failure != "":
			continue
		case d.Record != r.ID || d.SHA256 != p.SHA256 || d.Size != p.Size:
			return errBack
		}
		p.Made, p.From = true, d
	}
	return j.placed.Add(p)
}
