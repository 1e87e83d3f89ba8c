package inspect

import (
	"quire/model"
	"quire/model/finding"
)

// digestEntries are the rules of ISO 28500:2017, 5.8 and 5.9, and the readings that real files
// need.
var digestEntries = []finding.Entry{
	{
		Code: string(FaultDigestBlock), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning:     "The block has not the digest that the record states.",
		Explanation: "The content changed after it was written, or the writer digested something else.",
		Advice:      restore, Example: "WARC-Block-Digest: sha1:… of other bytes",
	},
	{
		Code: string(FaultDigestBlockRevisit), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning: "The block of a revisit record has not the digest that the record states.",
		Explanation: "wget with --warc-dedup states the digest of no bytes in every revisit record, and Webrecorder " +
			"stated that of the response that the revisit stands for. The block is the HTTP head as sent; in a " +
			"compressed file, the sums of the member show whether it is whole.",
		Advice:  tolerate,
		Example: "WARC-Block-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ, which is that of no bytes",
	},
	{
		Code: string(FaultDigestPayloadOfBlock), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload digest is that of the whole block, HTTP head included.",
		Explanation: "warcprox writes its request records so, and WAIL all of its records. The content is whole; but " +
			"who looks for the same content by this digest will not find it.",
		Advice: askCrawler, Example: "WARC-Payload-Digest with the value of WARC-Block-Digest",
	},

	{
		Code: string(FaultDigestPayload), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload, in no reading of it, has the digest that the record states.",
		Explanation: "It was compared as sent, without its chunked framing, without its content codings, and with " +
			"the whole block; the message says what each reading gives. Replay and deduplication know content by " +
			"this digest: a wrong one leads to other content.",
		Advice: restore, Example: "WARC-Payload-Digest: sha1:… of other bytes",
	},
	{
		Code: string(FaultDigestFramed), Severity: model.Info, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload digest is that of the body as sent, with its chunked framing.",
		Explanation: "The standard means the payload without framing, but Heritrix, warcio and others digest the " +
			"body as sent. Both are good evidence; they do not find each other's duplicates.",
		Advice: tolerate, Example: "a digest over the sizes of the chunks too",
	},
	{
		Code: string(FaultDigestDecoded), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.9",
		Meaning: "The payload digest is that of the body without its content codings.",
		Explanation: "The standard means the payload as it was coded; the crawler digested the page that it saw. The " +
			"content is whole and fits the digest, but tools that verify digests call the record damaged.",
		Advice: tolerate, Example: "a digest of the page in a record with Content-Encoding: gzip",
	},
	{
		Code: string(FaultDigestLabel), Severity: model.Info, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning: "A digest field names no algorithm.",
		Explanation: "The standard asks for one before the value. The length of the value tells which was meant, and " +
			"it was checked as such; other tools may not check it at all.",
		Advice: askCrawler, Example: "WARC-Payload-Digest: M77KNTBZH2IU6V2SIG5EEG45EJICNQNM",
	},
	{
		Code: string(FaultDigestForm), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.8",
		Meaning: "A digest field holds no digest.",
		Explanation: "It has the wrong length for its algorithm, or characters of no known encoding. It cannot be " +
			"checked.",
		Advice: askCrawler, Example: "WARC-Block-Digest: sha1:none",
	},
	{
		Code: string(FaultDigestAlgorithm), Severity: model.Info, Clause: "ISO 28500:2017, 5.8",
		Meaning:     "A digest is of an algorithm that is not known, and was not checked.",
		Explanation: "MD5, SHA-1, SHA-256, SHA-384 and SHA-512 are known.",
		Advice:      tolerate, Example: "WARC-Block-Digest: tiger:…",
	},
}

// refEntries are what can only be seen across records, and across the files of one call.
var refEntries = []finding.Entry{
	{
		Code: string(FaultIDTwice), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.2",
		Meaning: "Two records of a file have the same id.",
		Explanation: "An id is to be unique for all time. What refers to it could mean either record, and an index " +
			"may lose one of them. wget and Webrecorder have written such files, mostly with the same record twice.",
		Advice: askCrawler, Example: "<urn:uuid:1> at bytes 0 and 428",
	},
	{
		Code: string(FaultIDElsewhere), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 5.2",
		Meaning:     "Records of two files have the same id.",
		Explanation: "The files are copies of each other in whole or in part, or an id was given twice.",
		Advice:      "Compare the files. Where one is a copy, keep one.", Example: "crawl.warc beside crawl.warc.gz",
	},
	{
		Code: string(FaultConcurrentTo), Severity: model.Info, Clause: "ISO 28500:2017, 5.7",
		Meaning: "WARC-Concurrent-To names a record that is not in the files given.",
		Explanation: "Requests, metadata and responses of one capture name each other. The other record is in a file " +
			"that was not given, or is lost.",
		Advice:  "Inspect the files of a crawl in one call. When it then is missing, look for a lost file.",
		Example: "WARC-Concurrent-To: <urn:uuid:nowhere>",
	},
	{
		Code: string(FaultRefersTo), Severity: model.Info, Clause: "ISO 28500:2017, 5.11",
		Meaning: "WARC-Refers-To names a record that is not in the files given.",
		Explanation: "A revisit needs the record it refers to for its content. It may be in a file of an earlier " +
			"crawl.",
		Advice:  "Make sure that the file with the original is kept in the collection.",
		Example: "WARC-Refers-To: <urn:uuid:nowhere>",
	},
	{
		Code: string(FaultRefersToTarget), Severity: model.Info, Clause: "ISO 28500:2017, 5.12 and 5.13",
		Meaning: "No record in the files given has the address and date that a revisit refers to.",
		Explanation: "WARC-Refers-To-Target-URI and WARC-Refers-To-Date together name the capture whose content it " +
			"was. It may be in a file of an earlier crawl; or the dates were written with another precision.",
		Advice:  "Make sure that the file with the original is kept in the collection.",
		Example: "WARC-Refers-To-Date: 2008-04-30T20:48:25Z, and no capture of then",
	},
	{
		Code: string(FaultWarcinfoID), Severity: model.Info, Clause: "ISO 28500:2017, 5.16",
		Meaning: "WARC-Warcinfo-ID names a warcinfo that is not in the files given.",
		Explanation: "The record was moved to another file, or the warcinfo was written anew. How it was captured is " +
			"described elsewhere.",
		Advice:  "Look for the file that the record was first written to.",
		Example: "WARC-Warcinfo-ID: <urn:uuid:nowhere>",
	},
	{
		Code: string(FaultSegmentMissing), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7",
		Meaning:     "A segment of a segmented record is not in the files given.",
		Explanation: "The content cannot be put together again without it.",
		Advice: "Inspect the files of a crawl in one call. When it then is missing, restore the file that holds " +
			"it.", Example: "segments 1 and 3",
	},
	{
		Code: string(FaultSegmentTwice), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7.2",
		Meaning:     "Two records are the same segment of a segmented record.",
		Explanation: "Which one belongs to the content is not stated.",
		Advice:      "Compare the files. Where one is a copy, give one.",
		Example:     "two continuations with WARC-Segment-Number: 2",
	},
	{
		Code: string(FaultSegmentLength), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 7.4",
		Meaning:     "The segments together have not the total length that the last one states.",
		Explanation: "A part of the content is missing, or does not belong to it.",
		Advice:      restore, Example: "WARC-Segment-Total-Length: 100 of segments with 90 bytes",
	},
	{
		Code: string(FaultSetFull), Severity: model.Info, Clause: "none: a bound of Quire, 4 million ids",
		Meaning:     "More records were given than are compared with each other.",
		Explanation: "Ids and references of the records beyond were not checked across the files.",
		Advice:      "Inspect the crawl in smaller parts that belong together.",
		Example:     "more than 4 million records in one call",
	},
}
