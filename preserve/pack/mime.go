package pack

import (
	"strings"

	"quire/preserve/characterize"
)

// bareType returns a media type in lower case and without parameters.
func bareType(value string) string {
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(value))
}

func mimeType(p packed) string {
	if p.Container != nil {
		return characterize.MediaType(p.Container)
	}
	return characterize.TypeByName(p.Dest)
}

// pronom returns the PRONOM entry of a container format, or "". For a version of WARC without its
// own entry, it returns the entry of the family.
func pronom(format, version string) string {
	switch format + " " + version {
	case "WARC 1.0":
		return "fmt/1355"
	case "WARC 1.1":
		return "fmt/1281"
	case "ARC 1.0":
		return "x-fmt/219"
	case "ARC 1.1":
		return "fmt/410"
	}
	if format == "WARC" {
		return "fmt/289"
	}
	return ""
}
