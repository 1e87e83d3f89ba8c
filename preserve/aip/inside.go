package aip

import (
	"io"
)

// content is what a file holds when its transformations are undone, while the parts of it are read,
// one behind the other.
type content struct {
	io.Reader
	at    int64 // bytes that were read
	id    string
	wrong func() string // why there are no more bytes, "" where that is just their end
}

// peek shows the next part, nil behind the last.
func (r *pass) peek() *placed {
	for len(r.batch) == 0 {
		batch, more := <-r.parts
		if !more {
			return nil
		}
		r.batch = batch
	}
	return &r.batch[0]
}

func (r *pass) take() placed {
	part := r.batch[0]
	r.batch = r.batch[1:]
	return part
}

func (r *pass) tell(code string, part *placed, format string, args ...any) {
	r.pool.v.findings.add(breaks(code, r.listed.path, "file %s "+format, append([]any{part.id}, args...)...))
}

// partsOf reads the parts of a file that stands at a depth. raw are its bytes as they lie in its
// parent.
func (r *pass) partsOf(raw io.Reader, e *element, readable bool, depth int) {
	if !readable {
		r.skip(depth)
		return
	}
	u := r.shop.undo(e.transforms, raw)
	in := &content{Reader: u, id: e.id, wrong: u.wrong}
	if len(e.transforms) > 0 {
		in.Reader = &metered{u, r}
	}
	for part := r.peek(); part != nil && part.depth > depth; part = r.peek() {
		part := r.take()
		if part.depth == depth+1 { // else it stands in a part that was not read
			r.part(in, &part)
		}
		if r.pool.v.ctx.Err() != nil {
			break
		}
	}
	u.release()
}

// skip passes over the parts of a file that stands at a depth.
func (r *pass) skip(depth int) {
	for part := r.peek(); part != nil && part.depth > depth; part = r.peek() {
		r.take()
	}
}

// part reads a part, and what stands in it.
func (r *pass) part(in *content, part *placed) {
	begin, length := max(part.begin, 0), part.length()
	if begin < in.at {
		r.tell(CodePartOverlap, part,
			"begins at byte %d of file %s, where another part of that ends at byte %d; it was not read", begin, in.id,
			in.at-1)
		return
	}
	if n, _ := io.CopyN(io.Discard, in, begin-in.at); n < begin-in.at {
		in.at += n
		r.tell(r.rangeCode(), part, "begins at byte %d of file %s, which has only %d%s", begin, in.id, in.at,
			r.reason(in))
		return
	}
	in.at = begin
	raw := io.Reader(in)
	if length >= 0 {
		raw = io.LimitReader(in, length)
	}
	s := newSeen(&part.element, raw)
	if next := r.peek(); next != nil && next.depth > part.depth {
		r.partsOf(s, &part.element, !part.shut, part.depth)
	}
	_, _ = io.Copy(io.Discard, onlyReader{s}) // decoders read from memory, and what the disk does is kept by the pass
	in.at += s.size
	r.pool.parts.Add(1)
	if r.pool.v.ctx.Err() == nil {
		r.judge(in, part, s)
	}
}

// judge holds a part that was read against what the METS states of it.
func (r *pass) judge(in *content, part *placed, s *seen) {
	length := part.length()
	switch {
	case length >= 0 && s.size < length:
		r.tell(r.rangeCode(), part, "is to lie from byte %d to %d of file %s, which has only %d%s", part.begin,
			part.end, in.id, in.at, r.reason(in))
	case length < 0 && part.size >= 0 && s.size != part.size:
		r.tell(r.sizeCode(), part, "has %d bytes; %s says %d%s", s.size, METSName, part.size, r.reason(in))
	default:
		if wrong := s.wrongDigest(); wrong != "" {
			r.tell(CodePartDigest, part, "%s", wrong)
		}
	}
}

// rangeCode is how a place behind the end of a file is told: where the end is that of patience, as
// that.
func (r *pass) rangeCode() string {
	if r.left < 0 {
		return CodePartLimit
	}
	return CodePartRange
}

func (r *pass) sizeCode() string {
	if r.left < 0 {
		return CodePartLimit
	}
	return CodePartSize
}

// reason says why a file has no more bytes, where there is more to say than that it ends.
func (r *pass) reason(in *content) string {
	if r.left < 0 {
		return ": what lies in this file unpacks to too much, and was read no further"
	}
	if why := in.wrong(); why != "" {
		return ": " + why
	}
	return ""
}

// metered counts what transformations make, and ends when it is too much.
type metered struct {
	src *undone
	r   *pass
}

// Read implements io.Reader.
func (m *metered) Read(p []byte) (int, error) {
	if m.r.left < 0 {
		return 0, io.EOF
	}
	n, err := m.src.Read(p)
	if m.r.left -= int64(n); m.r.left < 0 {
		return 0, io.EOF
	}
	return n, err
}
