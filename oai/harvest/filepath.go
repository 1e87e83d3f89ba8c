package harvest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"
)

// Paths of files: docs/reference/590_harvest.md, "Files". Only this package adds = to a name, so
// that no name from a server can be mistaken for one of ours.

// The longest name and path, in bytes. File systems allow 255, and some 260 for paths.
const (
	maxName = 100
	maxPath = 200
	keptOf  = 80 // kept bytes of a name that is too long
)

// pathOf returns folders and a name for a URI: below the host for a URL, below the scheme for
// others.
func pathOf(uri string) (folders []string, name string) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme == "" {
		return []string{"=other"}, nameOf(uri)
	}
	if u.Host == "" {
		return []string{nameOf(strings.ToLower(u.Scheme))}, nameOf(uri[len(u.Scheme)+1:])
	}
	folders = []string{nameOf(strings.ToLower(u.Host))}
	segments := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	for _, s := range segments[:len(segments)-1] {
		folders = append(folders, nameOf(s))
	}
	last := segments[len(segments)-1]
	if u.RawQuery != "" || u.ForceQuery {
		last += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		last += "#" + u.EscapedFragment()
	}
	name = nameOf(last)
	if last == "" || last[0] == '?' || last[0] == '#' {
		name = "=index" + strings.TrimPrefix(name, "=empty")
	}
	if len(path.Join(folders...))+len(name) > maxPath {
		sum := sha256.Sum256([]byte(uri))
		return []string{folders[0], "=long"}, hex.EncodeToString(sum[:16]) + shortExt(name)
	}
	return folders, name
}

// nameOf converts one part of a URL to a name that is valid on every file system. It writes
// characters that are forbidden somewhere, and reserved names, as %XX.
func nameOf(s string) string {
	if s == "" {
		return "=empty"
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		atEnd := i == len(s)-1
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`<>:"\|?*/=~`, c) >= 0 || c == '.' && (atEnd || i == 0) {
			b.WriteByte('%')
			b.WriteByte("0123456789ABCDEF"[c>>4])
			b.WriteByte("0123456789ABCDEF"[c&15])
		} else {
			b.WriteByte(c)
		}
	}
	name := b.String()
	if isReserved(name) {
		name = "%" + hexByte(name[0]) + name[1:]
	}
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(s))
		name = name[:keptOf] + "~" + hex.EncodeToString(sum[:8]) + shortExt(name)
	}
	return name
}

func hexByte(c byte) string { return strings.ToUpper(hex.EncodeToString([]byte{c})) }

// isReserved reports whether Windows treats a name, with any extension, as a device.
func isReserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '1' &&
		stem[3] <= '9'
}

// shortExt returns the extension of a name, if it is one.
func shortExt(name string) string {
	if ext := path.Ext(name); len(ext) <= 8 {
		return ext
	}
	return ""
}

// endings are the file extensions for the output of tools.
var endings = map[string]string{
	"text/plain": ".txt", "text/xml": ".xml", "application/xml": ".xml", "application/json": ".json",
	"text/html": ".html",
}

func endingOf(mimeType string) string {
	t, _, _ := strings.Cut(mimeType, ";")
	if e, ok := endings[strings.TrimSpace(strings.ToLower(t))]; ok {
		return e
	}
	return ".bin"
}
