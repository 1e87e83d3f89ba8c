package http1

import (
	"errors"
	"strings"
)

// Kind is the kind of message that the caller expects.
type Kind int

// The kinds of message. Any means a response if the message begins like one, otherwise a request.
const (
	Any Kind = iota
	Response
	Request
)

// String returns the kind as the msgtype parameter of application/http has it (RFC 9112, 10.2).
func (k Kind) String() string {
	switch k {
	case Response:
		return "response"
	case Request:
		return "request"
	}
	return "any"
}

// MaxHead is the size of the largest head, in bytes, unless a [Splitter] sets another bound. The
// rest is treated as body, with a fault.
const MaxHead = 1 << 20

// MaxFields is the largest number of field lines that are parsed. The others are only in
// [Head.Raw], with a fault.
const MaxFields = 10_000

// ErrNoHead means that a message has no start line and therefore no head: all of it is body, as in
// HTTP/0.9.
var ErrNoHead = errors.New("http1: no start line, the whole message is body")

// Field is one field line of a head.
type Field struct {
	Name  string // as sent, without surrounding white space; "" for a line without colon
	Value string // as sent, without surrounding white space; folded lines are joined by one space (RFC 9112, 5.2)
}

// Head is a start line and the fields after it.
type Head struct {
	Kind    Kind   // Response or Request
	Proto   string // as sent: "HTTP/1.1", "http/1.0", "ICY"; "" in an HTTP/0.9 request
	Version string // "1.1", "1.0", "2"; "" if missing

	StatusCode int    // 100 to 999; 0 in requests and if not three digits
	Status     string // as sent, from the status code on: "200 OK"
	Reason     string // as sent: "OK"

	Method string // as sent: "GET"
	Target string // as sent; may hold spaces

	Fields []Field // in the order sent, including repeated fields

	raw string
}

// Raw returns the bytes of a parsed head as sent, with leading blanks and final empty line. It
// returns "" for a head that was not parsed.
func (h *Head) Raw() string { return h.raw }

// Get returns the value of the first field of this name, or "". Case does not matter (RFC 9110,
// 5.1).
func (h *Head) Get(name string) string {
	for i := range h.Fields {
		if name != "" && strings.EqualFold(h.Fields[i].Name, name) {
			return h.Fields[i].Value
		}
	}
	return ""
}

// Values returns the values of all fields of this name, in order. Case does not matter.
func (h *Head) Values(name string) []string {
	var values []string
	for i := range h.Fields {
		if name != "" && strings.EqualFold(h.Fields[i].Name, name) {
			values = append(values, h.Fields[i].Value)
		}
	}
	return values
}

// TransferCodings returns the transfer codings in the order they were applied, in lower case and
// without parameters (RFC 9112, 6.1).
func (h *Head) TransferCodings() []string { return h.codings("Transfer-Encoding") }

// ContentCodings returns the content codings in the order they were applied, in lower case (RFC
// 9110, 8.4).
func (h *Head) ContentCodings() []string { return h.codings("Content-Encoding") }

func (h *Head) codings(name string) []string {
	var codings []string
	for _, value := range h.Values(name) {
		for coding := range strings.SplitSeq(value, ",") {
			coding, _, _ = strings.Cut(coding, ";")
			if coding = strings.ToLower(strings.Trim(coding, " \t")); coding != "" {
				codings = append(codings, coding)
			}
		}
	}
	return codings
}

// Chunked reports whether the head declares a chunked body: chunked is the last transfer coding
// (RFC 9112, 6.3).
func (h *Head) Chunked() bool {
	codings := h.TransferCodings()
	return len(codings) > 0 && codings[len(codings)-1] == "chunked"
}
