package inspect

import (
	"quire/format/warc"
	"quire/model"
	"quire/model/finding"
)

// warcEntries are the rules of ISO 28500:2017 on how a file is made of records (clauses 4, 5.3, 7
// and Annex D).
var warcEntries = []finding.Entry{
	{
		Code: string(warc.FaultEmpty), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The file holds no record.",
		Explanation: "Its name says that it is a WARC file, or a version line in it does, and no record can be found " +
			"in all of it. A crawler that found nothing to write leaves such files behind, and so does a disk that " +
			"was full or lost them.",
		Advice: restore, Example: "crawl-00001.warc.gz of no bytes",
	},
	{
		Code: string(warc.FaultVersion), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The record is of a version that is not known.",
		Explanation: "0.17, 0.18, 1.0 and 1.1 are. Another version may give the fields another meaning; the record " +
			"is read as if it were 1.1.",
		Advice: askCrawler, Example: "WARC/2.0",
	},
	{
		Code: string(warc.FaultHeaderSyntax), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "A line of the record's header is no named field.",
		Explanation: "It has no colon, or a name with characters no name may have. What it was meant to say is lost.",
		Advice:      askCrawler, Example: "WARC-Target-URI http://example.org/",
	},
	{
		Code: string(warc.FaultHeaderLineEnd), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "A line of the record's header ends in LF without CR.",
		Explanation: "Scripts and text editors make such headers. They are read all the same; not every reader does.",
		Advice:      tolerate, Example: "WARC/1.0\\n",
	},
	{
		Code: string(warc.FaultHeaderTruncated), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning:     "The file or the member ends within a record's header.",
		Explanation: "The record's block is lost, and its header in part.",
		Advice:      restore, Example: "a file that ends in WARC-Date: 2008-04",
	},
	{
		Code: string(warc.FaultHeaderSize), Severity: model.Error, Breaks: true,
		Clause:  "none: a bound of Quire, 1 MiB",
		Meaning: "A header is larger than any that is read as one.",
		Explanation: "No software writes such a header. It is an attack on readers, or the empty line that ends it " +
			"was destroyed.",
		Advice: restore, Example: "a header line of two megabytes",
	},
	{
		Code: string(warc.FaultLength), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.3",
		Meaning: "Content-Length is missing, stands there twice, or is no number.",
		Explanation: "Where the block ends is not stated. In a file with a member for each record, the member's end " +
			"is taken.",
		Advice: restore, Example: "Content-Length: 0x10",
	},
	{
		Code: string(warc.FaultTruncated), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 5.3",
		Meaning:     "The block is shorter than Content-Length says.",
		Explanation: "The file was cut, bytes were lost from its middle, or a crawler wrote the wrong length.",
		Advice:      restore, Example: "Content-Length: 100 and 90 bytes",
	},
	{
		Code: string(warc.FaultSeparator), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "The record does not end in exactly two CRLF.",
		Explanation: "The next record, or the end of the file, follows the block with other line breaks, or none: " +
			"writers have counted one too many or too few, or written LF alone. Where something else follows, or a " +
			"record began before the end, another finding tells what could not be read.",
		Advice: tolerate, Example: "one CRLF behind the block",
	},
	{
		Code: string(warc.FaultGarbage), Severity: model.Error, Breaks: true, Clause: "ISO 28500:2017, 4",
		Meaning: "Bytes that belong to no record were passed over.",
		Explanation: "A version line was destroyed, a Content-Length is too small, or something was put into the " +
			"file. The message says how many bytes.",
		Advice: restore, Example: "junk before the first record",
	},
	{
		Code: string(warc.FaultSharedMember), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, Annex D",
		Meaning: "A compressed member holds more than one record.",
		Explanation: "Records of such a file cannot be read alone: replay has to inflate everything before. Files " +
			"that were compressed with gzip after the crawl are like this, and some readers see only their first " +
			"record.",
		Advice: "The content is whole. To use the file for replay, write it again with one member a record, as " +
			"another manifestation.",
		Example: "gzip -9 crawl.warc",
	},
	{
		Code: string(warc.FaultSpansMembers), Severity: model.Warning, Breaks: true, Clause: "ISO 28500:2017, Annex D",
		Meaning:     "A record goes on over several compressed members.",
		Explanation: "The content is whole, but readers that take a member for a record see half of it.",
		Advice:      tolerate, Example: "pigz --independent crawl.warc",
	},
	{
		Code: string(FaultNoWarcinfo), Severity: model.Info, Clause: "ISO 28500:2017, 6.2",
		Meaning: "The file does not begin with a warcinfo record.",
		Explanation: "The standard leaves it open, so that excerpts of files are files too. But what software wrote " +
			"the file, when and for whom is not stated in it. Files that tools cut out of others, and Common Crawl's " +
			"samples, are like this.",
		Advice:  "Say in the documentation of the collection where the file comes from.",
		Example: "a response as first record",
	},
	{
		Code: string(FaultType), Severity: model.Info, Clause: "ISO 28500:2017, 5.5",
		Meaning:     "The type of the record is not one that the standard defines.",
		Explanation: "The standard allows further types, and readers pass over them: replay will not show the record.",
		Advice:      "Find out what the software that wrote it meant by the type, and keep its documentation.",
		Example:     "WARC-Type: screenshot",
	},
	{
		Code: string(FaultFieldsBlock), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, 4 (warc-fields) and 6.2",
		Meaning: "A block of type application/warc-fields has lines that are no fields.",
		Explanation: "Each line of it is a name, a colon and a value, or begins with white space and continues the " +
			"one before. Lines without a colon come from line breaks within a value, and from other formats, such as " +
			"JSON, that were put there.",
		Advice:  "Nothing has to be done: the block is kept as it is. Fields that cannot be read are not listed.",
		Example: "a warcinfo with the line: crawled for the museum",
	},
	{
		Code: string(FaultWarcinfoAmbiguous), Severity: model.Info, Clause: "ISO 28500:2017, 5.16",
		Meaning: "The file has several warcinfo records, and a record does not say which is its own.",
		Explanation: "Without a WARC-Warcinfo-ID a record belongs to the warcinfo before it, but only until the file " +
			"is sorted, split or joined. Told once a file.",
		Advice: tolerate, Example: "two joined files without WARC-Warcinfo-ID",
	},
	{
		Code: string(FaultFilename), Severity: model.Info, Clause: "ISO 28500:2017, 5.17",
		Meaning: "The file has not the name that its warcinfo states.",
		Explanation: "Files are renamed when they are copied, joined or compressed. The warcinfo keeps the name the " +
			"crawler gave, by which its logs know the file.",
		Advice:  "Nothing has to be done; never change the warcinfo. Keep both names.",
		Example: "WARC-Filename: crawl-00001.warc.gz in backup.warc.gz",
	},
}
