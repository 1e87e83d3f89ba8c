package joinsegments

import (
	"fmt"
	"strconv"
	"strings"

	"quire/format/fault"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// Set collects the segments of the files of one conversion. The zero value is ready to use. It is not safe for
// concurrent use.
type Set struct {
	files    []file
	segments []segment
	kept     int   // bytes of memory for them
	over     int64 // segments beyond the limit
}

// mostKept bounds the memory for segments, in bytes: for some hundred thousand.
const mostKept = 64 << 20

// maxID bounds an id of a record, in bytes.
const maxID = 4 << 10

// file is a copy of a WARC.
type file struct {
	path  string // on disk
	name  string // for findings
	group string
}

// segment is one part of a record.
type segment struct {
	file           int
	offset, stored int64
	id, origin     string // origin is "" for the first
	uri            string
	number, total  int64
	bytes          int64 // of the block
	sum            string
	truncated      string // why the crawler stopped, as WARC-Truncated
	sound          bool
}

// Add returns options of a pass over a file that is copied to path. Only segments of one group are joined: of one
// harvest. name stands in findings.
func (s *Set) Add(path, name, group string, o inspect.Options) inspect.Options {
	s.files = append(s.files, file{path, name, group})
	record := o.Record
	o.Bodies = max(o.Bodies, inspect.SentBodies)
	o.Record = func(r model.Record) error {
		if r.Segment != "" {
			s.add(&r)
		}
		if record == nil {
			return nil
		}
		return record(r)
	}
	return o
}

// add keeps a segment. One whose fields are wrong is a finding of the pass, and stays as it is.
func (s *Set) add(r *model.Record) {
	n, err := strconv.ParseInt(r.Segment, 10, 64)
	g := segment{file: len(s.files) - 1, offset: r.Offset, stored: r.Stored, id: trim(r.ID),
		origin: trim(r.SegmentOrigin), uri: r.URI, number: n, bytes: r.Block, truncated: reason(r.Truncated),
		sound: r.DigestsFit && r.Sound && r.Stored > 0 && r.Body != nil}
	switch first := r.Type != warc.TypeContinuation; {
	case err != nil || n < 1 || first != (n == 1) || r.Type == warc.TypeRevisit || len(r.ID) > maxID:
		return
	case first && g.id == "" || !first && (g.origin == "" || len(g.origin) > maxID):
		return
	case first:
		g.origin = ""
	default:
		g.uri = ""
	}
	if total, err := strconv.ParseInt(r.SegmentTotal, 10, 64); err == nil && total > 0 {
		g.total = total
	}
	if r.Body != nil {
		g.sum = string(r.Body.SHA256[:])
	}
	const fixed = 300
	if s.kept += fixed + len(g.id) + len(g.origin) + len(g.uri) + len(g.truncated); s.kept > mostKept {
		s.over++
		return
	}
	s.segments = append(s.segments, g)
}

// reason returns a value of WARC-Truncated for a header that Quire writes. A strange one becomes the word of the
// standard for other reasons.
func reason(truncated string) string {
	const most = 100
	odd := func(c rune) bool { return c <= ' ' || c > '~' }
	truncated = strings.TrimSpace(truncated)
	if len(truncated) > most || strings.ContainsFunc(truncated, odd) {
		return "unspecified"
	}
	return truncated
}

// trim removes the angle brackets of an id, which some writers omit.
func trim(id string) string { return strings.Trim(id, "<>") }

// whole is a record whose segments can be joined.
type whole struct{ parts []segment }

// records groups the segments by record, in the order of the files. It returns those that make a whole, and findings
// about the others.
func (s *Set) records() (all []whole, found []model.Finding) {
	if s.over > 0 {
		var at segment
		if len(s.segments) > 0 {
			at = s.segments[0]
		}
		return nil, []model.Finding{s.finding(inspect.FaultSetFull, &at,
			fmt.Sprintf("%d segments are too many to be joined", int64(len(s.segments))+s.over))}
	}
	firsts, later, order := map[string][]segment{}, map[string][]segment{}, []string{}
	for _, g := range s.segments {
		id := g.id
		if g.origin != "" {
			id = g.origin
		}
		key := s.files[g.file].group + "\x00" + id
		if firsts[key] == nil && later[key] == nil {
			order = append(order, key)
		}
		if g.origin == "" {
			firsts[key] = append(firsts[key], g)
		} else {
			later[key] = append(later[key], g)
		}
	}
	for _, key := range order {
		parts, f := s.join(firsts[key], later[key])
		if f != nil {
			found = append(found, *f)
			continue
		}
		all = append(all, whole{parts})
	}
	return all, found
}

// join returns the parts of a record in their order, or the reason why they stay.
func (s *Set) join(firsts, later []segment) ([]segment, *model.Finding) {
	stay := func(code fault.Code, at *segment, text string) *model.Finding {
		f := s.finding(code, at, text)
		return &f
	}
	switch len(firsts) {
	case 0:
		return nil, stay(inspect.FaultSegmentMissing, &later[0], "segment 1 is in none of the files")
	case 1:
	default:
		return nil, stay(inspect.FaultSegmentTwice, &firsts[1], "two first segments have this id")
	}
	all := append(firsts[:1:1], later...)
	parts := make([]warc.Segment, len(all))
	for i := range all {
		parts[i] = warc.Segment{Number: all[i].number, Bytes: all[i].bytes, Total: all[i].total, Sum: all[i].sum}
		if !all[i].sound {
			return nil, stay(inspect.FaultSegmentMissing, &all[i],
				fmt.Sprintf("segment %d is damaged, or shares its gzip member", all[i].number))
		}
	}
	order, err := warc.JoinSegments(parts)
	if err != nil {
		code := inspect.FaultSegmentLength
		switch {
		case strings.HasSuffix(err.Error(), " is missing"):
			code = inspect.FaultSegmentMissing
		case strings.Contains(err.Error(), " twice"):
			code = inspect.FaultSegmentTwice
		}
		return nil, stay(code, &all[0], strings.TrimPrefix(err.Error(), warc.ErrSegments.Error()+": "))
	}
	if len(order) < len(all) {
		return nil, stay(inspect.FaultSegmentTwice, &all[0], "a segment is there twice")
	}
	out := make([]segment, 0, len(order))
	for _, i := range order {
		out = append(out, all[i])
	}
	return out, nil
}

func (s *Set) finding(code fault.Code, at *segment, text string) model.Finding {
	return model.Finding{Code: string(code), Severity: inspect.Catalogue.Severity(string(code)),
		Path: s.files[at.file].name, Offset: at.offset, Message: text + "; the segments stay as they are"}
}
