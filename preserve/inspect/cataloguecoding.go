package inspect

import (
	"quire/format/httpcoding"
	"quire/model"
	"quire/model/finding"
)

// codingEntries are the rules of RFC 9110, 8.4 for the content codings of a body.
var codingEntries = []finding.Entry{
	{
		Code: string(httpcoding.CodingUnknown), Severity: model.Info, Clause: "RFC 9110, 8.4.1",
		Meaning: "The content coding is not supported.",
		Explanation: "gzip, deflate, br and zstd are supported, up to four in sequence. The body was not " +
			"decoded. Servers often wrote a character set or a media type here; browsers ignore that.",
		Advice: fromTheWeb, Example: "Content-Encoding: utf-8",
	},
	{
		Code: string(httpcoding.NotCoded), Severity: model.Warning, Clause: "RFC 9110, 8.4",
		Meaning: "The body does not have the content coding that its head states.",
		Explanation: "The crawler kept the decoded body with the original head, as crawlers with a " +
			"browser or a proxy did for years, or the server declared a coding but did not use it. The " +
			"content is complete. Readers that rely on the head show an error.",
		Advice: askCrawler, Example: "Content-Encoding: gzip before <html>",
	},
	{
		Code: string(httpcoding.CodingSyntax), Severity: model.Warning,
		Clause:  "RFC 9110, 8.4; RFC 1952, 1950, 1951, 7932, 8878",
		Meaning: "The body has the stated content coding, but cannot be decoded.",
		Explanation: "It violates the format of the coding, or its checksum is wrong. If the digests of " +
			"the record are correct, the server sent it like this; otherwise it was damaged later. A " +
			"browser shows the part before the error, or nothing.",
		Advice: "Check the digests, and whether the page was captured again. The container keeps the " +
			"bytes as received: they cannot be repaired.", Example: "Content-Encoding: gzip and a wrong CRC-32",
	},
	{
		Code: string(httpcoding.CodingTruncated), Severity: model.Warning, Clause: "RFC 9110, 8.4",
		Meaning: "The body ends before its content coding ends.",
		Explanation: "The connection was interrupted, or the server did not finish its compressed " +
			"answer: the content is incomplete. If the length or the framing of the body already shows " +
			"this, this finding is not repeated.",
		Advice: "Check whether the page was captured again. The container keeps the bytes as received: " +
			"they cannot be repaired.", Example: "half of a gzip body",
	},
	{
		Code: string(httpcoding.AfterCoding), Severity: model.Info, Clause: "RFC 9110, 8.4",
		Meaning: "Bytes follow the end of the content coding.",
		Explanation: "Browsers ignore them. Usually a server added data to an answer that was already " +
			"compressed.",
		Advice: fromTheWeb, Example: "text after a gzip body",
	},
	{
		Code: string(httpcoding.CodingBomb), Severity: model.Warning,
		Clause:  "none: bounds of Quire, 64 MiB and a hundred to one",
		Meaning: "The body unpacks to an excessive size; decoding was stopped.",
		Explanation: "It is an attack on software that decodes it, or a very large file of repeated " +
			"bytes. Small bodies are also stopped if one file has so many of them that together they " +
			"unpack to too much.",
		Advice:  "Warn the people that replay the page. The container itself is not affected.",
		Example: "a gigabyte of zeros as a megabyte of gzip",
	},
}

// formatEntries compare the declared format with the identified one. They need format
// identification.
var formatEntries = []finding.Entry{
	{
		Code: string(FaultServedType), Severity: model.Info, Clause: "RFC 9110, 8.3",
		Meaning: "The declared media type is not that of the identified format.",
		Explanation: "The server declared a wrong type: another kind of image, or an error page instead " +
			"of a font. Only identifications from the bytes themselves count. Replay sends the declared " +
			"type, and browsers detect the real one.",
		Advice: fromTheWeb, Example: "Content-Type: image/jpeg and a PNG",
	},
	{
		Code: string(FaultBlockType), Severity: model.Info, Clause: "ISO 28500:2017, 5.6",
		Meaning: "The record's Content-Type is not that of the identified format of its block.",
		Explanation: "The software that wrote the record declared a wrong type. For a resource, replay " +
			"uses this type.",
		Advice: askCrawler, Example: "a resource of type image/jpeg that is a PNG",
	},
	{
		Code: string(FaultIdentifiedType), Severity: model.Info, Clause: "ISO 28500:2017, 5.19",
		Meaning: "WARC-Identified-Payload-Type differs from the media type of the format identified now.",
		Explanation: "The crawler identified another format with its own tools. Only identifications " +
			"from the bytes themselves count.",
		Advice: tolerate, Example: "WARC-Identified-Payload-Type: text/plain and a PNG",
	},
}
