package unpack

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// The bounds of names. DSpace, zip files and Windows take longer ones; people and old unpackers do
// not.
const (
	maxPart  = 60  // bytes of one part of a path, without the digest
	maxParts = 8   // folders below that of the host
	maxName  = 180 // bytes of the whole
	digits   = 12  // of a digest: 48 bits
)

// Name gives the name of the file for what stands at a URL: host, folders and file, in letters,
// digits and -._~ alone, so that it is the same in a URL, a zip and every file system. It depends
// on the URL (without scheme and fragment) and the media type only, so that nobody need remember
// which names were given.
//
// A name says what the URL says, as far as that can be: http://a.example/news/ is
// a.example/news/index.html. Whatever differs from the URL (a query, an upper-case letter, an
// ending that the media type wants) brings a digest of the URL into the name. So no two URLs have
// one name, also where upper and lower case are one, but for digests that are the same by chance,
// which whoever writes the files sees. No file has the name of a folder: names of files have a dot,
// those of folders have none but with a digest behind it.
func Name(url, mediaType string) string {
	host, rest := split(url)
	rest, query, _ := strings.Cut(rest, "?")
	segments := strings.Split(rest, "/")
	folders, file := segments[:len(segments)-1], segments[len(segments)-1]
	name := []string{hostFolder(host)}
	so := host
	for i, f := range folders {
		so += "/" + f
		if len(folders) > maxParts && i == maxParts-1 { // the rest of the way is in the digest
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

// split gives the host of a URL, with its port, in lower case, and what stands behind its first
// slash, without fragment.
func split(url string) (host, rest string) {
	url, _, _ = strings.Cut(url, "#")
	scheme, after, ok := strings.Cut(url, "://")
	if !ok { // urn:, dns:, data: and the like have no host
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

// hostFolder has a dot, always: names that an item of DSpace needs for itself (contents, handle)
// have none at that place.
func hostFolder(host string) string {
	clean, exact := plain(host)
	if !exact || !strings.Contains(clean, ".") || isDevice(clean) || looksDigested(clean) {
		clean = noDevice(cut(clean) + "." + digest(host))
	}
	return clean
}

// folder gives the name of a folder; so is the URL up to it.
func folder(part, so string) string {
	clean, exact := plain(part)
	if exact && !strings.Contains(clean, ".") && !looksDigested(clean) && !isDevice(clean) {
		return clean
	}
	return noDevice(cut(clean) + "-" + digest(so))
}

// fileName gives the name of a file; whole is its URL without scheme and fragment.
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

// plain keeps what a name may have; exact says that this is all of it.
func plain(part string) (clean string, exact bool) {
	exact = part != "" && part[0] != '.' && part[len(part)-1] != '.' && len(part) <= maxPart
	clean = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '.', r == '_', r == '~':
			return r
		case r >= 'A' && r <= 'Z':
			exact = false // some file systems know no difference
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

// cut bounds a part.
func cut(s string) string {
	if s = s[:min(len(s), maxPart)]; s == "" {
		return "_"
	}
	return strings.TrimRight(s, ".")
}

// looksDigested says whether a name could be taken for one that has a digest.
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

// noDevice changes a name that Windows still takes for a device: it looks at what stands before the
// first dot alone (con.tar-….gz).
func noDevice(name string) string {
	if isDevice(name) {
		return "_" + name
	}
	return name
}

// isDevice says whether Windows takes a name for a device.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && name[3] >= '0' && name[3] <= '9'
}

// ending is what stands behind the last dot, with it, where that may be one of a file: up to ten
// letters and digits.
func ending(name string) string {
	e := path.Ext(name)
	if len(e) < 2 || len(e) > 11 || e == name || strings.Trim(e[1:], "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return ""
	}
	return e
}
