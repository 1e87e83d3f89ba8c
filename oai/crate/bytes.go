package crate

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quire/oai/provider"
	"quire/oai/resource"
)

// BytesHandler answers with the bytes of the resource that ?identifier= names, as they are kept. A
// content coding that is on them is told by the CRATE and not here, where a client would take it
// off and find other bytes than those whose digest it was told. It is for what a CRATE refers to
// (Disseminator.Bytes), and belongs behind the same gate as the endpoint. What is withheld is not
// handed out here either.
func BytesHandler(c resource.Collection) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "ask with GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		found, err := c.Resource(r.Context(), r.URL.Query().Get("identifier"))
		switch {
		case errors.Is(err, provider.ErrNotFound):
			http.Error(w, "there is no such record", http.StatusNotFound)
		case err != nil:
			http.Error(w, "the bytes cannot be had now", http.StatusInternalServerError)
		case found.Withheld != "":
			http.Error(w, "the bytes are withheld: "+oneLine(found.Withheld), http.StatusForbidden)
		default:
			serveBytes(w, r, found)
		}
	})
}

// serveBytes sends the bytes. When they end too early the connection is broken, so that a part
// never looks like the whole.
func serveBytes(w http.ResponseWriter, r *http.Request, found *resource.Resource) {
	in, err := found.Open(r.Context())
	if err != nil {
		http.Error(w, "the bytes cannot be had now", http.StatusInternalServerError)
		return
	}
	defer func() { _ = in.Close() }() // it was only read
	h := w.Header()
	h.Set("Content-Type", unknownType)
	if found.Coding == "" {
		h.Set("Content-Type", cmp.Or(oneLine(found.MIMEType), unknownType))
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "sandbox") // what was captured anywhere must do nothing here
	if found.Size >= 0 {
		h.Set("Content-Length", strconv.FormatInt(found.Size, 10))
	}
	if r.Method == http.MethodHead {
		return
	}
	if _, err := io.Copy(w, in); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// oneLine makes of a text what can stand in a header, or on a line.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, s)
}

// reference gives the URL where just the bytes of a resource are had; "" when that is nowhere. Of
// what was captured nobody knows whether they are those that its URL gives today.
func (d *Disseminator) reference(r *resource.Resource) string {
	switch {
	case r.Captured.IsZero():
		return asURI(r.URL)
	case d.Bytes == "":
		return ""
	}
	return d.Bytes + "?identifier=" + url.QueryEscape(r.Identifier)
}
