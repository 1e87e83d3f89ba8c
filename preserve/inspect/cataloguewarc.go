package inspect

import (
	"quire/format/warc"
	"quire/model"
	"quire/model/finding"
)

// warcEntries are the rules of ISO 28500:2017 for the records of a file (clauses 4, 5.3, 7 and
// Annex D).
var warcEntries = []finding.Entry{
	{
		Code: string(warc.FaultEmpty), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The file holds no record.",
		Explanation: "Its name, or a version line in it, identifies it as a WARC file, but it has no " +
			"record. Crawlers without any content to write leave such files behind, and so does a disk " +
			"that was full or lost the data.",
		Advice: restore, Example: "crawl-00001.warc.gz of no bytes",
	},
	{
		Code: string(warc.FaultVersion), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The record has an unknown version.",
		Explanation: "Known versions are 0.17, 0.18, 1.0 and 1.1. Another version may define the fields " +
			"differently; the record is read as 1.1.",
		Advice: askCrawler, Example: "WARC/2.0",
	},
	{
		Code: string(warc.FaultHeaderSyntax), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "A line of the record's header is not a named field.",
		Explanation: "It has no colon, or a name with characters that names cannot have. Its meaning is lost.",
		Advice:      askCrawler, Example: "WARC-Target-URI http://example.org/",
	},
	{
		Code: string(warc.FaultHeaderLineEnd), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "A line of the record's header ends in LF without CR.",
		Explanation: "Scripts and text editors make such headers. They are read anyway, but not by every " +
			"reader.",
		Advice: tolerate, Example: "WARC/1.0\\n",
	},
	{
		Code: string(warc.FaultHeaderTruncated), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "The file or the member ends within a record's header.",
		Explanation: "The record's block and part of its header are lost.",
		Advice:      restore, Example: "a file that ends in WARC-Date: 2008-04",
	},
	{
		Code: string(warc.FaultHeaderSize), Severity: model.Error, Breaks: true,
		Clause:  "none: a bound of Quire, 1 MiB",
		Meaning: "A header is longer than the limit of 1 MiB.",
		Explanation: "No software writes such a header. It is an attack on readers, or the empty line that ends it " +
			"was destroyed.",
		Advice: restore, Example: "a header line of two megabytes",
	},
	{
		Code: string(warc.FaultLength), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.3",
		Meaning: "Content-Length is missing, repeated, or not a number.",
		Explanation: "The end of the block is not known. In a file with one record per member, the end " +
			"of the member is used.",
		Advice: restore, Example: "Content-Length: 0x10",
	},
	{
		Code: string(warc.FaultTruncated), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.3",
		Meaning:     "The block is shorter than its Content-Length.",
		Explanation: "The file was cut, bytes were lost from its middle, or a crawler wrote the wrong length.",
		Advice:      restore, Example: "Content-Length: 100 and 90 bytes",
	},
	{
		Code: string(warc.FaultSeparator), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The record does not end in exactly two CRLF.",
		Explanation: "The next record, or the end of the file, follows the block with other line breaks, " +
			"or none. Some writers counted one too many or too few, or wrote LF alone. If other data " +
			"follows, or a record began before the end, another finding reports the unreadable bytes.",
		Advice: tolerate, Example: "one CRLF after the block",
	},
	{
		Code: string(warc.FaultGarbage), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "Bytes that belong to no record were skipped.",
		Explanation: "A version line was destroyed, a Content-Length is too small, or data was inserted " +
			"into the file. The message states how many bytes.",
		Advice: restore, Example: "junk before the first record",
	},
	{
		Code: string(warc.FaultInferred), Severity: model.Info, Clause: "none",
		Meaning: "The record was found by searching for one, after damage.",
		Explanation: "The record before it ends early, or bytes before it belong to no record. So no length " +
			"leads to this record. It can also be content of the damaged part, such as a WARC file for " +
			"download.",
		Advice: foundBySearch, Example: "the record after a wrong Content-Length",
	},
	{
		Code: string(warc.FaultSharedMember), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, Annex D",
		Meaning: "A compressed member holds more than one record.",
		Explanation: "Records of such a file cannot be read individually: replay has to inflate " +
			"everything before them. Files that were compressed with gzip after the crawl are like this, " +
			"and some readers see only their first record.",
		Advice: "The content is complete. To use the file for replay, rewrite it with one record per " +
			"member, as another manifestation.",
		Example: "gzip -9 crawl.warc",
	},
	{
		Code: string(warc.FaultSpansMembers), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, Annex D",
		Meaning: "A record spans several compressed members.",
		Explanation: "The content is complete, but some readers expect one record per member and read " +
			"only part of it.",
		Advice: tolerate, Example: "pigz --independent crawl.warc",
	},
	{
		Code: string(FaultNoWarcinfo), Severity: model.Info, Clause: "ISO 28500:2017, 6.2",
		Meaning: "The file does not begin with a warcinfo record.",
		Explanation: "The standard does not require it, so excerpts of files are valid, too. But the " +
			"file does not state its software, date and purpose. Files that tools cut out of others, and " +
			"Common Crawl's samples, are like this.",
		Advice:  "Note the origin of the file in the documentation of the collection.",
		Example: "a response as first record",
	},
	{
		Code: string(FaultType), Severity: model.Info, Clause: "ISO 28500:2017, 5.5",
		Meaning: "The type of the record is not one that the standard defines.",
		Explanation: "The standard allows other types, and readers ignore them: replay does not show the " +
			"record.",
		Advice: "Find the definition of the type in the documentation of the software that wrote " +
			"it, and keep that documentation.",
		Example: "WARC-Type: screenshot",
	},
	{
		Code: string(FaultFieldsBlock), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 4 (warc-fields) and 6.2",
		Meaning: "A block of type application/warc-fields has lines that are not fields.",
		Explanation: "Each line must be a name, a colon and a value, or begin with white space and " +
			"continue the line before. Lines without a colon come from line breaks within a value, or " +
			"from other formats such as JSON.",
		Advice:  "No action is needed: the block is kept as it is. Unreadable fields are not listed.",
		Example: "a warcinfo with the line: crawled for the museum",
	},
	{
		Code: string(FaultWarcinfoAmbiguous), Severity: model.Info, Clause: "ISO 28500:2017, 5.16",
		Meaning: "The file has several warcinfo records, and a record does not name its own.",
		Explanation: "Without a WARC-Warcinfo-ID a record belongs to the warcinfo before it, but only " +
			"until the file is sorted, split or joined. This is reported once per file.",
		Advice: tolerate, Example: "two joined files without WARC-Warcinfo-ID",
	},
	{
		Code: string(FaultFilename), Severity: model.Info, Clause: "ISO 28500:2017, 5.17",
		Meaning: "The file name differs from the one in its warcinfo.",
		Explanation: "Files are renamed when they are copied, joined or compressed. The warcinfo keeps " +
			"the crawler's name for the file, which its logs use.",
		Advice:  "No action is needed; never change the warcinfo. Keep both names.",
		Example: "WARC-Filename: crawl-00001.warc.gz in backup.warc.gz",
	},
}
