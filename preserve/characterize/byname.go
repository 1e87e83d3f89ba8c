package characterize

import (
	"cmp"
	"path"
	"strings"
)

// endings maps the endings of files beside containers to media types. Quire does not use the machine's
// list, because the same source must give the same package everywhere.
var endings = map[string]string{
	".txt": "text/plain", ".log": "text/plain", ".cdx": "text/plain", ".cdxj": "text/plain", ".md": "text/plain",
	".xml": "application/xml", ".cxml": "application/xml", ".json": "application/json",
	".jsonl": "application/x-ndjson",
	".html":  "text/html", ".htm": "text/html", ".csv": "text/csv", ".tsv": "text/tab-separated-values",
	".yaml": "application/yaml", ".yml": "application/yaml", ".pdf": "application/pdf",
	".gz": "application/gzip", ".zst": "application/zstd", ".zip": "application/zip", ".wacz": "application/wacz",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".ods":  "application/vnd.oasis.opendocument.spreadsheet",
}

// TypeByName returns the media type of a file beside containers by the ending of its name, or
// application/octet-stream.
func TypeByName(name string) string {
	return cmp.Or(endings[strings.ToLower(path.Ext(name))], "application/octet-stream")
}
