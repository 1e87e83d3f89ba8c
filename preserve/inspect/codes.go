package inspect

import "quire/format/fault"

// The rules that need the whole record. The catalogue explains each.
const (
	FaultFieldMissing fault.Code = "WARC-FIELD-MISSING"
	FaultDate         fault.Code = "WARC-DATE"
	FaultType         fault.Code = "WARC-TYPE"
	FaultNoWarcinfo   fault.Code = "WARC-NO-WARCINFO"

	FaultHeaderEncoding      fault.Code = "WARC-HEADER-UTF8"
	FaultHeaderControl       fault.Code = "WARC-HEADER-CONTROL"
	FaultFieldForbidden      fault.Code = "WARC-FIELD-FORBIDDEN"
	FaultFieldRepeated       fault.Code = "WARC-FIELD-REPEATED"
	FaultFieldConflict       fault.Code = "WARC-FIELD-CONFLICT"
	FaultFieldEmpty          fault.Code = "WARC-FIELD-EMPTY"
	FaultContentTypeMissing  fault.Code = "WARC-CONTENT-TYPE-MISSING"
	FaultContentTypeWarcinfo fault.Code = "WARC-CONTENT-TYPE-WARCINFO"
	FaultPayloadUndefined    fault.Code = "WARC-PAYLOAD-UNDEFINED"
	FaultRevisitDigest       fault.Code = "WARC-REVISIT-DIGEST"
	FaultRevisitReference    fault.Code = "WARC-REVISIT-REFERENCE"
	FaultDateForm            fault.Code = "WARC-DATE-FORM"
	FaultDateFuture          fault.Code = "WARC-DATE-FUTURE"
	FaultDateFutureARC       fault.Code = "ARC-DATE-FUTURE"
	FaultRecordID            fault.Code = "WARC-RECORD-ID"
	FaultReferenceForm       fault.Code = "WARC-REFERENCE-FORM"
	FaultTargetURI           fault.Code = "WARC-TARGET-URI"
	FaultContentType         fault.Code = "WARC-CONTENT-TYPE"
	FaultIPAddress           fault.Code = "WARC-IP-ADDRESS"
	FaultTruncatedReason     fault.Code = "WARC-TRUNCATED-REASON"
	FaultProfile             fault.Code = "WARC-PROFILE"
	FaultProfileVersion      fault.Code = "WARC-PROFILE-VERSION"
	FaultSegmentNumber       fault.Code = "WARC-SEGMENT-NUMBER"
	FaultSegmentTotal        fault.Code = "WARC-SEGMENT-TOTAL"
	FaultFieldsBlock         fault.Code = "WARC-FIELDS-BLOCK"
	FaultWarcinfoAmbiguous   fault.Code = "WARC-WARCINFO-AMBIGUOUS"
	FaultFilename            fault.Code = "WARC-FILENAME"
)

// Digests, and their readings.
const (
	FaultDigestBlock          fault.Code = "WARC-DIGEST-BLOCK"
	FaultDigestBlockRevisit   fault.Code = "WARC-DIGEST-BLOCK-REVISIT"
	FaultDigestPayload        fault.Code = "WARC-DIGEST-PAYLOAD"
	FaultDigestPayloadOfBlock fault.Code = "DIGEST-PAYLOAD-BLOCK"
	FaultDigestFramed         fault.Code = "DIGEST-PAYLOAD-FRAMED"
	FaultDigestDecoded        fault.Code = "DIGEST-PAYLOAD-DECODED"
	FaultDigestForm           fault.Code = "DIGEST-FORM"
	FaultDigestLabel          fault.Code = "DIGEST-LABEL"
	FaultDigestAlgorithm      fault.Code = "DIGEST-ALGORITHM"
)

// Codes for a format that was identified and differs from the declared format.
const (
	FaultServedType     fault.Code = "HTTP-CONTENT-TYPE"
	FaultBlockType      fault.Code = "WARC-CONTENT-TYPE-IDENTIFIED"
	FaultIdentifiedType fault.Code = "WARC-IDENTIFIED-TYPE"
)

// Results of a virus scanner.
const (
	FaultInfected   fault.Code = "SCAN-INFECTED"
	FaultNotScanned fault.Code = "SCAN-NOT-DONE"
)

// Findings across records and files: see Set.
const (
	FaultIDTwice        fault.Code = "REF-ID-TWICE"
	FaultIDElsewhere    fault.Code = "REF-ID-ELSEWHERE"
	FaultConcurrentTo   fault.Code = "REF-CONCURRENT-TO"
	FaultRefersTo       fault.Code = "REF-REFERS-TO"
	FaultRefersToTarget fault.Code = "REF-REFERS-TO-TARGET"
	FaultWarcinfoID     fault.Code = "REF-WARCINFO-ID"
	FaultSegmentMissing fault.Code = "REF-SEGMENT-MISSING"
	FaultSegmentTwice   fault.Code = "REF-SEGMENT-TWICE"
	FaultSegmentLength  fault.Code = "REF-SEGMENT-LENGTH"
	FaultSetFull        fault.Code = "REF-SET-FULL"
)
