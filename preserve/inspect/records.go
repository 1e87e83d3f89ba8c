package inspect

import (
	"strings"

	"quire/model"
	"quire/preserve/identify"
)

// records tells of records in the order of the file. One whose format or verdict is still being
// looked for waits, and those behind it.
//
// A nil records tells nobody.
type records struct {
	tell    func(model.Record) error
	waiting []untold // oldest first
}

type untold struct {
	record model.Record
	format *identify.Pending // nil when there is none to wait for
	scan   *scanning
}

// What may wait is bounded: so many records, and none with longer texts than these. A header has a
// kilobyte; one with more than that many is made by someone who means harm.
const (
	mostUntold = 1024
	untoldText = 64 << 10 // bytes
)

func newRecords(tell func(model.Record) error) *records {
	if tell == nil {
		return nil
	}
	return &records{tell: tell}
}

// add takes in a record, and tells of those that need wait no longer.
func (q *records) add(r model.Record, format *identify.Pending, scan *scanning) error {
	if format == nil && scan == nil && len(q.waiting) == 0 {
		return q.tell(r)
	}
	most := mostUntold
	if detach(&r) > untoldText {
		most = 0
	}
	q.waiting = append(q.waiting, untold{r, format, scan})
	for len(q.waiting) > 0 && (len(q.waiting) > most || q.waiting[0].done()) {
		if err := q.first(); err != nil {
			return err
		}
	}
	return nil
}

// finish tells of all that waits.
func (q *records) finish() error {
	for q != nil && len(q.waiting) > 0 {
		if err := q.first(); err != nil {
			return err
		}
	}
	return nil
}

// first tells of the oldest, when its format and its verdict are known.
func (q *records) first() error {
	u := q.waiting[0]
	q.waiting[0] = untold{}
	q.waiting = q.waiting[1:]
	if u.format != nil {
		found := u.format.Wait()
		u.record.Format = model.Format{Name: found.FullName(), PUID: found.PUID, MIME: found.MIME}
	}
	if u.scan != nil {
		v := u.scan.wait()
		u.record.Scan, u.record.Signature = v.Outcome, v.Signature
	}
	return q.tell(u.record)
}

func (u *untold) done() bool {
	return (u.format == nil || u.format.Done()) && (u.scan == nil || u.scan.done())
}

// detach copies the texts out of the header that they are parts of, so that it need not be kept. It
// gives their length.
func detach(r *model.Record) (length int) {
	for _, text := range []*string{
		&r.Type, &r.ID, &r.URI, &r.Dated, &r.ContentType, &r.DeclaredMIME, &r.IdentifiedType, &r.ServedType,
		&r.Language, &r.Location, &r.Status, &r.HTTPVersion, &r.Host,
		&r.Method, &r.BlockDigest, &r.PayloadDigest, &r.ConcurrentTo, &r.RefersTo, &r.RefersToURI, &r.RefersToDate,
		&r.Truncated, &r.Segment, &r.Part, &r.DedupEvidence, &r.Describes,
	} {
		*text = strings.Clone(*text)
		length += len(*text)
	}
	return length
}
