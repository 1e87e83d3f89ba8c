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

// Limits bound what exports cost who serves them. The zero value of each field is its default.
type Limits struct {
	AtOnce  int           // that are made at the same time
	Waiting int           // that wait to be made; others are told to come back
	Time    time.Duration // for making one
	Size    int64         // bytes of one
	Kept    int64         // bytes of those that are kept, to be handed out again; below 0 nothing is kept
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

// HandlerOptions say what a Handler hands out.
type HandlerOptions struct {
	Store    *store.Store
	Holdings *holdings.Holdings
	Formats  []Format
	Dir      string // a folder of its own, in which exports are made and kept
	Limits   Limits
	// file to which a line is added for each time that an export is taken
	// (docs/reference/565_exports.md); "" for none
	Log     string
	Problem func(error) // told what goes wrong, from any goroutine; may be nil
}

// Handler hands packages out over HTTP. It is asked by who knows the reader: the server. An export
// is made once, however many take it, as long as the package is what it was and its readers may
// have of it what they could.
type Handler struct {
	o       HandlerOptions
	orders  *orders
	shelf   *shelf
	memory  memory
	takings takings
}

// NewHandler makes a Handler. Whoever made it closes it.
func NewHandler(o HandlerOptions) (*Handler, error) {
	o.Limits.complete()
	if o.Problem == nil {
		o.Problem = func(error) {}
	}
	s, err := openShelf(o.Dir, max(o.Limits.Kept, 0))
	if err != nil {
		return nil, err
	}
	return &Handler{o: o, orders: newOrders(&o.Limits), shelf: s, takings: takings{file: o.Log}}, nil
}

// Close ends what is being made.
func (h *Handler) Close() { h.orders.close() }

// Offered are the formats that can be had over HTTP: those of one file, and folders as ZIP.
func (h *Handler) Offered() []Format { return h.o.Formats }

// Serve sends the export: the one file, or the folder in a ZIP. It is made before anything is sent,
// so that an error can be told, and only by GET: to HEAD it is told what is known. A bag has WARC
// files in it, never the package as it is stored. who is the reader, as the server knows him; by is
// who asked, for the event.
func (h *Handler) Serve(w http.ResponseWriter, q *http.Request, who holdings.Reader, by, id string) {
	f, err := Find(h.o.Formats, q.URL.Query().Get("as"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q.Method != http.MethodGet && q.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "GET takes the export", http.StatusMethodNotAllowed)
		return
	}
	wish := newWish(f, who, id, q.URL.Query().Get("at"))
	p := h.known(q.Context(), wish)
	if p == nil && q.Method == http.MethodGet {
		p, err = h.orders.ask(q.Context(), wish.digest, func(ctx context.Context) (*parcel, error) {
			return h.make(ctx, wish, by)
		})
	}
	defer p.close()
	switch {
	case q.Context().Err() != nil: // nobody is there
	case err != nil:
		h.refuse(w, err)
	default:
		h.send(w, q, wish, p)
	}
}

// send sends what was made, or a part of it (Range); of what was not, to HEAD, the head.
func (h *Handler) send(w http.ResponseWriter, q *http.Request, wish *wish, p *parcel) {
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

// refuse tells why there is no export.
func (h *Handler) refuse(w http.ResponseWriter, err error) {
	status, text := http.StatusInternalServerError, "the export could not be made"
	var denied *holdings.DeniedError
	var large *LimitError
	var late *TimeError
	switch {
	case errors.Is(err, errBusy), errors.Is(err, context.Canceled): // the server ends
		status, text = http.StatusServiceUnavailable,
			"as many exports as this server makes at once are being made: ask again in a minute"
		w.Header().Set("Retry-After", "60")
	case errors.Is(err, errChanged):
		status, text = http.StatusServiceUnavailable,
			"this package, or what can be had of it, changed while the export was made: ask again in a minute"
		w.Header().Set("Retry-After", "60")
	case errors.Is(err, store.ErrNotFound), errors.Is(err, captures.ErrNotFound):
		status, text = http.StatusNotFound, "there is no such package"
	case errors.As(err, &denied):
		status, text = http.StatusForbidden, denied.Message
	case errors.As(err, &large):
		status, text = http.StatusForbidden,
			"this package is too large to be taken away here in this form: it would be more than "+
				humanize.Size(large.Limit)+". Ask the archive for it."
	case errors.As(err, &late):
		status, text = http.StatusServiceUnavailable,
			"making this took longer than the "+late.Limit.String()+" that it may take here. Ask the archive for it."
		w.Header().Set("Retry-After", "3600")
	default:
		h.o.Problem(err)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Error(w, text, status)
}

// errChanged says that what readers may have became other while an export was made, and again when
// that was done anew.
var errChanged = errors.New("what readers may have changed while the export was made")

// make makes an export, unless what it would be is on the shelf. Making takes long: where readers
// may have less of it in the end than when it was begun, nobody gets it, not even who asked before,
// for others have joined him since.
func (h *Handler) make(ctx context.Context, wish *wish, by string) (*parcel, error) {
	const times = 2
	for range times {
		if p, err := h.once(ctx, wish, by); !errors.Is(err, errChanged) {
			return p, err
		}
	}
	return nil, errChanged
}

// once makes an export, or takes it from the shelf; errChanged when it is no more what it should
// be.
func (h *Handler) once(ctx context.Context, wish *wish, by string) (_ *parcel, err error) {
	stamp, err := h.o.Holdings.Stamp(ctx) // before anything is judged
	if err != nil {
		return nil, err
	}
	place, err := atomicdir.New(h.o.Dir) // removes what a server that was killed left there
	if err != nil {
		return nil, err
	}
	defer place.Close()
	defer func() { _ = place.Remove() }() // a temporary folder
	var here *parcel
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
	case err != nil: // it was made, and its event was not written
		return nil, err
	}
	if stamp, err = h.still(ctx, wish, stamp, state, filepath.Join(place.Path(), "again")); err != nil {
		return nil, err
	}
	l := label{What: wish.digest, State: state, Package: result.ID, Version: result.Version, As: result.As,
		For:      result.For,
		FileName: wish.fileName(), MIME: wish.kind(), SHA512: result.SHA512, Made: time.Now().UTC()}
	// what could not be read may be there tomorrow, from another copy
	made, err := h.shelf.put(out, l, result.KeptBack[Unreadable] == 0)
	if made == nil {
		return nil, err
	}
	if err != nil {
		h.o.Problem(err) // it is not kept, and can be handed out all the same
	}
	h.memory.note(wish.digest, stamp, state)
	return made, nil
}

// still says whether an export would be the same that was begun at a stamp, and gives the stamp of
// now; errChanged when it would not.
func (h *Handler) still(ctx context.Context, wish *wish, stamp any, state, out string) (any, error) {
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
	if _, failed := Run(ctx, h.o.Store, h.o.Holdings, r, h.o.Formats); !errors.Is(failed, ErrHave) {
		return nil, failed
	}
	return now, err
}

// known gives what was made when nothing at all has changed since in the repository: without asking
// for each capture what the reader gets.
func (h *Handler) known(ctx context.Context, wish *wish) *parcel {
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

// countedAnswer counts what is sent.
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

// Unwrap is for http.ResponseController.
func (c *countedAnswer) Unwrap() http.ResponseWriter { return c.ResponseWriter }
