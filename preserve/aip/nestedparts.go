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

	depth    int
	stored   bool       // the bytes are those of the file on disk
	unlisted []unlisted // records without an element
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
	in := &content{Reader: u, id: e.id, wrong: u.wrong, depth: depth, stored: depth == 0 && len(e.transforms) == 0}
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
	if r.itemized && r.record == nil {
		r.between(in, -1)
		if !u.flawed() {
			r.reportUnlisted(in)
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
	if r.record != nil && part.depth == r.record.part.depth+1 {
		r.record.inside(part)
	}
	if begin < in.at {
		r.addFinding(CodePartOverlap, part,
			"begins at byte %d of file %s, but another part ends at byte %d; it was not read", begin, in.id,
			in.at-1)
		return
	}
	if n := r.between(in, begin-in.at); n < begin-in.at {
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
	raw, record := r.openRecord(part, raw)
	s := newSeen(&part.element, raw)
	if next := r.peek(); next != nil && next.depth > part.depth {
		r.partsOf(s, &part.element, !part.shut, part.depth)
	}
	_, _ = io.Copy(io.Discard, onlyReader{s}) // errors of decoding are judged below; the pass keeps those of the disk
	in.at += s.size
	r.pool.parts.Add(1)
	if r.pool.v.ctx.Err() == nil {
		r.judge(in, part, s)
		r.closeRecord(record, s)
	}
}

// openRecord begins the comparison of a record with its elements. It returns the reader of its bytes,
// and nil for any other part.
func (r *pass) openRecord(part *placed, raw io.Reader) (io.Reader, *recordCheck) {
	if part.depth == 1 {
		r.top = max(part.begin, 0)
	}
	if _, _, ok := PartOf(part.id, RecordFileID); !ok || r.record != nil {
		return raw, nil
	}
	r.check.begin(part, r.top)
	r.record = &r.check
	return io.TeeReader(raw, r.record), r.record
}

// closeRecord reports the difference between a record and its elements.
func (r *pass) closeRecord(c *recordCheck, s *partDigest) {
	if c == nil {
		return
	}
	r.record = nil
	if c.part.shut || r.left < 0 || s.size < c.part.length() {
		return // this was reported
	}
	r.pool.records.Add(1)
	if wrong := c.judge(s.size); wrong != "" {
		b := breaks(CodePartRecord, r.listed.path, "the record %s at byte %d%s: file %s %s", clip(c.name()), c.offset,
			r.counted(), c.part.id, wrong)
		b.offset = c.offset
		r.pool.v.findings.add(b)
	}
}

// counted returns where offsets of records in the file count, if not in the file as stored.
func (r *pass) counted() string {
	if len(r.listed.transforms) > 0 {
		return " of its content"
	}
	return ""
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
