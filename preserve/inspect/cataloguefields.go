package inspect

import (
	"quire/model"
	"quire/model/finding"
)

// warcFieldEntries are the rules of ISO 28500:2017 on which fields a header has (clauses 4 to 6).
var warcFieldEntries = []finding.Entry{
	{
		Code: string(FaultHeaderEncoding), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The record's header is not UTF-8.",
		Explanation: "What the bytes mean depends on an encoding that is not stated, so that a file name or address " +
			"cannot be known for certain.",
		Advice: askCrawler, Example: "WARC-Target-URI: http://example.org/caf\\xe9",
	},
	{
		Code: string(FaultHeaderControl), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4 (CTL)",
		Meaning: "The record's header has a NUL or another control character.",
		Explanation: "No software writes one on purpose. Programs in C end a text at a NUL, and so see another value " +
			"than others do.",
		Advice: askCrawler, Example: "WARC-Target-URI: http://example.org/\\x00",
	},
	{
		Code: string(FaultFieldMissing), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5 and 6",
		Meaning: "A field that the record must have is missing or empty.",
		Explanation: "Every record has a type, an id, a date and a length; captures have an address, revisits a " +
			"profile, continuations their place in the whole. Without it, the record cannot be used for what it is.",
		Advice: askCrawler, Example: "a response without WARC-Target-URI",
	},
	{
		Code: string(FaultFieldForbidden), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5 and 6",
		Meaning: "The record has a field that records of its type may not have.",
		Explanation: "Crawlers put the same fields into all their records. Readers pass over those that mean nothing " +
			"here.",
		Advice: tolerate, Example: "a warcinfo with WARC-Target-URI",
	},
	{
		Code: string(FaultFieldRepeated), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "A field stands in the header more than once, with the same value.",
		Explanation: "Only WARC-Concurrent-To may be repeated. The value is the same, so nothing is misstated.",
		Advice:      tolerate, Example: "WARC-IP-Address twice",
	},
	{
		Code: string(FaultFieldConflict), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "A field stands in the header more than once, with different values.",
		Explanation: "Only WARC-Concurrent-To may be repeated. Which value holds is not stated: readers take the " +
			"first or the last.",
		Advice: askCrawler, Example: "two WARC-Target-URI that differ",
	},
	{
		Code: string(FaultFieldEmpty), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "A field of the standard has no value.",
		Explanation: "It says nothing. Where the record needs it, it is reported as missing instead.",
		Advice:      tolerate, Example: "WARC-IP-Address:",
	},
	{
		Code: string(FaultContentTypeMissing), Severity: model.Info, Clause: "ISO 28500:2017, 5.6",
		Meaning: "A record with content does not say of what type it is.",
		Explanation: "All records but continuations should. A response without it is taken for HTTP when its address " +
			"is one of the web.",
		Advice: askCrawler, Example: "a resource without Content-Type",
	},
	{
		Code: string(FaultContentTypeWarcinfo), Severity: model.Info, Clause: "ISO 28500:2017, 6.2",
		Meaning:     "A warcinfo is not of type application/warc-fields.",
		Explanation: "Its fields are read as if it were. Some writers call it text/plain, some put JSON into it.",
		Advice:      tolerate, Example: "Content-Type: text/plain",
	},
	{
		Code: string(FaultPayloadUndefined), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.9 and 6",
		Meaning: "A record without a payload has a digest or a type of its payload.",
		Explanation: "For warcinfo and metadata records no payload is defined. warcio and others write one all the " +
			"same, over the block, and over the block it is checked.",
		Advice: tolerate, Example: "a warcinfo with WARC-Payload-Digest",
	},
	{
		Code: string(FaultRevisitDigest), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 6.7.2",
		Meaning: "A revisit that says its payload is identical does not state its digest.",
		Explanation: "Of what the payload is identical cannot be verified, and replay finds it by address and date " +
			"at most.",
		Advice: askCrawler, Example: "identical-payload-digest without WARC-Payload-Digest",
	},
	{
		Code: string(FaultRevisitReference), Severity: model.Info, Clause: "ISO 28500:2017, 6.7",
		Meaning: "A revisit does not say which record it revisits.",
		Explanation: "WARC-Refers-To, or its target URI and date, are recommended. Without them the payload is found " +
			"by digest, which needs an index of the whole collection. WARC 1.0 knew only the first.",
		Advice: tolerate, Example: "a revisit without WARC-Refers-To…",
	},
}

// warcValueEntries are the rules of ISO 28500:2017, clause 5, on what the fields hold.
var warcValueEntries = []finding.Entry{
	{
		Code: string(FaultDate), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.4",
		Meaning:     "A date is none.",
		Explanation: "When the content was captured is unknown.",
		Advice:      askCrawler, Example: "WARC-Date: 20080430204825",
	},
	{
		Code: string(FaultDateForm), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 5.4; ISO 28500:2009, 5.4",
		Meaning: "A date can be read, but is not in the form of the record's version.",
		Explanation: "Dates are in UTC with a Z; in 1.0 they have seconds and no fractions of them, in 1.1 they may " +
			"have less or more.",
		Advice: tolerate, Example: "WARC-Date: 2008-04-30T20:48:25.123Z in WARC/1.0",
	},
	{
		Code: string(FaultRecordID), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.2",
		Meaning:     "The record's id is not an absolute URI in angle brackets.",
		Explanation: "It names the record all the same, as long as others that refer to it write it in the same way.",
		Advice:      tolerate, Example: "WARC-Record-ID: 4f2c…",
	},
	{
		Code: string(FaultReferenceForm), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 5.7, 5.11, 5.16, 5.21",
		Meaning: "A reference to another record is not an absolute URI in angle brackets.",
		Explanation: "WARC-Concurrent-To, WARC-Refers-To, WARC-Warcinfo-ID and WARC-Segment-Origin-ID hold the id of " +
			"a record as it stands there.",
		Advice: tolerate, Example: "WARC-Concurrent-To: urn:uuid:…",
	},
	{
		Code: string(FaultTargetURI), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.14; RFC 3986",
		Meaning: "The record's address is no absolute URI.",
		Explanation: "It has no scheme, or spaces in it. What files of twenty years hold is accepted: angle brackets " +
			"around it (wget, as the grammar of 1.0 has it), letters of all alphabets, and characters such as | that " +
			"RFC 3986 wants encoded.",
		Advice: askCrawler, Example: "WARC-Target-URI: /index.html",
	},
	{
		Code: string(FaultContentType), Severity: model.Warning, Breaks: true,
		Clause:      "ISO 28500:2017, 5.6; RFC 2045, 5.1",
		Meaning:     "A media type is none.",
		Explanation: "Content-Type and WARC-Identified-Payload-Type are type/subtype, with parameters.",
		Advice:      tolerate, Example: "Content-Type: html",
	},
	{
		Code: string(FaultIPAddress), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.10",
		Meaning: "The IP address is none.",
		Explanation: "It says which machine answered, and is evidence of where the content came from. Some writers " +
			"put a port behind it.",
		Advice: tolerate, Example: "WARC-IP-Address: localhost",
	},
	{
		Code: string(FaultTruncatedReason), Severity: model.Info, Clause: "ISO 28500:2017, 5.15",
		Meaning:     "The reason why a block was truncated is not one that the standard defines.",
		Explanation: "length, time, disconnect and unspecified are defined; others are allowed.",
		Advice:      tolerate, Example: "WARC-Truncated: crash",
	},
	{
		Code: string(FaultProfile), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 6.7",
		Meaning:     "The profile of a revisit is not one that the standard defines.",
		Explanation: "What the revisit says of its content, and what replay may do with it, follows from the profile.",
		Advice:      askCrawler, Example: "WARC-Profile: http://example.org/revisit",
	},
	{
		Code: string(FaultProfileVersion), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 6.7",
		Meaning:     "The profile of a revisit is that of another version.",
		Explanation: "Both versions mean the same by it. Much software kept the URI of 1.0 when it began to write 1.1.",
		Advice:      tolerate, Example: "…/warc/1.0/revisit/identical-payload-digest in WARC/1.1",
	},
	{
		Code: string(FaultSegmentNumber), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7.2",
		Meaning: "The number of a segment is none, or not one that a record of its type may have.",
		Explanation: "The first segment has 1, and its own type; those that follow are continuations and count from " +
			"2. A wrong number puts the parts together wrongly.",
		Advice: askCrawler, Example: "a continuation with WARC-Segment-Number: 1",
	},
	{
		Code: string(FaultSegmentTotal), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 7.4",
		Meaning:     "The total length of a segmented block is no number.",
		Explanation: "The last segment states it, so that one can see whether all parts are there.",
		Advice:      askCrawler, Example: "WARC-Segment-Total-Length: many",
	},
}
