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
	// files look like this.
	AnotherVersionBlock fault.Code = "ARC-ANOTHER-VERSION-BLOCK"
	// Version: the version line is missing or is not version-number SP reserved SP origin-code, or
	// its version is none of 1.0, 1.1 and 2.0 (version_block).
	Version fault.Code = "ARC-VERSION"
	// Definition: the URL-record-definition is missing, or is not the one of the version
	// (version_block). Some crawlers wrote the ten fields of version 2 and then five in each
	// record.
	Definition fault.Code = "ARC-DEFINITION"
	// VersionLength: the length of the version block is not what follows it. Usual are: the version
	// lines left out, or the empty line behind the block counted in. The block is cut where the
	// next record begins.
	VersionLength fault.Code = "ARC-VERSION-LENGTH"
	// NoMetadata: a version 1.1 block without XML metadata (Heritrix ArcMetadata).
	NoMetadata fault.Code = "ARC-NO-METADATA"
	// UndueMetadata: metadata in a version block that is not of version 1.1.
	UndueMetadata fault.Code = "ARC-UNDUE-METADATA"
	// MetadataSyntax: the metadata is not well-formed XML. The fields before the break are given.
	MetadataSyntax fault.Code = "ARC-METADATA-SYNTAX"
	// MetadataDoctype: the metadata has a DOCTYPE, which could make a small file expand to any
	// size. It is not read.
	MetadataDoctype fault.Code = "ARC-METADATA-DOCTYPE"
	// MetadataSize: the version block is larger than is read into memory. Its block can be streamed
	// like any other.
	MetadataSize fault.Code = "ARC-METADATA-SIZE"

	// Fields: the record has not the fields that the version block defines (URL-record).
	Fields fault.Code = "ARC-FIELDS"
	// URL: the URL has spaces, control characters, bytes that are not ASCII, or no scheme (url =
	// network_doc address).
	URL fault.Code = "ARC-URL"
	// IP: the IP-address is neither IPv4 nor IPv6 (ip_address = dotted quad).
	IP fault.Code = "ARC-IP"
	// Date: the Archive-date names no time (archive-date = YYYYMMDDhhmmss).
	Date fault.Code = "ARC-DATE"
	// DateForm: the Archive-date names a time in 10 to 18 digits that are not 14.
	DateForm fault.Code = "ARC-DATE-FORM"
	// ContentType: the Content-type is empty or holds spaces (content-type = MIME type or
	// "no-type"), or that of a version block is not text/plain (version_block).
	ContentType fault.Code = "ARC-CONTENT-TYPE"
	// ResultCode: the Result-code of version 2 is not three digits from 100 on.
	ResultCode fault.Code = "ARC-RESULT-CODE"
	// Offset: the Offset of version 2 is not where the record begins.
	Offset fault.Code = "ARC-OFFSET"
	// LineEnd: the URL-record line ends in CR LF (nl = LF).
	LineEnd fault.Code = "ARC-LINE-END"

	// Length: the Archive-length is no number, is negative, or is not the length of the block: the
	// block goes on, or the next record begins within it.
	Length fault.Code = "ARC-LENGTH"
	// Truncated: the file, or a damaged member, ends before the block does.
	Truncated fault.Code = "ARC-TRUNCATED"
	// Newline: not exactly one LF between two records (doc = nl URL-record nl network_doc).
	Newline fault.Code = "ARC-NEWLINE"
	// Garbage: bytes that belong to no record were skipped; the detail says how many.
	Garbage fault.Code = "ARC-GARBAGE"
	// SharedMember: a gzip member holds more than one record, so that records cannot be read alone
	// (practice of the Internet Archive: one member a record). Told once a member.
	SharedMember fault.Code = "ARC-MEMBER-SHARED"
	// SpansMembers: a record goes on in another gzip member than it begins in (the same practice).
	SpansMembers fault.Code = "ARC-MEMBER-SPANNED"
)
