package arc

import (
	"bytes"
	"strings"
)

// joinedAt is where in line, which begins with an address, the URL-record begins that another,
// broken off, was joined to: bytes were lost, or overwritten, from within the one line to the
// beginning of the other. 0 where that is not so.
//
// Addresses hold addresses, as those of other archives do, and spaces too. So what stands before
// must show that it breaks off.
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

// schemeEnding is where the one of the schemes begins whose colon stands at a place of line; -1
// when it is none's.
func schemeEnding(line []byte, colon int) int {
	for _, s := range schemes {
		at := colon - strings.IndexByte(s, ':')
		if at >= 0 && bytes.HasPrefix(line[at:], []byte(s)) {
			return at
		}
	}
	return -1
}

// breaksOff says whether head is the beginning of a URL-record line, and nothing that an address
// could go on behind: there are control characters in it, an IP address or the digits of one behind
// a first space, or a host that has not ended.
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
