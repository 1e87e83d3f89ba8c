package inspect

import (
	"quire/model"
	"quire/model/finding"
)

// digestEntries are the rules of ISO 28500:2017, 5.8 and 5.9, and the interpretations that real
// files need.
var digestEntries = []finding.Entry{
	{
		Code: string(FaultDigestBlock), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning:     "The digest of the block differs from the one in the record.",
		Explanation: "The content changed after it was written, or the writer digested other bytes.",
		Advice:      restore, Example: "WARC-Block-Digest: sha1:… of other bytes",
	},
	{
		Code: string(FaultDigestBlockRevisit), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning: "The digest of a revisit record's block differs from the one in the record.",
		Explanation: "wget with --warc-dedup states the digest of zero bytes in every revisit record, " +
			"and Webrecorder stated that of the original response. The block is the HTTP head as sent. " +
			"In a compressed file, the checksums of the member show whether it is complete.",
		Advice:  tolerate,
		Example: "WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ, which is that of zero bytes",
	},
	{
		Code: string(FaultDigestPayloadOfBlock), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload digest is that of the whole block, HTTP head included.",
		Explanation: "warcprox writes its request records like this, and WAIL all of its records. The " +
			"content is complete, but a search for the same content by this digest does not find it.",
		Advice: askCrawler, Example: "WARC-Payload-Digest with the value of WARC-Block-Digest",
	},

	{
		Code: string(FaultDigestPayload), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The stated payload digest does not match the payload, in any usual way to compute it.",
		Explanation: "It was compared as sent, without its chunked framing, without its content codings, " +
			"and with the whole block; the message lists the results. Replay and deduplication identify " +
			"content by this digest: a wrong one leads to other content.",
		Advice: restore, Example: "WARC-Payload-Digest: sha1:… of other bytes",
	},
	{
		Code: string(FaultDigestFramed), Severity: model.Info, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload digest is that of the body as sent, with its chunked framing.",
		Explanation: "The standard means the payload without framing, but Heritrix, warcio and others " +
			"digest the body as sent. Both are good evidence, but they do not find each other's " +
			"duplicates.",
		Advice: tolerate, Example: "a digest over the sizes of the chunks too",
	},
	{
		Code: string(FaultDigestDecoded), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload digest is that of the body without its content codings.",
		Explanation: "The standard means the payload with its codings, but the crawler digested the " +
			"decoded page. The content is complete and matches the digest, but tools that verify digests " +
			"report the record as damaged.",
		Advice: tolerate, Example: "a digest of the page in a record with Content-Encoding: gzip",
	},
	{
		Code: string(FaultDigestLabel), Severity: model.Info, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning: "A digest field names no algorithm.",
		Explanation: "The standard requires one before the value. Its length shows which algorithm was " +
			"used, and it was checked accordingly; other tools may not check it at all.",
		Advice: askCrawler, Example: "WARC-Payload-Digest: M77KNTBZH2IU6V2SIG5EEG45EJICNQNM",
	},
	{
		Code: string(FaultDigestForm), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning: "The value of a digest field is not a digest.",
		Explanation: "It has the wrong length for its algorithm, or characters of an unknown encoding. " +
			"It cannot be checked.",
		Advice: askCrawler, Example: "WARC-Block-Digest: sha1:none",
	},
	{
		Code: string(FaultDigestAlgorithm), Severity: model.Info, Clause: "ISO 28500:2017, 5.8",
		Meaning:     "A digest has an unknown algorithm, and was not checked.",
		Explanation: "MD5, SHA-1, SHA-256, SHA-384 and SHA-512 are known.",
		Advice:      tolerate, Example: "WARC-Block-Digest: tiger:…",
	},
}

// refEntries are the rules that need several records, or several files of one call.
var refEntries = []finding.Entry{
	{
		Code: string(FaultIDTwice), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.2",
		Meaning: "Two records of a file have the same id.",
		Explanation: "An id must be unique for all time. A reference to it could mean either record, and " +
			"an index may lose one of them. wget and Webrecorder have written such files, usually with " +
			"the same record twice.",
		Advice: askCrawler, Example: "<urn:uuid:1> at bytes 0 and 428",
	},
	{
		Code: string(FaultIDElsewhere), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.2",
		Meaning:     "Records of two files have the same id.",
		Explanation: "The files are complete or partial copies of each other, or an id was used twice.",
		Advice:      "Compare the files. If one is a copy, keep only one.", Example: "crawl.warc beside crawl.warc.gz",
	},
	{
		Code: string(FaultConcurrentTo), Severity: model.Info, Clause: "ISO 28500:2017, 5.7",
		Meaning: "WARC-Concurrent-To names a record that is not in the inspected files.",
		Explanation: "Requests, metadata and responses of one capture name each other. The other record " +
			"is in a file that was not inspected, or is lost.",
		Advice: "Inspect all files of a crawl in one call. If the record is still missing, look for a " +
			"lost file.",
		Example: "WARC-Concurrent-To: <urn:uuid:nowhere>",
	},
	{
		Code: string(FaultRefersTo), Severity: model.Info, Clause: "ISO 28500:2017, 5.11",
		Meaning: "WARC-Refers-To names a record that is not in the inspected files.",
		Explanation: "The content of a revisit is in the record that it refers to. This may be in a file " +
			"of an earlier crawl.",
		Advice:  "Make sure that the file with the original is kept in the collection.",
		Example: "WARC-Refers-To: <urn:uuid:nowhere>",
	},
	{
		Code: string(FaultRefersToTarget), Severity: model.Info, Clause: "ISO 28500:2017, 5.12 and 5.13",
		Meaning: "No record in the inspected files has the address and date that a revisit refers to.",
		Explanation: "WARC-Refers-To-Target-URI and WARC-Refers-To-Date together identify the capture " +
			"with the content. It may be in a file of an earlier crawl, or the dates may have different " +
			"precision.",
		Advice:  "Make sure that the file with the original is kept in the collection.",
		Example: "WARC-Refers-To-Date: 2008-04-30T20:48:25Z, and no capture of then",
	},
	{
		Code: string(FaultWarcinfoID), Severity: model.Info, Clause: "ISO 28500:2017, 5.16",
		Meaning: "WARC-Warcinfo-ID names a warcinfo that is not in the inspected files.",
		Explanation: "The record was moved to another file, or the warcinfo was rewritten. The " +
			"description of the capture is elsewhere.",
		Advice:  "Look for the file to which the record was first written.",
		Example: "WARC-Warcinfo-ID: <urn:uuid:nowhere>",
	},
	{
		Code: string(FaultSegmentMissing), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7",
		Meaning:     "A segment of a segmented record is not in the inspected files.",
		Explanation: "Without it the content cannot be joined. A file without other errors is incomplete, not invalid.",
		Advice: "Inspect all files of a crawl in one call. If the segment is still missing, restore the " +
			"file that has it.", Example: "segments 1 and 3",
	},
	{
		Code: string(FaultSegmentTwice), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7.2",
		Meaning:     "Two records are the same segment of a segmented record.",
		Explanation: "It is not known which one belongs to the content.",
		Advice:      "Compare the files. If one is a copy, inspect only one.",
		Example:     "two continuations with WARC-Segment-Number: 2",
	},
	{
		Code: string(FaultSegmentLength), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7.4",
		Meaning:     "The total length of the segments differs from the one in the last segment.",
		Explanation: "Part of the content is missing, or does not belong to it.",
		Advice:      restore, Example: "WARC-Segment-Total-Length: 100 of segments with 90 bytes",
	},
	{
		Code: string(FaultSetFull), Severity: model.Info, Clause: "none: a bound of Quire, 4 million ids",
		Meaning:     "There are more records than can be compared with each other.",
		Explanation: "The ids and references of further records were not checked across the files.",
		Advice:      "Inspect the crawl in smaller related parts.",
		Example:     "more than 4 million records in one call",
	},
}
