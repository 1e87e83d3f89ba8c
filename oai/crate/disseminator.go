package crate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"quire/metadata/xmlstream"
	"quire/model"
	"quire/oai/crate/schemas"
	"quire/oai/plugin"
	"quire/oai/protocol"
	"quire/oai/provider"
	"quire/oai/resource"
)

// Disseminator writes records of resources in all formats. The zero value works, without tools. It
// is safe for use by several goroutines.
type Disseminator struct {
	Tools plugin.Examiner // examine the bytes of each resource for its CRATE; may be nil
	// maximum size of a resource inside its document, in bytes; a larger one is only referenced.
	// Default 6 MiB; see [MaxReadable]
	ByValue int64
	Largest int64  // maximum size of a resource on disk for tools, in bytes; default 1 GiB
	TempDir string // "" means the default for temporary files
	Schemas string // base URL of [SchemaHandler]; "" if it is not used
	// URL of [BytesHandler]. If it is "", documents have no references to captured bytes
	Bytes string
	Now   func() time.Time

	Agent model.Agent // the program, for the documents; the default is Quire, without a version
}

// The defaults, in bytes.
const (
	DefaultByValue = 6 << 20
	DefaultLargest = 1 << 30
)

// MaxReadable is the largest resource, in bytes, that readers built on libxml2 accept in a document.
// Base64 makes a text node of 4/3 of it, and libxml2 refuses nodes of more than 10,000,000 bytes
// (XML_MAX_TEXT_LENGTH) unless set otherwise. Some harvesters then end the list without an error.
const MaxReadable = 7_500_000

// TooLargeByValue returns a warning for a ByValue above MaxReadable, or "".
func TooLargeByValue(most int64) string {
	if most <= MaxReadable {
		return ""
	}
	return fmt.Sprintf("by-value is %d bytes: harvesters built on libxml2 (sickle) end the list at a resource "+
		"of more than %d bytes; set a lower by-value", most, int64(MaxReadable))
}

// Backend returns a provider's backend for a collection.
func (d *Disseminator) Backend(c resource.Collection) provider.Backend {
	own := *d
	own.ByValue, own.Largest = cmp.Or(d.ByValue, DefaultByValue), cmp.Or(d.Largest, DefaultLargest)
	if own.Agent.Name == "" {
		own.Agent.Name = "Quire"
	}
	if own.Now == nil {
		own.Now = time.Now
	}
	return &backend{c, &own}
}

// SchemaHandler serves the schemas of Quire's own formats: crate.xsd and http_header.xsd.
func SchemaHandler() http.Handler { return http.FileServerFS(schemas.Files) }

// backend is a collection with its formats.
type backend struct {
	resource.Collection
	*Disseminator
}

// FormatsOf implements provider.Backend. A resource that was not served by HTTP has no http_header.
func (b *backend) FormatsOf(ctx context.Context, identifier string) ([]protocol.Format, error) {
	h, err := b.Header(ctx, identifier)
	if err != nil || h.Deleted {
		return nil, err
	}
	r, err := b.Resource(ctx, identifier)
	if err != nil {
		return nil, err
	}
	var all []protocol.Format
	for _, f := range b.Formats() {
		if f.Prefix != "http_header" || headOf(r) != nil {
			all = append(all, f)
		}
	}
	return all, nil
}

// Write implements provider.Backend.
func (b *backend) Write(ctx context.Context, h protocol.Header, prefix string, out io.Writer) error {
	write := b.format(prefix)
	if write == nil {
		return provider.ErrNoFormat
	}
	r, err := b.Resource(ctx, h.Identifier)
	if err != nil {
		return err
	}
	x := xmlstream.NewWriter(out, xmlstream.Options{Fragment: true, Indent: true})
	if err := write(b.Disseminator, ctx, r, x); err != nil {
		return fmt.Errorf("%s of %s: %w", prefix, r.URL, err)
	}
	return x.Close()
}

// writeHeader writes http_header.
func (d *Disseminator) writeHeader(_ context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	h := headOf(r)
	if h == nil {
		return provider.ErrNoFormat
	}
	if at := schemaAt(d.Schemas, "http_header.xsd"); at != "" {
		x.Locate(HeadNamespace, at)
	}
	return writeHead(x, h)
}

// writeDIDL writes oai_didl, mod_oai's format of that name: the head and the bytes.
func (d *Disseminator) writeDIDL(ctx context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	return d.write(ctx, r, x, false)
}

// writeCrate writes oai_crate: the same, and the output of tools: of those run now, and of those
// that came with the resource.
func (d *Disseminator) writeCrate(ctx context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	return d.write(ctx, r, x, true)
}

// write writes a CRATE of the available parts of a resource, with notices on the missing parts.
func (d *Disseminator) write(ctx context.Context, r *resource.Resource, x *xmlstream.Writer,
	outputs bool) (err error) {
	c := &Crate{Identifier: asURI(r.Identifier), Created: d.Now().UTC().Truncate(time.Second), Head: headOf(r),
		Generator: Generator{Name: d.Agent.Name, Version: d.Agent.Version}, Name: nameOf(r), Modified: modifiedOf(r),
		MIMEType: cmp.Or(r.MIMEType, unknownType), Coding: r.Coding, Fixity: Fixity{Size: -1}, Schemas: d.Schemas}
	if r.Withheld != "" {
		c.notice(Withheld, "%s", r.Withheld)
		return Write(x, c)
	}
	var tools plugin.Examiner
	if outputs {
		if err := c.addSources(ctx, r); err != nil {
			return err
		}
		tools = d.Tools
	}
	c.Ref = d.reference(r)
	k, err := d.keep(ctx, r, c)
	if err != nil {
		return err
	}
	if k == nil {
		if tools != nil && c.Fixity.Size >= 0 {
			c.notice(NoTools, "these %d bytes are more than tools are given here", c.Fixity.Size)
		}
		return Write(x, c)
	}
	defer func() { err = errors.Join(err, k.Close()) }()
	if tools != nil {
		if err := d.ask(ctx, tools, r, k, c); err != nil {
			return err
		}
	}
	return Write(x, c)
}

// unknownType is the media type of resources without one.
const unknownType = "application/octet-stream"

func (c *Crate) notice(code Code, format string, args ...any) {
	c.Notices = append(c.Notices, Notice{code, fmt.Sprintf(format, args...)})
}
