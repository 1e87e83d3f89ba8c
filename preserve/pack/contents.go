package pack

import (
	"time"

	"quire/model"
)

// content is the data that pack keeps about one record: its position and its content. The rows are
// kept in a file until the METS is written, in the order of the containers and their records. A
// component that needs more data about records writes its own rows in the same order. Each of its
// rows begins with the container and Order, so that both files can be read side by side.
type content struct {
	Order            int64 // in the container, from 1
	Type, ID, URI    string
	Date             time.Time
	Offset, Stored   int64 // in the stored file; Stored is -1 if not known
	Inflated, Length int64 // in the inflated file
	BodyAt, Size     int64 // of the body: its start in the record, and its size
	MIME             string
	Status           string
	Format           model.Format
	Body             model.Body
	PayloadDigest    string // as stated
	RefersTo, Part   string
	// of a revisit record: the capture that it repeats, and where that is stored
	RefersToURI, RefersToDate, HeldBy, HeldAt string
	Scan                                      model.ScanOutcome
	Signature, Truncated, Segment             string
}

// contentOf returns the data from the pass for a record.
func contentOf(r *model.Record) content {
	c := content{
		Order: r.Order, Type: r.Type, ID: r.ID, URI: r.URI, Date: r.Date, Offset: r.Offset, Stored: r.Stored,
		Inflated: r.Inflated,
		Length:   r.Length, BodyAt: r.BodyAt, Size: r.Payload, MIME: r.DeclaredMIME, Status: r.Status, Format: r.Format,
		Body:          *r.Body,
		PayloadDigest: r.PayloadDigest, RefersTo: r.RefersTo, RefersToURI: r.RefersToURI,
		RefersToDate: r.RefersToDate, HeldBy: r.DedupPackage, HeldAt: r.DedupPath, Part: r.Part, Scan: r.Scan,
		Signature: r.Signature,
		Truncated: r.Truncated, Segment: r.Segment,
	}
	if c.MIME == "" && r.HTTPVersion == "" {
		c.MIME = bareType(r.ContentType)
	}
	return c
}

// contentRows are the rows of all containers.
type contentRows struct{ *rowFile }

func newContentRows(dir string) (*contentRows, error) {
	f, err := newRowFile(dir)
	return &contentRows{f}, err
}

// add keeps a row.
func (s *contentRows) add(c *content) error {
	s.row = c.append(s.row[:0])
	return s.rowFile.add(s.row)
}

// each visits the rows of a span. A row is valid during the visit, its texts for longer.
func (s *contentRows) each(of span, visit func(*content) error) error {
	var c content
	return s.rowFile.each(of, func(row string) error {
		if err := c.parse(row); err != nil {
			return err
		}
		return visit(&c)
	})
}
