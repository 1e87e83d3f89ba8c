package aip

import (
	"io"
)

// content is the decoded content of a file, while its parts are read one after the other.
type content struct {
	io.Reader
	at    int64 // bytes read so far
	id    string
	wrong func() string // returns why there are no more bytes; "" at the regular end
}

// peek returns the next part, or nil after the last.
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

func (r *pass) next() placed {
	part := r.batch[0]
	r.batch = r.batch[1:]
	return part
}

func (r *pass) addFinding(code string, part *placed, format string, args ...any) {
	r.pool.v.findings.add(breaks(code, r.listed.path, "file %s "+format, append([]any{part.id}, args...)...))
}

// partsOf reads the parts of a file at a depth. raw are its bytes as stored in its parent.
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
		part := r.next()
		if part.depth == depth+1 { // otherwise it is within a part that was not read
			r.part(in, &part)
		}
		if r.pool.v.ctx.Err() != nil {
			break
		}
	}
	u.release()
}

// skip passes over the parts of a file at a depth.
func (r *pass) skip(depth int) {
	for part := r.peek(); part != nil && part.depth > depth; part = r.peek() {
		r.next()
	}
}

// part reads a part, and the parts within.
func (r *pass) part(in *content, part *placed) {
	begin, length := max(part.begin, 0), part.length()
	if begin < in.at {
		r.addFinding(CodePartOverlap, part,
			"begins at byte %d of file %s, but another part ends at byte %d; it was not read", begin, in.id,
			in.at-1)
		return
	}
	if n, _ := io.CopyN(io.Discard, in, begin-in.at); n < begin-in.at {
		in.at += n
		r.addFinding(r.rangeCode(), part, "begins at byte %d of file %s, but that has only %d "+
			"bytes%s", begin, in.id, in.at,
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
	_, _ = io.Copy(io.Discard, onlyReader{s}) // errors of decoding are judged below, and the pass keeps read errors of the disk
	in.at += s.size
	r.pool.parts.Add(1)
	if r.pool.v.ctx.Err() == nil {
		r.judge(in, part, s)
	}
}

// judge compares a part that was read with the statements of the METS.
func (r *pass) judge(in *content, part *placed, s *partDigest) {
	length := part.length()
	switch {
	case length >= 0 && s.size < length:
		r.addFinding(r.rangeCode(), part, "is at bytes %d to %d of file %s, but that has only %d bytes%s", part.begin,
			part.end, in.id, in.at, r.reason(in))
	case length < 0 && part.size >= 0 && s.size != part.size:
		r.addFinding(r.sizeCode(), part, "has %d bytes; %s says %d%s", s.size, METSName, part.size, r.reason(in))
	default:
		if wrong := s.wrongDigest(); wrong != "" {
			r.addFinding(CodePartDigest, part, "%s", wrong)
		}
	}
}

// rangeCode returns the code for a part beyond the end of its file. If reading stopped at a limit,
// it is the code of the limit.
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

// reason returns why a file has no more bytes, or "" at its regular end.
func (r *pass) reason(in *content) string {
	if r.left < 0 {
		return ": this file unpacks to too many bytes; the rest was not read"
	}
	if why := in.wrong(); why != "" {
		return ": " + why
	}
	return ""
}

// metered counts the decoded bytes, and stops at the limit.
type metered struct {
	src *decodedFile
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
