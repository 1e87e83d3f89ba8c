package characterize

import "quire/model"

// Media types of the two container formats. ARC never got one; this is the name that crawlers and
// CDX servers use.
const (
	WARCType = "application/warc"
	ARCType  = "application/x-ia-arc"
)

// MediaType is the media type of a container by its format.
func MediaType(c *model.Container) string {
	switch c.Format {
	case "WARC":
		return WARCType
	case "ARC":
		return ARCType
	}
	return "application/octet-stream"
}

// CompressionType is the media type of a compression as inspect names it, "" for none.
func CompressionType(compression string) string {
	switch compression {
	case "gzip", "gzip-whole":
		return "application/gzip"
	case "zstd":
		return "application/zstd"
	}
	return ""
}
