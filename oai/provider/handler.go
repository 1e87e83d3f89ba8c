package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"time"

	"quire/oai/protocol"
)

// maxRequest is the maximum size of a query or a form in bytes. An identifier may have
// protocol.MaxIdentifier bytes, each encoded as %XX.
const maxRequest = 64 << 10

// ServeHTTP answers a request. An invalid request gets an OAI-PMH error with status 200 (clause
// 3.6). Status 4xx and 5xx are for errors without an OAI-PMH code.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept-Encoding")
	switch r.Method {
	case http.MethodGet, http.MethodPost:
	case http.MethodHead:
		w.Header().Set("Content-Type", contentType)
		return // clients do not need the length, and counting the bytes costs as much as sending them
	case http.MethodOptions:
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		w.Header().Set("Allow", allowed)
		refuse(w, http.StatusMethodNotAllowed, "use GET or POST for OAI-PMH")
		return
	}
	encoded, status, err := arguments(w, r)
	if err != nil {
		refuse(w, status, err.Error())
		return
	}
	a := newAnswer(p, w, r)
	defer a.release()
	req, wrong := p.parse(encoded)
	a.request = req
	if len(wrong) == 0 {
		wrong, err = p.answer(r.Context(), a)
	}
	if err == nil && len(wrong) > 0 {
		a.conditions(wrong)
	}
	p.finish(r.Context(), w, a, err)
}

const (
	contentType = "text/xml; charset=utf-8"
	allowed     = "GET, HEAD, OPTIONS, POST"
)

// arguments returns the encoded arguments: first from the query, then from the form in a POST.
func arguments(w http.ResponseWriter, r *http.Request) (encoded string, status int, err error) {
	query := r.URL.RawQuery
	if len(query) > maxRequest {
		return "", http.StatusRequestURITooLong, fmt.Errorf("the query has more than %d bytes", maxRequest)
	}
	if r.Method != http.MethodPost {
		return query, 0, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" || r.Header.Get("Content-Encoding") != "" {
		return "", http.StatusUnsupportedMediaType,
			errors.New("send the arguments of a POST as application/x-www-form-urlencoded (clause " +
				"3.1.1), not compressed")
	}
	form, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return "", http.StatusRequestEntityTooLarge, fmt.Errorf("the form has more than %d bytes", maxRequest)
	case err != nil:
		return "", http.StatusBadRequest, errors.New("the form is incomplete")
	case query != "":
		return query + "&" + string(form), 0, nil
	}
	return string(form), 0, nil
}

// answer executes the verb. It returns only errors of the machine.
func (p *Provider) answer(ctx context.Context, a *answer) ([]condition, error) {
	switch a.request.verb {
	case protocol.Identify:
		return p.identify(ctx, a)
	case protocol.ListMetadataFormats:
		return p.listFormats(ctx, a)
	case protocol.ListSets:
		return p.listSets(ctx, a)
	case protocol.GetRecord:
		return p.getRecord(ctx, a)
	default:
		return p.list(ctx, a)
	}
}

// finish sends the rest. After an error of the machine, the answer must not look complete.
func (p *Provider) finish(ctx context.Context, w http.ResponseWriter, a *answer, err error) {
	if err == nil {
		err = a.close()
	}
	if err == nil {
		return
	}
	var busy *BusyError
	if errors.As(err, &busy) && !a.begun {
		// whole seconds
		w.Header().Set("Retry-After", strconv.FormatInt(max(1, int64((busy.After+time.Second-1)/time.Second)), 10))
		refuse(w, http.StatusServiceUnavailable, busy.Why)
		return
	}
	if ctx.Err() == nil && !a.clientFailed() {
		p.problem(Problem{Err: err})
	}
	if a.begun {
		// This cuts the connection, so that the client notices the incomplete answer.
		panic(http.ErrAbortHandler)
	}
	refuse(w, http.StatusInternalServerError,
		"the repository is temporarily unavailable: try again later, or contact its administrator")
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // a client that left misses nothing
}

func (p *Provider) problem(what Problem) {
	if p.opt.Problem != nil {
		p.opt.Problem(what)
	}
}

// format reports whether the backend has a format.
func (p *Provider) format(prefix string) bool {
	return slices.ContainsFunc(p.backend.Formats(), func(f protocol.Format) bool { return f.Prefix == prefix })
}
