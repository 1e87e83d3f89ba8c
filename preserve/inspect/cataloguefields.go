package inspect

import (
	"quire/model"
	"quire/model/finding"
)

// warcFieldEntries are the rules of ISO 28500:2017 for the presence of header fields (clauses 4 to
// 6).
var warcFieldEntries = []finding.Entry{
	{
		Code: string(FaultHeaderEncoding), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The record's header is not UTF-8.",
		Explanation: "The meaning of the bytes depends on an unknown encoding, so a file name or address " +
			"is not certain.",
		Advice: askCrawler, Example: "WARC-Target-URI: http://example.org/caf\\xe9",
	},
	{
		Code: string(FaultHeaderControl), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4 (CTL)",
		Meaning: "The record's header has a NUL or another control character.",
		Explanation: "No software writes one deliberately. Programs in C end a text at a NUL, and so " +
			"read a different value.",
		Advice: askCrawler, Example: "WARC-Target-URI: http://example.org/\\x00",
	},
	{
		Code: string(FaultFieldMissing), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5 and 6",
		Meaning: "A required field is missing or empty.",
		Explanation: "Every record has a type, an id, a date and a length; captures have an address, " +
			"revisits a profile, continuations their position in the whole. Without the field, the " +
			"record cannot be used for its purpose.",
		Advice: askCrawler, Example: "a response without WARC-Target-URI",
	},
	{
		Code: string(FaultFieldForbidden), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5 and 6",
		Meaning: "The record has a field that records of its type may not have.",
		Explanation: "Some crawlers write the same fields into all their records. Readers ignore those " +
			"that do not apply.",
		Advice: tolerate, Example: "a warcinfo with WARC-Target-URI",
	},
	{
		Code: string(FaultFieldRepeated), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "A field occurs more than once, with the same value.",
		Explanation: "Only WARC-Concurrent-To may be repeated. The value is the same, so it is not ambiguous.",
		Advice:      tolerate, Example: "WARC-IP-Address twice",
	},
	{
		Code: string(FaultFieldConflict), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "A field occurs more than once, with different values.",
		Explanation: "Only WARC-Concurrent-To may be repeated. The valid value is not known: some " +
			"readers use the first, others the last.",
		Advice: askCrawler, Example: "two WARC-Target-URI that differ",
	},
	{
		Code: string(FaultFieldEmpty), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "A field of the standard has no value.",
		Explanation: "A field without a value has no meaning. If the record type requires the field, it is " +
			"reported as " +
			"missing instead.",
		Advice: tolerate, Example: "WARC-IP-Address:",
	},
	{
		Code: string(FaultContentTypeMissing), Severity: model.Info, Clause: "ISO 28500:2017, 5.6",
		Meaning: "A record with content does not state its type.",
		Explanation: "All records except continuations should have one. A response without a type is " +
			"treated as HTTP if its address is one of the web.",
		Advice: askCrawler, Example: "a resource without Content-Type",
	},
	{
		Code: string(FaultContentTypeWarcinfo), Severity: model.Info, Clause: "ISO 28500:2017, 6.2",
		Meaning:     "A warcinfo has a type other than application/warc-fields.",
		Explanation: "Its fields are read anyway. Some writers declare text/plain, others write JSON into it.",
		Advice:      tolerate, Example: "Content-Type: text/plain",
	},
	{
		Code: string(FaultPayloadUndefined), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.9 and 6",
		Meaning: "A record without a payload has a digest or a type of its payload.",
		Explanation: "The standard defines no payload for warcinfo and metadata records. warcio and " +
			"others still write a digest of the block, and it is compared with the block.",
		Advice: tolerate, Example: "a warcinfo with WARC-Payload-Digest",
	},
	{
		Code: string(FaultRevisitDigest), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 6.7.2",
		Meaning: "A revisit of an identical payload does not state its digest.",
		Explanation: "The identity of the payload cannot be verified, and replay can find the payload " +
			"only by address and date.",
		Advice: askCrawler, Example: "identical-payload-digest without WARC-Payload-Digest",
	},
	{
		Code: string(FaultRevisitReference), Severity: model.Info, Clause: "ISO 28500:2017, 6.7",
		Meaning: "A revisit does not name the record that it revisits.",
		Explanation: "WARC-Refers-To, or its target URI and date, are recommended. Without them the " +
			"payload is found by digest, which needs an index of the whole collection. WARC 1.0 had only " +
			"the first.",
		Advice: tolerate, Example: "a revisit without WARC-Refers-To…",
	},
}

// warcValueEntries are the rules of ISO 28500:2017, clause 5, for the values of fields.
var warcValueEntries = []finding.Entry{
	{
		Code: string(FaultDate), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.4",
		Meaning:     "A date is invalid.",
		Explanation: "The capture time is unknown.",
		Advice:      askCrawler, Example: "WARC-Date: 20080430204825",
	},
	{
		Code: string(FaultDateForm), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 5.4; ISO 28500:2009, 5.4",
		Meaning: "A date is readable, but not in the form of the record's version.",
		Explanation: "Dates are in UTC with a Z. In 1.0 they have seconds without fractions; in 1.1 they " +
			"may be shorter or longer.",
		Advice: tolerate, Example: "WARC-Date: 2008-04-30T20:48:25.123Z in WARC/1.0",
	},
	{
		Code: string(FaultDateFuture), Severity: model.Warning, Clause: "ISO 28500:2017, 5.4",
		Meaning: "A record is dated in the future.",
		Explanation: "The clock of the crawler was wrong, or the date was written wrongly. The date counts as it is " +
			"stated, so the period of the container ends in the future, too.",
		Advice: askCrawler, Example: "WARC-Date: 2605-01-02T03:04:05Z",
	},
	{
		Code: string(FaultRecordID), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.2",
		Meaning:     "The record's id is not an absolute URI in angle brackets.",
		Explanation: "It still identifies the record, if other records write it in the same way.",
		Advice:      tolerate, Example: "WARC-Record-ID: 4f2c…",
	},
	{
		Code: string(FaultReferenceForm), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 5.7, 5.11, 5.16, 5.21",
		Meaning: "A reference to another record is not an absolute URI in angle brackets.",
		Explanation: "WARC-Concurrent-To, WARC-Refers-To, WARC-Warcinfo-ID and WARC-Segment-Origin-ID " +
			"contain the id of a record exactly as in its header.",
		Advice: tolerate, Example: "WARC-Concurrent-To: urn:uuid:…",
	},
	{
		Code: string(FaultTargetURI), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.14; RFC 3986",
		Meaning: "The record's address is not an absolute URI.",
		Explanation: "It has no scheme, or contains spaces. Common deviations of the last twenty years " +
			"are accepted: angle brackets around it (wget, as in the grammar of 1.0), letters of all " +
			"alphabets, and characters such as | that RFC 3986 requires to be encoded.",
		Advice: askCrawler, Example: "WARC-Target-URI: /index.html",
	},
	{
		Code: string(FaultContentType), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 5.6; RFC 2045, 5.1",
		Meaning: "A media type is invalid.",
		Explanation: "Content-Type and WARC-Identified-Payload-Type must be type/subtype, with optional " +
			"parameters.",
		Advice: tolerate, Example: "Content-Type: html",
	},
	{
		Code: string(FaultIPAddress), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.10",
		Meaning: "The IP address is invalid.",
		Explanation: "It identifies the machine that answered, and is evidence of the content's origin. " +
			"Some writers add a port.",
		Advice: tolerate, Example: "WARC-IP-Address: localhost",
	},
	{
		Code: string(FaultTruncatedReason), Severity: model.Info, Clause: "ISO 28500:2017, 5.15",
		Meaning:     "The reason for the truncation of a block is not one that the standard defines.",
		Explanation: "length, time, disconnect and unspecified are defined; others are allowed.",
		Advice:      tolerate, Example: "WARC-Truncated: crash",
	},
	{
		Code: string(FaultProfile), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 6.7",
		Meaning:     "The profile of a revisit is not one that the standard defines.",
		Explanation: "The profile defines the meaning of the revisit, and how replay may use it.",
		Advice:      askCrawler, Example: "WARC-Profile: http://example.org/revisit",
	},
	{
		Code: string(FaultProfileVersion), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 6.7",
		Meaning: "The profile of a revisit is that of another version.",
		Explanation: "It has the same meaning in both versions. Much software kept the URI of 1.0 when " +
			"it began to write 1.1.",
		Advice: tolerate, Example: "…/warc/1.0/revisit/identical-payload-digest in WARC/1.1",
	},
	{
		Code: string(FaultSegmentNumber), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7.2",
		Meaning: "The segment number is invalid, or not allowed for the type of the record.",
		Explanation: "The first segment has the number 1 and its own type; the others are continuations, " +
			"numbered from 2. With a wrong number, the parts are joined wrongly.",
		Advice: askCrawler, Example: "a continuation with WARC-Segment-Number: 1",
	},
	{
		Code: string(FaultSegmentTotal), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 7.4",
		Meaning:     "The total length of a segmented block is not a number.",
		Explanation: "The last segment states it, to show whether all parts are present.",
		Advice:      askCrawler, Example: "WARC-Segment-Total-Length: many",
	},
}
