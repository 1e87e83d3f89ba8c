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

// BytesHandler serves the stored bytes of the resource in ?identifier=. CRATEs refer to it
// (Disseminator.Bytes). It does not send the bytes' content coding as a header, because clients
// would remove the coding and find a different digest; the CRATE states the coding. The handler
// needs the same access control as the endpoint. It does not serve withheld bytes.
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
			http.Error(w, "the bytes are not available now", http.StatusInternalServerError)
		case found.Withheld != "":
			http.Error(w, "the bytes are withheld: "+oneLine(found.Withheld), http.StatusForbidden)
		default:
			serveBytes(w, r, found)
		}
	})
}

// serveBytes sends the bytes. If they end too early it breaks the connection, so that a part never
// looks like the whole.
func serveBytes(w http.ResponseWriter, r *http.Request, found *resource.Resource) {
	in, err := found.Open(r.Context())
	if err != nil {
		http.Error(w, "the bytes are not available now", http.StatusInternalServerError)
		return
	}
	defer func() { _ = in.Close() }() // read only
	h := w.Header()
	h.Set("Content-Type", unknownType)
	if found.Coding == "" {
		h.Set("Content-Type", cmp.Or(oneLine(found.MIMEType), unknownType))
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "sandbox") // captured content must not run here
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

// oneLine converts a text for a header or a single line.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, s)
}

// reference returns the URL from which exactly the bytes of a resource are served, or "" if there
// is no such URL. For a captured resource this is never its original URL, because that URL may now
// have other content.
func (d *Disseminator) reference(r *resource.Resource) string {
	switch {
	case r.Captured.IsZero():
		return asURI(r.URL)
	case d.Bytes == "":
		return ""
	}
	return d.Bytes + "?identifier=" + url.QueryEscape(r.Identifier)
}
