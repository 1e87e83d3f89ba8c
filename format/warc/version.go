package warc

import "bytes"

// versionLineMax is how much of a line is examined as a version line.
const versionLineMax = 16

// isVersionLine reports whether b starts with "WARC/", digits, a full stop, digits and a line
// break. The grammar follows RFC 2616, 2.1, where the case of a literal does not matter.
func isVersionLine(b []byte) bool {
	if len(b) < len("WARC/") || !nameIs(b[:len("WARC/")], "WARC/") {
		return false
	}
	rest := b[len("WARC/"):]
	major := digits(rest)
	if major == 0 || major == len(rest) || rest[major] != '.' {
		return false
	}
	rest = rest[major+1:]
	minor := digits(rest)
	if minor == 0 {
		return false
	}
	for minor < len(rest) && rest[minor] == '.' { // no version has a third number, but the record is readable
		minor += 1 + digits(rest[minor+1:])
	}
	if minor == len(rest) {
		return false
	}
	c := rest[minor]
	return c == '\r' || c == '\n' || c == ' ' || c == '\t'
}

func digits(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}

// version returns the version number in the version line of header.
func version(header []byte) string {
	line, _, _ := bytes.Cut(header, []byte{'\n'})
	v := bytes.TrimSpace(line[len("WARC/"):])
	switch string(v) { // avoids allocating
	case "1.0":
		return "1.0"
	case "1.1":
		return "1.1"
	}
	return string(v[:min(len(v), maxVersion)])
}

// maxVersion bounds how much of a version line is kept. A line can be as long as a header.
const maxVersion = 20

func knownVersion(v string) bool {
	switch v {
	case "1.0", "1.1", "0.17", "0.18":
		return true
	}
	return false
}

// Sniff reports whether an inflated file that begins with b is a WARC file.
func Sniff(b []byte) bool { return isVersionLine(b) }
