package cdxserver

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"quire/holdings/captures"
)

// names are the fields, in output order; the first eleven are the columns of CDX.
var names = []string{"urlkey", "timestamp", "url", "mime", "status", "digest", "redirect", "robotflags", "length",
	"offset", "filename",
	"method", "type", "size", "truncated", "package", "harvest", "orig.length", "orig.offset", "orig.filename",
	"orig.package"}

// columns is the number of columns of a CDX line.
const columns = 11

// others maps the field names of other servers to ours.
var others = map[string]string{"original": "url", "mimetype": "mime", "statuscode": "status", "redirecturl": "redirect",
	"key":         "urlkey",
	"capturedate": "timestamp", "file": "filename", "compressedoffset": "offset", "robots": "robotflags",
	"contentlength": "length"}

// nameOf returns our name of a field; ok reports whether the field exists.
func nameOf(field string) (string, bool) {
	field = strings.ToLower(strings.TrimSpace(field))
	if other, ok := others[field]; ok {
		field = other
	}
	return field, slices.Contains(names, field)
}

// revisitType replaces the media type of revisit records on CDX servers.
const revisitType = "warc/revisit"

// valueOf returns a field of a capture; "" means no value.
func valueOf(field string, c *captures.Capture) string {
	switch field {
	case "urlkey":
		return c.Key
	case "timestamp":
		return c.Timestamp
	case "url":
		return c.URL
	case "mime":
		if c.Type == "revisit" {
			return revisitType
		}
		return cmp.Or(c.MIME, "unk")
	case "status":
		return number(int64(c.Status), 0)
	case "digest": // tools expect SHA-1 without its prefix
		return strings.TrimPrefix(c.Digest, "sha1:")
	case "redirect":
		return c.Location
	case "method":
		return c.Method
	case "type":
		return c.Type
	case "size":
		return strconv.FormatInt(c.Length, 10)
	case "truncated":
		if c.Truncated {
			return "true"
		}
		return ""
	case "package":
		return c.Package
	case "harvest":
		return number(int64(c.Harvest), 0)
	}
	if of, ok := strings.CutPrefix(field, "orig."); ok {
		return ofPlace(of, c.Payload)
	}
	return ofPlace(field, &c.Record)
}

func ofPlace(field string, p *captures.Place) string {
	if p == nil {
		return ""
	}
	if len(p.Segments) > 0 && (field == "length" || field == "offset") {
		return "" // one place would show the first segment as the whole
	}
	switch field {
	case "length":
		return number(p.Stored, -1)
	case "offset":
		return number(p.Offset, -1)
	case "filename":
		if p.Container == "" {
			return ""
		}
		return path.Base(p.Container)
	case "package":
		return p.Package
	}
	return ""
}

func number(n, none int64) string {
	if n == none {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
