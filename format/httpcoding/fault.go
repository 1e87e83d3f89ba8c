package httpcoding

import "quire/format/fault"

// The rules that a coded body can break.
const (
	// CodingUnknown: this package cannot remove the content coding, or the body has too many
	// codings (RFC 9110, 8.4.1).
	CodingUnknown fault.Code = "HTTP-CODING-UNKNOWN"
	// NotCoded: the body is not in the coding that the head names (RFC 9110, 8.4). Crawlers that
	// store the decoded body with the original head cause this.
	NotCoded fault.Code = "HTTP-NOT-CODED"
	// CodingSyntax: the body is in the coding but cannot be decoded: it breaks the coding's format,
	// or its checksum is wrong.
	CodingSyntax fault.Code = "HTTP-CODING-SYNTAX"
	// CodingTruncated: the body ends before the coding does.
	CodingTruncated fault.Code = "HTTP-CODING-TRUNCATED"
	// AfterCoding: bytes after the end of the coding.
	AfterCoding fault.Code = "HTTP-AFTER-CODING"
	// CodingBomb: the body unpacks to so much more than its size that the decoder gave it up.
	CodingBomb fault.Code = "HTTP-CODING-BOMB"
)
