package index

import (
	"bytes"
	"strconv"

	"quire/format/surt"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// requests remembers what was asked for otherwise than by GET, for the records of the answers: their keys have it (format/surt). A request
// and its answer name each other by WARC-Concurrent-To (ISO 28500:2017, 5.7), one the other or the other the one; where neither does, they
// lie side by side.
type requests struct {
	sent map[string]sent
	size int   // bytes
	over int64 // requests that found no room

	body  bytes.Buffer // of the request that goes by
	order int64        // its record
}

// maxRequests bounds what is remembered, in bytes: a hundred thousand requests that sent something, and more that did not send much.
const maxRequests = 64 << 20

// sent is what a request adds to an answer.
type sent struct{ key, method string }

// served wants the bodies of requests.
func (q *requests) served(r model.Record) inspect.Served {
	if r.Type != warc.TypeRequest || isGET(r.Method) {
		return nil
	}
	q.body.Reset()
	q.order = r.Order
	return (*requestBody)(q)
}

func isGET(method string) bool { return method == "" || method == "GET" }

// requestBody takes as much of a body as counts.
type requestBody requests

// Write implements inspect.Served.
func (b *requestBody) Write(p []byte) (int, error) {
	if room := surt.MaxBody + 1 - b.body.Len(); room > 0 {
		b.body.Write(p[:min(room, len(p))]) // a buffer never fails
	}
	return len(p), nil
}

// End implements inspect.Served.
func (b *requestBody) End(bool) error { return nil }

// take remembers a request.
func (q *requests) take(r *model.Record) {
	if isGET(r.Method) || len(r.URI) > maxURL || r.URI == "" {
		return
	}
	var body []byte
	if q.order == r.Order {
		body = q.body.Bytes()
	}
	s := sent{bounded(surt.Key(surt.WithRequest(r.URI, r.Method, r.ServedType, body))), r.Method[:min(len(r.Method), 64)]}
	names := []string{r.ID, r.ConcurrentTo}
	if r.ConcurrentTo == "" {
		names = append(names, beside(r.Order-1, r.URI), beside(r.Order+1, r.URI))
	}
	if q.size += len(s.key) + len(r.URI)*2 + len(r.ID) + len(r.ConcurrentTo) + 200; q.size > maxRequests {
		q.over++
		return
	}
	for _, n := range names {
		if n != "" {
			q.sent[n] = s
		}
	}
}

// beside names a neighbour.
func beside(order int64, url string) string { return strconv.FormatInt(order, 10) + " " + url }

// of gives what was sent for an answer.
func (q *requests) of(k *taken) (sent, bool) {
	if k.Line.Type != warc.TypeResponse && k.Line.Type != warc.TypeRevisit || len(q.sent) == 0 {
		return sent{}, false
	}
	for _, name := range []string{k.ID, k.ConcurrentTo} {
		if s, ok := q.sent[name]; ok && name != "" {
			return s, true
		}
	}
	if k.ConcurrentTo != "" {
		return sent{}, false
	}
	s, ok := q.sent[beside(k.Line.Record.Order, k.Line.URL)]
	return s, ok
}
