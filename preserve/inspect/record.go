package inspect

import (
	"strconv"

	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// reportRecord reads one record, and reports it if Options.Record is set.
func (p *pass) reportRecord(e *entry) error {
	if p.records == nil {
		_, err := p.record(e)
		return err
	}
	misfits := p.found.misfits()
	stored, err := p.record(e)
	if err != nil {
		return err
	}
	r := recordOf(e)
	r.Order, r.Stored, r.Length = p.sums.total, stored, -1
	if at, _ := p.in.Position(); !e.cut && e.read == e.size { // the error recurs with the bytes
		r.Length = at.Inflated - r.Inflated
	}
	r.BodyAt = e.blockAt() + r.Block - r.Payload
	flawed, ofMember := p.found.flaws.settle(e, stored)
	r.Sound, r.BadMember = !flawed && !e.cut, ofMember
	r.DigestsFit = p.found.misfits() == misfits && !e.cut
	return p.records.add(r, e.format, e.scan)
}

// misfits returns the number of digests that do not match, whatever the severity of the findings.
func (f *findings) misfits() int64 {
	return f.counts[FaultDigestBlock] + f.counts[FaultDigestBlockRevisit] + f.counts[FaultDigestPayload]
}

// recordOf returns the results of the header and the observers.
func recordOf(e *entry) model.Record {
	r := model.Record{
		Type: e.kind, URI: e.uri, Date: e.date, Dated: e.dated(), Offset: e.offset,
		ContentType: e.contentType, DeclaredMIME: e.declaredMIME(), Block: e.read, Payload: e.payload, Body: e.body,
		Content: e.content,
	}
	if !e.info { // filedesc:// is followed by a file name
		r.Host = Host(e.uri)
	}
	if a := e.arc; a != nil {
		r.Inflated = a.InflatedOffset
	}
	if w := e.warc; w != nil {
		r.Inflated = w.InflatedOffset
		r.ID, r.IdentifiedType = e.id, w.Get(warc.FieldIdentifiedPayloadType)
		r.BlockDigest, r.PayloadDigest = w.Get(warc.FieldBlockDigest), w.Get(warc.FieldPayloadDigest)
		r.RefersTo, r.RefersToURI, r.RefersToDate = w.Get(warc.FieldRefersTo), w.Get(warc.FieldRefersToTargetURI),
			w.Get(warc.FieldRefersToDate)
		r.ConcurrentTo = w.Get(warc.FieldConcurrentTo)
		r.Truncated, r.Segment = w.Get(warc.FieldTruncated), w.Get(warc.FieldSegmentNumber)
		r.SegmentOrigin, r.SegmentTotal = w.Get(warc.FieldSegmentOriginID), w.Get(warc.FieldSegmentTotalLength)
		r.Part, r.DedupEvidence, r.Describes = w.Get(fieldPart), w.Get(fieldEvidence), w.Get(fieldStandard)
		r.DedupPackage, r.DedupPath = w.Get(fieldPackage), w.Get(fieldPath)
	}
	r.ServedType = e.servedType()
	if h := e.http; h != nil {
		r.HTTPVersion, r.Coded = h.Version, h.Chunked() || h.Get("Content-Encoding") != ""
		if h.Kind == http1.Request {
			r.Method = h.Method
		}
		if h.Kind == http1.Response && h.StatusCode != 0 {
			r.Status = strconv.Itoa(h.StatusCode)
			r.Language, r.Location = h.Get("Content-Language"), h.Get("Location")
		}
	}
	return r
}
