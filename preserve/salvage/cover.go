package salvage

import (
	"errors"
	"io"
	"slices"

	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/inflate"
	"quire/format/zstdframe"
)

// stretch is a record of a plain file, or a member with all its records.
type stretch struct {
	start, end int64 // end is -1 if it is not known
	at         int64 // inflated offset of its first record
	line       Line  // of its last record
	records    int64
	listed     bool // the line was written
	bad        bool // a record or other bytes in it are damaged
	why        string
	ended      int64 // inflated offset after its last record
	open       bool  // its member goes on after its last record
}

// cover adds a part to the stretches of the file. They are written in order, and together they are
// the whole file.
func (j *job) cover(p *part, kept bool) error {
	s := &j.stretch
	compressed := j.in.Compression() != inflate.None
	if s.records > 0 && compressed && s.start == p.Offset {
		if p.At > s.ended {
			s.spoil("bytes in it belong to no record")
		}
		s.records, s.end, s.ended, s.open = s.records+1, p.end, p.ended, !p.last
		if !kept {
			s.spoil(p.Why)
		}
		return nil
	}
	if err := j.flush(p.Offset, p.At); err != nil {
		return err
	}
	*s = stretch{start: p.Offset, end: p.end, at: p.At, records: 1, ended: p.ended, open: !p.last}
	if compressed && p.within > 0 {
		s.spoil("bytes in it belong to no record")
	}
	if !kept {
		s.spoil(p.Why)
	}
	return nil
}

func (s *stretch) spoil(why string) {
	if !s.bad {
		s.bad, s.why = true, why
	}
}

// flush writes the current stretch. The next one begins at this offset of the file and of the
// inflated file.
func (j *job) flush(next, inflated int64) error {
	s := &j.stretch
	if s.records == 0 {
		return nil
	}
	defer func() { *s = stretch{} }()
	if s.open && inflated > s.ended {
		s.spoil("bytes in it belong to no record")
	}
	if s.start > j.covered {
		if err := j.gap(j.covered, s.start); err != nil {
			return err
		}
	}
	end := s.end
	if end < 0 || end > next {
		end = next
	}
	j.covered = end
	if s.bad {
		return j.fragment(s.start, end, s.why)
	}
	if s.listed {
		return j.lines.add(Line{Kind: Member, Offset: s.start, Length: end - s.start, At: s.at})
	}
	s.line.Length = end - s.start
	return j.lines.add(s.line)
}

// maxPadding bounds the bytes that are inflated to see whether a gap holds nothing.
const maxPadding = 1 << 20

// gap reports a range of the file that no record covers.
func (j *job) gap(from, to int64) error {
	empty, err := j.isPadding(from, to)
	if err != nil {
		return err
	}
	if empty {
		j.result.Padding += to - from
		return j.lines.add(Line{Kind: Padding, Offset: from, Length: to - from, At: -1})
	}
	j.result.Gaps++
	return j.fragment(from, to, "no record can be read in it")
}

// isPadding reports whether a range of the file holds nothing: line breaks, zeros, or members and
// frames with no more than that.
func (j *job) isPadding(from, to int64) (bool, error) {
	nothing, err := onlyPadding(io.NewSectionReader(j.file, from, to-from))
	if nothing || err != nil || j.in.Compression() == inflate.None {
		return nothing, err
	}
	nothing = true
	in := inflate.NewReader(io.NewSectionReader(j.file, from, to-from), inflate.Options{Report: func(f fault.Fault) {
		switch f.Code {
		case gzipmember.FaultEmptyMember, gzipmember.FaultPadding, zstdframe.FaultEmptyFrame:
		default:
			nothing = false
		}
	}})
	defer in.Close() //nolint:errcheck // it only frees the decoder
	if in.Compression() != j.in.Compression() {
		return false, nil
	}
	empty, err := onlyPadding(in)
	var d *inflate.Damage
	if errors.As(err, &d) {
		return false, nil
	}
	return empty && nothing, err
}

func onlyPadding(r io.Reader) (bool, error) {
	buf := make([]byte, 32<<10)
	for total := 0; total < maxPadding; {
		n, err := r.Read(buf)
		if slices.ContainsFunc(buf[:n], func(c byte) bool { return c != 0 && c != '\r' && c != '\n' }) {
			return false, nil
		}
		if errors.Is(err, io.EOF) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		total += n
	}
	return false, nil
}
