package inspect

import (
	"quire/format/arc"
	"quire/model"
	"quire/model/finding"
)

// arcEntries are the rules of the ARC format for the file and its version block. "ARC" is the
// Internet Archive's description of 1996, with the name of the rule in its grammar.
var arcEntries = []finding.Entry{
	{
		Code: string(arc.Empty), Severity: model.Error, Breaks: true, Clause: "ARC, arc_file",
		Meaning:     "The file holds no record.",
		Explanation: "Crawlers without any content to write leave such files behind, and so does a full disk.",
		Advice:      restore, Example: "filedesc:// and nothing that can be read",
	},
	{
		Code: string(FaultDateFutureARC), Severity: model.Warning, Clause: "ARC, URL_record",
		Meaning: "A record is dated in the future.",
		Explanation: "The clock of the crawler was wrong, or the date was written wrongly. The date counts as it is " +
			"stated, so the period of the container ends in the future, too.",
		Advice: askCrawler, Example: "http://example.org/ 192.0.2.1 26050102030405 text/html 5",
	},
	{
		Code: string(arc.NoVersionBlock), Severity: model.Error, Breaks: true, Clause: "ARC, arc_file",
		Meaning: "The file does not begin with a version block.",
		Explanation: "The beginning of the file was lost, or the file was cut out of another. The " +
			"version block defines the fields of the records; the records can be read without it.",
		Advice: restore, Example: "a file that begins with http://example.org/ 192.0.2.1 …",
	},
	{
		Code: string(arc.AnotherVersionBlock), Severity: model.Warning, Breaks: true, Clause: "ARC, arc_file",
		Meaning:     "A version block follows the first record.",
		Explanation: "Files that were joined with cat look like this. All records can be read.",
		Advice:      tolerate, Example: "filedesc://second.arc … in the middle of a file",
	},
	{
		Code: string(arc.Version), Severity: model.Error, Breaks: true, Clause: "ARC, version_block",
		Meaning: "The version line is missing or names a version that does not exist.",
		Explanation: "Versions are 1.0, 1.1 and 2.0, written as two numbers and the code of the file's " +
			"author. Without it, the meaning of the records' fields is a guess.",
		Advice: restore, Example: "3 0 InternetArchive",
	},
	{
		Code: string(arc.Definition), Severity: model.Warning, Breaks: true, Clause: "ARC, version_block",
		Meaning: "The definition of the records' fields is missing, or differs from that of the version.",
		Explanation: "Some crawlers announced the ten fields of version 2 and wrote the five of version " +
			"1. The fields are recognized by their form.",
		Advice: tolerate, Example: "URL IP-address Archive-date",
	},
	{
		Code: string(arc.VersionLength), Severity: model.Warning, Breaks: true, Clause: "ARC, version_block",
		Meaning: "The stated length of the version block is wrong.",
		Explanation: "Some writers omitted the version lines from the length, or included the empty line " +
			"after the block. The block is cut where the next record begins.",
		Advice: tolerate, Example: "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 0",
	},
	{
		Code: string(arc.NoMetadata), Severity: model.Warning, Breaks: true, Clause: "Heritrix, ARC 1.1",
		Meaning: "A version block of 1.1 has no XML metadata.",
		Explanation: "Version 1.1 differs from 1.0 only by its metadata: the crawl's operator, software " +
			"and purpose. Here they are missing.",
		Advice: askCrawler, Example: "1 1 InternetArchive without <arcmetadata>",
	},
	{
		Code: string(arc.UndueMetadata), Severity: model.Warning, Breaks: true, Clause: "ARC, version_block",
		Meaning:     "A version block of a version other than 1.1 has metadata.",
		Explanation: "The metadata is read anyway.",
		Advice:      tolerate, Example: "1 0 InternetArchive with <arcmetadata>",
	},
	{
		Code: string(arc.MetadataSyntax), Severity: model.Warning, Breaks: true,
		Clause:  "Heritrix, ARC 1.1; XML 1.0, 2.1",
		Meaning: "The metadata of the version block is not well-formed XML.",
		Explanation: "The fields before the error are read. Heritrix wrote the operator's text without " +
			"escaping it.",
		Advice: askCrawler, Example: "<arcmetadata><description>Tom & Jerry</description>",
	},
	{
		Code: string(arc.MetadataDoctype), Severity: model.Error, Breaks: true, Clause: "Heritrix, ARC 1.1",
		Meaning: "The metadata of the version block has a DOCTYPE.",
		Explanation: "A DOCTYPE can define entities that make a small file expand to any size, or fetch other files. " +
			"No crawler writes one; the metadata is not read.",
		Advice:  "Find out the origin of the file. Do not open it with other XML software.",
		Example: "<!DOCTYPE lolz [<!ENTITY a \"…\">]>",
	},
	{
		Code: string(arc.MetadataSize), Severity: model.Error, Breaks: true, Clause: "Heritrix, ARC 1.1",
		Meaning:     "The version block exceeds the size that is read into memory.",
		Explanation: "Its metadata is not read. Its length is probably damaged or hostile.",
		Advice:      restore, Example: "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 99999999",
	},
	{
		Code: string(arc.SharedMember), Severity: model.Warning, Breaks: true, Clause: "Internet Archive, ARC practice",
		Meaning: "A compressed member holds more than one record.",
		Explanation: "Records of such a file cannot be read individually: replay has to inflate " +
			"everything before them. Files that were compressed with gzip after the crawl are like this.",
		Advice: "The content is complete. To use the file for replay, rewrite it with one record per " +
			"member, as another manifestation.",
		Example: "gzip -9 crawl.arc",
	},
	{
		Code: string(arc.SpansMembers), Severity: model.Warning, Breaks: true, Clause: "Internet Archive, ARC practice",
		Meaning: "A record spans several compressed members.",
		Explanation: "The content is complete, but some readers expect one record per member and read " +
			"only part of it.",
		Advice: tolerate, Example: "pigz --independent crawl.arc",
	},
}

// arcRecordEntries are the rules for records.
var arcRecordEntries = []finding.Entry{
	{
		Code: string(arc.Fields), Severity: model.Warning, Breaks: true, Clause: "ARC, URL-record",
		Meaning: "A record does not have the fields that the version block defines.",
		Explanation: "Alexa announced the ten fields of version 2 and wrote the five of version 1. " +
			"Address, date and length are recognized by their form, from both ends of the line.",
		Advice:  tolerate,
		Example: "http://example.org/ 192.0.2.1 20080430204825 text/html 10 after a version block of 2.0",
	},
	{
		Code: string(arc.URL), Severity: model.Warning, Breaks: true, Clause: "ARC, url",
		Meaning: "The record's URL has characters that URLs cannot have, or no scheme.",
		Explanation: "Crawlers wrote addresses as they were in the page: with spaces, control characters " +
			"or non-Latin letters in an unknown encoding.",
		Advice: tolerate, Example: "http://example.org/größe",
	},
	{
		Code: string(arc.IP), Severity: model.Warning, Breaks: true, Clause: "ARC, ip_address",
		Meaning: "The record's IP address is invalid.",
		Explanation: "It identifies the machine that answered, and is evidence of the content's origin. " +
			"Nothing else depends on it.",
		Advice: askCrawler, Example: "http://example.org/ unknown 20080430204825 text/html 10",
	},
	{
		Code: string(arc.Date), Severity: model.Error, Breaks: true, Clause: "ARC, archive-date",
		Meaning: "The record's date is not a valid time.",
		Explanation: "The capture time is unknown: the date has characters other than digits, too few " +
			"digits, or a month or hour that does not exist.",
		Advice: askCrawler, Example: "20081304204825",
	},
	{
		Code: string(arc.DateForm), Severity: model.Warning, Breaks: true, Clause: "ARC, archive-date",
		Meaning: "The record's date is valid, but does not have 14 digits.",
		Explanation: "Alexa wrote dates to the minute (12 digits), and others fractions of a second (up " +
			"to 18). All given digits are used.",
		Advice: tolerate, Example: "200804302048",
	},
	{
		Code: string(arc.ContentType), Severity: model.Warning, Breaks: true, Clause: "ARC, content-type",
		Meaning:     "The record's media type is empty or has spaces, or that of the version block is not text/plain.",
		Explanation: "The server declared this type. Heritrix writes no-type if no type was declared.",
		Advice:      tolerate, Example: "text/html; charset=utf-8",
	},
	{
		Code: string(arc.ResultCode), Severity: model.Warning, Breaks: true, Clause: "ARC 2.0, result-code",
		Meaning:     "The result code of a record of version 2 is not a number from 100 to 999.",
		Explanation: "The block also has the status, as the server sent it.",
		Advice:      tolerate, Example: "99",
	},
	{
		Code: string(arc.Offset), Severity: model.Info, Breaks: true, Clause: "ARC 2.0, offset",
		Meaning:     "The offset stated in a record of version 2 is not that of the record.",
		Explanation: "HTTrack writes 0 or another number in each record. Readers do not use it.",
		Advice:      tolerate, Example: "offset 0 at byte 251",
	},
	{
		Code: string(arc.LineEnd), Severity: model.Warning, Breaks: true, Clause: "ARC, nl",
		Meaning:     "The line of a record ends in CR LF instead of LF.",
		Explanation: "Writers on Windows did this. The length does not include the line in either case.",
		Advice:      tolerate, Example: "… text/html 10\\r\\n",
	},
	{
		Code: string(arc.Length), Severity: model.Error, Breaks: true, Clause: "ARC, length",
		Meaning: "The record's length is not a number, or not that of its block.",
		Explanation: "The block continues after its stated end, or the next record begins within it. The " +
			"end of the content was determined from the start of the next record.",
		Advice: restore, Example: "length 100 before 90 bytes and the next record",
	},
	{
		Code: string(arc.Truncated), Severity: model.Error, Breaks: true, Clause: "ARC, network_doc",
		Meaning: "The file, or a damaged member, ends before the record does.",
		Explanation: "The rest of the content is lost. A killed crawler leaves one such record at the " +
			"end of its current file.",
		Advice: restore, Example: "a file without its last kilobytes",
	},
	{
		Code: string(arc.Newline), Severity: model.Warning, Breaks: true, Clause: "ARC, doc",
		Meaning: "Two records are not separated by exactly one line feed.",
		Explanation: "Some writers omitted it, or wrote two, or CR LF. The lengths determine the " +
			"positions of the records.",
		Advice: tolerate, Example: "two line feeds before a record",
	},
	{
		Code: string(arc.Garbage), Severity: model.Error, Breaks: true, Clause: "ARC, arc_file",
		Meaning: "Bytes that belong to no record were skipped.",
		Explanation: "A record's line was destroyed, its length is too small, or data was inserted into " +
			"the file. The message states how many bytes.",
		Advice: restore, Example: "junk before the first record",
	},
	{
		Code: string(arc.Inferred), Severity: model.Info, Clause: "none",
		Meaning: "The record was found by searching for one, after damage.",
		Explanation: "The length of the record before it is wrong, or bytes before it belong to no record. So no " +
			"length leads to this record. It can also be a line in the content of the damaged part.",
		Advice: foundBySearch, Example: "the record after a wrong length",
	},
}
