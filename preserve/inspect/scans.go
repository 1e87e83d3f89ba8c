package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/antivirus"
)

// scans passes payloads to a virus scanner during the pass, as they would be served: without
// framing and codings. If these could not be fully removed, it also passes the payload as sent and
// as stored. So a broken coding that browsers tolerate cannot hide a virus. Every record with
// content is scanned.
//
// A nil scans does nothing.
type scans struct {
	ctx     context.Context
	by      *antivirus.Scanner
	pass    *antivirus.Pass
	report  fault.Sink
	read    [readings]*antivirus.Stream // of the current payload
	waiting []*scanning                 // oldest first
	sum     model.Scan
	reasons tally
}

// reading is one of the forms of a payload.
type reading int

const (
	readStored reading = iota // the body with its chunked framing; empty if the body has no framing
	readSent                  // without it, with its content codings
	readServed                // without both
	readings   = iota
)

// maxFound bounds how many infected payloads of a container are listed. All are counted.
const maxFound = 1000

// maxReasons bounds the number of distinct reasons for not scanning.
const maxReasons = 20

// newScans begins to scan a container. If clamd is unreachable, it fails unless the Scanner is
// optional.
func newScans(ctx context.Context, by *antivirus.Scanner, report fault.Sink) (*scans, error) {
	if by == nil {
		return nil, nil
	}
	room := maxReasons
	s := &scans{ctx: ctx, by: by, report: report, reasons: newTally(&room)}
	s.sum.Scanners, s.sum.Found = []model.Scanner{}, []model.Infection{}
	if err := s.askVersion(); err != nil && !s.tolerates(err) {
		return nil, err
	}
	s.pass = by.Begin(ctx)
	return s, nil
}

// askVersion records the scanner's version. The database may change during a container, so there
// may be two.
func (s *scans) askVersion() error {
	v, err := s.by.Version(s.ctx)
	if err == nil && !slices.Contains(s.sum.Scanners, v) {
		s.sum.Scanners = append(s.sum.Scanners, v)
	}
	return err
}

// tolerates reports whether the pass continues without a scanner.
func (s *scans) tolerates(err error) bool {
	var away *antivirus.AwayError
	return s.by.Optional() && errors.As(err, &away)
}

// show passes bytes of one form of the current payload.
func (s *scans) show(r reading, p []byte) {
	if s == nil || len(p) == 0 {
		return
	}
	if s.read[r] == nil {
		s.read[r] = s.pass.Payload()
	}
	s.read[r].Write(p) //nolint:errcheck // it never fails
}

// scanning is a payload with a pending verdict.
type scanning struct {
	pending [readings]*antivirus.Pending
	partly  string // why it is not fully scanned, even if nothing is found
	by      model.Infection
}

// end ends the current payload. Forms that were not fully read are also scanned in the form below.
func (s *scans) end(e *entry, o *payloadObserver) error {
	if s == nil {
		return nil
	}
	decoded := o.coding.on && o.coding.decoder.Decoded()
	for r, unwanted := range [readings]bool{readStored: !o.broken, readSent: decoded} {
		if unwanted && s.read[r] != nil {
			s.read[r].Cancel()
			s.read[r] = nil
		}
	}
	x := &scanning{partly: partly(e, o), by: model.Infection{
		Record: strings.Clone(Shorten(e.id, maxRecord)), Offset: e.offset,
		URI: strings.Clone(Shorten(e.uri, maxMessage)), Bytes: e.payload,
	}}
	seen := false
	for r, stream := range s.read {
		if stream != nil {
			x.pending[r] = stream.Close()
			seen = true
		}
	}
	clear(s.read[:])
	if !seen {
		return nil
	}
	e.scan = x
	s.waiting = append(s.waiting, x)
	if len(s.waiting) > s.pass.InHand() { // always with the same delay, so a report is always the same
		return s.judgeOldest()
	}
	return nil
}

// partly returns why a payload without a virus is not known to be clean.
func partly(e *entry, o *payloadObserver) string {
	switch {
	case o.coding.bomb:
		return "it unpacks to more than is looked at"
	case e.kind == warc.TypeContinuation, e.warc != nil && e.warc.Has(warc.FieldSegmentNumber):
		return "it is one segment of several, and was looked at by itself"
	}
	return ""
}

// done reports whether the verdict is known.
func (x *scanning) done() bool {
	for _, p := range x.pending {
		if p != nil && !p.Done() {
			return false
		}
	}
	return true
}

// wait returns the most severe verdict of all readings.
func (x *scanning) wait() antivirus.Verdict {
	v := antivirus.Verdict{Outcome: model.ScanClean}
	if x.partly != "" {
		v = antivirus.Verdict{Outcome: model.ScanNotDone, Reason: x.partly}
	}
	for _, p := range x.pending {
		if p == nil {
			continue
		}
		switch w := p.Wait(); {
		case v.Outcome == model.ScanInfected:
		case w.Outcome == model.ScanInfected, w.Away != nil, v.Outcome == model.ScanClean:
			v = w
		}
	}
	return v
}

// judgeOldest waits for the oldest verdict and counts it. It fails if clamd was unreachable and is
// not optional.
func (s *scans) judgeOldest() error {
	x := s.waiting[0]
	s.waiting = s.waiting[1:]
	v := x.wait()
	if v.Away != nil && !s.tolerates(v.Away) {
		return v.Away
	}
	switch v.Outcome {
	case model.ScanInfected:
		s.sum.Scanned++
		s.sum.Infected++
		x.by.Signature = v.Signature
		if len(s.sum.Found) < maxFound {
			s.sum.Found = append(s.sum.Found, x.by)
		}
		s.fault(x, FaultInfected, "the payload contains %s", v.Signature)
	case model.ScanClean:
		s.sum.Scanned++
	default:
		s.sum.NotScanned++
		s.reasons.add(v.Reason, x.by.Bytes)
		s.fault(x, FaultNotScanned, "the payload was not fully scanned: %s", v.Reason)
	}
	return nil
}

func (s *scans) fault(x *scanning, code fault.Code, format string, args ...any) {
	s.report.Add(fault.Fault{Code: code, Offset: x.by.Offset, Record: x.by.Record,
		Detail: fmt.Sprintf(format, args...)})
}

// finish waits for all verdicts.
func (s *scans) finish() error {
	if s == nil {
		return nil
	}
	for len(s.waiting) > 0 {
		if err := s.judgeOldest(); err != nil {
			return err
		}
	}
	if err := s.askVersion(); err != nil && s.ctx.Err() != nil { // all verdicts are known: clamd is no longer needed
		return err
	}
	return nil
}

// stop cancels pending scans.
func (s *scans) stop() {
	if s != nil {
		s.pass.Stop()
	}
}

// fill writes the sums into c.
func (s *scans) fill(c *model.Container) {
	if s == nil {
		return
	}
	s.sum.Reasons = s.reasons.list()
	switch {
	case s.sum.Infected > 0:
		s.sum.Outcome = model.ScanInfected
	case s.sum.Scanned == 0 && (s.sum.NotScanned > 0 || len(s.sum.Scanners) == 0):
		s.sum.Outcome = model.ScanNotDone
	case s.sum.NotScanned > 0:
		s.sum.Outcome = model.ScanIncomplete
	default:
		s.sum.Outcome = model.ScanClean
	}
	c.Scan = &s.sum
}
