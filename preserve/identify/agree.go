package identify

import "strings"

// Agrees reports whether a declared media type can be that of the identified format. It returns
// false only on evidence: the format was identified from the bytes, and its media type means
// something else. Servers use many names for one type, and declare any type as text; neither is a
// disagreement.
func (r Result) Agrees(declared string) bool {
	declared = bareMIME(declared)
	if !r.Known() || r.MIME == "" || declared == "" || vague[declared] {
		return true
	}
	if strings.Contains(r.Basis, "container") && plainType(declared) == "application/zip" {
		return true // a document in a ZIP archive is a ZIP file, too
	}
	if strings.Contains(r.Basis, "byte match") || strings.Contains(r.Basis, "container") ||
		strings.HasPrefix(r.Basis, rootBasis) {
		return anyOf(r.MIME, declared)
	}
	return !strings.Contains(r.Basis, "text match") || readable(declared) // an image is not a text
}

// vague are the types that servers use when they do not know the type.
var vague = map[string]bool{
	"application/octet-stream": true, "binary/octet-stream": true, "application/x-octet-stream": true,
	"application/download":   true,
	"application/x-download": true, "application/force-download": true, "application/unknown": true,
	"unknown/unknown": true,
	"unknown":         true, "no-type": true, "application/x-unknown-content-type": true,
}

// anyOf reports whether declared means one of the types in list.
func anyOf(list, declared string) bool {
	for _, known := range strings.Split(list, ",") {
		known = bareMIME(known)
		if plainType(known) == plainType(declared) || builtUpon(known, declared) || builtUpon(declared, known) {
			return true
		}
	}
	return false
}

// builtUpon reports whether special is a kind of base. For example, RSS, XHTML and SVG are XML, and
// may be declared as XML (RFC 6839, 3.1; RFC 7303, 9).
func builtUpon(base, special string) bool {
	switch plainType(base) {
	case "application/xml":
		return strings.HasSuffix(special, "+xml")
	case "application/zip":
		return strings.HasSuffix(special, "+zip")
	}
	return false
}

// synonyms maps types that servers declare to the types that PRONOM uses.
var synonyms = map[string]string{
	"text/xml": "application/xml", "application/xhtml+xml": "text/html", "image/jpg": "image/jpeg",
	"image/pjpeg":     "image/jpeg",
	"text/javascript": "application/javascript", "application/ecmascript": "application/javascript",
	"image/vnd.microsoft.icon": "image/icon",
	"image/ico":                "image/icon", "image/vnd.wap.wbmp": "image/wbmp",
	"application/zip-compressed": "application/zip",
	"audio/mp3":                  "audio/mpeg",
	"application/font-woff":      "font/woff", "application/font-woff2": "font/woff2",
	"application/shockwave-flash": "application/vnd.adobe.flash.movie",
	"audio/wave":                  "audio/wav", "audio/vnd.wave": "audio/wav", "image/ms-bmp": "image/bmp",
	"application/vnd.ms-word": "application/msword",
}

// plainType maps types with the same meaning to one name: it removes the x- of unregistered types
// (RFC 6648), and applies the synonyms.
func plainType(mime string) string {
	family, name, _ := strings.Cut(mime, "/")
	mime = family + "/" + strings.TrimPrefix(name, "x-")
	if synonym, ok := synonyms[mime]; ok {
		return synonym
	}
	return mime
}

// readable reports whether a media type may be a type of text.
func readable(mime string) bool {
	family, _, _ := strings.Cut(mime, "/")
	switch family {
	case "image":
		return strings.HasSuffix(mime, "+xml")
	case "audio":
		return strings.Contains(mime, "url") // playlists
	case "video", "font":
		return false
	}
	switch plainType(mime) {
	case "application/pdf", "application/zip", "application/gzip", "application/vnd.adobe.flash.movie",
		"application/msword":
		return false
	}
	return true
}
