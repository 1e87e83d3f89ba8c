package export

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"quire/access/holdings"
	"quire/access/index"
	"quire/internal/portable"
	"quire/internal/workplace"
	"quire/repository/store"
)

// Handler hands packages out over HTTP. It is asked by who knows the reader: the server.
type Handler struct {
	Store    *store.Store
	Holdings *holdings.Holdings
	Formats  []Format
	Dir      string // where exports are made before they are sent; "" is where temporary files go
	AtOnce   int    // exports that are made at the same time; 0 is 2. Others are told to come back.

	busy chan struct{}
}

// NewHandler makes a Handler.
func NewHandler(h Handler) *Handler {
	if h.AtOnce <= 0 {
		h.AtOnce = 2
	}
	h.busy = make(chan struct{}, h.AtOnce)
	return &h
}

// Offered are the formats that can be had over HTTP: those of one file, and folders as ZIP.
func (h *Handler) Offered() []Format { return h.Formats }

// Serve makes the export and sends it: the one file, or the folder in a ZIP. Nothing is sent before it is whole, so that an error can be
// told: it takes as long as making it does. A bag has WARC files in it, never the package as it is stored. who is the reader, as the server knows him; by is who asked, for the event.
func (h *Handler) Serve(w http.ResponseWriter, q *http.Request, who holdings.Reader, by, id string) {
	f, err := Find(h.Formats, q.URL.Query().Get("as"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if q.Method != http.MethodGet { // HEAD would have it made for nothing
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "GET makes the export", http.StatusMethodNotAllowed)
		return
	}
	select {
	case h.busy <- struct{}{}:
		defer func() { <-h.busy }()
	default:
		w.Header().Set("Retry-After", "60")
		http.Error(w, "as many exports as this server makes at once are being made: ask again in a minute", http.StatusServiceUnavailable)
		return
	}
	if err := h.send(q.Context(), w, q, f, who, by, id); err != nil && q.Context().Err() == nil {
		status, text := http.StatusInternalServerError, "the export could not be made"
		var denied *holdings.DeniedError
		switch {
		case errors.Is(err, store.ErrNotFound), errors.Is(err, index.ErrNotFound):
			status, text = http.StatusNotFound, "there is no such package"
		case errors.As(err, &denied):
			status, text = http.StatusForbidden, denied.Message
		}
		http.Error(w, text, status)
	}
}

// send makes the export in a folder of its own and sends it.
func (h *Handler) send(ctx context.Context, w http.ResponseWriter, q *http.Request, f *Format, who holdings.Reader, by, id string) error {
	place, err := workplace.New(cmp.Or(h.Dir, os.TempDir())) // removes what a server that was killed left there
	if err != nil {
		return err
	}
	defer place.Close()
	defer func() { _ = place.Remove() }() // a temporary folder
	out := filepath.Join(place.Path(), "export")
	r := Request{ID: id, As: f.Name, For: who.Class, Packages: who.Packages, Out: out, By: by, Options: Options{At: q.URL.Query().Get("at"), Bag: "warc"}}
	if _, err := Run(ctx, h.Store, h.Holdings, r, h.Formats); err != nil {
		return err
	}
	name := portable.Name(id + "-" + f.Name)
	head := w.Header()
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cache-Control", "private, no-store") // rights change
	if f.Single() {
		return sendFile(w, out, name+f.Ending, f.MIME)
	}
	head.Set("Content-Type", "application/zip")
	head.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name + ".zip"}))
	return zipFolder(ctx, w, out, name)
}

func sendFile(w http.ResponseWriter, file, name, kind string) error {
	in, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	info, err := in.Stat()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, _ = io.Copy(w, in) // a client that went away
	return nil
}
