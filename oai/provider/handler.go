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

// maxRequest is the most bytes of a query or of a form: an identifier may have
// protocol.MaxIdentifier, each byte of it as %XX.
const maxRequest = 64 << 10

// ServeHTTP answers a request. What is wrong with the request is told by OAI-PMH, with status 200
// (clause 3.6); status 4xx and 5xx are for what has no such code.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept-Encoding")
	switch r.Method {
	case http.MethodGet, http.MethodPost:
	case http.MethodHead:
		w.Header().Set("Content-Type", contentType)
		return // nobody asks for the length of an answer, and making one to count its bytes costs as much as giving it
	case http.MethodOptions:
		w.Header().Set("Allow", allowed)
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		w.Header().Set("Allow", allowed)
		refuse(w, http.StatusMethodNotAllowed, "OAI-PMH asks by GET or POST")
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

// arguments gives the arguments as they came, still encoded: those of the query, and with POST
// those of the form behind them.
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
			errors.New("a POST has its arguments as application/x-www-form-urlencoded (clause 3.1.1), not compressed")
	}
	form, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return "", http.StatusRequestEntityTooLarge, fmt.Errorf("the form has more than %d bytes", maxRequest)
	case err != nil:
		return "", http.StatusBadRequest, errors.New("the form broke off")
	case query != "":
		return query + "&" + string(form), 0, nil
	}
	return string(form), 0, nil
}

// answer does what the verb asks. The error is one of the machine.
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

// finish sends what is left. After an error of the machine nothing may look like a whole answer.
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
		// the way to have the connection cut, so that the client sees that the answer is torn
		panic(http.ErrAbortHandler)
	}
	refuse(w, http.StatusInternalServerError,
		"the repository cannot answer now: ask again later, or tell its administrator")
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // a client that went away misses nothing
}

func (p *Provider) problem(what Problem) {
	if p.opt.Problem != nil {
		p.opt.Problem(what)
	}
}

// format says whether the backend has a format.
func (p *Provider) format(prefix string) bool {
	return slices.ContainsFunc(p.backend.Formats(), func(f protocol.Format) bool { return f.Prefix == prefix })
}
