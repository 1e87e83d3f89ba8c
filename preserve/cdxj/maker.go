package cdxj

import (
	"errors"
	"maps"
	"slices"

	"quire/format/warc"
	"quire/internal/spool"
	"quire/model"
	"quire/preserve/inspect"
)

// Maker makes the lines of one container after the other. Lines wait on disk until the container
// was read to its end, because a request may follow its answer.
type Maker struct {
	dir      string
	kept     *spool.Spool[pendingCapture]
	lines    int64
	segments int64 // of these, parts of segmented records
	left     map[string]int64
	requests requests
	flaws    Flaws
}

// pendingCapture is a capture that waits for its request.
type pendingCapture struct {
	Line         Line
	ConcurrentTo string
}

// NewMaker returns a Maker with its temporary files in dir; "" is the system's folder. The caller
// closes it.
func NewMaker(dir string) *Maker { return &Maker{dir: dir} }

// Begin resets the Maker for another container.
func (m *Maker) Begin() (err error) {
	if err := m.Close(); err != nil {
		return err
	}
	m.lines, m.segments, m.left, m.flaws = 0, 0, map[string]int64{}, Flaws{}
	m.requests = requests{sent: map[string]sent{}, keys: map[int64]string{}}
	m.kept, err = spool.New[pendingCapture](m.dir)
	return err
}

// Close removes the temporary files.
func (m *Maker) Close() error {
	if m.kept == nil {
		return nil
	}
	err := m.kept.Close()
	m.kept = nil
	return err
}

// Options returns options of a pass that reports to the Maker, in addition to the observers that it
// has.
func (m *Maker) Options(o inspect.Options) inspect.Options {
	served, record, finding := o.Served, o.Record, o.Finding
	o.Finding = func(f model.Finding) {
		m.flaws.Add(f)
		if finding != nil {
			finding(f)
		}
	}
	o.Contents = true
	o.Bodies = max(o.Bodies, inspect.SentBodies)
	o.Served = func(r model.Record) inspect.Served {
		if r.Type == warc.TypeRequest {
			if s := m.requests.served(r); s != nil {
				return s
			}
		}
		if served == nil {
			return nil
		}
		return served(r)
	}
	o.Record = func(r model.Record) error {
		if record == nil {
			return m.add(&r)
		}
		return errors.Join(record(r), m.add(&r))
	}
	return o
}

// add adds a record.
func (m *Maker) add(r *model.Record) error {
	flaw := m.flaws.Of(r)
	switch r.Type {
	case warc.TypeRequest:
		m.requests.add(r)
		return nil
	case warc.TypeResponse, warc.TypeResource, warc.TypeConversion, warc.TypeRevisit:
	case warc.TypeContinuation:
		if leftOut(r) != "" {
			return nil // no capture is lost with it that the first segment does not count
		}
	default:
		return nil
	}
	why := leftOut(r)
	listed := why == ""
	if !listed {
		m.left[why]++
		if !slices.Contains(unlisted, why) {
			return nil
		}
	}
	k := pendingCapture{*lineFor(r), r.ConcurrentTo}
	k.Line.Flaw, k.Line.Unlisted = flaw, !listed
	if m.lines++; k.Line.Segment > 0 {
		m.segments++
		k.Line.Unlisted = whyUnlisted(k.Line.URL, k.Line.Timestamp) != ""
	}
	if len(k.Line.ID) > maxID {
		m.left[LeftID]++
	}
	return m.kept.Add(k)
}

// Left returns the number of captures that have no line or an incomplete line, for each reason.
func (m *Maker) Left() map[string]int64 {
	left := maps.Clone(m.left)
	if m.requests.over > 0 {
		left[LeftRequests] = m.requests.over
	}
	return left
}

// Each visits the lines in the order of the records, including unlisted lines. The visitor may keep
// the line.
func (m *Maker) Each(visit func(*Line) error) error {
	return m.kept.Each(func(k pendingCapture) error {
		if s, ok := m.requests.of(&k); ok {
			k.Line.Key, k.Line.Method = s.key, s.method
		}
		return visit(&k.Line)
	})
}
