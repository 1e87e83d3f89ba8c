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
	faults []fault.Fault // met and not yet in a piece
}

// note keeps a fault until the reader comes to the place it was met at: faults are told in the
// order of the file, whoever is ahead.
func (p *producer) note(f fault.Fault) { p.faults = append(p.faults, f) }

// fill adds one piece to the slab, and the error behind it.
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

// read inflates into the slab, opening the next member where none is open. The end of the piece is
// counted from its start.
func (p *producer) read(s *slab) (next piece, err error) {
	if p.kind == None {
		next.end, err = p.src.Read(s.buf[s.end:])
		return next, err
	}
	if !p.open {
		if next.member, err = p.openMember(); err != nil {
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
		// An empty member takes no part: its beginning would hide the next one's.
		p.note(fault.Fault{Code: p.emptyCode(), Offset: next.member, Detail: "a member that holds nothing"})
		return piece{}, nil
	}
	next.ended = p.src.Offset()
	return next, nil
}

func (p *producer) openMember() (int64, error) {
	if p.gzip != nil {
		m, err := p.gzip.Next()
		if err != nil {
			return 0, err
		}
		return m.Offset, nil
	}
	f, err := p.zstd.Next()
	if err != nil {
		return 0, err
	}
	return f.Offset, nil
}

// readMember inflates in place: what deflate data may refer to stands before it in the slab, or in
// its lead.
func (p *producer) readMember(s *slab) (int, error) {
	if p.gzip != nil {
		return p.gzip.ReadInto(s.buf, s.end)
	}
	return p.zstd.Read(s.buf[s.end:])
}

// resume looks for the next member behind a damaged one.
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

// asDamage makes one error of the damage that either compression knows.
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
