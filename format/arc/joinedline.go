package arc

import (
	"bytes"
	"strings"
)

// joinedAt returns the position of a second URL-record in line, after the truncated address of a
// first URL-record. Lost or overwritten bytes can join two lines in this way. It returns 0 if line
// holds only one URL-record.
//
// An address can contain another address, for example in a URL of another archive, and it can
// contain spaces. So the text before the second URL-record must show that the first one is
// truncated.
func joinedAt(line []byte) int {
	if schemeAt(line) == "" {
		return 0
	}
	for colon := len(line); ; {
		if colon = bytes.LastIndexByte(line[:colon], ':'); colon < 0 {
			return 0
		}
		at := schemeEnding(line, colon)
		if at <= 0 || !breaksOff(string(line[:at])) {
			continue
		}
		if p, ok := parseHeader(string(line[at:])); ok && p.sure() {
			return at
		}
	}
}

// schemeEnding returns the position of the known scheme that ends with the colon at this position
// of line, or -1.
func schemeEnding(line []byte, colon int) int {
	for _, s := range schemes {
		at := colon - strings.IndexByte(s, ':')
		if at >= 0 && bytes.HasPrefix(line[at:], []byte(s)) {
			return at
		}
	}
	return -1
}

// breaksOff reports whether head is the beginning of a URL-record line and cannot be the beginning
// of an address. Evidence is a control character, an IP address or its first digits after a first
// space, or a host that has not ended.
func breaksOff(head string) bool {
	for i := 0; i < len(head); i++ {
		if head[i] < ' ' || head[i] == 0x7f {
			return true
		}
	}
	url, rest, spaced := strings.Cut(head, " ")
	ip, _, more := strings.Cut(rest, " ")
	switch {
	case more:
		return ip != "-" && isIP(ip)
	case spaced:
		return ip != "" && strings.Trim(ip, "0123456789.") == ""
	}
	scheme := schemeAt(url)
	return scheme == "dns:" || strings.HasSuffix(scheme, "//") && !strings.ContainsAny(url[len(scheme):], "/?#")
}
