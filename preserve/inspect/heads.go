package inspect

import (
	"net/http"
	"slices"
	"strings"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/warc"
	"quire/model"
)

// heads tells answers to HEAD requests from short bodies. Such an answer declares the length of the page, and has no
// body (RFC 9110, 9.3.2). Only the record of its request shows the method. It stands before the answer or after it.
//
// A finding about a response without a body waits for the request of that response, for some records. The record
// itself does not wait. So where a policy makes the finding an error, it is reported at once, and only a request
// before its answer counts.
type heads struct {
	report   fault.Sink
	severity func(fault.Code) model.Severity
	records  int64      // records of the file until now
	asked    []exchange // HEAD requests without an answer, the oldest first
	bodiless []exchange // responses without the body that they declare, the oldest first
}

// nearby is how many records may stand between a request and its response.
const nearby = 8

// exchange has the facts of a record by which a request and its response find each other.
type exchange struct {
	id, uri    string
	concurrent []string // ids of other records of the exchange (ISO 28500:2017, 5.7)
	at         int64    // its place among the records
	fault      fault.Fault
}

func (h *heads) exchangeOf(e *entry) exchange {
	x := exchange{id: strings.Clone(e.id), uri: strings.Clone(e.uri), at: h.records}
	for _, id := range e.warc.Values(warc.FieldConcurrentTo) {
		x.concurrent = append(x.concurrent, strings.Clone(id))
	}
	return x
}

// names reports whether one of two records names the other.
func (x *exchange) names(y *exchange) bool {
	return x.id != "" && slices.Contains(y.concurrent, x.id) || y.id != "" && slices.Contains(x.concurrent, y.id)
}

// sharesURI reports whether two records have one URI, and neither names a record.
func (x *exchange) sharesURI(y *exchange) bool {
	return x.uri != "" && x.uri == y.uri && len(x.concurrent)+len(y.concurrent) == 0
}

// take removes the counterpart of a record from a list: the record that one of them names, or else the newest with
// the same URI.
func take(from *[]exchange, x *exchange) (exchange, bool) {
	at := -1
	for i := range *from {
		switch y := &(*from)[i]; {
		case x.names(y):
			return remove(from, i), true
		case x.sharesURI(y):
			at = i
		}
	}
	if at < 0 {
		return exchange{}, false
	}
	return remove(from, at), true
}

func remove(from *[]exchange, i int) exchange {
	x := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	return x
}

// end takes a record at its end. The fault says that the record lacks its body; nil if it does not.
func (h *heads) end(e *entry, lacks *fault.Fault) {
	if e.warc == nil {
		return
	}
	h.records++
	h.expire()
	switch {
	case e.http == nil:
	case e.kind == warc.TypeRequest && e.http.Kind == http1.Request:
		h.request(e, e.http.Method == http.MethodHead)
	case e.kind == warc.TypeResponse || e.kind == warc.TypeRevisit:
		h.response(e, lacks)
	}
}

// request takes a request. Usually nothing waits for it.
func (h *heads) request(e *entry, head bool) {
	if !head && len(h.bodiless)+len(h.asked) == 0 {
		return
	}
	x := h.exchangeOf(e)
	answer, answered := take(&h.bodiless, &x)
	switch {
	case !head && answered:
		h.report.Add(answer.fault)
	case !head: // the next answer for this URI is its own
		h.asked = slices.DeleteFunc(h.asked, func(y exchange) bool { return x.sharesURI(&y) })
	case !answered:
		h.asked = append(h.asked, x)
	}
}

// response takes a response or a revisit. A HEAD request has one answer, with or without a fault.
func (h *heads) response(e *entry, lacks *fault.Fault) {
	if lacks == nil && len(h.asked) == 0 {
		return
	}
	x := h.exchangeOf(e)
	switch _, answers := take(&h.asked, &x); {
	case answers || lacks == nil:
	case h.severity(lacks.Code) == model.Error:
		h.report.Add(*lacks)
	default:
		x.fault = *lacks
		x.fault.Record = x.id
		h.bodiless = append(h.bodiless, x)
	}
}

// expire ends the waiting of records that are too far behind.
func (h *heads) expire() {
	for len(h.asked) > 0 && h.records-h.asked[0].at > nearby {
		remove(&h.asked, 0)
	}
	for len(h.bodiless) > 0 && h.records-h.bodiless[0].at > nearby {
		h.report.Add(remove(&h.bodiless, 0).fault)
	}
}

// finish reports the responses that still wait at the end of the file.
func (h *heads) finish() {
	for _, x := range h.bodiless {
		h.report.Add(x.fault)
	}
	h.bodiless, h.asked = nil, nil
}
