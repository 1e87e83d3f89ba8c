// Package cdxserver answers queries about captures like other CDX servers: with the parameters of
// pywb and OutbackCDX, for their users and tools (docs/reference/540_cdx-server.md). Answers omit
// captures closed to the reader.
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

// Holdings is the source of the captures; [holdings.Holdings] implements it.
type Holdings interface {
	Captures(ctx context.Context, who holdings.Reader, q captures.Query) iter.Seq2[holdings.Judged, error]
	Whole(who holdings.Reader) func(pkg string) bool
}

// Server answers queries. The zero value needs Holdings.
type Server struct {
	Holdings Holdings
}

// maxRequest limits a client's request body, in bytes: it becomes part of the query (requestBody).
const maxRequest = 4 << 20

// Serve answers one query of a reader. packages restricts it; nil means all. Parameters come from
// the URL and, for a POST, from the form.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request, who holdings.Reader, packages []string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		w.Header().Set("Allow", "GET, HEAD, POST")
		http.Error(w, "ask by GET or POST", http.StatusMethodNotAllowed)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "cannot read the query: "+err.Error(), http.StatusBadRequest)
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
	h.Set("Cache-Control", "private, no-store") // access rights change, and differ by reader
	out := &answer{w: w, head: r.Method == http.MethodHead}
	err = s.answer(r.Context(), out, who, q)
	switch {
	case err == nil, errors.Is(err, errFull):
	case !out.begun && r.Context().Err() == nil:
		h.Del("Content-Type")
		http.Error(w, "the captures cannot be read at present", http.StatusInternalServerError)
	default:
		panic(http.ErrAbortHandler) // a truncated answer must not look complete
	}
}

// answer writes the response in blocks.
type answer struct {
	w     io.Writer
	head  bool
	begun bool
	buf   []byte
}

// errFull ends the output when the limit is reached.
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

// answer runs a query and writes its result.
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

// seen returns the captures open to a reader.
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

// discreet removes the places of a capture and its payload, unless the reader may see all of the
// packages. A gap between the offsets of two captures would reveal a third.
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

// write writes the selected captures, and then the resume key.
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

// writeLast writes the last captures, in their order.
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
