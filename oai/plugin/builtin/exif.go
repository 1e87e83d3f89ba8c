package builtin

import (
	"errors"
	"fmt"
	"strings"

	"quire/format/exif"
	"quire/oai/plugin"
)

func exifKind() kind {
	return kind{
		revision: "quire-exif 1",
		mime: []string{"image/jpeg", "image/tiff", "image/png", "image/webp", "image/heic", "image/heif",
			"image/avif"},
		make: func(p *parameters) (*tool, error) {
			asText := p.oneOf("output", "json", "text") == "text"
			return &tool{say: func(in *input) (plugin.Output, error) { return sayEXIF(in, asText) }}, nil
		},
	}
}

// picture is the output for a picture.
type picture struct {
	Container string       `json:"container"`
	ByteOrder string       `json:"byte_order,omitempty"`
	Fields    []exifField  `json:"fields"`
	Position  *gpsPosition `json:"position,omitempty"`
	XMP       int64        `json:"xmp_bytes"`
	IPTC      int64        `json:"iptc_bytes"`
	LeftOut   int          `json:"left_out,omitempty"`
	Warnings  []string     `json:"warnings,omitempty"`
}

type exifField struct {
	Directory string `json:"directory"`
	Tag       string `json:"tag"`
	Name      string `json:"name,omitempty"`
	Type      string `json:"type"`
	Count     uint32 `json:"count"`
	Value     string `json:"value"`
}

type gpsPosition struct {
	Latitude  float64  `json:"latitude"`
	Longitude float64  `json:"longitude"`
	Altitude  *float64 `json:"altitude,omitempty"`
}

func sayEXIF(in *input, asText bool) (plugin.Output, error) {
	facts, err := exif.Read(in, in.Size)
	if errors.Is(err, exif.ErrUnknown) {
		head, err := in.head(16)
		if err != nil {
			return plugin.Output{}, err
		}
		return plugin.Output{}, notA("a JPEG, TIFF, PNG, WebP or HEIF", head)
	}
	if err != nil {
		return plugin.Output{}, err
	}
	p := pictureOf(facts)
	if asText {
		return text(p.String()), nil
	}
	return jsonOutput(p)
}

func pictureOf(f *exif.Facts) *picture {
	p := &picture{Container: f.Container, ByteOrder: f.ByteOrder, Fields: []exifField{}, XMP: f.XMP, IPTC: f.IPTC,
		LeftOut: f.LeftOut, Warnings: f.Warnings}
	for _, field := range f.Fields {
		p.Fields = append(p.Fields, exifField{field.Directory, fmt.Sprintf("0x%04x", field.Tag), field.Name, field.Type,
			field.Count, field.Value})
	}
	if f.Position != nil {
		p.Position = (*gpsPosition)(f.Position)
	}
	return p
}

// String returns a line for each field: its directory, its name or number, and its value, separated
// by tabs.
func (p *picture) String() string {
	var b strings.Builder
	line := func(directory, name, value string) {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", directory, name, strings.Join(strings.Fields(value), " "))
	}
	line("File", "Container", p.Container)
	for _, f := range p.Fields {
		name := f.Name
		if name == "" {
			name = f.Tag
		}
		line(f.Directory, name, f.Value)
	}
	if g := p.Position; g != nil {
		line("Position", "Latitude", fmt.Sprint(g.Latitude))
		line("Position", "Longitude", fmt.Sprint(g.Longitude))
		if g.Altitude != nil {
			line("Position", "Altitude", fmt.Sprint(*g.Altitude))
		}
	}
	line("File", "XMP", fmt.Sprintf("%d bytes", p.XMP))
	line("File", "IPTC", fmt.Sprintf("%d bytes", p.IPTC))
	if p.LeftOut > 0 {
		line("File", "Left out", fmt.Sprintf("%d fields", p.LeftOut))
	}
	for _, w := range p.Warnings {
		line("File", "Warning", w)
	}
	return b.String()
}
