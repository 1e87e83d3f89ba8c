package unpack

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"path"
	"strings"

	"quire/access/rewrite"
	"quire/format/charset"
	"quire/format/htmllink"
)

// Dead is the name of the page that explains dead links; DeadPage is its content. No host has a
// folder of that name: host folders contain a dot.
const Dead = "quire/not-archived.html"

// Mark is the attribute that keeps the original target of a dead link.
const Mark = "data-quire-dead"

// nowhere is an invalid address: browsers send no request for it (CSS Values 4, 4.5.4).
const nowhere = "about:invalid"

// Document is a document to be written to a file.
type Document struct {
	URL         string // of its capture
	Name        string // of its file
	ContentType string // as captured, with its charset
	// To returns the name of the file for a URL. ok is false if there is no file. kind is the use
	// of the URL.
	To func(kind rewrite.Kind, url string) (name string, ok bool)

	kind htmllink.Kind // of the current link
}

// Rewrite writes a document that opens from a disk: each link becomes a relative path to another
// file, with "../" as needed. Resources without a file are not loaded from elsewhere. A link that a
// reader follows stays unchanged if its target was not captured. Forms and links to mailboxes lead
// to Dead, and the attribute Mark keeps their original target. Documents other than HTML, XML and
// CSS are copied.
func Rewrite(w io.Writer, r io.Reader, d *Document) error {
	first := make([]byte, rewrite.Sniffed)
	n, err := io.ReadFull(r, first)
	// io.ReadFull returns these two unwrapped.
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	r = io.MultiReader(bytes.NewReader(first[:n]), r)
	if err != nil {
		r = bytes.NewReader(first[:n])
	}
	rw := rewrite.Rewriter{Base: d.URL, URL: d.link, Special: d.special, ContentType: d.ContentType, Head: d.head()}
	switch rewrite.Sniff(rewrite.Page, d.ContentType, first[:n]) {
	case rewrite.HTML:
		return rw.HTML(w, r)
	case rewrite.XML:
		return rw.XML(w, r)
	case rewrite.CSS:
		return rw.CSS(w, r)
	case rewrite.Nothing:
	}
	_, err = io.Copy(w, r)
	return err
}

// policy stops scripts from loading resources from the web. Only files of the export load, both
// from a disk and from a server. It names two sources, because browsers ignore 'self' on a disk,
// and file: on a server (CSP 3).
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'self' file: data: blob: ` +
	`'unsafe-inline' 'unsafe-eval'; form-action 'self' file:"/>`

// head is added to each page: the charset that the server declared, and the policy. On a disk the
// server's charset, which overrides the page's, would be lost.
func (d *Document) head() []byte {
	name := charset.Resolve(charset.OfContentType(d.ContentType))
	if name == "" || strings.HasPrefix(name, "utf-16") {
		return []byte(policy)
	}
	return []byte(`<meta charset="` + name + `"/>` + policy)
}

// link returns the replacement of a URL.
func (d *Document) link(kind rewrite.Kind, url string) string {
	if name, ok := d.To(kind, url); ok {
		return Relative(d.Name, name)
	}
	switch {
	case d.kind == htmllink.Refresh:
		return Relative(d.Name, Dead)
	case d.kind == htmllink.Codebase:
		return nowhere
	}
	switch kind {
	case rewrite.Page:
		return url
	case rewrite.Frame:
		return Relative(d.Name, Dead)
	case rewrite.Image, rewrite.Style, rewrite.Script, rewrite.Data:
	}
	return nowhere
}

// special handles links that lead to no file. It empties base elements, because relative links now
// refer to the file.
func (d *Document) special(l *htmllink.Link, text string) ([]byte, bool) {
	d.kind = l.Kind
	switch {
	case l.Kind == htmllink.Base:
		return nil, true
	case l.Kind == htmllink.Preload: // preloading is pointless on a disk
		return l.Append(nil, nowhere), true
	case l.Kind == htmllink.Form:
		return d.dead(l, "form"), true
	case l.Kind == htmllink.Navigation && len(text) >= len("mailto:") &&
		strings.EqualFold(text[:len("mailto:")], "mailto:"):
		return d.dead(l, "mail"), true
	}
	return nil, false
}

// dead writes a dead link: Dead as its target, and the original target in an attribute of its own.
// The attribute is omitted in documents inside an attribute, and if the tag repeats the link's
// attribute.
func (d *Document) dead(l *htmllink.Link, why string) []byte {
	to := l.Append(nil, Relative(d.Name, Dead)+"#"+why)
	if l.Flags&(htmllink.Srcdoc|htmllink.Duplicate|htmllink.Cut) != 0 {
		return to
	}
	quote := ""
	if l.Quote != 0 {
		quote = string(rune(l.Quote))
	}
	to = append(to, quote+" "+Mark+"="+quote...)
	return append(to, l.Raw...)
}

// Relative returns the path from one file to another: "../../i/logo.png".
func Relative(from, to string) string {
	here, there := strings.Split(path.Dir(from), "/"), strings.Split(to, "/")
	if here[0] == "." {
		here = nil
	}
	same := 0
	for same < len(here) && same < len(there)-1 && here[same] == there[same] {
		same++
	}
	return strings.Repeat("../", len(here)-same) + strings.Join(there[same:], "/")
}

// MediaType returns the media type of a Content-Type, without parameters; "" if it has none.
func MediaType(contentType string) string {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		t, _, _ = strings.Cut(contentType, ";")
		t = strings.ToLower(strings.TrimSpace(t))
	}
	return t
}

// DeadPage is the target page of dead links.
const DeadPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Not archived</title>
<style>body{font:1rem/1.5 sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}:target{outline:2px solid}</style>
</head>
<body>
<h1>This leads nowhere any more</h1>
<p>You are in the archived copy of a website. It shows what was captured; it cannot do what the website did.</p>
<p id="form">A <strong>form</strong> was sent to a program on the web server, which is not in the archive.</p>
<p id="mail">A <strong>mail address</strong> belonged to somebody at the time of the capture. It may be ` +
	`somebody else's by now, or nobody's.</p>
<p>A <strong>document within the page</strong> that is not shown was not captured, or may not be shown here.</p>
</body>
</html>
`
