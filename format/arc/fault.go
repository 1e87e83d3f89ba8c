package arc

import "quire/format/fault"

// The rules of the ARC format that a file can break.
const (
	// Empty: the file holds no record (arc_file = version_block *doc).
	Empty fault.Code = "ARC-EMPTY"
	// NoVersionBlock: the first record is not a version block (arc_file). Everything can be read
	// without it.
	NoVersionBlock fault.Code = "ARC-NO-VERSION-BLOCK"
	// AnotherVersionBlock: a version block that is not the first record (arc_file). Concatenated
	// files have them.
	AnotherVersionBlock fault.Code = "ARC-ANOTHER-VERSION-BLOCK"
	// Version: the version line is missing, is not version-number SP reserved SP origin-code, or
	// its version is not 1.0, 1.1 or 2.0 (version_block).
	Version fault.Code = "ARC-VERSION"
	// Definition: the URL-record-definition is missing or belongs to another version
	// (version_block). Some crawlers wrote the ten fields of version 2 and then five in each
	// record.
	Definition fault.Code = "ARC-DEFINITION"
	// VersionLength: the version block has another length than it states. Common causes: the length
	// leaves out the version lines, or includes the empty line after the block. The reader ends the
	// block where the next record begins.
	VersionLength fault.Code = "ARC-VERSION-LENGTH"
	// NoMetadata: a version 1.1 block without XML metadata (Heritrix ArcMetadata).
	NoMetadata fault.Code = "ARC-NO-METADATA"
	// UndueMetadata: a version block that is not of version 1.1 has metadata.
	UndueMetadata fault.Code = "ARC-UNDUE-METADATA"
	// MetadataSyntax: the metadata is not well-formed XML. The reader returns the fields before the
	// error.
	MetadataSyntax fault.Code = "ARC-METADATA-SYNTAX"
	// MetadataDoctype: the metadata has a DOCTYPE, which could make a small file expand to any
	// size. The reader stops there.
	MetadataDoctype fault.Code = "ARC-METADATA-DOCTYPE"
	// MetadataSize: the version block exceeds [MaxVersionBlock]. Only its beginning is parsed; the
	// whole block can still be streamed.
	MetadataSize fault.Code = "ARC-METADATA-SIZE"

	// Fields: the record does not have the fields that the version block defines (URL-record).
	Fields fault.Code = "ARC-FIELDS"
	// URL: the URL has spaces, control characters, bytes that are not ASCII, or no scheme (url =
	// network_doc address).
	URL fault.Code = "ARC-URL"
	// IP means that the IP-address is neither IPv4 nor IPv6 (ip_address = dotted quad).
	IP fault.Code = "ARC-IP"
	// Date: the Archive-date is not a time (archive-date = YYYYMMDDhhmmss).
	Date fault.Code = "ARC-DATE"
	// DateForm: the Archive-date is a time, but has 10 to 18 digits instead of 14.
	DateForm fault.Code = "ARC-DATE-FORM"
	// ContentType: the Content-type is empty or holds spaces (content-type = MIME type or
	// "no-type"). Or it belongs to a version block and is not text/plain (version_block).
	ContentType fault.Code = "ARC-CONTENT-TYPE"
	// ResultCode: the Result-code of version 2 is not three digits, or is below 100.
	ResultCode fault.Code = "ARC-RESULT-CODE"
	// Offset: the Offset of version 2 is not the offset of the record.
	Offset fault.Code = "ARC-OFFSET"
	// LineEnd: the URL-record line ends in CR LF (nl = LF).
	LineEnd fault.Code = "ARC-LINE-END"

	// Length: the Archive-length is not a number, is negative, or is not the length of the block.
	// In the last case the block continues, or the next record begins within it.
	Length fault.Code = "ARC-LENGTH"
	// Truncated: the file, or a damaged member, ends before the block does.
	Truncated fault.Code = "ARC-TRUNCATED"
	// Newline: two records are not separated by exactly one LF (doc = nl URL-record nl
	// network_doc).
	Newline fault.Code = "ARC-NEWLINE"
	// Garbage: the reader skipped bytes that belong to no record; the detail gives their number.
	Garbage fault.Code = "ARC-GARBAGE"
	// Inferred: the reader found the record by searching for one, after damage or a wrong length.
	Inferred fault.Code = "ARC-INFERRED"
	// SharedMember: a gzip member holds more than one record, so that its records cannot be read
	// alone. The Internet Archive's practice is one member per record. Reported once per member.
	SharedMember fault.Code = "ARC-MEMBER-SHARED"
	// SpansMembers: a record continues in another gzip member than it begins in (the same
	// practice).
	SpansMembers fault.Code = "ARC-MEMBER-SPANNED"
)
