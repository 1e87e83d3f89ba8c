package client

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"quire/internal/blockbuffer"
	"quire/metadata/xmlstream"
	"quire/model"
)

// Answer is a server's response, complete and decoded, in memory or in a temporary file. The caller
// closes it.
type Answer struct {
	URL    string // the final URL, after redirects
	Status int
	Header http.Header
	Began  time.Time     // time of the request
	Took   time.Duration // until the last byte arrived
	Sent   int64         // bytes as sent
	Coding string        // content coding of the response: "gzip", "deflate", ""

	body   blockbuffer.Buffer
	limits xmlstream.Limits
	tell   FindingFunc
}

// Size returns the decoded size in bytes.
func (a *Answer) Size() int64 { return a.body.Size() }

// Body reads the answer from the beginning.
func (a *Answer) Body() io.Reader { return a.body.Reader() }

// Close frees the memory or the temporary file.
func (a *Answer) Close() error { return a.body.Close() }

func (a *Answer) section(s span) io.Reader { return io.NewSectionReader(&a.body, s.start, s.size()) }

// wrapped returns a part of the answer as a separate document, inside an element with the
// declarations of the elements around it.
func (a *Answer) wrapped(sc scope, s span) io.Reader {
	return io.MultiReader(strings.NewReader("<answer"+string(sc.missing(nil))+">"), a.section(s),
		strings.NewReader("</answer>"))
}

// Errors of an Answer that is not an OAI-PMH answer.
var (
	ErrNotOAI = errors.New("the answer is not an OAI-PMH answer")
	ErrCut    = errors.New("the answer is incomplete")
)

// Visitor receives the content of a list. A nil function skips its part. An error ends the reading,
// and Read returns it.
type Visitor struct {
	Record func(*Record) error // records in order, also refused records; or headers of ListIdentifiers
	Set    func(spec, name string) error

	// Tell receives the findings of the answer. It replaces the Tell of the client's options.
	Tell FindingFunc

	// Lenient leaves the check for well-formed metadata to Record, which reads them to their end
	// anyway.
	Lenient bool
}

// Read reads the answer. It reports an error in a part and reads the rest. It returns ErrNotOAI if
// the document is not an answer, ErrCut if the end is missing (after visiting the records before
// it), or the error of a visit.
func (a *Answer) Read(v Visitor) (*Response, error) {
	if v.Tell != nil {
		a.tell = v.Tell
	}
	r := &reading{Answer: a, scan: newScanner(&a.body, a.body.Size()), visit: v, response: &Response{}}
	if err := r.root(); err != nil {
		return nil, err
	}
	err := r.children()
	var b *broken
	if errors.As(err, &b) {
		err = fmt.Errorf("%w: %w", ErrCut, err)
	}
	return r.response, err
}

// NextToken searches the end of the answer for the resumptionToken, so that the next page can be
// requested while this one is read. It returns "" if it sees none; only Read is certain.
func (a *Answer) NextToken() string {
	quiet := &Answer{URL: a.URL, Header: a.Header, body: a.body, limits: a.limits}
	r := &reading{Answer: quiet, scan: newScanner(&quiet.body, a.Size()), response: &Response{}}
	if err := r.root(); err != nil {
		return ""
	}
	from := max(r.scan.at, a.Size()-tail)
	b := make([]byte, a.Size()-from)
	if _, err := a.body.ReadAt(b, from); err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	i := bytes.LastIndex(b, []byte("<"+strings.TrimSuffix(r.rootName, "OAI-PMH")+"resumptionToken"))
	if i < 0 {
		return ""
	}
	r.scan.at = from + int64(i)
	t, err := r.scan.next(a.Size())
	if err != nil {
		return ""
	}
	end, _, err := r.scan.element(t, a.Size())
	if err != nil || r.token(span{t.start, end}) != nil || r.response.Token == nil {
		return ""
	}
	return r.response.Token.Value
}

// reading is the reading of an Answer.
type reading struct {
	*Answer
	scan     *scanner
	visit    Visitor
	response *Response
	rootName string
	scope    scope
}

// root finds the root element.
func (r *reading) root() error {
	size := r.Size()
	for {
		t, err := r.scan.next(size)
		var b *broken
		switch {
		case errors.As(err, &b):
			r.scan.at = b.at + 1 // an answer may begin with any text, such as a notice of PHP
			continue
		case errors.Is(err, io.EOF):
			return r.notOAI()
		case err != nil:
			return err
		case t.kind == aside:
			continue
		case local(t.name) == "OAI-PMH" && t.kind == startTag:
			r.rootName = t.name
			r.scope = scope{}.with(t.raw)
			return r.judgeRoot(t)
		}
		if t.start > maxBefore || strings.EqualFold(t.name, "html") {
			return r.notOAI()
		}
	}
}

// maxBefore is the maximum number of bytes before an answer.
const maxBefore = 64 << 10

// Namespace is the namespace of OAI-PMH 2.0.
const Namespace = "http://www.openarchives.org/OAI/2.0/"

// judgeRoot reports deviations at the start of the answer.
func (r *reading) judgeRoot(t tag) error {
	space := "xmlns"
	if i := strings.IndexByte(t.name, ':'); i > 0 {
		space += ":" + t.name[:i]
	}
	for _, d := range r.scope {
		if d.name == space {
			r.response.Space = d.value
		}
	}
	if r.response.Space != Namespace {
		r.tell.find(CodeNamespace, model.Warning, t.start, "",
			fmt.Sprintf("the elements of the protocol are in the namespace %.100q, not %s", r.response.Space,
				Namespace))
	}
	b := make([]byte, min(t.start, 1000))
	if _, err := r.body.ReadAt(b, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if b = bytes.TrimPrefix(b, []byte("\ufeff")); len(bytes.TrimSpace(b)) > 0 &&
		!bytes.HasPrefix(bytes.TrimSpace(b), []byte("<")) {
		r.tell.find(CodeEnvelope, model.Warning, 0, "",
			fmt.Sprintf("before the answer is text that is not XML: %.80q", bytes.TrimSpace(b)))
	} else if len(b) > 0 && bytes.HasPrefix(bytes.TrimSpace(b), []byte("<?xml")) && isSpace(b[0]) {
		r.tell.find(CodeEnvelope, model.Warning, 0, "", "white space before the XML declaration")
	}
	return nil
}

var titled = regexp.MustCompile(`(?i)<title>([^<]*)`)

// notOAI returns an error that describes the actual document.
func (r *reading) notOAI() error {
	what := "it has " + fmt.Sprint(r.Size()) + " bytes"
	if r.Size() == 0 {
		what = "it is empty"
	}
	b := make([]byte, min(r.Size(), 4<<10))
	_, _ = r.body.ReadAt(b, 0) // an unreadable start is not quoted
	if m := titled.FindSubmatch(b); m != nil {
		what = fmt.Sprintf("it is a page titled %.100q", bytes.TrimSpace(m[1]))
	} else if len(bytes.TrimSpace(b)) > 0 {
		what += fmt.Sprintf(" and starts with %.100q", bytes.TrimSpace(b))
	}
	return fmt.Errorf("%w: %s (%s)", ErrNotOAI, what, cmp.Or(r.Header.Get("Content-Type"), "no Content-Type"))
}

// children reads the elements of the root.
func (r *reading) children() error {
	for {
		t, err := r.scan.next(r.Size())
		if errors.Is(err, io.EOF) {
			return &broken{r.Size(), "it ends before </" + r.rootName + ">"}
		}
		if err != nil {
			return err
		}
		switch {
		case t.kind == aside:
			continue
		case t.kind == endTag && t.name == r.rootName:
			return r.behind(t.end)
		case t.kind == endTag:
			return &broken{t.start, fmt.Sprintf("</%.40s> where <%.40s> ends", t.name, r.rootName)}
		}
		if err := r.child(t); err != nil {
			return err
		}
	}
}

// behind reports content after the end of the answer.
func (r *reading) behind(at int64) error {
	b := make([]byte, min(r.Size()-at, 1000))
	if _, err := r.body.ReadAt(b, at); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if b = bytes.TrimSpace(b); len(b) > 0 && !bytes.HasPrefix(b, []byte("<!--")) {
		r.tell.find(CodeEnvelope, model.Warning, at, "",
			fmt.Sprintf("unexpected content behind the answer: %.80q", b))
	}
	if r.response.DateText == "" {
		r.tell.find(CodeEnvelope, model.Warning, at, "", "the answer has no responseDate")
	}
	return nil
}

// child reads one element of the root.
func (r *reading) child(t tag) error {
	switch name := local(t.name); name {
	case "ListRecords", "ListIdentifiers", "ListSets", "ListMetadataFormats", "GetRecord":
		r.response.Verb = name
		if t.kind == emptyTag {
			return nil
		}
		return r.list(t)
	default:
		end, _, err := r.scan.element(t, r.Size())
		if err != nil {
			return err
		}
		if err := r.small(name, span{t.start, end}); err != nil {
			r.tell.find(CodeEnvelope, model.Warning, t.start, "", fmt.Sprintf("<%s> is unreadable: %v", name, err))
		}
		return nil
	}
}
