package rewrite

import (
	"bytes"
	"io"
	"mime"
	"strings"

	"quire/format/charset"
)

// What selects the rewriting of a body.
type What uint8

// The ways of rewriting. The zero value is Nothing: the bytes as captured.
const (
	Nothing What = iota
	HTML
	XML
	CSS
	JS
)

// Sniffed is the number of bytes that Sniff examines, if available (MIME Sniffing Standard, 5.2:
// 1,445).
const Sniffed = 1445

// Sniff selects the rewriting of a body: by its use, its captured Content-Type, and its first
// bytes, because servers declare wrong types. A font declared as text/html stays unchanged; so does
// JSON, and a page in place of a style sheet; but a page without a type counts as one. Images
// and data always stay unchanged.
func Sniff(kind Kind, contentType string, first []byte) What {
	if kind == Image || kind == Data {
		return Nothing
	}
	declared := mediaType(contentType)
	is := content(first)
	if kind == Script {
		if is == text && !notScripts[declared] || strings.HasPrefix(charset.Mark(first), "utf-16") ||
			is == tags && bytes.HasPrefix(bytes.TrimSpace(first), []byte("<!--")) {
			return JS
		}
		return Nothing
	}
	if is == binary && isHTML(declared) && kind != Style && beginsAsHTML(first) {
		return HTML // browsers show it despite stray bytes
	}
	if is == binary {
		return Nothing
	}
	if kind == Style {
		switch {
		case isXML(declared) && is == tags: // XSLT, or SVG
			return XML
		case is == tags || is == data:
			return Nothing
		}
		return CSS
	}
	switch {
	case declared == "text/css" && is != tags:
		return CSS
	case isXML(declared) && is == tags:
		return XML
	case isHTML(declared) && is != data:
		return HTML
	case declared == "" && is == tags && beginsAsHTML(first):
		return HTML
	}
	return Nothing
}

func mediaType(contentType string) string {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind, _, _ = strings.Cut(contentType, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	if kind == "unknown/unknown" || kind == "application/unknown" || kind == "*/*" || !strings.Contains(kind, "/") {
		return "" // MIME Sniffing Standard, 7: these types mean unknown
	}
	return kind
}

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/vnd.wap.xhtml+xml"
}

// isXML reports whether a type is "an XML MIME type" (MIME Sniffing Standard, 4.6).
func isXML(mediaType string) bool {
	return mediaType == "text/xml" || mediaType == "application/xml" || strings.HasSuffix(mediaType, "+xml") &&
		!isHTML(mediaType)
}

// notScripts are types that a script may import as something else.
var notScripts = map[string]bool{"application/json": true, "text/json": true, "text/css": true,
	"application/wasm": true}

// looks is the appearance of the first bytes of a body.
type looks uint8

const (
	text   looks = iota
	tags         // begins with <
	data         // JSON
	binary       // not text
)

// content classifies the first bytes of a body. Text in UTF-16 counts as text.
func content(b []byte) looks {
	if name := charset.Mark(b); strings.HasPrefix(name, "utf-16") || bytes.HasPrefix(b, []byte("<\x00")) ||
		bytes.HasPrefix(b, []byte("\x00<")) {
		return tags // converted before further analysis
	}
	b = bytes.TrimPrefix(b, []byte(markUTF8))
	for _, magic := range signatures {
		if bytes.HasPrefix(b, []byte(magic)) {
			return binary
		}
	}
	for _, c := range b[:min(len(b), Sniffed)] {
		if isBinary(c) {
			return binary
		}
	}
	b = bytes.TrimLeft(b, " \t\r\n\f")
	switch {
	case len(b) == 0:
		return text
	case b[0] == '<':
		return tags
	case b[0] == '{' || b[0] == '[':
		if beginsAsJSON(b) {
			return data
		}
	}
	return text
}

// signatures belong to formats that are often declared as a page or style sheet, and begin without
// any binary byte.
var signatures = []string{"%PDF-", "GIF87a", "GIF89a", "\x89PNG", "\xff\xd8\xff", "RIFF", "wOFF", "wOF2", "OTTO",
	"ttcf", "PK\x03\x04", "\x1f\x8b", "ID3", "FWS", "CWS", "\x00\x01\x00\x00", "BM\x00"}

// isBinary reports whether c is "a binary data byte" (MIME Sniffing Standard, 3), which never
// occurs in text. NUL is an exception: old editors left it in pages.
func isBinary(c byte) bool {
	return c >= 1 && c <= 8 || c == 0x0b || c >= 0x0e && c <= 0x1a || c >= 0x1c && c <= 0x1f
}

// beginsAsJSON reports whether the first bracket continues as in JSON, and not as in CSS or text:
// {"a": or ["a", or [{ or an end.
func beginsAsJSON(b []byte) bool {
	rest := bytes.TrimLeft(b[1:], " \t\r\n")
	if len(rest) == 0 {
		return false
	}
	switch c := rest[0]; {
	case b[0] == '{':
		return c == '"' || c == '}'
	case c == '"' || c == '{' || c == '[' || c == ']' || c == '-' || c >= '0' && c <= '9':
		return true
	}
	return bytes.HasPrefix(rest, []byte("null")) || bytes.HasPrefix(rest, []byte("true")) ||
		bytes.HasPrefix(rest, []byte("false"))
}

// beginsAsHTML reports whether a browser would recognize a page without a type (MIME Sniffing
// Standard, 7.1).
func beginsAsHTML(b []byte) bool {
	if name := charset.Mark(b); name != "" && name != "utf-8" {
		return true
	}
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte(markUTF8)), " \t\r\n\f")
	if bytes.HasPrefix(b, []byte("<!--")) {
		return true
	}
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
		"<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p", "<frameset", "<meta", "<link"} {
		if len(b) > len(tag) && bytes.EqualFold(b[:len(tag)], []byte(tag)) &&
			(isBlank(b[len(tag)]) || b[len(tag)] == '>') {
			return true
		}
	}
	return false
}

// Rewrite rewrites a body as selected by Sniff.
func (rw *Rewriter) Rewrite(w io.Writer, r io.Reader, what What) error {
	switch what {
	case HTML:
		return rw.HTML(w, r)
	case XML:
		return rw.XML(w, r)
	case CSS:
		return rw.CSS(w, r)
	case JS:
		return rw.script(w, r)
	case Nothing:
	}
	_, err := io.Copy(w, r)
	return err
}
