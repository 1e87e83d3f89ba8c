package inspect

import (
	"quire/format/arc"
	"quire/model"
	"quire/model/finding"
)

// arcEntries are the rules of the ARC format for the file and its version block. "ARC" is the
// Internet Archive's description of 1996, with the name of its grammar's rule.
var arcEntries = []finding.Entry{
	{
		Code: string(arc.Empty), Severity: model.Error, Breaks: true, Clause: "ARC, arc_file",
		Meaning: "The file holds no record.",
		Explanation: "A crawler that found nothing to write leaves such files behind, and so does a disk that was " +
			"full.",
		Advice: restore, Example: "filedesc:// and nothing that can be read",
	},
	{
		Code: string(arc.NoVersionBlock), Severity: model.Error, Breaks: true, Clause: "ARC, arc_file",
		Meaning: "The file does not begin with a version block.",
		Explanation: "The beginning of the file was lost, or the file was cut out of another. The version block says " +
			"what the fields of the records mean; the records can be read without it.",
		Advice: restore, Example: "a file that begins with http://example.org/ 192.0.2.1 …",
	},
	{
		Code: string(arc.AnotherVersionBlock), Severity: model.Warning, Breaks: true, Clause: "ARC, arc_file",
		Meaning:     "A version block stands behind the first record.",
		Explanation: "Files that were joined with cat look like this. Every record can be read.",
		Advice:      tolerate, Example: "filedesc://second.arc … in the middle of a file",
	},
	{
		Code: string(arc.Version), Severity: model.Error, Breaks: true, Clause: "ARC, version_block",
		Meaning: "The version line is missing or names a version that does not exist.",
		Explanation: "Versions are 1.0, 1.1 and 2.0, written as two numbers and the code of who wrote the file. " +
			"Without it, the meaning of the records' fields is a guess.",
		Advice: restore, Example: "3 0 InternetArchive",
	},
	{
		Code: string(arc.Definition), Severity: model.Warning, Breaks: true, Clause: "ARC, version_block",
		Meaning: "The definition of the records' fields is missing or not that of the version.",
		Explanation: "Some crawlers announced the ten fields of version 2 and wrote the five of version 1. The " +
			"records are read by what they hold.",
		Advice: tolerate, Example: "URL IP-address Archive-date",
	},
	{
		Code: string(arc.VersionLength), Severity: model.Warning, Breaks: true, Clause: "ARC, version_block",
		Meaning: "The length of the version block is not what follows it.",
		Explanation: "Writers have left the version lines out of it, or counted the empty line behind the block in. " +
			"The block is cut where the next record begins.",
		Advice: tolerate, Example: "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 0",
	},
	{
		Code: string(arc.NoMetadata), Severity: model.Warning, Breaks: true, Clause: "Heritrix, ARC 1.1",
		Meaning: "A version block of 1.1 has no XML metadata.",
		Explanation: "Version 1.1 differs from 1.0 by its metadata alone: who crawled, with what, and why. Here " +
			"nothing is said.",
		Advice: askCrawler, Example: "1 1 InternetArchive without <arcmetadata>",
	},
	{
		Code: string(arc.UndueMetadata), Severity: model.Warning, Breaks: true, Clause: "ARC, version_block",
		Meaning:     "A version block that is not of version 1.1 has metadata.",
		Explanation: "The metadata is read all the same.",
		Advice:      tolerate, Example: "1 0 InternetArchive with <arcmetadata>",
	},
	{
		Code: string(arc.MetadataSyntax), Severity: model.Warning, Breaks: true,
		Clause:      "Heritrix, ARC 1.1; XML 1.0, 2.1",
		Meaning:     "The metadata of the version block is not well-formed XML.",
		Explanation: "The fields before the break are read. Heritrix wrote the operator's text without escaping it.",
		Advice:      askCrawler, Example: "<arcmetadata><description>Tom & Jerry</description>",
	},
	{
		Code: string(arc.MetadataDoctype), Severity: model.Error, Breaks: true, Clause: "Heritrix, ARC 1.1",
		Meaning: "The metadata of the version block has a DOCTYPE.",
		Explanation: "A DOCTYPE can define entities that make a small file expand to any size, or fetch other files. " +
			"No crawler writes one; the metadata is not read.",
		Advice:  "Find out who made the file. Do not open it with other XML software.",
		Example: "<!DOCTYPE lolz [<!ENTITY a \"…\">]>",
	},
	{
		Code: string(arc.MetadataSize), Severity: model.Error, Breaks: true, Clause: "Heritrix, ARC 1.1",
		Meaning:     "The version block is larger than any that is read into memory.",
		Explanation: "Its metadata is not read. Its length, most likely, is damaged or hostile.",
		Advice:      restore, Example: "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 99999999",
	},
	{
		Code: string(arc.SharedMember), Severity: model.Warning, Breaks: true, Clause: "Internet Archive, ARC practice",
		Meaning: "A compressed member holds more than one record.",
		Explanation: "Records of such a file cannot be read alone: replay has to inflate everything before. Files " +
			"that were compressed with gzip after the crawl are like this.",
		Advice: "The content is whole. To use the file for replay, write it again with one member a record, as " +
			"another manifestation.",
		Example: "gzip -9 crawl.arc",
	},
	{
		Code: string(arc.SpansMembers), Severity: model.Warning, Breaks: true, Clause: "Internet Archive, ARC practice",
		Meaning:     "A record goes on over several compressed members.",
		Explanation: "The content is whole, but readers that take a member for a record see half of it.",
		Advice:      tolerate, Example: "pigz --independent crawl.arc",
	},
}

// arcRecordEntries are the rules for the records.
var arcRecordEntries = []finding.Entry{
	{
		Code: string(arc.Fields), Severity: model.Warning, Breaks: true, Clause: "ARC, URL-record",
		Meaning: "A record has not the fields that the version block defines.",
		Explanation: "Alexa announced the ten fields of version 2 and wrote the five of version 1. Which word is the " +
			"address, the date and the length is told by their form, from both ends of the line.",
		Advice:  tolerate,
		Example: "http://example.org/ 192.0.2.1 20080430204825 text/html 10 behind a version block of 2.0",
	},
	{
		Code: string(arc.URL), Severity: model.Warning, Breaks: true, Clause: "ARC, url",
		Meaning: "The record's URL has characters no URL has, or no scheme.",
		Explanation: "Crawlers wrote addresses as they stood in the page: with spaces, control characters or letters " +
			"of another alphabet in an encoding that is not stated.",
		Advice: tolerate, Example: "http://example.org/größe",
	},
	{
		Code: string(arc.IP), Severity: model.Warning, Breaks: true, Clause: "ARC, ip_address",
		Meaning: "The record's IP address is none.",
		Explanation: "It says which machine answered, and is evidence of where the content came from. Nothing else " +
			"depends on it.",
		Advice: askCrawler, Example: "http://example.org/ unknown 20080430204825 text/html 10",
	},
	{
		Code: string(arc.Date), Severity: model.Error, Breaks: true, Clause: "ARC, archive-date",
		Meaning: "The record's date names no time.",
		Explanation: "When the content was captured is unknown: the date has other characters than digits, too few " +
			"of them, or a month or hour that does not exist.",
		Advice: askCrawler, Example: "20081304204825",
	},
	{
		Code: string(arc.DateForm), Severity: model.Warning, Breaks: true, Clause: "ARC, archive-date",
		Meaning: "The record's date names a time, but not in 14 digits.",
		Explanation: "Alexa wrote dates to the minute (12 digits), and others fractions of a second (up to 18). They " +
			"are read as far as they go.",
		Advice: tolerate, Example: "200804302048",
	},
	{
		Code: string(arc.ContentType), Severity: model.Warning, Breaks: true, Clause: "ARC, content-type",
		Meaning:     "The record's media type is empty or has spaces, or that of the version block is not text/plain.",
		Explanation: "It is what the server declared. Heritrix writes no-type where nothing was declared.",
		Advice:      tolerate, Example: "text/html; charset=utf-8",
	},
	{
		Code: string(arc.ResultCode), Severity: model.Warning, Breaks: true, Clause: "ARC 2.0, result-code",
		Meaning:     "The result code of a record of version 2 is not three digits from 100 on.",
		Explanation: "The status also stands in the block, as the server sent it.",
		Advice:      tolerate, Example: "99",
	},
	{
		Code: string(arc.Offset), Severity: model.Info, Breaks: true, Clause: "ARC 2.0, offset",
		Meaning:     "The offset that a record of version 2 states is not where it begins.",
		Explanation: "HTTrack writes 0 or another number in each record. Nothing reads it.",
		Advice:      tolerate, Example: "offset 0 at byte 251",
	},
	{
		Code: string(arc.LineEnd), Severity: model.Warning, Breaks: true, Clause: "ARC, nl",
		Meaning:     "The line of a record ends in CR LF instead of LF.",
		Explanation: "Writers on Windows did this. The length counts from behind the line either way.",
		Advice:      tolerate, Example: "… text/html 10\\r\\n",
	},
	{
		Code: string(arc.Length), Severity: model.Error, Breaks: true, Clause: "ARC, length",
		Meaning: "The record's length is no number, or not that of its block.",
		Explanation: "The block goes on behind its stated end, or the next record begins within it. Where the " +
			"content ends was told from where the next record begins.",
		Advice: restore, Example: "length 100 before 90 bytes and the next record",
	},
	{
		Code: string(arc.Truncated), Severity: model.Error, Breaks: true, Clause: "ARC, network_doc",
		Meaning: "The file, or a damaged member, ends before the record does.",
		Explanation: "The rest of the content is lost. A crawler that was killed leaves one such record at the end " +
			"of the file it was writing.",
		Advice: restore, Example: "a file without its last kilobytes",
	},
	{
		Code: string(arc.Newline), Severity: model.Warning, Breaks: true, Clause: "ARC, doc",
		Meaning:     "Not exactly one line feed stands between two records.",
		Explanation: "Writers have left it out, or written two, or CR LF. The lengths tell where the records are.",
		Advice:      tolerate, Example: "two line feeds before a record",
	},
	{
		Code: string(arc.Garbage), Severity: model.Error, Breaks: true, Clause: "ARC, arc_file",
		Meaning: "Bytes that belong to no record were passed over.",
		Explanation: "A record's line was destroyed, its length is too small, or something was put into the file. " +
			"The message says how many bytes.",
		Advice: restore, Example: "junk before the first record",
	},
}
