package report

import (
	"strings"

	"quire/model"
)

// outcomeOf returns the verdict as text. An empty verdict means that the container was not judged.
func outcomeOf(o model.Outcome) string {
	switch o {
	case model.NotContainer:
		return "not a container"
	case "":
		return "not judged"
	}
	return string(o)
}

// kindOf describes the file: its format, versions and compression.
func kindOf(c *model.Container) string {
	if c.Format == "" {
		return "neither ARC nor WARC"
	}
	return strings.TrimSpace(c.Format+" "+strings.Join(c.Versions, ", ")) + ", " + compressionOf(c.Compression)
}

// briefKindOf is kindOf for a narrow column.
func briefKindOf(c *model.Container) string {
	kind, _, _ := strings.Cut(kindOf(c), ", one member per record")
	return kind
}

func compressionOf(compression string) string {
	switch compression {
	case "none", "":
		return "not compressed"
	case "gzip":
		return "gzip, one member per record"
	case "gzip-whole":
		return "gzip, all records in one member"
	}
	return compression
}

// named returns a visible text for an empty name.
func named(name string) string {
	if name == "" {
		return "(without a name)"
	}
	return name
}
