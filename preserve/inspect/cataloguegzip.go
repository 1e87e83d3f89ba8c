package inspect

import (
	"quire/format/gzipmember"
	"quire/format/zstdframe"
	"quire/model"
	"quire/model/finding"
)

// gzipEntries are the rules of RFC 1952, and of Annex D of ISO 28500 for its use in WARC files.
var gzipEntries = []finding.Entry{
	{
		Code: string(gzipmember.FaultMethod), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.3.1 (CM)",
		Meaning: "The member is compressed with a method other than deflate.",
		Explanation: "gzip defines only method 8 (deflate). The usual cause is one damaged byte: if the data is " +
			"deflate and matches both sums of the member, the content is read. Otherwise it cannot be read.",
		Advice: restore, Example: "1f 8b 07 …",
	},
	{
		Code: string(gzipmember.FaultFlags), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.3.1.2",
		Meaning: "A reserved bit of the member's flags is set.",
		Explanation: "A reader must stop there: the bit may announce an unknown field. No software sets " +
			"one; it is damage.",
		Advice: restore, Example: "1f 8b 08 e0 …",
	},
	{
		Code: string(gzipmember.FaultExtraFlags), Severity: model.Warning, Breaks: true,
		Clause:  "RFC 1952, 2.3.1 (XFL)",
		Meaning: "The member's XFL byte has a value that deflate does not define.",
		Explanation: "Only 0, 2 (slowest) and 4 (fastest) are defined. The byte states the effort of the " +
			"compressor; nothing depends on it.",
		Advice: tolerate, Example: "XFL 7",
	},
	{
		Code: string(gzipmember.FaultOS), Severity: model.Warning, Breaks: true, Clause: "RFC 1952, 2.3.1 (OS)",
		Meaning:     "The member's OS byte has an undefined value.",
		Explanation: "The byte names the file system of the writer: 0 to 13, or 255. Nothing depends on it.",
		Advice:      tolerate, Example: "OS 99",
	},
	{
		Code: string(gzipmember.FaultExtraField), Severity: model.Warning, Breaks: true, Clause: "RFC 1952, 2.3.1.1",
		Meaning: "The member's extra field does not consist of subfields.",
		Explanation: "The extra field consists of subfields with a length each, and these do not add up. " +
			"Those in the ARC files of Alexa and Heritrix are correct.",
		Advice: tolerate, Example: "FEXTRA of 3 bytes",
	},
	{
		Code: string(gzipmember.FaultName), Severity: model.Warning, Breaks: true, Clause: "RFC 1952, 2.3.1 (FNAME)",
		Meaning: "The file name in the member's header has characters other than the printable ones of " +
			"ISO 8859-1.",
		Explanation: "It is the name of the file when it was compressed, usually in UTF-8, which is " +
			"younger than the standard. Nothing depends on it, but it must be escaped before it is " +
			"displayed.",
		Advice: tolerate, Example: "FNAME c4 8d 65 73 6b 79",
	},
	{
		Code: string(gzipmember.FaultComment), Severity: model.Warning, Breaks: true,
		Clause: "RFC 1952, 2.3.1 (FCOMMENT)",
		Meaning: "The comment in the member's header has characters other than the printable ones of ISO 8859-1 " +
			"and line feeds.",
		Explanation: "The comment is only for people to read. Nothing depends on it, but it must be " +
			"escaped before it is displayed.",
		Advice: tolerate, Example: "FCOMMENT with a tab",
	},
	{
		Code: string(gzipmember.FaultHeaderCRC), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.3.1 (CRC16)",
		Meaning: "The checksum of the member's header is wrong.",
		Explanation: "The header changed after it was written. The content has a separate checksum and " +
			"may be correct.",
		Advice: restore, Example: "FHCRC set, CRC16 of other bytes",
	},
	{
		Code: string(gzipmember.FaultHeader), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.3",
		Meaning: "The member's header is damaged.",
		Explanation: "If the content after it matches both sums of the member, the content is read. Otherwise the " +
			"start of the compressed data is unknown, and the member is lost.",
		Advice: restore, Example: "a member whose first bytes were overwritten",
	},
	{
		Code: string(gzipmember.FaultDeflate), Severity: model.Error, Breaks: true, Clause: "RFC 1951",
		Meaning: "The compressed data of the member cannot be inflated.",
		Explanation: "Bytes were damaged. The data before the damage is read; the rest of the member is " +
			"lost. Reading continues at the next member.",
		Advice: restore, Example: "a byte changed on the disk",
	},
	{
		Code: string(gzipmember.FaultTruncated), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.2",
		Meaning:     "The file ends within a member.",
		Explanation: "The crawler was stopped while writing, the disk was full, or a copy was interrupted.",
		Advice:      restore, Example: "the last 20 bytes are missing",
	},
	{
		Code: string(gzipmember.FaultCRC32), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.3.1 (CRC32)",
		Meaning: "The checksum of the inflated data differs from the one in the member.",
		Explanation: "The content changed after it was compressed, or the checksum did. A block digest, " +
			"if the record has one, shows which.",
		Advice: restore, Example: "a bit flipped in stored data",
	},
	{
		Code: string(gzipmember.FaultSize), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.3.1 (ISIZE)",
		Meaning: "The size of the inflated data differs from the one in the member.",
		Explanation: "ISIZE is the inflated size modulo 2^32. If the CRC32 is correct, only the four " +
			"bytes of the size are damaged.",
		Advice: restore, Example: "ISIZE 0 on a member that holds a record",
	},
	{
		Code: string(gzipmember.FaultGarbage), Severity: model.Error, Breaks: true, Clause: "RFC 1952, 2.2",
		Meaning: "Bytes between or after the members belong to no member.",
		Explanation: "Data that is not gzip was inserted into the file, or the header of a member was " +
			"destroyed. The message states how many bytes were skipped.",
		Advice: restore, Example: "an error message of a script after the last member",
	},
	{
		Code: string(gzipmember.FaultPadding), Severity: model.Warning, Breaks: true, Clause: "RFC 1952, 2.2",
		Meaning:     "Zero bytes follow the last member.",
		Explanation: "Tapes and some file systems pad the last block. gzip itself ignores them silently.",
		Advice:      tolerate, Example: "512 zero bytes at the end",
	},
	{
		Code: string(gzipmember.FaultEmptyMember), Severity: model.Warning, Breaks: true,
		Clause:  "ISO 28500:2017, Annex D",
		Meaning: "A member is empty.",
		Explanation: "Joined files and some writers contain empty members. Several readers stop there " +
			"without an error: their results for this file may be wrong.",
		Advice: tolerate, Example: "20 bytes that inflate to nothing",
	},
}

// zstdEntries are the rules of RFC 8878 and of the WARC-Zstandard specification.
var zstdEntries = []finding.Entry{
	{
		Code: string(zstdframe.FaultFrame), Severity: model.Error, Breaks: true, Clause: "RFC 8878, 3.1",
		Meaning: "A Zstandard frame cannot be decoded.",
		Explanation: "Bytes were damaged, or the frame's checksum is wrong. Reading continues at the " +
			"next frame.",
		Advice: restore, Example: "a byte changed on the disk",
	},
	{
		Code: string(zstdframe.FaultTruncated), Severity: model.Error, Breaks: true, Clause: "RFC 8878, 3.1.1",
		Meaning:     "The file ends within a frame.",
		Explanation: "The crawler was stopped while writing, the disk was full, or a copy was interrupted.",
		Advice:      restore, Example: "the last 20 bytes are missing",
	},
	{
		Code: string(zstdframe.FaultGarbage), Severity: model.Error, Breaks: true, Clause: "RFC 8878, 3",
		Meaning: "Bytes between or after the frames belong to no frame.",
		Explanation: "Data that is not Zstandard was inserted into the file, or the header of a frame " +
			"was destroyed.",
		Advice: restore, Example: "text after the last frame",
	},
	{
		Code: string(zstdframe.FaultDictionary), Severity: model.Error, Breaks: true, Clause: "WARC-Zstandard, 3",
		Meaning:     "The dictionary at the beginning of the file cannot be used.",
		Explanation: "Frames that need the dictionary cannot be decoded without it: their records are lost.",
		Advice:      restore, Example: "a dictionary frame that holds no dictionary",
	},
	{
		Code: string(zstdframe.FaultEmptyFrame), Severity: model.Warning, Breaks: true, Clause: "WARC-Zstandard, 2",
		Meaning:     "A frame is empty.",
		Explanation: "Each record should be one frame; an empty frame is not a record. Nothing is lost.",
		Advice:      tolerate, Example: "a frame that decodes to nothing",
	},
}
