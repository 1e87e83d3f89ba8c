package containermd

import (
	"time"

	"quire/metadata/xmlstream"
)

// Namespace is that of every version of containerMD.
const Namespace = "http://bibnum.bnf.fr/ns/containerMD-v1"

// RecordTypesNamespace holds the one element that sums WARC record types containerMD has no element
// for (conversion, continuation and unknown ones). It stands in an entriesExtension of its own,
// under "other".
const RecordTypesNamespace = "urn:x-quire:record-types:1"

// RecordNamespace holds the one element that says of an entry what containerMD has no place for:
// see [RecordHeader]. It stands in an mdSec with OTHERMDTYPE="WARC record".
const RecordNamespace = "urn:x-quire:record:1"

// Version is a version of containerMD, as METS writes it in MDTYPEVERSION.
type Version string

// The versions differ, for web archives, only in the names below creatingEnvironment.
const (
	Version11 Version = "1.1" // encodingEnvironment, encodingSoftware, …
	Version12 Version = "1.2" // creatingEnvironment, creatingSoftware, …
)

// Options choose what is written. The zero value writes what is valid in 1.1 and 1.2 both.
type Options struct {
	Version Version // required when the container has Environments
}

// ContainerMD describes a container and, summed or one by one, its entries.
type ContainerMD struct {
	Container   Container
	Information *Information // the sums; nil leaves them out
	Entries     []Entry      // one by one; for many, see Begin
}

// Container is the file itself.
type Container struct {
	ID           string
	Created      time.Time // the zero time is absent, here and everywhere
	Modified     time.Time
	Fixity       []Fixity
	OriginalName string
	Formats      []FormatDesignation
	Encodings    []Encoding
	Environments []Environment
	Assessment   *Assessment
	ARC          *ARCContainer
}

// Fixity is a digest of a file, and its size.
type Fixity struct {
	Digest    string
	Algorithm string // as METS names them: SHA-512
	Size      xmlstream.Int
}

// FormatDesignation names a format; a MIME type is advised.
type FormatDesignation struct {
	Names   []string // at least one
	Version string
}

// Encoding is a compression or encryption that was applied.
type Encoding struct {
	Type         string // required: compression, encryption
	Method       string // required, such as "application/gzip"
	Order        xmlstream.Int
	OriginalSize xmlstream.Int // bytes before
}

// Environment is what made the container.
type Environment struct {
	Platforms []string
	Software  []Software
}

// Software is a program.
type Software struct {
	Name    string // required
	Version string
}

// Assessment is what a check concluded.
type Assessment struct {
	AgentName    string // required
	AgentVersion string
	Outcome      string
	Notes        []string
}

// ARCContainer is what the version block of an ARC file says.
type ARCContainer struct {
	FileName            string // as in filedesc://
	IPAddress           string
	Created             time.Time
	Profile             string // "1.1"; leave out for ARC 1.0
	OriginCode          string
	VersionBlockPayload *bool // whether the version block holds metadata
	Metadata            *MDSec
}

// MDSec is metadata of another standard, framed as METS frames it.
type MDSec struct {
	ID            string // required
	MDType        string // required: MIX, LC-VIDEO, LC-AUDIO, TEXTMD, METSRIGHTS, CDLCopyright, XMLSignature, OTHER
	OtherMDType   string
	MDTypeVersion string

	// Payload writes the metadata. It is not set by reading: see ReadOptions.
	Payload func(*xmlstream.Writer) error
}

// Sums are what containerMD says of several entries together. Sizes are in bytes.
type Sums struct {
	Number      int64
	MinimumSize xmlstream.Int
	MaximumSize xmlstream.Int
	First, Last time.Time
	GlobalSize  xmlstream.Int
}

// Information sums all entries. Its sizes are those of the entries as stored.
type Information struct {
	Sums
	Formats   []Format
	Encodings []Encoding
	ARC       *ARCEntries
	WARC      *WARCEntries
}

// Format counts the entries of one format.
type Format struct {
	Name, Version string
	Number        int64
	GlobalSize    xmlstream.Int
}

// ARCEntries sums the records of an ARC file.
type ARCEntries struct {
	DeclaredMIMETypes []Count
	Hosts             []Count
	Responses         []Response
}

// Count says how often a value occurred.
type Count struct {
	Value      string
	Number     xmlstream.Int
	GlobalSize xmlstream.Int
}

// Response counts the answers with one status code.
type Response struct {
	Status          string
	ProtocolName    string // required: "http"
	ProtocolVersion string
	Number          xmlstream.Int
	GlobalSize      xmlstream.Int
}

// WARCEntries sums the records of a WARC file by type. Sizes are Content-Length. warcInfoRecords is
// written always, for the schema wants it even where there is none; a type without records is nil.
type WARCEntries struct {
	WARCInfo Records
	Response *Records
	Resource *Records
	Request  *Records
	Metadata *Records
	Revisit  *Records
	Other    []OtherRecords
}

// Records sums the records of one type. Each type has some of the lists; one it does not have is an
// error when written.
type Records struct {
	Sums
	BlockFormats           []Summed // Content-Type of the record
	PayloadFormats         []Summed // what identification found
	IdentifiedPayloadTypes []Summed // WARC-Identified-Payload-Type

	DeclaredMIMETypes []Count    // response
	Hosts             []Count    // response, resource
	Responses         []Response // response, resource
	UserAgents        []Summed   // request
	ConcurrentTo      []Summed   // metadata
	RefersTo          []Summed   // metadata
	Profiles          []Summed   // revisit
}

// Summed is a value and the sums of the records that have it.
type Summed struct {
	Value string
	Sums
}

// OtherRecords sums the records of a type containerMD does not know.
type OtherRecords struct {
	Type string // the WARC-Type
	Sums
	BlockFormats   []Summed
	PayloadFormats []Summed
}

// Entry is one entry of the container.
type Entry struct {
	ID       string
	Order    int64  // required, from 1
	Type     string // required: file, directory, hardLink, symbolicLink, characterSpecial, blockSpecial, fifo, other
	Name     string
	Begin    xmlstream.Int // bytes from the start of the container
	End      xmlstream.Int
	Created  time.Time
	Modified time.Time

	Fixity      []Fixity
	Formats     []FormatDesignation
	Encodings   []Encoding
	Permissions []Permission
	ARC         *ARCEntry // also the better choice for WARC records: WARCEntry insists on a warcInfoRecord
	Record      *RecordHeader
	Metadata    []MDSec
}

// RecordHeader is what the header of a WARC or ARC record says, and containerMD has no place for.
// What it does not say is empty or absent.
type RecordHeader struct {
	Type           string // required: the WARC-Type
	ID             string // WARC-Record-ID, as written
	ContentType    string // of the block
	IdentifiedType string // WARC-Identified-Payload-Type
	BlockDigest    string // as stated, whether it fits or not
	PayloadDigest  string
	BlockSize      xmlstream.Int // bytes that were there
	PayloadSize    xmlstream.Int
	Truncated      string // WARC-Truncated
	Segment        string // WARC-Segment-Number
	Sound          *bool  // whether a check found no error in the record
}

// Permission is the file mode and owners an entry is stored with.
type Permission struct {
	Mode           string
	Owners, Groups []string
}

// ARCEntry is what the network document of an entry says.
type ARCEntry struct {
	DeclaredMIMEType string
	Host             string
	Response         *Response
}
