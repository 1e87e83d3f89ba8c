package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"quire/format/fault"
	"quire/format/warc"
)

// collected is the data of one pass for a Set.
type collected struct {
	name     string
	ids      []placed
	refs     []reference // to records outside the file
	captures []capture   // of the records with their own content
	segments []segment
	lost     int64
}

// recent is how many of the last ids are remembered, so references to a neighbour need not be kept.
// Nearly all are to neighbours.
const recent = 64

// maxTexts is how many references of a file keep their text for the message.
const maxTexts = 1000

// refObserver collects the ids and references of one file.
type refObserver struct {
	set      *Set
	report   fault.Sink
	header   *header // as read by the structure observer
	out      collected
	last     [recent]hashed
	n        int
	warcinfo hashed // the last WARC-Warcinfo-ID
	texts    int
	segment  segment
	split    bool
}

// begin implements observer.
func (o *refObserver) begin(e *entry) {
	o.split = false
	if e.warc == nil {
		return
	}
	id := o.header.valueOf(warc.FieldRecordID)
	if len(id) > 0 {
		h := o.set.hash(id)
		o.last[o.n%recent] = h
		o.n++
		if len(o.out.ids) < o.set.most {
			o.out.ids = append(o.out.ids, placed{h, spotOf(0, e.offset)})
		} else {
			o.out.lost++
		}
	}
	if e.warc.Count(warc.FieldConcurrentTo) > 1 {
		for _, v := range e.warc.Values(warc.FieldConcurrentTo) {
			o.refer(e, []byte(v), FaultConcurrentTo)
		}
	} else {
		o.refer(e, o.header.valueOf(warc.FieldConcurrentTo), FaultConcurrentTo)
	}
	o.refer(e, o.header.valueOf(warc.FieldRefersTo), FaultRefersTo)
	o.refer(e, o.header.valueOf(warc.FieldWarcinfoID), FaultWarcinfoID)
	o.beginCapture(e)
	o.beginSegment(e, id)
}

// beginCapture keeps the address and date of a record to which a revisit can refer. For a revisit,
// it also keeps the address and date to which the revisit refers.
func (o *refObserver) beginCapture(e *entry) {
	if e.kind == warc.TypeRevisit {
		uri, date := o.header.valueOf(warc.FieldRefersToTargetURI), o.header.valueOf(warc.FieldRefersToDate)
		if len(uri) == 0 || len(date) == 0 {
			return
		}
		if len(o.out.refs) >= o.set.most {
			o.out.lost++
			return
		}
		o.out.refs = append(o.out.refs, reference{code: FaultRefersToTarget, text: o.textOf(uri),
			placed: placed{hashed{uint64(o.set.capture(uri, date))}, spotOf(0, e.offset)}})
		return
	}
	if e.kind != warc.TypeResponse && e.kind != warc.TypeResource {
		return
	}
	if len(o.out.captures) >= o.set.most {
		o.out.lost++
		return
	}
	o.out.captures = append(o.out.captures,
		o.set.capture(o.header.valueOf(warc.FieldTargetURI), o.header.valueOf(warc.FieldDate)))
}

// textOf returns the text of a reference for messages; "" if enough texts are kept.
func (o *refObserver) textOf(id []byte) string {
	if o.texts >= maxTexts {
		return ""
	}
	o.texts++
	return Shorten(string(id), maxName)
}

// refer keeps a reference, unless it is to a neighbour or to the same warcinfo as before.
func (o *refObserver) refer(e *entry, id []byte, code fault.Code) {
	if len(id) == 0 {
		return
	}
	h := o.set.hash(id)
	if code == FaultWarcinfoID {
		if h == o.warcinfo {
			return
		}
		o.warcinfo = h
	}
	if slices.Contains(o.last[:min(o.n, recent)], h) {
		return
	}
	if len(o.out.refs) >= o.set.most {
		o.out.lost++
		return
	}
	o.out.refs = append(o.out.refs, reference{placed: placed{h, spotOf(0, e.offset)}, code: code, text: o.textOf(id)})
}

// beginSegment keeps the segment's fields.
func (o *refObserver) beginSegment(e *entry, id []byte) {
	n, err := strconv.ParseInt(string(o.header.valueOf(warc.FieldSegmentNumber)), 10, 64)
	if err != nil || n < 1 || n > maxSegment {
		return
	}
	if e.kind == warc.TypeContinuation {
		id = o.header.valueOf(warc.FieldSegmentOriginID)
	}
	if len(id) == 0 {
		return
	}
	o.segment = segment{placed: placed{o.set.hash(id), spotOf(0, e.offset)}, number: n, total: -1}
	if total, err := strconv.ParseUint(string(o.header.valueOf(warc.FieldSegmentTotalLength)), 10, 63); err == nil {
		o.segment.total = int64(total)
	}
	o.split = len(o.out.segments) < o.set.most
}

// chunk implements observer.
func (o *refObserver) chunk([]byte) error { return nil }

// end implements observer.
func (o *refObserver) end(e *entry) error {
	if o.split {
		o.segment.bytes = e.read
		o.out.segments = append(o.out.segments, o.segment)
	}
	return nil
}

// finish reports repeated ids, drops the references that lead to records of the file, and passes
// the rest to the Set.
func (o *refObserver) finish() {
	ids := o.out.ids
	slices.SortFunc(ids, byID)
	for _, t := range twins(ids) {
		o.report.Add(fault.Fault{Code: FaultIDTwice, Offset: t.at,
			Detail: fmt.Sprintf("the record at byte %d has the same id", t.before)})
	}
	slices.Sort(o.out.captures)
	o.out.refs = slices.DeleteFunc(o.out.refs, func(r reference) bool { return r.leads(ids, o.out.captures) })
	o.set.add(&o.out)
}

// twin is a record, and one before it, with the same id.
type twin struct{ at, before int64 }

// twins returns repeated ids in the order of the records, because the order of the hashes differs
// in each run.
func twins(ids []placed) []twin {
	var found []twin
	for i := 1; i < len(ids); i++ {
		if ids[i].id == ids[i-1].id {
			found = append(found, twin{ids[i].at.offset(), ids[i-1].at.offset()})
		}
	}
	slices.SortFunc(found, func(a, b twin) int { return cmp.Compare(a.at, b.at) })
	return found
}
