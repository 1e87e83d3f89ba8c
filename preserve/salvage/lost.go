package salvage

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quire/format/cdx"
	"quire/format/surt"
	"quire/format/warc"
	"quire/internal/extsort"
	"quire/source/crawllog"
)

// names compares the names of records that anything tells with the records that were kept. Both can
// be more than fits in memory.
type names struct {
	all    *extsort.Sorter // by key: what was kept, what was damaged, what is wanted
	losses *extsort.Sorter // by URL and date: the losses

	windows []window  // of time, around the lost bytes
	last    time.Time // date of the last kept record
	opened  bool      // the last window has no end yet
	info    string    // the last warcinfo that a record named
}

// window is the time between the records before and after lost bytes.
type window struct{ from, to time.Time }

// maxWindows bounds the windows. After that, the last one grows.
const maxWindows = 1000

// around is how far outside a window a record may be dated: records are not exactly in the order of
// their dates.
const around = time.Minute

// The tags of values in names.all.
const (
	tagKept    = 'k'
	tagDamaged = 'd'
	tagWanted  = 'w'
)

func newNames(dir string) *names {
	return &names{all: extsort.New(extsort.Options{Dir: dir}), losses: extsort.New(extsort.Options{Dir: dir})}
}

func (n *names) close() error { return errors.Join(n.all.Close(), n.losses.Close()) }

// The keys of a record: by its id, by its URL and date, and by its URL alone.
func byID(id string) string             { return "i" + id }
func byURL(url string) string           { return "u" + surt.Key(url) }
func byCapture(url, date string) string { return "c" + date + surt.Key(url) }

// seconds returns the 14 digits of a date, as an index has them.
func seconds(t time.Time) string { return t.UTC().Format("20060102150405") }

// part notes a record that was read, and the names in it.
func (n *names) part(p *part, kept bool) error {
	date, err := warc.ParseDate(p.Date)
	dated := err == nil
	if dated && kept {
		n.at(date)
	}
	tag := []byte{tagKept}
	if !kept {
		tag[0] = tagDamaged
	}
	keys := []string{}
	if p.Record != "" {
		keys = append(keys, byID(p.Record))
	}
	if p.URL != "" && p.Type != warc.TypeRequest && p.Type != warc.TypeMetadata {
		keys = append(keys, byURL(p.URL))
		if dated {
			keys = append(keys, byCapture(p.URL, seconds(date)))
		}
	}
	for _, k := range keys {
		if err := n.all.Add([]byte(k), tag); err != nil {
			return err
		}
	}
	if !kept {
		return n.damaged(p)
	}
	return n.named(p)
}

// at notes the date of a kept record.
func (n *names) at(date time.Time) {
	if n.opened {
		n.windows[len(n.windows)-1].to = date
		n.opened = false
	}
	n.last = date
}

// hole notes that bytes are lost after the last record.
func (n *names) hole() {
	if !n.opened && len(n.windows) < maxWindows {
		n.windows = append(n.windows, window{from: n.last})
	}
	n.opened = true
}

// within reports whether a record of this date may have been in lost bytes.
func (n *names) within(date time.Time) bool {
	for _, w := range n.windows {
		if !date.Before(w.from.Add(-around)) && (w.to.IsZero() || !date.After(w.to.Add(around))) {
			return true
		}
	}
	return false
}

// damaged notes a damaged record with the names in its own header.
func (n *names) damaged(p *part) error {
	if p.URL == "" && p.Record == "" {
		return nil
	}
	return n.lose(Line{Kind: Lost, Offset: p.Offset, Length: -1, At: p.At, Record: p.Record, Type: p.Type, URL: p.URL,
		Date: p.Date, Certain: true, Why: p.Why, Evidence: []Evidence{{From: "header"}}})
}

// named notes the records that a kept record names. A record that was captured with it is in the same
// file; one that a revisit refers to can be in any file.
func (n *names) named(p *part) error {
	for _, other := range p.names {
		l := Line{Kind: Lost, Offset: -1, Length: -1, At: -1, Record: other.id,
			Evidence: []Evidence{{From: "record", Record: p.Record, Field: other.field}}}
		switch other.field {
		case warc.FieldConcurrentTo:
			l.URL, l.Date, l.Certain = p.URL, p.Date, true
		case warc.FieldWarcinfoID:
			if other.id == n.info {
				continue // most records name the same
			}
			n.info, l.Type = other.id, warc.TypeWarcinfo
		default:
			l.URL, l.Date = p.refersToURL, p.refersToDate
		}
		if err := n.want(byID(other.id), l); err != nil {
			return err
		}
	}
	return nil
}

// want notes a record that something names.
func (n *names) want(key string, l Line) error {
	value, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return n.all.Add([]byte(key), append([]byte{tagWanted}, value...))
}

// lose notes a loss.
func (n *names) lose(l Line) error {
	value, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return n.losses.Add([]byte(cmp.Or(surt.Key(l.URL), l.Record)+"\x00"+l.Date), value)
}

// lose lists the lost records: it reads the indexes and logs, and compares all names with the records
// that were kept.
func (j *job) lose() error {
	// A copy can end exactly between two records. Then no byte is lost, and only an index or a log
	// that names the container shows the loss.
	if j.result.LostBytes == 0 && len(j.o.CDX)+len(j.o.Logs) == 0 {
		return nil
	}
	for _, path := range j.o.CDX {
		if err := j.readCDX(path); err != nil {
			return err
		}
	}
	for _, path := range j.o.Logs {
		if err := j.readLog(path); err != nil {
			return err
		}
	}
	if err := j.compare(); err != nil {
		return err
	}
	return j.listLost()
}

// isSource reports whether a name in an index or a log is the name of the container. Compression may
// have been added or removed.
func (j *job) isSource(name string) bool {
	bare := func(s string) string {
		s = filepath.Base(strings.ReplaceAll(s, `\`, "/"))
		return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s, ".open"), ".gz"), ".zst")
	}
	return bare(name) == bare(j.result.Source)
}

func (j *job) readCDX(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	for e, err := range cdx.NewReader(&cancelled{j.ctx, f}, cdx.Options{}).All() {
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if e.File != "" && !j.isSource(e.File) || e.URL == "" {
			continue
		}
		l := Line{Kind: Lost, Offset: e.Offset, Length: e.Length, At: -1, Record: e.RecordID, URL: e.URL,
			Date: dateOf(e.Time), Certain: e.File != "", Evidence: []Evidence{{From: "cdx", File: path, Line: e.Line}}}
		if e.File == "" && (e.Time.IsZero() || !j.names.within(e.Time)) {
			continue
		}
		key := byURL(e.URL)
		if !e.Time.IsZero() {
			key = byCapture(e.URL, seconds(e.Time))
		}
		if err := j.names.want(key, l); err != nil {
			return err
		}
	}
	return nil
}

func (j *job) readLog(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	for e, err := range crawllog.NewReader(&cancelled{j.ctx, f}).All() {
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		named := e.Container != "" && j.isSource(e.Container)
		at := e.Time
		if at.IsZero() {
			at = e.Logged
		}
		if e.Miss != "" || e.Container != "" && !named || !named && !j.names.within(at) {
			continue
		}
		l := Line{Kind: Lost, Offset: -1, Length: -1, At: -1, URL: e.URI, Date: dateOf(at), Certain: named,
			Evidence: []Evidence{{From: "log", File: path, Line: e.Line}}}
		if err := j.names.want(byURL(e.URI), l); err != nil {
			return err
		}
	}
	return nil
}

// compare finds the names without a record.
func (j *job) compare() error {
	key, known := "", false
	var wanted []Line // under the key, at most maxEvidence
	flush := func() error {
		for i := range wanted {
			if l := &wanted[i]; !known && (l.Certain || l.Evidence[0].From != "record" || j.mayBeLost(l)) {
				if err := j.names.lose(*l); err != nil {
					return err
				}
			}
		}
		wanted = wanted[:0]
		return nil
	}
	err := j.names.all.Each(func(k, v []byte) error {
		if string(k) != key {
			if err := flush(); err != nil {
				return err
			}
			key, known = string(k), false
		}
		if known = known || v[0] != tagWanted; v[0] != tagWanted || len(wanted) == maxEvidence {
			return nil
		}
		var l Line
		if err := json.Unmarshal(v[1:], &l); err != nil {
			return err
		}
		wanted = append(wanted, l)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// mayBeLost reports whether a record that another refers to may have been in this file.
func (j *job) mayBeLost(l *Line) bool {
	if l.Type == warc.TypeWarcinfo {
		return true
	}
	date, err := warc.ParseDate(l.Date)
	return err == nil && j.names.within(date)
}

// listLost reports each loss once, with all its evidence.
func (j *job) listLost() error {
	var last Line
	key := ""
	flush := func() error {
		if key == "" {
			return nil
		}
		if last.Certain {
			j.result.Lost++
		} else {
			j.result.Possible++
		}
		if len(j.result.Losses) < MaxListed {
			j.result.Losses = append(j.result.Losses, last)
		}
		return j.lines.add(last)
	}
	err := j.names.losses.Each(func(k, v []byte) error {
		var l Line
		if err := json.Unmarshal(v, &l); err != nil {
			return err
		}
		if string(k) == key && (last.Record == "" || l.Record == "" || last.Record == l.Record) {
			last.merge(&l)
			return nil
		}
		if err := flush(); err != nil {
			return err
		}
		key, last = string(k), l
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// maxEvidence bounds the evidence that a loss lists.
const maxEvidence = 16

// merge adds the evidence of the same loss.
func (l *Line) merge(other *Line) {
	l.Certain = l.Certain || other.Certain
	l.Record, l.Type, l.Why = cmp.Or(l.Record, other.Record), cmp.Or(l.Type, other.Type), cmp.Or(l.Why, other.Why)
	if l.Offset < 0 {
		l.Offset, l.Length = other.Offset, other.Length
	}
	if len(l.Evidence) < maxEvidence {
		l.Evidence = append(l.Evidence, other.Evidence...)
	}
}
