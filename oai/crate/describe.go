package crate

import (
	"cmp"
	"context"

	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"quire/metadata/mods"
	"quire/metadata/xmlstream"
	"quire/oai/resource"
	"quire/preserve/pages"
)

// ByTheServer marks a description of which nobody said anything: what the HTTP head tells.
const ByTheServer = "made of the HTTP header: neither a curator nor the page itself says more"

// maxPage is how much of a page is read for what it declares of itself, in bytes: that stands at
// its head.
const maxPage = 2 << 20

// describe gives the description of a resource: the curators', where there is one, as they made it;
// else what the page declares of itself, marked so; with either, or alone, what the server says. It
// is never empty.
func (d *Disseminator) describe(ctx context.Context, r *resource.Resource) (mods.Record, error) {
	if r.Description != nil {
		m := *r.Description // its lists are added to, and others may have it in hand: none is written in place
		m.Locations, m.Identifiers, m.Physical = slices.Clip(m.Locations), slices.Clip(m.Identifiers),
			slices.Clip(m.Physical)
		m.Origins, m.Access = slices.Clip(m.Origins), slices.Clip(m.Access)
		served(&m.Content, r)
		return m, nil
	}
	var m mods.Record
	origin := ByTheServer
	declared, err := d.declared(ctx, r)
	if err != nil {
		return m, err
	}
	if declared != nil {
		m, origin = declared.MODS(r.URL), pages.ByThePage
		m.RecordInfo = nil
	}
	served(&m.Content, r)
	m.RecordInfo = append(m.RecordInfo, mods.RecordInfo{Origins: []string{origin}})
	return m, nil
}

// declared reads what a page says of itself; nil when it is no page, says nothing, or cannot be
// had, which whoever asks for its bytes is told.
func (d *Disseminator) declared(ctx context.Context, r *resource.Resource) (*pages.Declared, error) {
	if r.Withheld != "" || r.Coding != "" || !pages.IsHTML("", r.MIMEType) {
		return nil, nil //nolint:nilnil // no page is no error
	}
	in, err := r.Open(ctx)
	if err != nil {
		return nil, ctx.Err()
	}
	defer func() { _ = in.Close() }() // it was only read
	p := pages.New(pages.Options{ContentType: cmp.Or(field(r, "Content-Type"), r.MIMEType),
		Language: field(r, "Content-Language")})
	if _, err := io.Copy(p, io.LimitReader(in, maxPage)); err != nil {
		p.Stop()
		return nil, ctx.Err()
	}
	declared, err := p.Close()
	if err != nil || !declared.Says() {
		return nil, err
	}
	return declared, nil
}

// served adds what the server says of the bytes, and where they are, unless it is said already.
func served(c *mods.Content, r *resource.Resource) {
	if !says(c, r.URL) {
		if xmlstream.IsURI(r.URL) {
			c.Locations = append(c.Locations, mods.Location{URLs: []mods.URL{{Text: r.URL, Usage: "primary"}}})
		} else {
			c.Identifiers = append(c.Identifiers, mods.Identifier{Text: r.URL, Type: "uri"})
		}
	}
	physical := mods.Physical{MediaTypes: []string{cmp.Or(r.MIMEType, unknownType)}, DigitalOrigin: "born digital"}
	if r.Size >= 0 && r.Coding == "" {
		physical.Extents = []string{fmt.Sprintf("%d bytes", r.Size)}
	}
	c.Physical = append(c.Physical, physical)
	if t, err := http.ParseTime(field(r, "Last-Modified")); err == nil {
		c.Origins = append(c.Origins, mods.Origin{EventType: "modified",
			Dates: []mods.Date{{Kind: "dateModified", Text: t.UTC().Format(time.RFC3339), Encoding: "w3cdtf"}}})
	}
	if !r.Captured.IsZero() {
		c.Origins = append(c.Origins, mods.Captured(r.Captured, time.Time{}))
	}
	if kind := kindOf(r.MIMEType); kind != "" && len(c.Types) == 0 {
		c.Types = []mods.Term{mods.Text(kind)}
	}
	if r.Withheld != "" {
		c.Access = append(c.Access, mods.Note{Type: "restriction on access", Text: r.Withheld})
	}
}

// says reports whether a description names the URL.
func says(c *mods.Content, url string) bool {
	for _, id := range c.Identifiers {
		if id.Text == url {
			return true
		}
	}
	for _, l := range c.Locations {
		for _, u := range l.URLs {
			if u.Text == url {
				return true
			}
		}
	}
	return false
}

// kindOf gives the type of resource of MODS that a media type is of; "" when it may be anything.
func kindOf(mimeType string) string {
	top, _, _ := strings.Cut(mimeType, "/")
	return map[string]string{"text": "text", "image": "still image", "audio": "sound recording",
		"video": "moving image"}[top]
}

// field gives the first header field of a name.
func field(r *resource.Resource, name string) string {
	for _, f := range r.Header {
		if strings.EqualFold(f.Name, name) {
			return strings.TrimSpace(f.Value)
		}
	}
	return ""
}

// writeMODS writes mods.
func (d *Disseminator) writeMODS(ctx context.Context, r *resource.Resource, x *xmlstream.Writer) error {
	m, err := d.describe(ctx, r)
	if err != nil {
		return err
	}
	m.Version = ""
	x.Locate(mods.Namespace, modsSchema)
	return mods.Write(x, m)
}
