package replay

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"quire/access/address"
	"quire/access/rewrite"
	"quire/holdings"
)

// FrameName is the name of the frame that shows archived pages within our pages. Links that would
// leave the frame or open a window are redirected into it.
const FrameName = "replay"

// rewriter returns the rewriter of a capture: its links lead to the same moment of the same
// collection.
func (c *call) rewriter(found *chosen) *rewrite.Rewriter {
	base := address.Replay(c.o.Path) // a path works under any name of this host
	prefix := base.Prefix(c.q.In, found.Timestamp, "")
	prefix = prefix[:len(prefix)-1]
	rw := &rewrite.Rewriter{
		Scripts: true, Done: c.r.Context().Done(),
		Base: found.URL, ContentType: field(found.Header, "Content-Type"), Framed: c.q.Modifier == address.Frame,
		URL: func(kind rewrite.Kind, absolute string) string {
			return prefix + string(kind) + "/" + address.EscapeURL(absolute)
		},
	}
	if c.dest() == "iframe" && !rw.Framed {
		rw.Target = FrameName
	}
	m := c.markup(found, rw.Target, rw.Framed)
	rw.Head = m.HTML()
	m.Cookies = nil
	rw.Inner = m.HTML()
	return rw
}

func (c *call) markup(found *chosen, target string, framed bool) rewrite.Markup {
	fields := make([]rewrite.Field, 0, 4)
	for _, f := range found.Header {
		if strings.EqualFold(f.Name, "Set-Cookie") {
			fields = append(fields, rewrite.Field(f))
		}
	}
	at, _ := address.Time(found.Timestamp) // if invalid, no cookie has expired
	return rewrite.Markup{
		Referrer: c.cameFrom(found), Cookies: rewrite.Cookies(found.URL, at, fields),
		Prefix: c.o.Path + "/", Static: c.o.Path + ScriptsPath, Collection: c.q.In.Segment(),
		Timestamp: found.Timestamp, URL: found.URL,
		UI: c.o.Origin, Target: target, Framed: framed, NoWorker: c.confined(found),
	}
}

// ScriptsPath is the path of our scripts for archived pages on the replay host. No collection has
// this name.
const ScriptsPath = "/-/quire/"

// kind returns the kind of resource for rewriting: a visited address is a page, whatever its
// modifier.
func (c *call) kind() rewrite.Kind {
	switch c.q.Modifier {
	case address.Frame:
		return rewrite.Frame
	case address.Identity, address.Redirected:
		return rewrite.Data
	case address.Worker, address.Module:
		return rewrite.Script
	case address.Image, address.Style, address.Script:
		if !c.navigates() {
			return rewrite.Kind(c.q.Modifier)
		}
	}
	switch c.dest() { // a relative address in a page, not rewritten
	case "image", "font", "audio", "video", "track", "manifest":
		return rewrite.Image
	case "script", "worker", "sharedworker", "audioworklet", "paintworklet":
		return rewrite.Script
	case "style", "xslt":
		return rewrite.Style
	}
	return rewrite.Page
}

// dest returns the destination of the browser's request (Fetch Metadata). Our worker states it for
// its own requests.
func (c *call) dest() string {
	if d := c.r.Header.Get(rewrite.WorkerField); d != "" {
		return d
	}
	return c.r.Header.Get("Sec-Fetch-Dest")
}

// body sends the content, without content codings: pages and style sheets are rewritten, other
// types are not.
func (c *call) body(found *chosen, rw *rewrite.Rewriter, kind rewrite.Kind) error {
	h := c.w.Header()
	c.shown(found, kind)
	if (c.q.Modifier == address.Worker || c.q.Modifier == address.Module) && found.Status/100 == 2 {
		return c.begin(found)
	}
	if s := c.status(found); s == http.StatusNoContent || s == http.StatusResetContent {
		c.w.WriteHeader(s) // browsers do not read the body
		return nil
	}
	var in io.Reader = found.Body
	plain := !coded(found.Content)
	if !plain {
		in = holdings.Decoded(found.Content)
	}
	fixed := ""
	if c.changes(found) {
		var done bool
		var err error
		if in, fixed, err = c.fixed(found, in); err != nil {
			return err
		}
		if in, done, err = c.film(found, in, rw); done || err != nil {
			return err
		}
	}
	what, in, err := c.sniff(in, kind)
	if err != nil {
		return err
	}
	if c.o.Sites != "" && (what == rewrite.HTML || what == rewrite.XML) {
		c.vary("Referer") // see cameFrom
	}
	from, to, renamed := "", "", false
	if found.asked != "" && (what == rewrite.Nothing || what == rewrite.JS) {
		from, to, renamed = rewrite.Callback(found.asked, found.URL, found.callbacks)
	}
	form := string(kind) + rw.Target + to + fixed + c.cameFrom(found)
	if c.confined(found) {
		form += "s"
	}
	if c.open(found) {
		h.Set("Etag", c.etag(found, form))
	}
	if what == rewrite.Nothing && !renamed && fixed == "" {
		return c.asItIs(found, in, plain)
	}
	if tag := h.Get("Etag"); tag != "" && c.status(found) == http.StatusOK &&
		strings.Contains(c.r.Header.Get("If-None-Match"), tag) {
		h.Del("Content-Type")
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	out := &begun{w: c.w, status: c.status(found)}
	if c.r.Method == http.MethodHead {
		out.begin()
		return nil
	}
	rw.Unmarked = func() { c.unmarked(found) }
	if renamed { // call the function by the name that the page invented this time
		err = rewrite.Rename(out, in, from, to)
	} else {
		err = rw.Rewrite(out, in, what)
	}
	return c.cutOff(out.end(err))
}

// sniff returns how a body is rewritten, by its first bytes. They give it a Content-Type if it has none.
func (c *call) sniff(in io.Reader, kind rewrite.Kind) (what rewrite.What, rest io.Reader, err error) {
	h := c.w.Header()
	what = rewrite.Nothing
	if c.raw() && h.Get("Content-Type") != "" {
		return what, in, nil
	}
	first := make([]byte, rewrite.Sniffed)
	n, err := io.ReadFull(in, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return what, nil, err
	}
	first = first[:n]
	if !c.raw() {
		what = rewrite.Sniff(kind, h.Get("Content-Type"), first)
	}
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", typeOf(what, first))
	}
	return what, io.MultiReader(bytes.NewReader(first), in), nil
}

// unmarked notes that a script has no marks, for want of memory. The next answer may have them.
func (c *call) unmarked(found *chosen) {
	c.note(found, "the server is busy: this script is as captured, without marks")
	c.w.Header().Del("Etag")
	c.w.Header().Set("Cache-Control", "no-store")
}

// begun writes the head of an answer with the first bytes of the body: until then it may change.
type begun struct {
	w      http.ResponseWriter
	status int
	done   bool
}

func (b *begun) begin() {
	if !b.done {
		b.done = true
		b.w.WriteHeader(b.status)
	}
}

// end writes the head of an empty body.
func (b *begun) end(err error) error {
	if err == nil {
		b.begin()
	}
	return err
}

// Write implements io.Writer.
func (b *begun) Write(p []byte) (int, error) {
	b.begin()
	return b.w.Write(p)
}

// typeOf returns a Content-Type for content without one.
func typeOf(what rewrite.What, first []byte) string {
	switch what {
	case rewrite.HTML:
		return "text/html"
	case rewrite.CSS:
		return "text/css"
	}
	t := http.DetectContentType(first)
	if strings.HasPrefix(t, "text/") {
		return "text/plain" // undeclared content must not become a page, and its charset is unknown
	}
	return t
}

// shown sets the headers for the media type of the response, and lists the request fields that the
// response depends on.
func (c *call) shown(found *chosen, kind rewrite.Kind) {
	c.confine(c.confined(found))
	c.vary(rewrite.WorkerField)
	c.vary("Sec-Fetch-Dest")
	if kind == rewrite.Script || kind == rewrite.Style {
		c.w.Header().Del("X-Content-Type-Options") // scripts of old sites ran although sent as text/plain
	}
}

// begin sends the start script of a worker, in place of its own (rewrite.Markup.Worker).
func (c *call) begin(found *chosen) error {
	h := c.w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	c.w.WriteHeader(http.StatusOK)
	script := address.Replay(c.o.Path).Capture(c.q.In, found.Timestamp, address.Script, found.URL)
	c.say(string(c.markup(found, "", false).Worker(c.q.Modifier == address.Module, script)))
	return nil
}
