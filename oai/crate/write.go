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
)

// Crate is what [Write] writes.
type Crate struct {
	Identifier string // of the resource: a URI
	Created    time.Time
	Head       *Head
	Results    []plugin.Result
	Notices    []Notice

	MIMEType string
	Coding   string // content codings that are on the bytes, as in Content-Encoding; "" for none
	Fixity   Fixity // of the bytes, as far as it is known
	Bytes    io.Reader
	Ref      string // URL where the same bytes are had; "" when they are had nowhere

	// Schemas is the URL of a folder with crate.xsd and http_header.xsd; "" when they are had
	// nowhere.
	Schemas string
}

// Write writes a CRATE. Its bytes are read while they are written; when they are other than the
// Fixity says, or cannot be read to the end, that is an error and the document is not ended: a part
// never looks like the whole. A Crate without Bytes is by reference, and tells in a notice why.
func Write(x *xmlstream.Writer, c *Crate) error {
	w := didl.NewWriter(x)
	d := didl.Document{ID: c.documentID(), Created: c.Created}
	d.Namespaces = []didl.Schema{{Prefix: "crate", Namespace: Namespace, Location: schemaAt(c.Schemas, "crate.xsd")}}
	if c.Head != nil {
		d.Namespaces = append(d.Namespaces,
			didl.Schema{Prefix: "http", Namespace: HeadNamespace, Location: schemaAt(c.Schemas, "http_header.xsd")})
	}
	w.Start(d)
	w.StartItem("")
	w.Identifier(c.Identifier)
	if c.Head != nil {
		say(w, func(x *xmlstream.Writer) error { return writeHead(x, c.Head) })
	}
	for i := range c.Results {
		say(w, func(x *xmlstream.Writer) error { return writePlugin(x, &c.Results[i]) })
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

// component writes the bytes, if there is anything to tell of them: by value, and by reference,
// which by the standard are the same bits.
func (c *Crate) component(w *didl.Writer, codings []string) {
	if c.Bytes == nil && c.Ref == "" {
		return
	}
	w.StartComponent("")
	if c.Fixity.Size >= 0 || c.Fixity.SHA256 != "" {
		say(w, func(x *xmlstream.Writer) error { return writeBytes(x, c.Fixity) })
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

// codings are the content codings by name, as they were applied; none, and named false, when one of
// them has no name that DIDL has room for: the others alone would tell of bytes that are not these.
func (c *Crate) codings() (all []string, named bool) {
	all = codingsIn(c.Coding)
	if slices.ContainsFunc(all, func(s string) bool { return !didl.IsToken(s) }) {
		return nil, false
	}
	return all, true
}

// codingsIn are the names in a Content-Encoding (RFC 9110, 8.4): a list with commas, in which case
// does not matter.
func codingsIn(value string) []string {
	return strings.FieldsFunc(strings.ToLower(value), func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
}

// counted fails at the end of bytes that are more or fewer than was said.
type counted struct {
	io.Reader
	want, n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if c.want >= 0 && (c.n > c.want || errors.Is(err, io.EOF) && c.n < c.want) {
		return n, fmt.Errorf("the resource changed while it was written: %d bytes and not %d", c.n, c.want)
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

// documentID names the document: made of what it is about and when it was made, so that the same
// document has the same name (UUID, version 8 of RFC 9562).
func (c *Crate) documentID() string {
	h := sha256.New()
	// a hash does not fail
	_, _ = fmt.Fprintf(h, "%q %s %q", c.Identifier, c.Created.UTC().Format(time.RFC3339Nano), c.Fixity.SHA256)
	for i := range c.Results {
		r := &c.Results[i]
		_, _ = fmt.Fprintf(h, " %q %q %q %q", r.Label, r.Version, r.Outcome, r.Bytes)
	}
	u := h.Sum(nil)[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// schemaAt gives the place of one of our schemas; "" when there is none.
func schemaAt(folder, file string) string {
	if folder == "" {
		return ""
	}
	return strings.TrimSuffix(folder, "/") + "/" + file
}
