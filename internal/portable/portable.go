// Package portable encodes names so that every usual file system, JSON and XML can hold them.
// Copies of packages are on disks of any kind, so every name must suit all of them. The rule is in
// docs/reference/310_package-format.md, 1.4.
package portable

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name encodes a path with slashes by the rule.
func Name(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = safePart(part)
	}
	return strings.Join(parts, "/")
}

// safePart encodes one part of a path. Unsafe characters are percent-encoded; then percent signs
// are encoded too.
func safePart(part string) string {
	end := strings.TrimRight(part, ". ")
	if end == part && !isDevice(part) && !strings.ContainsFunc(part, unportable) {
		return part
	}
	if isDevice(part) {
		return encodeFirst(part)
	}
	safe := encode(end, func(r rune) bool { return unportable(r) || r == '%' })
	return safe + encode(part[len(end):], func(rune) bool { return true })
}

// unportable reports whether some file system refuses a name with r. The replacement character
// represents bytes that are not UTF-8.
func unportable(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || strings.ContainsRune(`\:*?"<>|`, r)
}

// isDevice reports whether Windows treats the name, with any extension, as a device.
func isDevice(part string) bool {
	stem, _, _ := strings.Cut(strings.ToLower(part), ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	port := strings.HasPrefix(stem, "com") || strings.HasPrefix(stem, "lpt")
	return port && len(stem) == 4 && '0' <= stem[3] && stem[3] <= '9'
}

// encode percent-encodes the chosen characters, byte by byte.
func encode(s string, chosen func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !chosen(r) {
			b.WriteString(s[i : i+n])
		} else {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		i += n
	}
	return b.String()
}

// encodeFirst percent-encodes the first byte and the percent signs, to keep names distinct.
func encodeFirst(part string) string {
	return fmt.Sprintf("%%%02X", part[0]) + encode(part[1:], func(r rune) bool { return unportable(r) || r == '%' })
}

// Cases renames paths that differ only in case, because some file systems cannot hold both: it
// percent-encodes the first letter of the later one.
type Cases map[string]string // the first path seen, by lower-case path

// Distinct returns the path, or a changed one if an earlier path differs only in case.
func (c Cases) Distinct(dest string) string {
	folder := ""
	for part := range strings.SplitSeq(dest, "/") {
		p := path.Join(folder, part)
		first, taken := c[strings.ToLower(p)]
		if taken && first != p {
			p = path.Join(folder, encodeFirst(part))
		}
		if _, taken := c[strings.ToLower(p)]; !taken {
			c[strings.ToLower(p)] = p
		}
		folder = p
	}
	return folder
}

// Carried reports whether XML, JSON and a terminal can carry s unchanged.
func Carried(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\\'
	})
}

// Longest is the longest name, in bytes, that every usual file system holds, less the suffixes of a
// store.
const Longest = 240

// Shorten returns a path in which no part exceeds Longest. It keeps the beginning of a longer part
// and its extension, with a digest of the part between them, so that names stay distinct.
func Shorten(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if len(part) > Longest {
			parts[i] = shortPart(part)
		}
	}
	return strings.Join(parts, "/")
}

// maxExtension is the length of the longest extension that is kept, in bytes.
const maxExtension = 16

func shortPart(part string) string {
	ext := path.Ext(part)
	if len(ext) > maxExtension {
		ext = ""
	}
	sum := sha256.Sum256([]byte(part))
	end := "-" + hex.EncodeToString(sum[:8]) + ext
	begin := part[:Longest-len(end)]
	if i := strings.LastIndexByte(begin, '%'); i >= len(begin)-2 && i >= 0 {
		begin = begin[:i] // no half of an encoded byte
	}
	for begin != "" && !utf8.ValidString(begin) {
		begin = begin[:len(begin)-1]
	}
	return begin + end
}
