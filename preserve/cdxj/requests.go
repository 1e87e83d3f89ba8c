package cdxj

import (
	"bytes"
	"strconv"

	"quire/format/surt"
	"quire/format/warc"
	"quire/model"
	"quire/preserve/inspect"
)

// requests remembers requests by methods other than GET, for the keys of their answers
// (format/surt). A request and its answer refer to each other by WARC-Concurrent-To (ISO
// 28500:2017, 5.7), in one direction or both. Without it, they are neighbours in the container.
type requests struct {
	sent map[string]sent
	size int   // bytes
	over int64 // requests beyond the limit

	body requestBody      // of the current request
	keys map[int64]string // by order: requests with a body read, but a record not yet reported
}

// maxRequests bounds the remembered requests, in bytes: about a hundred thousand with a body,
// or more with small bodies.
const maxRequests = 64 << 20

// sent is the data that a request adds to an answer.
type sent struct{ key, method string }

// served asks for the bodies of requests.
func (q *requests) served(r model.Record) inspect.Served {
	if r.Type != warc.TypeRequest || isGET(r.Method) || !keyed(&r) {
		return nil
	}
	q.body.of, q.body.order, q.body.url, q.body.method, q.body.kind = q, r.Order, r.URI, r.Method, r.ServedType
	q.body.bytes.Reset()
	return &q.body
}

func isGET(method string) bool { return method == "" || method == "GET" }

// keyed reports whether the answer to a request can have a key.
func keyed(r *model.Record) bool { return r.URI != "" && len(r.URI) <= MaxURL }

// requestBody keeps the part of a body that may influence the key.
type requestBody struct {
	of                *requests
	order             int64
	url, method, kind string
	bytes             bytes.Buffer
}

// Write implements inspect.Served.
func (b *requestBody) Write(p []byte) (int, error) {
	if room := surt.MaxBody + 1 - b.bytes.Len(); room > 0 {
		b.bytes.Write(p[:min(room, len(p))]) // a buffer never fails
	}
	return len(p), nil
}

// End implements inspect.Served. Other records may pass between a body and its record: the pass
// lets at most a thousand wait.
func (b *requestBody) End(bool) error {
	b.of.keys[b.order] = Key(b.url, b.method, b.kind, b.bytes.Bytes())
	return nil
}

// add remembers a request.
func (q *requests) add(r *model.Record) {
	if isGET(r.Method) || !keyed(r) {
		return
	}
	key, known := q.keys[r.Order]
	delete(q.keys, r.Order)
	if !known {
		key = Key(r.URI, r.Method, r.ServedType, nil)
	}
	s := sent{key, r.Method[:min(len(r.Method), maxMethod)]}
	names := []string{r.ID, r.ConcurrentTo}
	if r.ConcurrentTo == "" {
		names = append(names, neighbourKey(r.Order-1, r.URI), neighbourKey(r.Order+1, r.URI))
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

// maxMethod bounds a method, in bytes.
const maxMethod = 64

// neighbourKey returns the key of a neighbour.
func neighbourKey(order int64, url string) string { return strconv.FormatInt(order, 10) + " " + url }

// of returns the data sent for an answer.
func (q *requests) of(k *pendingCapture) (sent, bool) {
	if k.Line.Type != warc.TypeResponse && k.Line.Type != warc.TypeRevisit || len(q.sent) == 0 {
		return sent{}, false
	}
	for _, name := range []string{k.Line.ID, k.ConcurrentTo} {
		if s, ok := q.sent[name]; ok && name != "" {
			return s, true
		}
	}
	if k.ConcurrentTo != "" {
		return sent{}, false
	}
	s, ok := q.sent[neighbourKey(k.Line.Order, k.Line.URL)]
	return s, ok
}
