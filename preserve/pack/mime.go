package pack

import (
	"path"
	"strings"

	"quire/preserve/characterize"
)

// logTypes maps the endings of files beside containers to media types. Quire does not use the
// machine's list, because the same source must give the same package everywhere.
var logTypes = map[string]string{
	".txt": "text/plain", ".log": "text/plain", ".cdx": "text/plain", ".cdxj": "text/plain", ".md": "text/plain",
	".xml": "application/xml", ".cxml": "application/xml", ".json": "application/json",
	".jsonl": "application/x-ndjson",
	".html":  "text/html", ".htm": "text/html", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
	".yaml": "application/yaml", ".yml": "application/yaml", ".pdf": "application/pdf",
	".gz": "application/gzip", ".zst": "application/zstd", ".zip": "application/zip", ".wacz": "application/wacz",
}

// bareType returns a media type in lower case and without parameters.
func bareType(value string) string {
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(value))
}

func mimeType(p packed) string {
	if p.Container != nil {
		return characterize.MediaType(p.Container)
	}
	if t := logTypes[strings.ToLower(path.Ext(p.Dest))]; t != "" {
		return t
	}
	return "application/octet-stream"
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
