package unpack

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// Limits of names. DSpace, ZIP files and Windows allow longer names; people and old unpackers do
// not.
const (
	maxPart  = 60  // bytes of one part of a path, without the digest
	maxParts = 8   // folders below the host's
	maxName  = 180 // bytes of the whole name
	digits   = 12  // of a digest: 48 bits
)

// Name returns the file name for a URL: host, folders and file, only of letters, digits and -._~,
// so it is the same in a URL, a ZIP and every file system. It depends only on the URL (without
// scheme and fragment) and the media type, so no table of names is needed.
//
// A name follows the URL as far as possible: http://a.example/news/ becomes
// a.example/news/index.html. If it has to differ from the URL (a query, an upper-case letter, an
// ending for the media type), it contains a digest of the URL. So no two URLs have the same name,
// even if case is ignored; the writer of the files detects a chance collision of digests. No file
// has the name of a folder: file names have a dot, folder names have one only before a digest.
func Name(url, mediaType string) string {
	host, rest := split(url)
	rest, query, _ := strings.Cut(rest, "?")
	segments := strings.Split(rest, "/")
	folders, file := segments[:len(segments)-1], segments[len(segments)-1]
	name := []string{hostFolder(host)}
	so := host
	for i, f := range folders {
		so += "/" + f
		if len(folders) > maxParts && i == maxParts-1 { // the digest covers the remaining folders
			name = append(name, "_-"+digest(strings.Join(append([]string{host}, folders...), "/")))
			break
		}
		name = append(name, folder(f, so))
	}
	whole := host + "/" + rest
	if strings.Contains(url, "?") {
		whole += "?" + query
	}
	name = append(name, fileName(file, query, whole, mediaType))
	joined := path.Join(name...)
	if len(joined) > maxName {
		return path.Join(name[0], "_-"+digest(whole)+ending(joined))
	}
	return joined
}

// split returns the host of a URL with its port, in lower case, and the part after its first slash,
// without fragment.
func split(url string) (host, rest string) {
	url, _, _ = strings.Cut(url, "#")
	scheme, after, ok := strings.Cut(url, "://")
	if !ok { // urn:, dns:, data: and similar have no host
		scheme, after, _ = strings.Cut(url, ":")
		return strings.ToLower(scheme) + ":", after
	}
	end := strings.IndexAny(after, "/?")
	if end < 0 {
		end = len(after)
	}
	host, rest = strings.ToLower(after[:end]), strings.TrimPrefix(after[end:], "/")
	if s := strings.ToLower(scheme); s == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else if s == "https" {
		host = strings.TrimSuffix(host, ":443")
	} else {
		host = s + ":" + host
	}
	return host, rest
}

// hostFolder returns a name that always has a dot. So it cannot clash with the names reserved in a
// DSpace item (contents, handle).
func hostFolder(host string) string {
	clean, exact := plain(host)
	if !exact || !strings.Contains(clean, ".") || isDevice(clean) || looksDigested(clean) {
		clean = noDevice(cut(clean) + "." + digest(host))
	}
	return clean
}

// folder returns the name of a folder. so is the part of the URL that ends with this folder.
func folder(part, so string) string {
	clean, exact := plain(part)
	if exact && !strings.Contains(clean, ".") && !looksDigested(clean) && !isDevice(clean) {
		return clean
	}
	return noDevice(cut(clean) + "-" + digest(so))
}

// fileName returns the name of a file; whole is its URL without scheme and fragment.
func fileName(part, query, whole, mediaType string) string {
	if part == "" && !strings.Contains(whole, "?") {
		return "index" + wanted(mediaType, ".html")
	}
	clean, exact := plain(part)
	if query != "" || strings.Contains(whole, "?") {
		exact = false
	}
	end := ending(clean)
	stem := strings.TrimSuffix(clean, end)
	if suits := fits(end, mediaType); !suits || end == "" {
		stem, end, exact = clean, wanted(mediaType, ".bin"), false
		if suits = strings.HasSuffix(stem, end); suits {
			stem = strings.TrimSuffix(stem, end)
		}
	}
	if exact && stem != "" && stem != "index" && !looksDigested(stem) && !isDevice(stem) {
		return stem + end
	}
	return noDevice(cut(stem) + "-" + digest(whole) + end)
}

// plain keeps the characters allowed in names; exact reports whether it kept all.
func plain(part string) (clean string, exact bool) {
	exact = part != "" && part[0] != '.' && part[len(part)-1] != '.' && len(part) <= maxPart
	clean = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.', r == '_', r == '~':
			return r
		case r >= 'A' && r <= 'Z':
			exact = false // some file systems ignore case
			return r
		}
		exact = false
		return '_'
	}, part)
	clean = strings.Trim(clean, ".")
	if clean == "" {
		clean = "_"
	}
	return clean, exact
}

// cut shortens a part to its limit.
func cut(s string) string {
	if s = s[:min(len(s), maxPart)]; s == "" {
		return "_"
	}
	return strings.TrimRight(s, ".")
}

// looksDigested reports whether a name could be mistaken for one with a digest.
func looksDigested(s string) bool {
	if i := len(s) - digits - 1; i >= 0 && (s[i] == '-' || s[i] == '.') {
		return strings.Trim(s[i+1:], "0123456789abcdef") == ""
	}
	return false
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:digits]
}

// noDevice changes a name that Windows still treats as a device: Windows looks only at the part
// before the first dot (con.tar-….gz).
func noDevice(name string) string {
	if isDevice(name) {
		return "_" + name
	}
	return name
}

// isDevice reports whether Windows treats a name as a device.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && name[3] >= '0' && name[3] <= '9'
}

// ending returns the part from the last dot, if it can be a file extension: up to ten letters and
// digits.
func ending(name string) string {
	e := path.Ext(name)
	if len(e) < 2 || len(e) > 11 || e == name || strings.Trim(e[1:], "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return e
}
