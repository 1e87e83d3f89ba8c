package http1

import (
	"fmt"

	"quire/format/fault"
)

// The rules of RFC 9112 and RFC 9110 that a head can break.
const (
	// NoStartLine: the message does not begin with a status line or request line (RFC 9112, 2.1).
	// HTTP/0.9 responses look like this, and so do bodies that a crawler stored without their head.
	// All bytes are body.
	NoStartLine fault.Code = "HTTP-NO-START-LINE"
	// LeadingBlank: white space before the start line (RFC 9112, 2.2: only a server may skip an
	// empty line).
	LeadingBlank fault.Code = "HTTP-LEADING-BLANK"
	// StartLine: the start line does not follow the grammar (RFC 9112, 3 and 4): wrong spacing,
	// missing parts.
	StartLine fault.Code = "HTTP-START-LINE"
	// Version: the protocol is not "HTTP/" DIGIT "." DIGIT with a major version of 1 (RFC 9112,
	// 2.3). Browser-based crawlers write HTTP/2, Shoutcast servers wrote ICY.
	Version fault.Code = "HTTP-VERSION"
	// StatusCode: the status code is not three digits from 100 to 999 (RFC 9112, 4; RFC 9110, 15).
	StatusCode fault.Code = "HTTP-STATUS-CODE"
	// NoReason: no space follows the status code (RFC 9112, 4: it is required even when the reason
	// phrase is empty).
	NoReason fault.Code = "HTTP-NO-REASON"
	// LineEnd: a line of the head ends in LF or CR alone, or in CR CR LF (RFC 9112, 2.2: CRLF).
	LineEnd fault.Code = "HTTP-LINE-END"
	// HeadUnterminated: the block ends before the empty line that ends the head (RFC 9112, 2.1).
	HeadUnterminated fault.Code = "HTTP-HEAD-UNTERMINATED"
	// HeadTooLarge: the head exceeds the reader's bound. The rest is treated as body.
	HeadTooLarge fault.Code = "HTTP-HEAD-TOO-LARGE"
	// TooManyFields: the head has more fields than [MaxFields]. The others are only in [Head.Raw].
	TooManyFields fault.Code = "HTTP-TOO-MANY-FIELDS"
	// NoColon: a field line without a colon (RFC 9112, 5).
	NoColon fault.Code = "HTTP-NO-COLON"
	// FieldName: a field name is empty or has characters that a token cannot have (RFC 9110, 5.1
	// and 5.6.2).
	FieldName fault.Code = "HTTP-FIELD-NAME"
	// SpaceBeforeColon: white space between field name and colon (RFC 9112, 5.1).
	SpaceBeforeColon fault.Code = "HTTP-SPACE-BEFORE-COLON"
	// FieldValue: a field value or start line holds NUL or another control character (RFC 9110,
	// 5.5).
	FieldValue fault.Code = "HTTP-FIELD-VALUE"
	// Encoding: bytes above 0x7F that are not UTF-8 (RFC 9110, 5.5: obs-text, opaque). They are
	// kept as they are.
	Encoding fault.Code = "HTTP-ENCODING"
	// FieldConflict: a field that may occur once occurs several times, with different values (RFC
	// 9110, 5.3). Reported for Content-Type and Location, because replay depends on them.
	FieldConflict fault.Code = "HTTP-FIELD-CONFLICT"
	// ObsFold: a field value continues in a line that begins with white space (RFC 9112, 5.2:
	// obsolete line folding).
	ObsFold fault.Code = "HTTP-OBS-FOLD"
)

// The rules of RFC 9112 that a body can break.
const (
	// ContentLength: the Content-Length is not a decimal number, or is too large (RFC 9110, 8.6).
	ContentLength fault.Code = "HTTP-CONTENT-LENGTH"
	// ContentLengthConflict: several Content-Length values that differ (RFC 9110, 8.6; RFC 9112,
	// 6.3).
	ContentLengthConflict fault.Code = "HTTP-CONTENT-LENGTH-CONFLICT"
	// LengthAndCoding: the message has both Content-Length and Transfer-Encoding (RFC 9112, 6.2:
	// must not; 6.3: Transfer-Encoding applies).
	LengthAndCoding fault.Code = "HTTP-LENGTH-AND-CODING"
	// BodyShort: the body has fewer bytes than its Content-Length (RFC 9112, 8: incomplete
	// message).
	BodyShort fault.Code = "HTTP-BODY-SHORT"
	// BodyLong: the body has more bytes than its Content-Length.
	BodyLong fault.Code = "HTTP-BODY-LONG"
	// BodyUnexpected: a body after a status that has none (RFC 9112, 6.3: 1xx, 204, 304).
	BodyUnexpected fault.Code = "HTTP-BODY-UNEXPECTED"
	// Interim: one or more 1xx responses precede the response (RFC 9110, 15.2).
	Interim fault.Code = "HTTP-INTERIM"
	// TransferCoding: a transfer coding other than chunked, or chunked more than once or before
	// another (RFC 9112, 6.1). [Payload] removes chunked framing only.
	TransferCoding fault.Code = "HTTP-TRANSFER-CODING"
	// BodyNotChunked: Transfer-Encoding is chunked, the body is not (RFC 9112, 7.1). Crawlers that
	// store the decoded body with the original head cause this. The raw body is the payload.
	BodyNotChunked fault.Code = "HTTP-NOT-CHUNKED"
	// ChunkSyntax: a later chunk breaks the grammar, so that the rest cannot be decoded (RFC 9112,
	// 7.1).
	ChunkSyntax fault.Code = "HTTP-CHUNK-SYNTAX"
	// ChunkTruncated: the body ends before the last chunk and its empty line (RFC 9112, 7.1 and 8).
	ChunkTruncated fault.Code = "HTTP-CHUNK-TRUNCATED"
	// ChunkLineEnd: a line of the chunked coding ends in LF alone, is missing or is empty (RFC
	// 9112, 7.1: CRLF).
	ChunkLineEnd fault.Code = "HTTP-CHUNK-LINE-END"
	// AfterBody: bytes after the end of the chunked body.
	AfterBody fault.Code = "HTTP-AFTER-BODY"
)

// tally collects faults, so that each code is reported once per message, however often a hostile
// head breaks the rule.
type tally struct {
	order []fault.Code
	seen  map[fault.Code]*tallied
}

type tallied struct {
	count int
	first string
}

// add counts one breach of a rule. It formats the detail only for the first breach.
func (t *tally) add(code fault.Code, format string, args ...any) {
	if was, ok := t.seen[code]; ok {
		was.count++
		return
	}
	if t.seen == nil {
		t.seen = make(map[fault.Code]*tallied)
	}
	t.seen[code] = &tallied{count: 1, first: fmt.Sprintf(format, args...)}
	t.order = append(t.order, code)
}

// report reports the faults in the order of their first occurrence.
func (t *tally) report(sink fault.Sink) {
	if sink == nil {
		return
	}
	for _, code := range t.order {
		was := t.seen[code]
		detail := was.first
		if was.count > 1 {
			detail = fmt.Sprintf("%s (first of %d)", detail, was.count)
		}
		sink(fault.Fault{Code: code, Detail: detail})
	}
}

// excerpt is input text for reports: quoted and cut to 60 bytes, which keeps hostile input out. It
// is quoted only when shown, because a hostile head can break a rule in every line.
type excerpt string

// String returns the quoted text.
func (e excerpt) String() string {
	const most = 60
	if len(e) > most {
		return fmt.Sprintf("%q… (%d bytes)", string(e[:most]), len(e))
	}
	return fmt.Sprintf("%q", string(e))
}
