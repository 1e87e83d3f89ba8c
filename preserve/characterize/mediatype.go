package characterize

import "quire/model"

// The media types of the two container formats. ARC has no registered one; this is the name that
// crawlers and CDX servers use.
const (
	WARCType = "application/warc"
	ARCType  = "application/x-ia-arc"
)

// MediaType returns the media type of a container by its format.
func MediaType(c *model.Container) string {
	switch c.Format {
	case "WARC":
		return WARCType
	case "ARC":
		return ARCType
	}
	return "application/octet-stream"
}

// CompressionType returns the media type of a compression as inspect names it, or "" for none.
func CompressionType(compression string) string {
	switch compression {
	case "gzip", "gzip-whole":
		return "application/gzip"
	case "zstd":
		return "application/zstd"
	}
	return ""
}
