package crate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"quire/metadata/didl"
	"quire/metadata/xmlstream"
	"quire/oai/plugin"
	"quire/oai/resource"
)

// Crate is the input of [Write].
type Crate struct {
	Identifier string // of the resource: a URI
	Created    time.Time
	Generator  Generator // its Schemas are ignored: they are those of this package
	Head       *Head
	Results    []plugin.Result
	Sources    []resource.Source // output of tools that earlier holders of the resource ran
	Notices    []Notice

	Name     string    // file name of the resource, as its server states it; may be ""
	Modified time.Time // as its server states it; zero if it does not
	MIMEType string
	Coding   string // content codings of the bytes, as in Content-Encoding; "" for none
	Fixity   Fixity // of the bytes, as far as known
	Bytes    io.Reader
	Ref      string // URL of the same bytes; "" if there is none

	// Schemas is the URL of a folder with crate.xsd and http_header.xsd, or "".
	Schemas string
}

// Write writes a CRATE and reads its bytes meanwhile. If the bytes differ from the Fixity or are
// incomplete, Write returns an error and leaves the document unfinished: a part never looks like
// the whole. A Crate without Bytes is by reference; a notice states why.
func Write(x *xmlstream.Writer, c *Crate) error {
	w := didl.NewWriter(x)
	d := didl.Document{ID: c.documentID(), Created: c.Created}
	d.Namespaces = []didl.Schema{{Prefix: "crate", Namespace: Namespace, Location: schemaAt(c.Schemas, "crate.xsd")}}
	if c.Head != nil {
		d.Namespaces = append(d.Namespaces,
			didl.Schema{Prefix: "http", Namespace: HeadNamespace, Location: schemaAt(c.Schemas, "http_header.xsd")})
	}
	d.Info = []didl.Content{didl.Element(func(x *xmlstream.Writer) error { return writeGenerator(x, c) })}
	w.Start(d)
	w.StartItem("")
	w.Identifier(c.Identifier)
	if c.Head != nil {
		say(w, func(x *xmlstream.Writer) error { return writeHead(x, c.Head) })
	}
	for i := range c.Results {
		say(w, func(x *xmlstream.Writer) error { return writePlugin(x, &c.Results[i]) })
	}
	for i := range c.Sources {
		say(w, func(x *xmlstream.Writer) error { return writeSource(x, &c.Sources[i]) })
	}
	codings, named := c.codings()
	if !named {
		c.notice(UnnamedCoding, "the bytes are in the content codings %q, which cannot all be named here", c.Coding)
	}
	for _, n := range c.Notices {
		say(w, func(x *xmlstream.Writer) error { return writeNotice(x, n) })
	}
	c.component(w, codings)
	w.EndItem()
	return w.End()
}

// component writes the bytes, if there is something to state about them: by value and by reference,
// the same bits by the standard.
func (c *Crate) component(w *didl.Writer, codings []string) {
	if c.Bytes == nil && c.Ref == "" {
		return
	}
	w.StartComponent("")
	if c.Fixity.Size >= 0 || c.Fixity.SHA256 != "" {
		say(w, func(x *xmlstream.Writer) error { return writeBytes(x, c) })
	}
	b := didl.Block{MIMEType: c.MIMEType, ContentEncoding: codings}
	if c.Bytes != nil {
		w.Resource(b, didl.Base64(&counted{Reader: c.Bytes, want: c.Fixity.Size}))
	}
	if b.Ref = c.Ref; b.Ref != "" {
		w.Resource(b, didl.Nothing)
	}
	w.EndComponent()
}

// codings returns the names of the content codings in the order of their application. If one has no
// name in DIDL, it returns none and false: the other names alone would describe other bytes.
func (c *Crate) codings() (all []string, named bool) {
	all = codingsIn(c.Coding)
	if slices.ContainsFunc(all, func(s string) bool { return !didl.IsToken(s) }) {
		return nil, false
	}
	return all, true
}

// codingsIn returns the names in a Content-Encoding (RFC 9110, 8.4): a list with commas,
// case-insensitive.
func codingsIn(value string) []string {
	return strings.FieldsFunc(strings.ToLower(value), func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
}

// counted returns an error at the end of bytes if their number differs from the stated one.
type counted struct {
	io.Reader
	want, n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if c.want >= 0 && (c.n > c.want || errors.Is(err, io.EOF) && c.n < c.want) {
		return n, fmt.Errorf("the resource changed while it was written: %d bytes instead of %d", c.n, c.want)
	}
	return n, err
}

// say writes a descriptor with one element.
func say(w *didl.Writer, element func(*xmlstream.Writer) error) {
	w.Statement(didl.Block{MIMEType: didl.XML}, didl.Element(element))
}

func writeNotice(x *xmlstream.Writer, n Notice) error {
	x.Declare("crate", Namespace)
	x.Start("crate:notice")
	x.Attr("code", string(n.Code))
	x.Text(n.Text)
	x.End("crate:notice")
	return x.Err()
}

// documentID returns an identifier derived from the subject and the time of the document. The same
// document always has the same identifier (UUID, version 8 of RFC 9562).
func (c *Crate) documentID() string {
	h := sha256.New()
	// a hash does not fail
	_, _ = fmt.Fprintf(h, "%q %s %q", c.Identifier, c.Created.UTC().Format(time.RFC3339Nano), c.Fixity.SHA256)
	for i := range c.Results {
		r := &c.Results[i]
		_, _ = fmt.Fprintf(h, " %q %q %q %q", r.Label, r.Version, r.Outcome, r.Bytes)
	}
	for i := range c.Sources {
		s := &c.Sources[i]
		_, _ = fmt.Fprintf(h, " source %q %q %q", s.Document, s.From, s.XML)
		for j := range s.Results {
			_, _ = fmt.Fprintf(h, " %q %q", s.Results[j].Label, s.Results[j].Bytes)
		}
	}
	u := h.Sum(nil)[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// schemaAt returns the URL of one of our schemas, or "".
func schemaAt(folder, file string) string {
	if folder == "" {
		return ""
	}
	return strings.TrimSuffix(folder, "/") + "/" + file
}
