package inspect

import (
	"quire/format/httpcoding"
	"quire/model"
	"quire/model/finding"
)

// codingEntries are the rules of RFC 9110, 8.4 on the content codings of a body.
var codingEntries = []finding.Entry{
	{
		Code: string(httpcoding.CodingUnknown), Severity: model.Info, Clause: "RFC 9110, 8.4.1",
		Meaning: "The content coding is not one that can be removed.",
		Explanation: "gzip, deflate, br and zstd can, up to four of them. Whether the body decodes was not looked " +
			"at. Servers often wrote a character set or a media type here; browsers pass over that.",
		Advice: fromTheWeb, Example: "Content-Encoding: utf-8",
	},
	{
		Code: string(httpcoding.NotCoded), Severity: model.Warning, Clause: "RFC 9110, 8.4",
		Meaning: "The body is not in the content coding that its head names.",
		Explanation: "The crawler kept the decoded body with the head as sent, as crawlers that use a browser or a " +
			"proxy did for years; or the server said so of a body that it had not coded. The content is whole. " +
			"Readers that believe the head show an error instead.",
		Advice: askCrawler, Example: "Content-Encoding: gzip before <html>",
	},
	{
		Code: string(httpcoding.CodingSyntax), Severity: model.Warning,
		Clause:  "RFC 9110, 8.4; RFC 1952, 1950, 1951, 7932, 8878",
		Meaning: "The body is in its content coding and cannot be decoded.",
		Explanation: "It breaks the format of the coding, or its checksum is wrong. When the digests of the record " +
			"fit, the server sent it so; otherwise it was damaged since. A browser shows what lies before, or nothing.",
		Advice: "Look whether the digests fit, and whether the page was captured again. The container keeps " +
			"what came: nothing can be repaired.", Example: "Content-Encoding: gzip and a wrong CRC-32",
	},
	{
		Code: string(httpcoding.CodingTruncated), Severity: model.Warning, Clause: "RFC 9110, 8.4",
		Meaning: "The body ends before its content coding does.",
		Explanation: "The connection broke off, or the server did not write its compressed answer to the end: the " +
			"content is not whole. Where the length or the framing of the body says so already, this is not said " +
			"again.",
		Advice: "Look whether the page was captured again. The container keeps what came: nothing can be " +
			"repaired.", Example: "half of a gzip body",
	},
	{
		Code: string(httpcoding.AfterCoding), Severity: model.Info, Clause: "RFC 9110, 8.4",
		Meaning: "Bytes follow the end of the content coding.",
		Explanation: "Browsers pass over them. Mostly a server added something to an answer that was compressed " +
			"already.",
		Advice: fromTheWeb, Example: "text behind a gzip body",
	},
	{
		Code: string(httpcoding.CodingBomb), Severity: model.Warning,
		Clause:  "none: bounds of Quire, 64 MiB and a hundred to one",
		Meaning: "The body unpacks to so much more than it has that decoding it was given up.",
		Explanation: "Someone means harm to whoever decodes it, or it is a very large file of very little. Small " +
			"ones are given up, too, when there are so many in one file that together they unpack to too much.",
		Advice:  "Warn those who replay the page. The container is not the worse for it.",
		Example: "a gigabyte of zeros as a megabyte of gzip",
	},
}

// formatEntries compare what was declared with what the bytes are. They are found when formats are
// identified.
var formatEntries = []finding.Entry{
	{
		Code: string(FaultServedType), Severity: model.Info, Clause: "RFC 9110, 8.3",
		Meaning: "The declared media type is not that of the identified format.",
		Explanation: "The server misnamed what it sent: a picture of another kind, an error page in place of a font. " +
			"It is said only where the bytes themselves tell the format. Replay sends the declared type, and " +
			"browsers find out by themselves.",
		Advice: fromTheWeb, Example: "Content-Type: image/jpeg and a PNG",
	},
	{
		Code: string(FaultBlockType), Severity: model.Info, Clause: "ISO 28500:2017, 5.6",
		Meaning:     "The record's Content-Type is not that of the identified format of its block.",
		Explanation: "Who wrote the record misnamed it. For a resource, that is the type by which it is replayed.",
		Advice:      askCrawler, Example: "a resource of type image/jpeg that is a PNG",
	},
	{
		Code: string(FaultIdentifiedType), Severity: model.Info, Clause: "ISO 28500:2017, 5.19",
		Meaning: "WARC-Identified-Payload-Type is not the media type of the format that was identified now.",
		Explanation: "The crawler found another format by its own means. It is said only where the bytes themselves " +
			"tell the format.",
		Advice: tolerate, Example: "WARC-Identified-Payload-Type: text/plain and a PNG",
	},
}
