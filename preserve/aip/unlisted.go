package aip

import (
	"bytes"
	"io"
	"strings"

	"quire/format/arc"
	"quire/format/fault"
	"quire/format/gzipmember"
	"quire/format/inflate"
	"quire/format/warc"
)

// between reads the bytes of a container before its next element, or to its end if n is negative,
// and reports the records in them: each record has an element (clause 4.3.1). It returns the number
// of bytes read.
func (r *pass) between(in *content, n int64) int64 {
	if n == 0 {
		return 0
	}
	gap := &sizedReader{src: in}
	raw := io.Reader(gap)
	if n > 0 {
		raw = io.LimitReader(gap, n)
	}
	if r.itemized && r.record == nil {
		r.search(in, raw)
	}
	_, _ = io.Copy(io.Discard, onlyReader{raw})
	return gap.size
}

// sizedReader counts the bytes that are read through it.
type sizedReader struct {
	src  io.Reader
	size int64
}

// Read implements io.Reader.
func (s *sizedReader) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.size += int64(n)
	return n, err
}

// search reports the records in a gap. Usually there are no bytes, or line breaks only.
func (r *pass) search(in *content, gap io.Reader) {
	if r.gap == nil {
		r.gap = make([]byte, 4<<10)
	}
	head, at := r.gap, in.at
	for {
		n, err := io.ReadFull(gap, head)
		if n == 0 {
			return
		}
		rest := bytes.TrimLeft(head[:n], "\r\n")
		if len(rest) > 0 {
			r.searchIn(in, at+int64(n-len(rest)), rest, gap)
			return
		}
		if at += int64(n); err != nil {
			return
		}
	}
}

// searchIn reports the records in bytes at a place of in.
func (r *pass) searchIn(in *content, at int64, begin []byte, rest io.Reader) {
	gap := io.MultiReader(bytes.NewReader(begin), rest)
	whole := func() bool { return true }
	if isZstd(begin) && in.stored { // frames may need the dictionary of the file
		u := r.shop.undo([]string{algorithmZstd}, gap)
		defer u.release()
		gap, whole = &metered{u, r}, func() bool { return u.wrong() == "" && !u.flawed() }
	}
	s := &gapSearch{at: at}
	z := inflate.NewReader(gap, inflate.Options{Report: s.fault})
	defer z.Close() //nolint:errcheck // it frees memory only
	if window, _ := z.Peek(arc.MaxLine); arc.Sniff(window) {
		s.arc(arc.NewReader(z))
	} else {
		s.warc(warc.NewReader(z))
	}
	if whole() && r.pool.v.ctx.Err() == nil {
		in.unlisted = append(in.unlisted, s.found[:min(len(s.found), MaxFindings-len(in.unlisted))]...)
	}
}

// isZstd reports whether b begins a frame of Zstandard, or a skippable one (RFC 8878, 3.1).
func isZstd(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\x28\xb5\x2f\xfd")) ||
		len(b) >= 4 && b[0]&0xf0 == 0x50 && string(b[1:4]) == "\x2a\x4d\x18"
}

// reportUnlisted reports the records without an element. In a file with a damaged compression,
// records after the damage have no exact bounds (clause 2.8.3), and none is reported.
func (r *pass) reportUnlisted(in *content) {
	if in.wrong() != "" || r.left < 0 {
		return
	}
	for _, u := range in.unlisted {
		at := u.at
		if in.depth > 0 {
			at = r.top
		}
		b := breaks(CodePartRecord, r.listed.path, "the record %s at byte %d%s has no file element",
			clip(strings.Trim(u.id, "<>")), at, r.counted())
		b.offset = at
		r.pool.v.findings.add(b)
	}
}

// unlisted is a record without an element.
type unlisted struct {
	id string // in an ARC, the URL
	at int64
}

// gapSearch lists the records with exact bounds in a gap between elements.
type gapSearch struct {
	at      int64 // of the gap
	found   []unlisted
	damaged []int64 // offsets of damaged members, ascending, of records not finished
}

// harmless are the faults of a gzip member whose content is whole.
var harmless = map[fault.Code]bool{gzipmember.FaultExtraFlags: true, gzipmember.FaultOS: true,
	gzipmember.FaultExtraField: true, gzipmember.FaultName: true, gzipmember.FaultComment: true,
	gzipmember.FaultPadding: true, gzipmember.FaultEmptyMember: true}

// maxDamaged is how many damaged members are kept: a look ahead has fewer.
const maxDamaged = 4096

func (s *gapSearch) fault(f fault.Fault) {
	if !harmless[f.Code] && len(s.damaged) < maxDamaged {
		s.damaged = append(s.damaged, f.Offset)
	}
}

// add adds a finished record.
func (s *gapSearch) add(id string, offset, length int64) {
	whole := length > 0
	keep := s.damaged[:0]
	for _, at := range s.damaged {
		whole = whole && (at < offset || at >= offset+length)
		if at >= offset+max(length, 1) {
			keep = append(keep, at)
		}
	}
	s.damaged = keep
	if whole && len(s.found) < MaxFindings {
		s.found = append(s.found, unlisted{id, s.at + offset})
	}
}

func (s *gapSearch) warc(in *warc.Reader) {
	for {
		rec, err := in.Next()
		if err != nil {
			return // the pass keeps errors of the disk
		}
		if err := rec.Close(); err != nil {
			return
		}
		length := rec.Length
		if rec.HeaderCut || rec.ContentLength < 0 || rec.BlockRead != rec.ContentLength {
			length = -1
		}
		s.add(rec.ID(), rec.Offset, length)
	}
}

func (s *gapSearch) arc(in *arc.Reader) {
	for {
		rec, err := in.Next()
		if err != nil {
			return // the pass keeps errors of the disk
		}
		if err := rec.Close(); err != nil {
			return
		}
		length := rec.Length
		if rec.BlockLength < 0 || rec.BlockSize() != rec.BlockLength {
			length = -1
		}
		s.add(rec.URL, rec.Offset, length)
	}
}
