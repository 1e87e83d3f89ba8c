package salvage

import (
	"errors"
	"io"
	"strings"

	"quire/format/arc"
	"quire/format/inflate"
	"quire/format/warc"
	"quire/internal/blockbuffer"
)

// part is a record as it was read.
type part struct {
	Line
	within   int64 // inflated offset in its member
	end      int64 // in the file, of the member or the plain record; -1 if the member goes on, or is broken
	ended    int64 // inflated offset after it
	last     bool  // its member ends or breaks after it
	head     []byte
	block    *blockbuffer.Buffer
	foot     string // the separator
	err      error  // why it is not whole
	inMember bool   // the only evidence against it is its member
	digest   string // as stated
	names    []name // of other records

	refersToURL, refersToDate string
}

// name is a record that another names.
type name struct{ id, field string }

// reader reads the parts of a container. The part is valid until the next call.
type reader interface {
	next() (*part, error)
}

// place sets the end of a part whose record was closed.
func (p *part) place(in *inflate.Reader) error {
	at, err := in.Position()
	p.ended, p.end = at.Inflated, -1
	p.last = err != nil || in.Compression() == inflate.None || at.AtMemberStart()
	var d *inflate.Damage
	switch {
	case in.Compression() == inflate.None:
		p.end = at.File
	case errors.As(err, &d) && d.Offset <= p.Offset: // its own member is broken
	case err == nil && !at.AtMemberStart():
	default:
		if end := in.PreviousEnd(); end > p.Offset {
			p.end = end
		}
	}
	if err != nil && !errors.Is(err, io.EOF) && d == nil {
		return err
	}
	return nil
}

// warcParts reads a WARC.
type warcParts struct {
	in  *inflate.Reader
	r   *warc.Reader
	buf blockbuffer.Buffer
}

func (w *warcParts) next() (*part, error) {
	rec, err := w.r.Next()
	if err != nil {
		return nil, err
	}
	w.buf.Cut(0)
	if _, err := io.Copy(&w.buf, rec); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if err := rec.Close(); err != nil {
		return nil, err
	}
	w.buf.Cut(rec.BlockRead) // a record may have been found within bytes already read
	p := &part{Line: Line{Kind: Record, Offset: rec.Offset, Length: -1, At: rec.InflatedOffset, Record: rec.ID(),
		Type: rec.Type(), URL: rec.TargetURI(), Date: rec.Get(warc.FieldDate)},
		within: rec.MemberOffset, head: rec.Raw(), block: &w.buf, foot: "\r\n\r\n", err: rec.Whole(),
		digest: rec.Get(warc.FieldBlockDigest), refersToURL: rec.Get(warc.FieldRefersToTargetURI),
		refersToDate: rec.Get(warc.FieldRefersToDate)}
	p.inMember = errors.Is(p.err, warc.ErrMember)
	if rec.Inferred {
		p.Found = BySearch
	}
	for _, field := range []string{warc.FieldConcurrentTo, warc.FieldRefersTo, warc.FieldWarcinfoID} {
		if id := rec.Get(field); id != "" {
			p.names = append(p.names, name{id, field})
		}
	}
	return p, p.place(w.in)
}

// arcParts reads an ARC. The bytes after a record decide whether it is whole, so the reader is one
// record ahead.
type arcParts struct {
	in    *inflate.Reader
	r     *arc.Reader
	ahead *arc.Record
	begun bool
	buf   blockbuffer.Buffer
}

func (a *arcParts) next() (_ *part, err error) {
	if !a.begun {
		a.begun = true
		if a.ahead, err = a.r.Next(); err != nil {
			return nil, err
		}
	}
	if a.ahead == nil {
		return nil, io.EOF
	}
	rec := a.ahead
	a.buf.Cut(0)
	if _, err := rec.WriteTo(&a.buf); err != nil {
		return nil, err
	}
	if err := rec.Close(); err != nil {
		return nil, err
	}
	a.buf.Cut(rec.BlockSize())
	date, _ := rec.Time() // the inspection reported a bad one
	p := &part{Line: Line{Kind: Record, Offset: rec.Offset, Length: -1, At: rec.InflatedOffset, URL: rec.URL,
		Type: kindOfARC(rec), Date: dateOf(date)}, head: []byte(rec.Line + rec.LineEnd), block: &a.buf, foot: "\n"}
	if rec.Inferred {
		p.Found = BySearch
	}
	if err := p.place(a.in); err != nil {
		return nil, err
	}
	next, err := a.r.Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	p.err = rec.Whole()
	if a.ahead = next; err != nil {
		a.ahead = nil
	}
	return p, nil
}

func kindOfARC(rec *arc.Record) string {
	switch {
	case rec.IsVersionBlock():
		return "filedesc"
	case strings.HasPrefix(strings.ToLower(rec.URL), "http"):
		return warc.TypeResponse
	}
	return warc.TypeResource
}
