package warc

// Record types (ISO 28500:2017, clause 6).
const (
	TypeWarcinfo     = "warcinfo"
	TypeResponse     = "response"
	TypeResource     = "resource"
	TypeRequest      = "request"
	TypeMetadata     = "metadata"
	TypeRevisit      = "revisit"
	TypeConversion   = "conversion"
	TypeContinuation = "continuation"
)

// Types lists the record types of the standard. Others may occur; a reader skips them (clause 6.1).
var Types = []string{
	TypeWarcinfo, TypeResponse, TypeResource, TypeRequest, TypeMetadata, TypeRevisit, TypeConversion, TypeContinuation,
}

// Named fields (ISO 28500:2017, clause 5).
const (
	FieldType                  = "WARC-Type"
	FieldRecordID              = "WARC-Record-ID"
	FieldDate                  = "WARC-Date"
	FieldContentLength         = "Content-Length"
	FieldContentType           = "Content-Type"
	FieldConcurrentTo          = "WARC-Concurrent-To"
	FieldBlockDigest           = "WARC-Block-Digest"
	FieldPayloadDigest         = "WARC-Payload-Digest"
	FieldIPAddress             = "WARC-IP-Address"
	FieldRefersTo              = "WARC-Refers-To"
	FieldRefersToTargetURI     = "WARC-Refers-To-Target-URI"
	FieldRefersToDate          = "WARC-Refers-To-Date"
	FieldTargetURI             = "WARC-Target-URI"
	FieldTruncated             = "WARC-Truncated"
	FieldWarcinfoID            = "WARC-Warcinfo-ID"
	FieldFilename              = "WARC-Filename"
	FieldProfile               = "WARC-Profile"
	FieldIdentifiedPayloadType = "WARC-Identified-Payload-Type"
	FieldSegmentNumber         = "WARC-Segment-Number"
	FieldSegmentOriginID       = "WARC-Segment-Origin-ID"
	FieldSegmentTotalLength    = "WARC-Segment-Total-Length"
)

// Profiles of revisit records (clause 6.7). Files of version 1.0 use the profiles with /1.0/.
const (
	ProfileIdenticalPayload10 = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
	ProfileNotModified10      = "http://netpreserve.org/warc/1.0/revisit/server-not-modified"
	ProfileIdenticalPayload11 = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	ProfileNotModified11      = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
)
