package containermd

import (
	"time"

	"quire/metadata/xmlstream"
)

// Namespace is the namespace of every version of containerMD.
const Namespace = "http://bibnum.bnf.fr/ns/containerMD-v1"

// RecordTypesNamespace is the namespace of one element. The element has the sums of the WARC record
// types that have no element in containerMD (conversion, continuation and unknown types). It is in
// an entriesExtension of its own, under "other".
const RecordTypesNamespace = "urn:x-quire:record-types:1"

// RecordNamespace has one element, for the data of an entry that containerMD has no element for:
// see [RecordHeader]. It is in an mdSec with OTHERMDTYPE="WARC record".
const RecordNamespace = "urn:x-quire:record:1"

// Version is a version of containerMD, as in METS's MDTYPEVERSION.
type Version string

// For web archives, the versions differ only in the names below creatingEnvironment.
const (
	Version11 Version = "1.1" // encodingEnvironment, encodingSoftware, …
	Version12 Version = "1.2" // creatingEnvironment, creatingSoftware, …
)

// Options are the options of writing. The output for the zero value is valid in both 1.1 and 1.2.
type Options struct {
	Version Version // required if the container has Environments
}

// ContainerMD describes a container and its entries, summed or one by one.
type ContainerMD struct {
	Container   Container
	Information *Information // the sums; nil omits them
	Entries     []Entry      // one by one; for many, see Begin
}

// Container is the file as a whole.
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

// FormatDesignation names a format; a MIME type is recommended.
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

// Environment is the software that made the container.
type Environment struct {
	Platforms []string
	Software  []Software
}

// Software is a program.
type Software struct {
	Name    string // required
	Version string
}

// Assessment is the result of a check.
type Assessment struct {
	AgentName    string // required
	AgentVersion string
	Outcome      string
	Notes        []string
}

// ARCContainer is the content of an ARC file's version block.
type ARCContainer struct {
	FileName            string // as in filedesc://
	IPAddress           string
	Created             time.Time
	Profile             string // "1.1"; empty for ARC 1.0
	OriginCode          string
	VersionBlockPayload *bool // whether the version block holds metadata
	Metadata            *MDSec
}

// MDSec is metadata of another standard, framed as in METS.
type MDSec struct {
	ID            string // required
	MDType        string // required: MIX, LC-VIDEO, LC-AUDIO, TEXTMD, METSRIGHTS, CDLCopyright, XMLSignature, OTHER
	OtherMDType   string
	MDTypeVersion string

	// Payload writes the metadata. Reading does not set it: see ReadOptions.
	Payload func(*xmlstream.Writer) error
}

// Sums are containerMD's sums over several entries. Sizes are in bytes.
type Sums struct {
	Number      int64
	MinimumSize xmlstream.Int
	MaximumSize xmlstream.Int
	First, Last time.Time
	GlobalSize  xmlstream.Int
}

// Information sums all entries. Its sizes are of the entries as stored.
type Information struct {
	Sums
	Formats   []Format
	Encodings []Encoding
	ARC       *ARCEntries
	WARC      *WARCEntries
	Captures  *Captures
}

// Format has the number and sizes of the entries of one format.
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

// Count is how often a value occurs.
type Count struct {
	Value      string
	Number     xmlstream.Int
	GlobalSize xmlstream.Int
}

// Response has the number and sizes of the responses with one status code.
type Response struct {
	Status          string
	ProtocolName    string // required: "http"
	ProtocolVersion string
	Number          xmlstream.Int
	GlobalSize      xmlstream.Int
}

// WARCEntries sums the records of a WARC file by type. Sizes are Content-Length. warcInfoRecords is
// always written, because the schema requires it even if it is empty; a type without records is
// nil.
type WARCEntries struct {
	WARCInfo Records
	Response *Records
	Resource *Records
	Request  *Records
	Metadata *Records
	Revisit  *Records
	Other    []OtherRecords
}

// Records sums the records of one type. Each type allows some of the lists; writing any other list
// is an error.
type Records struct {
	Sums
	BlockFormats           []Summed // Content-Type of the record
	PayloadFormats         []Summed // from identification
	IdentifiedPayloadTypes []Summed // WARC-Identified-Payload-Type

	DeclaredMIMETypes []Count    // response
	Hosts             []Count    // response, resource
	Responses         []Response // response, resource
	UserAgents        []Summed   // request
	ConcurrentTo      []Summed   // metadata
	RefersTo          []Summed   // metadata
	Profiles          []Summed   // revisit
}

// Summed is a value and the sums of its records.
type Summed struct {
	Value string
	Sums
}

// OtherRecords sums the records of a type that containerMD does not know.
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
	ARC         *ARCEntry // also better for WARC records: WARCEntry requires a warcInfoRecord
	Record      *RecordHeader
	Metadata    []MDSec
}

// RecordHeader is the header data of a WARC or ARC record that containerMD has no element for.
// Missing values are empty or absent.
type RecordHeader struct {
	Type           string // required: the WARC-Type
	ID             string // WARC-Record-ID, as written
	ContentType    string // of the block
	IdentifiedType string // WARC-Identified-Payload-Type
	BlockDigest    string // as stated, even if wrong
	PayloadDigest  string
	BlockSize      xmlstream.Int // bytes found
	PayloadSize    xmlstream.Int
	Truncated      string // WARC-Truncated
	Segment        string // WARC-Segment-Number
	Sound          *bool  // whether a check found the record free of errors
}

// Permission is the stored file mode and owners of an entry.
type Permission struct {
	Mode           string
	Owners, Groups []string
}

// ARCEntry is the network document of an entry.
type ARCEntry struct {
	DeclaredMIMEType string
	Host             string
	Response         *Response
}
