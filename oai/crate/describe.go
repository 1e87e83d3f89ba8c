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

// ByTheServer marks a description made only from the HTTP head.
const ByTheServer = "made of the HTTP header: neither a curator nor the page itself says more"

// maxPage is the number of bytes of a page that are searched for its declarations, which are at its
// head.
const maxPage = 2 << 20

// describe returns the description of a resource. If a curator described the resource, it returns
// this description unchanged. Otherwise it returns the page's own declarations, marked as such. In
// both cases it adds the server's headers. If there is no other source, the description has only
// the headers. It is never empty.
func (d *Disseminator) describe(ctx context.Context, r *resource.Resource) (mods.Record, error) {
	if r.Description != nil {
		m := *r.Description // its lists are extended, but never changed in place, because others may use them
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

// declared returns the declarations of a page. It returns nil if the resource is not a page,
// declares nothing, or is unreadable; a request for the bytes reports that error.
func (d *Disseminator) declared(ctx context.Context, r *resource.Resource) (*pages.Declared, error) {
	if r.Withheld != "" || r.Coding != "" || !pages.IsHTML("", r.MIMEType) {
		return nil, nil //nolint:nilnil // no page is no error
	}
	in, err := r.Open(ctx)
	if err != nil {
		return nil, ctx.Err()
	}
	defer func() { _ = in.Close() }() // read only
	p := pages.New(pages.Options{ContentType: cmp.Or(field(r, "Content-Type"), r.MIMEType),
		Language: field(r, "Content-Language")})
	if _, err := io.Copy(p, io.LimitReader(in, maxPage)); err != nil {
		p.Stop()
		return nil, ctx.Err()
	}
	declared, err := p.Close()
	if err != nil || !declared.HasMetadata() {
		return nil, err
	}
	return declared, nil
}

// served adds the server's headers and the URL, unless the description has them already.
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

// says reports whether a description has the URL as an identifier or a location.
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

// kindOf returns the MODS type of resource for a media type, or "" if any type is possible.
func kindOf(mimeType string) string {
	top, _, _ := strings.Cut(mimeType, "/")
	return map[string]string{"text": "text", "image": "still image", "audio": "sound recording",
		"video": "moving image"}[top]
}

// field returns the first header field with a name.
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
