package builtin

import (
	"errors"
	"fmt"
	"strings"

	"quire/format/pdf"
	"quire/oai/plugin"
)

func pdfKind() kind {
	return kind{
		revision: "quire-pdf 1",
		mime:     []string{"application/pdf"},
		make: func(p *parameters) (*tool, error) {
			asText := p.oneOf("output", "json", "text") == "text"
			return &tool{say: func(in *input) (plugin.Output, error) { return sayPDF(in, asText) }}, nil
		},
	}
}

// document is the output for a PDF.
type document struct {
	Version    string      `json:"version"`
	Header     string      `json:"header_version"`
	Pages      *int64      `json:"pages"` // null if unknown
	PageSize   *pageSize   `json:"page_size"`
	Title      string      `json:"title,omitempty"`
	Author     string      `json:"author,omitempty"`
	Subject    string      `json:"subject,omitempty"`
	Keywords   string      `json:"keywords,omitempty"`
	Creator    string      `json:"creator,omitempty"`
	Producer   string      `json:"producer,omitempty"`
	Created    string      `json:"created,omitempty"`
	Modified   string      `json:"modified,omitempty"`
	Language   string      `json:"language,omitempty"`
	Claims     []string    `json:"claims"` // standards
	Tagged     bool        `json:"tagged"`
	Linearized bool        `json:"linearized"`
	Form       string      `json:"form,omitempty"`
	Encryption *encryption `json:"encryption"` // null if not encrypted
	XMP        int64       `json:"xmp_bytes"`
	Rebuilt    bool        `json:"rebuilt,omitempty"` // objects were found by searching
	Warnings   []string    `json:"warnings,omitempty"`
}

type pageSize struct {
	Width  float64 `json:"width_points"`
	Height float64 `json:"height_points"`
	Rotate int64   `json:"rotate_degrees"`
}

type encryption struct {
	Filter  string `json:"filter"`
	Version int64  `json:"version"`
	Bits    int64  `json:"bits"`
	Opens   bool   `json:"opens_without_password"`
}

func sayPDF(in *input, asText bool) (plugin.Output, error) {
	facts, err := pdf.Read(in, in.Size)
	if errors.Is(err, pdf.ErrNotPDF) {
		head, err := in.head(16)
		if err != nil {
			return plugin.Output{}, err
		}
		return plugin.Output{}, notA("a PDF", head)
	}
	if err != nil {
		return plugin.Output{}, err
	}
	d := documentOf(facts)
	if asText {
		return text(d.String()), nil
	}
	return jsonOutput(d)
}

func documentOf(f *pdf.Facts) *document {
	d := &document{
		Version: f.Version, Header: f.Header, PageSize: (*pageSize)(f.PageSize), Title: f.Title, Author: f.Author,
		Subject:  f.Subject,
		Keywords: f.Keywords, Creator: f.Creator, Producer: f.Producer, Created: f.Created, Modified: f.Modified,
		Language: f.Language,
		Claims:   append([]string{}, f.Claims...), Tagged: f.Tagged, Linearized: f.Linearized, Form: f.Form,
		Encryption: (*encryption)(f.Encryption),
		XMP:        f.XMP, Rebuilt: f.Rebuilt, Warnings: f.Warnings,
	}
	if f.Pages >= 0 {
		d.Pages = &f.Pages
	}
	return d
}

// String returns a line for each fact, with pdfinfo's names where they exist.
func (d *document) String() string {
	var b strings.Builder
	line := func(name, value string) {
		if value = strings.Join(strings.Fields(value), " "); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, f := range []struct{ name, value string }{
		{"Title", d.Title}, {"Subject", d.Subject}, {"Keywords", d.Keywords}, {"Author", d.Author},
		{"Creator", d.Creator}, {"Producer", d.Producer},
		{"CreationDate", d.Created}, {"ModDate", d.Modified}, {"Language", d.Language},
		{"Claims", strings.Join(d.Claims, ", ")}, {"Tagged", yes[d.Tagged]}, {"Form", d.Form},
	} {
		line(f.name, f.value)
	}
	if d.Pages != nil {
		line("Pages", fmt.Sprint(*d.Pages))
	}
	if e := d.Encryption; e != nil {
		line("Encrypted", fmt.Sprintf("yes (%s %d, %d bits; opens without a password: %s)", e.Filter, e.Version, e.Bits,
			yes[e.Opens]))
	} else {
		line("Encrypted", "no")
	}
	if s := d.PageSize; s != nil {
		line("Page size", fmt.Sprintf("%v x %v pts", s.Width, s.Height))
		line("Page rot", fmt.Sprint(s.Rotate))
	}
	line("Optimized", yes[d.Linearized])
	line("PDF version", d.Version)
	if d.Rebuilt {
		line("Rebuilt", "yes")
	}
	for _, w := range d.Warnings {
		line("Warning", w)
	}
	return b.String()
}
