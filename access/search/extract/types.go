package extract

import (
	"path"
	"strings"
)

// TypeOf returns the type of a payload by its declared type or, if that is unspecific, by the
// extension of its URL. It is one of page, text, pdf, document, spreadsheet, presentation, image,
// audio, video, other; or "" for parts of pages (scripts, style sheets, fonts, data), which are not
// searched.
func TypeOf(mime, url string) string {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	mime = strings.TrimSpace(mime)
	if t, ok := types[mime]; ok {
		return t
	}
	family, rest, _ := strings.Cut(mime, "/")
	switch {
	case family == "image" || family == "audio" || family == "video":
		return family
	case family == "font" || strings.Contains(rest, "font") || strings.HasSuffix(rest, "+json"):
		return ""
	case strings.Contains(rest, "wordprocessing") || strings.Contains(rest, "opendocument.text"):
		return "document"
	case strings.Contains(rest, "spreadsheet") || strings.Contains(rest, "excel"):
		return "spreadsheet"
	case strings.Contains(rest, "presentation") || strings.Contains(rest, "powerpoint"):
		return "presentation"
	case family == "text":
		return "text"
	}
	return byName(url)
}

func byName(url string) string {
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	if t, ok := ends[strings.ToLower(strings.TrimPrefix(path.Ext(url), "."))]; ok {
		return t
	}
	return "other"
}

var types = map[string]string{
	"text/html": "page", "application/xhtml+xml": "page", "text/plain": "text", "application/pdf": "pdf",
	"application/x-pdf":  "pdf",
	"application/msword": "document", "application/rtf": "document", "text/rtf": "document",
	"application/epub+zip":                        "document",
	"application/vnd.oasis.opendocument.graphics": "document", "application/vnd.ms-word": "document",
	"application/postscript": "document",
	"text/csv":               "spreadsheet", "text/css": "", "text/javascript": "", "application/javascript": "",
	"application/x-javascript": "",
	"text/ecmascript":          "", "application/ecmascript": "", "application/json": "", "application/ld+json": "",
	"application/manifest+json": "",
	"text/x-javascript":         "", "application/wasm": "", "text/dns": "", "text/vtt": "",
	"application/x-font-ttf":        "",
	"application/vnd.ms-fontobject": "",
}

// ends are file extensions, for undeclared types.
var ends = map[string]string{
	"html": "page", "htm": "page", "xhtml": "page", "php": "page", "asp": "page", "aspx": "page", "jsp": "page",
	"txt": "text", "pdf": "pdf",
	"doc": "document", "docx": "document", "odt": "document", "rtf": "document", "sxw": "document", "epub": "document",
	"ps":  "document",
	"xls": "spreadsheet", "xlsx": "spreadsheet", "ods": "spreadsheet", "csv": "spreadsheet", "ppt": "presentation",
	"pptx": "presentation", "odp": "presentation",
	"jpg": "image", "jpeg": "image", "png": "image", "gif": "image", "tif": "image", "tiff": "image", "webp": "image",
	"svg": "image", "bmp": "image",
	"mp3": "audio", "wav": "audio", "ogg": "audio", "m4a": "audio", "flac": "audio", "mp4": "video", "mpg": "video",
	"mpeg": "video", "avi": "video",
	"mov": "video", "webm": "video", "wmv": "video", "flv": "video", "css": "", "js": "", "mjs": "", "json": "",
	"woff": "", "woff2": "", "ttf": "", "eot": "",
}
