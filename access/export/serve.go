package export

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"time"

	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/atomicdir"
	"quire/internal/humanize"
	"quire/repository/store"
)

// Limits limits the resources that exports use on a server. The zero value of each field means its
// default.
type Limits struct {
	AtOnce  int           // concurrent exports
	Waiting int           // waiting exports; further requests must retry later
	Time    time.Duration // for one export
	Size    int64         // bytes of one
	Kept    int64         // bytes of stored exports for reuse; below 0 none are stored
}

// The defaults of Limits.
const (
	DefaultAtOnce  = 2
	DefaultWaiting = 8
	DefaultTime    = 30 * time.Minute
	DefaultSize    = 8 << 30
	DefaultKept    = 16 << 30
)

func (l *Limits) complete() {
	for _, n := range []struct {
		of *int
		is int
	}{{&l.AtOnce, DefaultAtOnce}, {&l.Waiting, DefaultWaiting}} {
		if *n.of <= 0 {
			*n.of = n.is
		}
	}
	if l.Time <= 0 {
		l.Time = DefaultTime
	}
	if l.Size <= 0 {
		l.Size = DefaultSize
	}
	if l.Kept == 0 {
		l.Kept = DefaultKept
	}
}

// HandlerOptions configures a Handler.
type HandlerOptions struct {
	Store    *store.Store
	Holdings *holdings.Holdings
	Formats  []Format
	Dir      string // its own folder for running and stored exports
	Limits   Limits
	// log file with one line per download (docs/reference/565_exports.md); "" for none
	Log     string
	Problem func(error) // called with errors, from any goroutine; may be nil
}

// Handler serves exports over HTTP. The server identifies the reader and calls it. It creates an
// export once for all clients, while the package and the rights of its readers stay the same.
type Handler struct {
	o       HandlerOptions
	orders  *queue
	shelf   *cache
	memory  validity
	takings downloadLog
}

// NewHandler returns a Handler. The caller closes it.
func NewHandler(o HandlerOptions) (*Handler, error) {
	o.Limits.complete()
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	s, err := openShelf(o.Dir, max(o.Limits.Kept, 0))
	if err != nil {
		return nil, err
	}
	return &Handler{o: o, orders: newOrders(&o.Limits), shelf: s, takings: downloadLog{file: o.Log}}, nil
}

// Close cancels running exports.
func (h *Handler) Close() { h.orders.close() }

// Offered returns the formats available over HTTP: single files, and folders as ZIP.
func (h *Handler) Offered() []Format { return h.o.Formats }

// Serve sends the export: the file, or the folder in a ZIP. Only GET creates an export, before any
// byte is sent, so errors can still be reported; HEAD returns the known headers. Bags contain WARC
// files, never the package as stored. who is the reader as identified by the server; by is the
// requester, for the event.
func (h *Handler) Serve(w http.ResponseWriter, q *http.Request, who holdings.Reader, by, id string) {
	f, err := Find(h.o.Formats, q.URL.Query().Get("as"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q.Method != http.MethodGet && q.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "use GET for the export", http.StatusMethodNotAllowed)
		return
	}
	wish := newDownload(f, who, id, q.URL.Query().Get("at"))
	p := h.known(q.Context(), wish)
	if p == nil && q.Method == http.MethodGet {
		p, err = h.orders.ask(q.Context(), wish.digest, func(ctx context.Context) (*sharedFile, error) {
			return h.make(ctx, wish, by)
		})
	}
	defer p.close()
	switch {
	case q.Context().Err() != nil: // the client has gone
	case err != nil:
		h.refuse(w, err)
	default:
		h.send(w, q, wish, p)
	}
}

// send sends an export, or a part of it (Range); for HEAD only its headers, if it does not exist.
func (h *Handler) send(w http.ResponseWriter, q *http.Request, wish *download, p *sharedFile) {
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "private, no-cache") // rights change
	head.Add("Vary", "Authorization")
	head.Set("Content-Type", wish.kind())
	head.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": wish.fileName()}))
	if p == nil {
		return
	}
	head.Set("ETag", `"`+p.SHA512[:32]+`"`)
	c := &countedAnswer{ResponseWriter: w}
	http.ServeContent(c, q, "", time.Time{}, io.NewSectionReader(p.file, 0, p.Size))
	if c.bytes > 0 {
		if err := h.takings.add(&p.label, wish.who.Name, c.status, c.bytes); err != nil {
			h.o.Problem(err)
		}
	}
}

// refuse reports to the client why there is no export.
func (h *Handler) refuse(w http.ResponseWriter, err error) {
	status, text := http.StatusInternalServerError, "the export could not be created"
	var denied *holdings.DeniedError
	var large *LimitError
	var late *TimeError
	var empty *EmptyError
	switch {
	case errors.Is(err, errBusy), errors.Is(err, context.Canceled): // the server is stopping
		status, text = http.StatusServiceUnavailable,
			"this server is busy with other exports: ask again in a minute"
		w.Header().Set("Retry-After", "60")
	case errors.Is(err, errChanged):
		status, text = http.StatusServiceUnavailable,
			"the package, or its access rights, changed during the export: ask again in a minute"
		w.Header().Set("Retry-After", "60")
	case errors.Is(err, store.ErrNotFound), errors.Is(err, captures.ErrNotFound):
		status, text = http.StatusNotFound, "no such package"
	case errors.As(err, &denied):
		status, text = http.StatusForbidden, denied.Message
	case errors.As(err, &empty):
		status, text = http.StatusForbidden, "nothing of this package is open to you. Ask the archive for it."
	case errors.As(err, &large):
		status, text = http.StatusForbidden,
			"this package is too large to download in this form: it would exceed "+
				humanize.Size(large.Limit)+". Ask the archive for it."
	case errors.As(err, &late):
		status, text = http.StatusServiceUnavailable,
			"the export took longer than the limit of "+late.Limit.String()+" that it may take here. Ask the "+
				"archive for it."
		w.Header().Set("Retry-After", "3600")
	default:
		h.o.Problem(err)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, text, status)
}

// errChanged reports that access rights changed during an export, and again during its repetition.
var errChanged = errors.New("access rights changed during the export")

// make returns a stored export, or creates it. An export takes long. If readers lose rights
// meanwhile, the result is discarded for all waiting clients, because clients that came later may
// have joined the first one.
func (h *Handler) make(ctx context.Context, wish *download, by string) (*sharedFile, error) {
	const times = 2
	for range times {
		if p, err := h.once(ctx, wish, by); !errors.Is(err, errChanged) {
			return p, err
		}
	}
	return nil, errChanged
}

// once returns a stored export, or creates it; errChanged if it became outdated.
func (h *Handler) once(ctx context.Context, wish *download, by string) (_ *sharedFile, err error) {
	stamp, err := h.o.Holdings.Stamp(ctx) // before any access decision
	if err != nil {
		return nil, err
	}
	place, err := atomicdir.New(h.o.Dir) // removes leftovers of a killed server
	if err != nil {
		return nil, err
	}
	defer place.Close()
	defer func() { _ = place.Remove() }() // a temporary folder
	var here *sharedFile
	var refused error
	state, out := "", filepath.Join(place.Path(), "export")
	r := wish.request(out, by)
	r.Zip, r.Limit = true, h.o.Limits.Size
	r.Have = func(now string) bool {
		state = now
		if refused = h.memory.refused(wish.digest, state); refused != nil {
			return true
		}
		if here, err = h.shelf.take(ctx, wish.digest, state); err != nil {
			h.o.Problem(err)
		}
		return here != nil || ctx.Err() != nil
	}
	result, err := Run(ctx, h.o.Store, h.o.Holdings, r, h.o.Formats)
	switch {
	case refused != nil:
		return nil, refused
	case here != nil:
		h.memory.note(wish.digest, stamp, state)
		return here, nil
	case result == nil:
		h.memory.refuse(wish.digest, state, err, context.Cause(ctx))
		return nil, err
	case err != nil: // created, but its event was not recorded
		return nil, err
	}
	if stamp, err = h.still(ctx, wish, stamp, state, filepath.Join(place.Path(), "again")); err != nil {
		return nil, err
	}
	l := label{What: wish.digest, State: state, Package: result.ID, Version: result.Version, As: result.As,
		For:      result.For,
		FileName: wish.fileName(), MIME: wish.kind(), SHA512: result.SHA512, Made: time.Now().UTC()}
	// unreadable content may be readable tomorrow, from another copy: do not store the export
	made, err := h.shelf.put(out, l, result.KeptBack[Unreadable] == 0)
	if made == nil {
		return nil, err
	}
	if err != nil {
		h.o.Problem(err) // not stored, but it can still be served
	}
	h.memory.note(wish.digest, stamp, state)
	return made, nil
}

// still reports whether an export started at a stamp would be the same now, and returns the current
// stamp; errChanged if it would differ.
func (h *Handler) still(ctx context.Context, wish *download, stamp any, state, out string) (any, error) {
	now, err := h.o.Holdings.Stamp(ctx)
	if err != nil || now == stamp {
		return now, err
	}
	r := wish.request(out, "")
	r.Zip = true
	r.Have = func(is string) bool {
		if is != state {
			err = errChanged
		}
		return true
	}
	if _, failed := Run(ctx, h.o.Store, h.o.Holdings, r, h.o.Formats); !errors.Is(failed, ErrExists) {
		return nil, failed
	}
	return now, err
}

// known returns a stored export if the repository has not changed since the export was made. In
// this case no access decisions are needed.
func (h *Handler) known(ctx context.Context, wish *download) *sharedFile {
	stamp, err := h.o.Holdings.Stamp(ctx)
	if err != nil {
		return nil
	}
	state := h.memory.state(wish.digest, stamp)
	if state == "" {
		return nil
	}
	p, err := h.shelf.take(ctx, wish.digest, state)
	if err != nil {
		h.o.Problem(err)
	}
	return p
}

// countedAnswer counts the bytes sent to the client.
type countedAnswer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (c *countedAnswer) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

// Write implements io.Writer.
func (c *countedAnswer) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// Unwrap supports http.ResponseController.
func (c *countedAnswer) Unwrap() http.ResponseWriter { return c.ResponseWriter }
