package http1

import (
	"strconv"
	"strings"
)

// parseStartLine parses a status line or a request line.
func (h *Head) parseStartLine(line string, kind Kind, t *tally) {
	checkText(line, 1, t)
	if kind != Request && looksLikeStatus([]byte(line[:min(len(line), 5)])) == yes {
		h.Kind = Response
		h.parseStatusLine(line, t)
		return
	}
	h.Kind = Request
	h.parseRequestLine(line, t)
}

// parseStatusLine parses HTTP-version SP status-code SP [reason-phrase] (RFC 9112, 4).
func (h *Head) parseStatusLine(line string, t *tally) {
	h.Proto = line[:protoLength(line)]
	h.setVersion(t)
	rest := line[len(h.Proto):]
	status := strings.TrimLeft(rest, " \t")
	switch {
	case status == "":
		t.add(StatusCode, "none in %s", excerpt(line))
		return
	case rest == status:
		t.add(StartLine, "no space between version and status code in %s", excerpt(line))
	case rest[0] != ' ' || len(rest)-len(status) > 1:
		t.add(StartLine, "more than one space before the status code in %s", excerpt(line))
	}
	h.Status = status
	h.splitStatus(t)
}

// protoLength returns the length of the protocol. It ends at white space; in "HTTP/1.1200" it ends
// after the only digit of the minor version.
func protoLength(line string) int {
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		end = len(line)
	}
	if dot := strings.IndexByte(line[:end], '.'); dot > 0 && end > dot+2 && digits(line[dot+2:end]) >= 3 {
		return dot + 2
	}
	return end
}

// setVersion sets the version from the protocol. HTTP/2 and HTTP/3 have no minor version (RFC 9113,
// RFC 9114), but some crawlers write one.
func (h *Head) setVersion(t *tally) {
	name, version, slash := strings.Cut(h.Proto, "/")
	well := name == "HTTP" && len(version) == 3 && version[0] == '1' && version[1] == '.' && digits(version[2:]) == 1
	if !well {
		t.add(Version, "%s", excerpt(h.Proto))
	}
	if !slash {
		return
	}
	major, minor, _ := strings.Cut(version, ".")
	if major != "1" && minor == "0" {
		version = major
	}
	h.Version = version
}

// splitStatus splits the status into code and reason.
func (h *Head) splitStatus(t *tally) {
	n := digits(h.Status)
	code, rest := h.Status[:n], h.Status[n:]
	if n == 3 && code >= "100" {
		h.StatusCode, _ = strconv.Atoi(code)
	} else {
		t.add(StatusCode, "%s is not three digits from 100 to 999", excerpt(h.Status))
	}
	reason, spaced := strings.CutPrefix(rest, " ")
	h.Reason = reason
	switch {
	case spaced:
	case rest == "":
		t.add(NoReason, "%s", excerpt(h.Status))
	default:
		t.add(StartLine, "no space after the status code in %s", excerpt(h.Status))
		h.Reason = strings.TrimLeft(rest, "\t")
	}
}

// parseRequestLine parses method SP request-target SP HTTP-version (RFC 9112, 3). It finds the
// version from the right, because targets can contain spaces.
func (h *Head) parseRequestLine(line string, t *tally) {
	method, rest, _ := strings.Cut(line, " ")
	h.Method = method
	target, proto := rest, ""
	if at := strings.LastIndexAny(rest, " \t"); at >= 0 && looksLikeStatus([]byte(rest[at+1:])) == yes {
		target, proto = rest[:at], rest[at+1:]
	}
	h.Target, h.Proto = strings.Trim(target, " \t"), proto
	switch {
	case proto == "":
		t.add(Version, "request line %s has no version, as in HTTP/0.9", excerpt(line))
	default:
		h.setVersion(t)
	}
	if h.Target == "" || h.Target != target || strings.ContainsAny(h.Target, " \t") {
		t.add(StartLine, "request line %s has white space in the target, or no target", excerpt(line))
	}
}

// digits counts the decimal digits at the beginning of s.
func digits(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}
