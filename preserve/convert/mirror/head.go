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

// Head is the origin of a response record's head. It is a list, because several changes may apply.
type Head string

// The origins of a head.
const (
	AsKept   Head = "as kept"   // byte for byte
	LineEnds Head = "line ends" // line ends changed from LF to CRLF, as RFC 9112 requires
	// fields about transfer or coding that no longer apply begin with x-orig-
	Renamed Head = "renamed"
	// the crawler kept the fields without the status line; it is rebuilt from the kept status
	StatusLine    Head = "status line"
	Reconstructed Head = "reconstructed" // not kept; rebuilt from the sources
)

func (h Head) and(other Head) Head {
	if h == AsKept || h == "" {
		return other
	}
	return h + ", " + other
}

// original begins the names of fields that described the removed framing or coding of the body.
// Browser-based crawlers use the same prefix for the same reason.
const original = "x-orig-"

// heads reads the stored heads.
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

// responseHead returns the head for the response record, or nil if there is no such record. A head
// without a body is used only if the answer needs no body. Otherwise replay would falsely show an
// empty page.
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

// adapted returns the stored head, changed to match the stored body: no field is removed or added.
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

// undoable reports whether the stored head can be restored from its form with CRLF and a final
// empty line. This needs LF after each of its lines, and no empty line at its end.
func undoable(kept []byte) bool {
	return !bytes.ContainsRune(kept, '\r') && bytes.HasSuffix(kept, []byte("\n")) &&
		!bytes.HasSuffix(kept, []byte("\n\n"))
}

// stale returns the fields that no longer describe the body: crawlers that save files remove chunks
// and content codings.
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

// stillCoded reports whether the body has these codings. It does not judge an unknown coding.
func (c *conversion) stillCoded(codings []string) bool {
	coded := c.body.Size() > 0
	c.decoder.Report = func(f fault.Fault) {
		if f.Code == httpcoding.NotCoded {
			coded = false
		}
	}
	c.decoder.Reset(codings, io.Discard)
	// the sink has no errors, and a damaged coding is still a coding
	_, _ = io.Copy(c.decoder, c.body.Reader())
	_ = c.decoder.Close()
	return coded
}

// rewriteHead ends the lines in CRLF, adds the empty line if missing, and renames the stale fields.
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

// reconstructed makes the head of a redirect or an error from the sources, because neither can be
// replayed without a head. It states HTTP/1.0, the version with the fewest requirements.
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
			Message: fmt.Sprintf("no head can be built for the answer %d of %q: %v", p.Status, p.URL, err)})
		return nil
	}
	p.head = Reconstructed
	return b.Bytes()
}
