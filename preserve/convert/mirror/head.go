package mirror

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quire/format/fault"
	"quire/format/http1"
	"quire/format/httpcoding"
	"quire/model"
)

// Head says where the head of a response record comes from: a list, since several things may have
// been done to it.
type Head string

// What a head can be.
const (
	AsKept   Head = "as kept"   // byte for byte
	LineEnds Head = "line ends" // the lines end in CRLF, as RFC 9112 wants; they were kept with LF
	// fields that say how the body was sent, and it is not so any more, begin with x-orig-
	Renamed Head = "renamed"
	// the crawler kept the fields without it; it is made of the status that was kept
	StatusLine    Head = "status line"
	Reconstructed Head = "reconstructed" // nobody kept it; it is made of what the witnesses tell
)

func (h Head) and(other Head) Head {
	if h == AsKept || h == "" {
		return other
	}
	return h + ", " + other
}

// original is put before the name of a field whose meaning went with the framing or coding of the
// body. Browser-based crawlers do the same for the same reason.
const original = "x-orig-"

// heads reads the heads that were kept.
func (c *conversion) heads(p *present) {
	read := func(what string, open func() ([]byte, error)) []byte {
		if open == nil {
			return nil
		}
		b, err := open()
		if err != nil {
			c.find(model.Finding{Code: CodeHead, Severity: model.Warning, Path: p.File,
				Message: fmt.Sprintf("the head of the %s for %q cannot be read: %v", what, p.URL, err)})
			return nil
		}
		if len(bytes.TrimSpace(b)) == 0 {
			return nil
		}
		return b
	}
	p.response, p.request = read("response", p.Response), read("request", p.Request)
	c.secretsOf(p.response)
}

// responseHead is the head that the response record is to have; nil when there is to be none. A
// head without its body is an answer only where the answer does not need one: a page that is
// replayed as empty would be a false page.
func (c *conversion) responseHead(p *present) []byte {
	answers := p.hasBody || p.Status >= 300 || p.Status == 204 || p.Status == 205 || p.Sent == 0
	switch {
	case p.response != nil && answers:
		if head := c.adapted(p); head != nil {
			return head
		}
		return nil
	case p.response == nil && !c.o.KeptHeadsOnly && web(p.URL):
		return c.reconstructed(p)
	}
	return nil
}

func web(url string) bool {
	scheme, _, ok := strings.Cut(url, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// adapted is the head as kept, made to fit the body that is left: no field is dropped, none added.
func (c *conversion) adapted(p *present) []byte {
	kept := p.response
	head, _, err := http1.ParseHead(kept, http1.Response, nil)
	if err != nil {
		if p.Status < 100 || p.Status > 999 || c.o.KeptHeadsOnly {
			p.keepHead = true
			return nil
		}
		p.head, p.keepHead = StatusLine, true
		kept = append(fmt.Appendf(nil, "HTTP/1.0 %d \n", p.Status), kept...)
		if head, _, err = http1.ParseHead(kept, http1.Response, nil); err != nil {
			return nil
		}
	}
	stale := c.stale(&head)
	out, renamed, ends := rewriteHead(kept, stale)
	if ends {
		p.head = p.head.and(LineEnds)
		p.keepHead = p.keepHead || !undoable(kept)
	}
	if renamed {
		p.head, p.keepHead = p.head.and(Renamed), true
	}
	if p.head == "" {
		p.head = AsKept
	}
	return out
}

// undoable says whether a head that was kept like this can be had again from one whose lines end in
// CRLF, and that has an empty line at its end: all its lines ended in LF, and it had none.
func undoable(kept []byte) bool {
	return !bytes.ContainsRune(kept, '\r') && bytes.HasSuffix(kept, []byte("\n")) &&
		!bytes.HasSuffix(kept, []byte("\n\n"))
}

// stale are the fields that do not say what the body is like any more: crawlers that save files
// remove chunks and content codings.
func (c *conversion) stale(head *http1.Head) map[string]bool {
	stale := map[string]bool{"transfer-encoding": true}
	if codings := head.ContentCodings(); len(codings) > 0 && !c.stillCoded(codings) {
		stale["content-encoding"] = true
	}
	if n, ok := head.ContentLength(nil); !ok || n != c.body.Size() {
		stale["content-length"] = true
	}
	return stale
}

// stillCoded says whether the body is in these codings. Of a coding that is not known nobody can
// tell; it is left alone.
func (c *conversion) stillCoded(codings []string) bool {
	coded := c.body.Size() > 0
	c.decoder.Report = func(f fault.Fault) {
		if f.Code == httpcoding.NotCoded {
			coded = false
		}
	}
	c.decoder.Reset(codings, io.Discard)
	// the sink has no errors, and damage in a coding is no reason to take it for none
	_, _ = io.Copy(c.decoder, c.body.Reader())
	_ = c.decoder.Close()
	return coded
}

// rewriteHead ends the lines in CRLF, adds the empty line when there is none, and renames the stale
// fields.
func rewriteHead(kept []byte, stale map[string]bool) (out []byte, renamed, ends bool) {
	text := strings.TrimRight(string(kept), "\r\n")
	var b bytes.Buffer
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		name, _, ok := strings.Cut(line, ":")
		if ok && stale[strings.ToLower(strings.TrimSpace(name))] {
			b.WriteString(original)
			renamed = true
		}
		b.WriteString(line + "\r\n")
	}
	b.WriteString("\r\n")
	plain := b.Bytes()
	if renamed {
		plain, _, _ = rewriteHead(kept, nil)
	}
	return b.Bytes(), renamed, !bytes.Equal(plain, kept)
}

// reconstructed makes the head of a redirect or an error of what the witnesses tell, for without it
// neither can be replayed. It says HTTP/1.0, which promises the least.
func (c *conversion) reconstructed(p *present) []byte {
	if p.Status < 300 || p.Status > 599 || p.Status < 400 && p.Location == "" {
		return nil
	}
	head := http1.Head{Kind: http1.Response, Proto: "HTTP/1.0", StatusCode: p.Status, Reason: p.Reason}
	for _, f := range []http1.Field{{Name: "Location", Value: p.Location}, {Name: "Content-Type", Value: p.MIME}} {
		if f.Value != "" {
			head.Fields = append(head.Fields, f)
		}
	}
	head.Fields = append(head.Fields, http1.Field{Name: "Content-Length", Value: strconv.FormatInt(c.body.Size(), 10)})
	var b bytes.Buffer
	if err := http1.WriteHead(&b, &head); err != nil {
		c.find(model.Finding{Code: CodeHead, Severity: model.Warning, Path: p.File,
			Message: fmt.Sprintf("of the answer %d for %q no head can be made: %v", p.Status, p.URL, err)})
		return nil
	}
	p.head = Reconstructed
	return b.Bytes()
}
