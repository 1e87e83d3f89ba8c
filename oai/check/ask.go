package check

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/client"
	"quire/oai/protocol"
)

// answer is one answer, after the checks that apply to every answer.
type answer struct {
	*client.Response
	request string // the request, for people
	coding  string
	shape   *shape
	heads   []head
	sets    []protocol.Set
}

// head is the stored part of a record.
type head struct {
	id, datestamp string
	deleted       bool
	sets          []string
	metadata      bool
	abouts        int
	space         string // namespace of the metadata element
	digest        [sha256.Size]byte
}

// args returns arguments from pairs.
func args(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Add(pairs[i], pairs[i+1])
	}
	return v
}

// ask sends a request and checks the general requirements for answers. It returns errAnswer if the
// answer cannot be checked further; then it has reported a finding.
func (k *checker) ask(v url.Values) (*answer, error) {
	if int(k.client.Asked) >= k.opt.Requests {
		return nil, errBudget
	}
	a := &answer{request: k.shown(v)}
	k.asking = a.request
	got, err := k.client.Get(k.ctx, v)
	k.report.Requests = int(k.client.Asked)
	if k.opt.Step != nil {
		k.opt.Step(k.report.Requests)
	}
	k.checkWire(a.request)
	if got != nil {
		defer got.Close() //nolint:errcheck // a temporary file that was only read
	}
	if err != nil {
		return nil, k.unanswered(a.request, err)
	}
	return a, k.judge(a, v, got)
}

// shown returns the text of a request for findings, with the verb first.
func (k *checker) shown(v url.Values) string {
	rest := maps.Clone(v)
	delete(rest, "verb")
	query := strings.Trim(url.Values{"verb": v["verb"]}.Encode()+"&"+rest.Encode(), "&")
	if k.wire.post {
		return "POST " + k.base + " " + query
	}
	return k.base + "?" + query
}

// unanswered reports the failure of a request.
func (k *checker) unanswered(request string, err error) error {
	var refused *client.RefusedError
	var busy *client.BusyError
	switch {
	case k.ctx.Err() != nil:
		return k.ctx.Err()
	case errors.Is(err, client.ErrTooLarge):
		k.find(CodeTooLarge, request, "%v", err)
	case errors.As(err, &refused):
		k.find(CodeStatus, request, "%v", err)
	case errors.As(err, &busy):
		k.find(CodeStatus, request, "%v", err)
	case errors.Is(err, client.ErrNotOAI):
		k.find(CodeNotOAI, request, "%v", err)
	case errors.Is(err, client.ErrCut):
		k.find(CodeXML, request, "%v", err)
	case k.report.Name == "" && len(k.report.Findings) == 0:
		return fmt.Errorf("cannot reach %s: %w", k.base, err)
	default:
		k.find(CodeStatus, request, "no answer: %v", err)
	}
	return errAnswer
}

// judge checks the general requirements for answers.
func (k *checker) judge(a *answer, v url.Values, got *client.Answer) error {
	a.coding = got.Coding
	if got.Status != http.StatusOK {
		k.find(CodeStatus, a.request, "the answer has status %d; protocol errors have status 200",
			got.Status)
	}
	if kind, _, err := mime.ParseMediaType(got.Header.Get("Content-Type")); err != nil || kind != "text/xml" {
		k.find(CodeType, a.request, "the Content-Type is %.80q", got.Header.Get("Content-Type"))
	}
	var err error
	if a.shape, err = shapeOf(got.Body()); err != nil {
		k.find(CodeXML, a.request, "the answer is not well-formed XML in UTF-8: %v", err)
		return errAnswer
	}
	if err := k.read(a, got); err != nil {
		return err
	}
	k.validate(a, got)
	k.judgeRoot(a)
	k.judgeRequest(a, v)
	return k.ctx.Err()
}

// read reads the content of the answer.
func (k *checker) read(a *answer, got *client.Answer) error {
	var err error
	a.Response, err = got.Read(client.Visitor{
		Record: func(r *client.Record) error { return a.take(k.ctx, r) },
		Set: func(spec, name string) error {
			a.sets = append(a.sets, protocol.Set{Spec: spec, Name: name})
			return nil
		},
		Lenient: true,
	})
	switch {
	case err == nil:
		return nil
	case k.ctx.Err() != nil:
		return k.ctx.Err()
	case errors.Is(err, client.ErrNotOAI):
		k.find(CodeNotOAI, a.request, "%v", err)
		return errAnswer
	case errors.Is(err, client.ErrCut):
		k.find(CodeXML, a.request, "%v", err)
		return errAnswer
	}
	return err
}

// take stores a record's header and a digest of its metadata.
func (a *answer) take(ctx context.Context, r *client.Record) error {
	h := head{id: r.Identifier, datestamp: r.DatestampText, deleted: r.Deleted, sets: append([]string(nil), r.Sets...),
		metadata: r.HasMetadata(), abouts: r.Abouts()}
	if h.metadata {
		sum := sha256.New()
		if _, err := io.Copy(sum, r.Metadata()); err != nil {
			return err
		}
		sum.Sum(h.digest[:0])
		if root, err := xmlstream.NewReader(r.Metadata(), xmlstream.Limits{}).Root(); err == nil {
			h.space = root.Space
		}
	}
	a.heads = append(a.heads, h)
	return ctx.Err()
}

// tolerated handles an error that the client tolerates. This package checks most of these
// separately, and more strictly.
func (k *checker) tolerated(f model.Finding) {
	if f.Code == client.CodeEncoding && k.client != nil {
		k.find(CodeBytes, k.asking, "%s", f.Message)
	}
}

// judgeRoot checks the root element and the date of an answer.
func (k *checker) judgeRoot(a *answer) {
	if a.Space != protocol.Namespace {
		k.find(CodeRootSpace, a.request, "the root element is in the namespace %.100q", a.Space)
	}
	if !a.shape.located {
		k.find(CodeSchemaLocation, a.request, "the root element has no xsi:schemaLocation that starts "+
			"with %s %s",
			protocol.Namespace, protocol.SchemaLocation)
	}
	t, g, err := protocol.ParseDatestamp(a.DateText)
	if err != nil || g != protocol.Seconds {
		k.find(CodeResponseDate, a.request, "the responseDate is %.60q", a.DateText)
		return
	}
	if off := k.opt.Now().Sub(t); off.Abs() > maxClock {
		k.find(CodeClock, a.request, "the responseDate is %s, but the local time is %s", a.DateText,
			protocol.FormatDatestamp(k.opt.Now()))
	}
}

// maxClock is the tolerated difference between clocks.
const maxClock = 5 * 60 * 1e9

// judgeRequest compares the element request with the request sent (clause 3.2).
func (k *checker) judgeRequest(a *answer, v url.Values) {
	if got := strings.TrimSpace(a.Request.BaseURL); got != k.base {
		k.find(CodeRequestURL, a.request, "the element request has the URL %.200q", got)
	}
	if a.Has(protocol.BadVerb) || a.Has(protocol.BadArgument) {
		if len(a.Request.Args) > 0 {
			k.find(CodeRequestArguments, a.request, "the element request has attributes despite badVerb "+
				"or badArgument")
		}
		return
	}
	said := url.Values{}
	for _, x := range a.Request.Args {
		said.Add(x.Local, x.Value)
	}
	if said.Encode() != v.Encode() {
		k.find(CodeRequestArguments, a.request, "the attributes of the element request are %.300q", said.Encode())
	}
}
