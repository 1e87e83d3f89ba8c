package warc

import "quire/format/fault"

// The rules of ISO 28500:2017 that the reader checks.
const (
	FaultEmpty           fault.Code = "WARC-EMPTY"            // 4: the file holds no record
	FaultVersion         fault.Code = "WARC-VERSION"          // 4: a version other than 0.17, 0.18, 1.0, 1.1
	FaultHeaderSyntax    fault.Code = "WARC-HEADER-SYNTAX"    // 4: a header line that is not a named field
	FaultHeaderLineEnd   fault.Code = "WARC-HEADER-LF"        // 4: a header line that ends in LF without CR
	FaultHeaderTruncated fault.Code = "WARC-HEADER-TRUNCATED" // 4: the file or member ends within a header
	FaultHeaderSize      fault.Code = "WARC-HEADER-SIZE"      // a header larger than MaxHeader: not read as a record
	FaultLength          fault.Code = "WARC-LENGTH"           // 5.3: Content-Length is missing or not a number
	FaultTruncated       fault.Code = "WARC-TRUNCATED"        // 5.3: the block is shorter than Content-Length
	FaultSeparator       fault.Code = "WARC-SEPARATOR"        // 4: a record does not end in exactly two CRLF
	FaultGarbage         fault.Code = "WARC-GARBAGE"          // 4: bytes that belong to no record
	FaultInferred        fault.Code = "WARC-INFERRED"         // a record that was found by searching for one
	FaultSharedMember    fault.Code = "WARC-MEMBER-SHARED"    // Annex D: several records in one member
	FaultSpansMembers    fault.Code = "WARC-MEMBER-SPANNED"   // Annex D: one record over several members
)
