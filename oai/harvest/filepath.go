package harvest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"
)

// Paths of files: docs/reference/590_harvest.md, "Files". A name never holds = unless it was added
// here, so that nothing a server is called can be taken for it.

// The longest name and path, in bytes. File systems allow 255 and, some, 260.
const (
	maxName = 100
	maxPath = 200
	keptOf  = 80 // bytes of a name that is too long
)

// pathOf gives folders and name for what a URI names: below the host for a URL, below the scheme
// for others.
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

// nameOf makes of one part of a URL a name that every file system takes: what is not allowed
// somewhere becomes %XX, as do names that mean something else there.
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

// isReserved says whether Windows takes a name for a device, whatever its ending.
func isReserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '1' &&
		stem[3] <= '9'
}

// shortExt is the ending of a name, when it is one.
func shortExt(name string) string {
	if ext := path.Ext(name); len(ext) <= 8 {
		return ext
	}
	return ""
}

// endings are those of what tools say.
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
