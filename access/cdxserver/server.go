// Package cdxserver answers questions about captures in the way of CDX servers: with the parameters
// that pywb and OutbackCDX have, for their users and their tools
// (docs/reference/540_cdx-server.md). What the reader may not see is not among the answers.
package cdxserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"

	"quire/holdings"
	"quire/holdings/captures"
)

// Holdings is what is asked: [holdings.Holdings] is one.
type Holdings interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Whole(who holdings.Reader) func(pkg string) bool
}

// Server answers. The zero value wants Holdings.
type Server struct {
	Holdings Holdings
}

// maxRequest bounds what a client sends, in bytes: the body of a request is part of a question
// (requestBody).
const maxRequest = 4 << 20

// Serve answers one question of a reader; packages are those that it is about, nil is all. It reads
// the parameters of the address and, of a POST, those of a form.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, who holdings.Reader, packages []string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "ask by GET or POST", http.StatusMethodNotAllowed)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the question cannot be read: "+err.Error(), http.StatusBadRequest)
		return
	}
	q, err := parse(r.Form)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q.query.Packages = packages
	h := w.Header()
	h.Set("Content-Type", q.form.mediaType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-store") // who may see what changes, and differs
	out := &answer{w: w, head: r.Method == http.MethodHead}
	err = s.answer(r.Context(), out, who, q)
	switch {
	case err == nil, errors.Is(err, errFull):
	case !out.begun && r.Context().Err() == nil:
		h.Del("Content-Type")
		http.Error(w, "the captures cannot be read at present", http.StatusInternalServerError)
	default:
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
}

// answer is what goes out, in pieces of some size.
type answer struct {
	w     io.Writer
	head  bool
	begun bool
	buf   []byte
}

// errFull says that nobody wants more.
var errFull = errors.New("enough")

const answerBlock = 32 << 10

func (a *answer) line(line []byte) error {
	if a.head {
		return errFull
	}
	if a.buf = append(append(a.buf, line...), '\n'); len(a.buf) < answerBlock {
		return nil
	}
	return a.flush()
}

func (a *answer) flush() error {
	if len(a.buf) == 0 {
		return nil
	}
	a.begun = true
	_, err := a.w.Write(a.buf)
	a.buf = a.buf[:0]
	return err
}

// answer writes what a question means.
func (s *Server) answer(ctx context.Context, out *answer, who holdings.Reader, q *question) error {
	captures := q.chosen(s.seen(ctx, who, q.query))
	switch {
	case q.countPages:
		n := 0
		for _, err := range captures {
			if err != nil {
				return err
			}
			n++
		}
		if err := out.line(fmt.Appendf(nil, `{"pages": %d, "pageSize": %d, "captures": %d}`,
			(n+q.pageSize-1)/q.pageSize, q.pageSize, n)); err != nil {
			return err
		}
		return out.flush()
	case q.last:
		return q.writeLast(out, captures)
	}
	return q.write(out, captures)
}

// seen are the captures that a reader may have.
func (s *Server) seen(ctx context.Context, who holdings.Reader, query captures.Query) iter.Seq2[*captures.Capture,
	error] {
	return func(yield func(*captures.Capture, error) bool) {
		whole := s.Holdings.Whole(who)
		for c, err := range s.Holdings.Captures(ctx, who, query) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !c.Allowed || c.Hidden {
				continue
			}
			if !yield(discreet(c.Capture, whole), nil) {
				return
			}
		}
	}
}

// discreet gives a capture without the places where it and its payload lie, unless the reader may
// have all of the packages: between the offsets of two captures a gap shows that there is a third.
func discreet(c *captures.Capture, whole func(pkg string) bool) *captures.Capture {
	if whole(c.Package) && (c.Payload == nil || whole(c.Payload.Package)) {
		return c
	}
	nowhere := captures.Place{Package: c.Package, Offset: -1, Stored: -1}
	told := *c
	if told.Record = nowhere; c.Payload != nil {
		nowhere.Package = c.Payload.Package
		told.Payload = &nowhere
	}
	return &told
}

// write writes the lines that are wanted of the captures, and then where to go on.
func (q *question) write(out *answer, all iter.Seq2[*captures.Capture, error]) error {
	skipped, n := 0, 0
	var at, last mark
	for c, err := range all {
		if err != nil {
			return err
		}
		if at = at.of(c); at.Key == q.behind.Key && at.Timestamp == q.behind.Timestamp && at.Given <= q.behind.Given {
			last = at
			continue
		}
		if skipped < q.offset {
			skipped++
			continue
		}
		if q.limit >= 0 && n == q.limit {
			if !q.resumable {
				break
			}
			if err := out.line(nil); err != nil {
				return err
			}
			if err := out.line([]byte(last.resumeKey())); err != nil {
				return err
			}
			break
		}
		n, last = n+1, at
		if err := out.line(q.form.line(c, q)); err != nil {
			return err
		}
	}
	return out.flush()
}

// writeLast writes the last lines, in their order.
func (q *question) writeLast(out *answer, all iter.Seq2[*captures.Capture, error]) error {
	var lines [][]byte
	for c, err := range all {
		if err != nil {
			return err
		}
		if lines = append(lines, slices.Clone(q.form.line(c, q))); len(lines) == q.limit {
			break
		}
	}
	slices.Reverse(lines)
	for _, l := range lines {
		if err := out.line(l); err != nil {
			return err
		}
	}
	return out.flush()
}
