package dedup

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"quire/format/warc"
	"quire/internal/warcbuild"
)

// named holds the containers that annotations name.
type named struct{ containers map[string]bool }

// byPlace adds the keys for looking up annotations to the index: the digest and, for a named
// container, also the position. A position is the offset in the inflated file, or in the stored
// file.
func (n *named) byPlace(ctx context.Context, p *part, h Held, s *recordFacts, wanted *filter) error {
	if o := originalOf(s); !s.Content || s.Payload.BodyLength == 0 && s.Why != Empty || o.Date == "" || o.URI == "" {
		return nil
	}
	var keys []key
	if n.containers[bareName(h.Name)] {
		for _, offset := range []int64{s.Inflated, s.Offset} {
			k := placeKey(h.Name, offset)
			keys = append(keys, k, append(bytes.Clone(k), s.Payload.SHA1[:]...))
		}
	}
	if k := statedKey("sha1", s.Payload.SHA1[:]); s.Why == "" && wanted.may(k) {
		keys = append(keys, k)
	}
	return p.put(ctx, h, s, keys...)
}

func placeKey(container string, offset int64) key {
	return key(fmt.Sprintf("place %s %d ", bareName(container), offset))
}

// found is the known data of the original of an annotation.
type found struct {
	uri, date, id string
	evidence      Evidence
	denied        string // evidence against the annotation
}

// original returns the known data of the original of an annotation.
func (j *job) original(ctx context.Context, a *annotation) (found, error) {
	span, _ := datedAs(a.Time.UTC().Format(time.RFC3339Nano))
	if a.Duplicate != nil {
		return j.originalAt(ctx, a)
	}
	if a.sha1 == nil || a.notModified {
		return found{evidence: ByLog}, nil
	}
	indexes := make([]*Index, 0, len(j.library.parts)+1)
	for _, p := range j.library.parts {
		none := &named{} // positions were looked up before
		err := p.ask(ctx, Wanted{SHA1: a.sha1}, func(h Held, s *recordFacts) error { return none.byPlace(ctx, p, h, s, nil) })
		if err != nil {
			return found{}, err
		}
		indexes = append(indexes, p.index)
	}
	if j.library.lines != nil {
		indexes = append(indexes, j.library.lines.index)
	}
	for i, index := range indexes {
		all, err := index.find(ctx, statedKey("sha1", a.sha1), span, mostCaptures)
		if err != nil {
			return found{}, err
		}
		for _, o := range all {
			if o.URI == warcbuild.TargetURI(a.URI) || a.anyURI {
				evidence := ByRecord
				if i == len(j.library.parts) {
					evidence = ByIndex
				}
				return found{o.URI, o.Date, o.ID, evidence, ""}, nil
			}
		}
	}
	return found{evidence: ByLog}, nil
}

// mostCaptures is how many captures of one payload are searched for one of the same URI.
const mostCaptures = 1000

// originalAt finds the record at the position in an annotation, and compares it with the log line.
func (j *job) originalAt(ctx context.Context, a *annotation) (found, error) {
	f := found{evidence: ByLog}
	if t := a.Duplicate.Time; !t.IsZero() {
		f.date = dateOf(t)
	}
	k := placeKey(a.Duplicate.Container, a.Duplicate.Offset)
	for _, p := range j.library.parts {
		there, err := p.index.find(ctx, k, instant{Start: endOfTime}, 1)
		if err != nil {
			return f, err
		}
		if len(there) == 0 {
			continue
		}
		same, err := p.index.find(ctx, append(k, a.sha1...), instant{Start: endOfTime}, 1)
		if err != nil {
			return f, err
		}
		if len(same) == 0 || a.sha1 == nil {
			f.denied = "the record there, of " + there[0].URI + ", has another payload"
			return f, nil
		}
		o := &same[0]
		return found{o.URI, o.Date, o.ID, ByRecord, ""}, nil
	}
	return f, nil
}

// dateOf writes a time in its known granularity: logs have milliseconds.
func dateOf(t time.Time) string {
	if t.Nanosecond() == 0 {
		return warc.FormatDate(t)
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}
