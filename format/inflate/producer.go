package inflate

import (
	"errors"
	"io"

	"quire/format/bytesource"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/zstdframe"
)

// producer reads the file and inflates it into slabs. It belongs to one goroutine at a time.
type producer struct {
	src    *bytesource.Source
	kind   Compression
	gzip   *gzipmember.Reader
	zstd   *zstdframe.Reader
	open   bool          // a member is being read
	faults []fault.Fault // found, but not yet part of a piece
}

// note keeps a fault until the reader reaches its place. Faults are reported in the order of the
// file, even if one side is ahead.
func (p *producer) note(f fault.Fault) { p.faults = append(p.faults, f) }

// fill adds one piece to the slab, and the error after it.
func (p *producer) fill(s *slab) {
	next, err := p.read(s)
	next.end += s.end
	next.faults, p.faults = p.faults, nil
	s.end = next.end
	s.pieces = append(s.pieces, next)
	if err != nil {
		p.open = false
		s.err = asDamage(err)
	}
}

// read inflates into the slab, and opens the next member if none is open. The end of the piece is
// counted from its start.
func (p *producer) read(s *slab) (next piece, err error) {
	if p.kind == None {
		next.end, err = p.src.Read(s.buf[s.end:])
		return next, err
	}
	if !p.open {
		if next.member, next.found, err = p.openMember(); err != nil {
			return next, err
		}
		p.open, next.begins = true, true
	}
	next.end, err = p.readMember(s)
	if !errors.Is(err, io.EOF) {
		return next, err
	}
	p.open = false
	if next.begins && next.end == 0 {
		// An empty member is ignored: its beginning would hide the beginning of the next.
		p.note(fault.Fault{Code: p.emptyCode(), Offset: next.member, Detail: "the member is empty"})
		return piece{}, nil
	}
	next.ended = p.src.Offset()
	return next, nil
}

func (p *producer) openMember() (offset int64, found bool, err error) {
	if p.gzip != nil {
		m, err := p.gzip.Next()
		if err != nil {
			return 0, false, err
		}
		return m.Offset, m.Found, nil
	}
	f, err := p.zstd.Next()
	if err != nil {
		return 0, false, err
	}
	return f.Offset, f.Found, nil
}

// readMember inflates in place: the bytes that deflate data may refer to are before it in the slab,
// or in its lead.
func (p *producer) readMember(s *slab) (int, error) {
	if p.gzip != nil {
		return p.gzip.ReadInto(s.buf, s.end)
	}
	return p.zstd.Read(s.buf[s.end:])
}

// resume finds the next member after a damaged one.
func (p *producer) resume() error {
	if p.gzip != nil {
		return p.gzip.Resume()
	}
	return p.zstd.Resume()
}

func (p *producer) emptyCode() fault.Code {
	if p.gzip != nil {
		return gzipmember.FaultEmptyMember
	}
	return zstdframe.FaultEmptyFrame
}

// asDamage converts the damage errors of both compressions to one type.
func asDamage(err error) error {
	var g *gzipmember.Damage
	var z *zstdframe.Damage
	switch {
	case errors.As(err, &g):
		return &Damage{Fault: g.Fault, cause: err}
	case errors.As(err, &z):
		return &Damage{Fault: z.Fault, cause: err}
	}
	return err
}
