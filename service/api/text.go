package api

import (
	"github.com/danielgtaylor/huma/v2"

	"quire/service/desk"
)

// Line is a text of one line, without control characters.
type Line string

// Schema implements huma.SchemaProvider.
func (Line) Schema(huma.Registry) *huma.Schema { return textSchema(`^[^\x00-\x1f]*$`, 4000) }

// Text is a text of several lines.
type Text string

// Schema implements huma.SchemaProvider.
func (Text) Schema(huma.Registry) *huma.Schema { return textSchema(`^[^\x00-\x08]*$`, 10_000) }

func textSchema(pattern string, longest int) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Pattern: pattern, PatternDescription: "no control characters",
		MaxLength: &longest}
}

// By is a criterion of statistics.
type By string

// Schema implements huma.SchemaProvider.
func (By) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{"completeness", "container", "definition", "finding",
		"format", "host", "language", "mime", "outcome", "status", "type", "year"}}
}

// Kind is a command that may be submitted.
type Kind string

// Schema implements huma.SchemaProvider.
func (Kind) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, k := range desk.Kinds() {
		s.Enum = append(s.Enum, k)
	}
	return s
}
