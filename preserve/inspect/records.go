package inspect

import (
	"strings"

	"quire/model"
	"quire/preserve/identify"
)

// records reports records in the order of the file. A record with pending identification or scan
// waits, and so do those after it.
//
// A nil records reports nothing.
type records struct {
	tell    func(model.Record) error
	waiting []pendingRecord // oldest first
}

type pendingRecord struct {
	record model.Record
	format *identify.Pending // nil if no format is pending
	scan   *scanning
}

// Limits for waiting records: their number, and the length of their texts. A usual header has a
// kilobyte; a much longer one is hostile.
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

// add adds a record, and reports the records that need not wait any longer.
func (q *records) add(r model.Record, format *identify.Pending, scan *scanning) error {
	if format == nil && scan == nil && len(q.waiting) == 0 {
		return q.tell(r)
	}
	most := mostUntold
	if detach(&r) > untoldText {
		most = 0
	}
	q.waiting = append(q.waiting, pendingRecord{r, format, scan})
	for len(q.waiting) > 0 && (len(q.waiting) > most || q.waiting[0].done()) {
		if err := q.first(); err != nil {
			return err
		}
	}
	return nil
}

// finish reports all waiting records.
func (q *records) finish() error {
	for q != nil && len(q.waiting) > 0 {
		if err := q.first(); err != nil {
			return err
		}
	}
	return nil
}

// first reports the oldest record, when its format and scan are known.
func (q *records) first() error {
	u := q.waiting[0]
	q.waiting[0] = pendingRecord{}
	q.waiting = q.waiting[1:]
	if u.format != nil {
		found := u.format.Wait()
		u.record.Format = found.Format()
		if found.Known() && found.PUID == "" {
			u.record.Format.Basis = found.Basis
		}
	}
	if u.scan != nil {
		v := u.scan.wait()
		u.record.Scan, u.record.Signature = v.Outcome, v.Signature
	}
	return q.tell(u.record)
}

func (u *pendingRecord) done() bool {
	return (u.format == nil || u.format.Done()) && (u.scan == nil || u.scan.done())
}

// detach copies the texts out of the header, so the header need not be kept. It returns their
// length.
func detach(r *model.Record) (length int) {
	for _, text := range []*string{
		&r.Type, &r.ID, &r.URI, &r.Dated, &r.ContentType, &r.DeclaredMIME, &r.IdentifiedType, &r.ServedType,
		&r.Language, &r.Location, &r.Status, &r.HTTPVersion, &r.Host,
		&r.Method, &r.BlockDigest, &r.PayloadDigest, &r.ConcurrentTo, &r.RefersTo, &r.RefersToURI, &r.RefersToDate,
		&r.Truncated, &r.Segment, &r.Part, &r.DedupEvidence, &r.DedupPackage, &r.DedupPath,
		&r.Describes,
	} {
		*text = strings.Clone(*text)
		length += len(*text)
	}
	return length
}
