package mets

import (
	"time"

	"quire/metadata/xmlstream"
)

// Names of the namespaces that METS itself uses. XLink is the Library of Congress's edition of the
// schema.
const (
	Namespace      = "http://www.loc.gov/METS/"
	XLinkNamespace = "http://www.w3.org/1999/xlink"
	XSINamespace   = "http://www.w3.org/2001/XMLSchema-instance"
)

// NamespaceDecl is a namespace declared on the root element, with the location of its schema if
// there is one.
type NamespaceDecl struct {
	Prefix, URI    string
	SchemaLocation string
}

// WebArchive lists the namespaces wrapped in a METS for a web archive. They are declared once, on
// the root, instead of a million times inside.
var WebArchive = []NamespaceDecl{
	{"mods", "http://www.loc.gov/mods/v3", "http://www.loc.gov/standards/mods/v3/mods-3-8.xsd"},
	{"premis", "http://www.loc.gov/premis/v3", "http://www.loc.gov/standards/premis/v3/premis-v3-0.xsd"},
	{"dc", "http://purl.org/dc/elements/1.1/", ""},
	{"oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"},
	{"cmd", "http://bibnum.bnf.fr/ns/containerMD-v1", "http://bibnum.bnf.fr/schema/containerMD-v1_2.xsd"},
}

// WebArchiveLegacy is the same for MODS 3.4, PREMIS 2.2 and containerMD 1.1.
var WebArchiveLegacy = []NamespaceDecl{
	{"mods", "http://www.loc.gov/mods/v3", "http://www.loc.gov/standards/mods/v3/mods-3-4.xsd"},
	{"premis", "info:lc/xmlns/premis-v2", "http://www.loc.gov/standards/premis/v2/premis-v2-2.xsd"},
	{"dc", "http://purl.org/dc/elements/1.1/", ""},
	{"oai_dc", "http://www.openarchives.org/OAI/2.0/oai_dc/", "http://www.openarchives.org/OAI/2.0/oai_dc.xsd"},
	{"cmd", "http://bibnum.bnf.fr/ns/containerMD-v1", "http://bibnum.bnf.fr/schema/containerMD-v1_1.xsd"},
}

// Root is the mets element.
type Root struct {
	ID         string
	ObjID      string // primary identifier of the package
	Label      string
	Type       string
	Profile    string          // URI of the profile the document follows
	Namespaces []NamespaceDecl // additional declarations; nil means WebArchive. Not read
	Schema     string          // location of METS's own schema; "" means its official address. Not read
	Foreign    []Foreign
}

// Header is metsHdr: the creator and time of the document.
type Header struct {
	ID           string
	AdmID        []string
	Created      time.Time // the zero time is absent, here and everywhere
	Modified     time.Time
	RecordStatus string
	Agents       []Agent
	AltRecordIDs []Identifier
	DocumentID   Identifier // absent if its Value is empty
	Foreign      []Foreign
}

// Agent is a person, organization or program with a role in the document. Software is Role
// "CREATOR", Type "OTHER", OtherType "SOFTWARE".
type Agent struct {
	ID        string
	Role      string // required: CREATOR, EDITOR, ARCHIVIST, PRESERVATION, DISSEMINATOR, CUSTODIAN, IPOWNER, OTHER
	OtherRole string
	Type      string // INDIVIDUAL, ORGANIZATION, OTHER
	OtherType string
	Name      string
	Notes     []string

	NotesForeign []Foreign // on each of the notes
}

// Identifier is an identifier with its scheme.
type Identifier struct {
	ID, Type string
	Value    string
}

// SectionKind is the kind of a metadata section. Its value is the name of the element.
type SectionKind string

// The kinds of metadata sections, in METS order.
const (
	DmdSec     SectionKind = "dmdSec"
	TechMD     SectionKind = "techMD"
	RightsMD   SectionKind = "rightsMD"
	SourceMD   SectionKind = "sourceMD"
	DigiprovMD SectionKind = "digiprovMD"
)

// Section is the frame around one piece of metadata: dmdSec, or techMD and similar sections inside
// an amdSec. The metadata is wrapped (Wrap) or referenced (Ref).
type Section struct {
	Kind    SectionKind // set by the method that writes it
	AmdSec  string      // set by reading: ID of the enclosing amdSec, if any
	ID      string      // required
	GroupID string
	AdmID   []string
	Created time.Time
	Status  string
	Wrap    *Wrap
	Ref     *Ref
}

// Wrap is mdWrap, the frame of metadata in the document as xmlData.
type Wrap struct {
	ID    string
	Label string
	MetadataType
	FileCore
}

// Ref is mdRef: metadata stored outside the document.
type Ref struct {
	ID    string
	Label string
	XPtr  string
	Location
	MetadataType
	FileCore
}

// MetadataType is the standard of the metadata. MDType is a value from the list in METS; all others
// are "OTHER".
type MetadataType struct {
	MDType        string // required
	OtherMDType   string
	MDTypeVersion string
}

// FileCore is the data that METS has for every file (attribute group FILECORE).
type FileCore struct {
	MIMEType     string
	Size         xmlstream.Int // bytes
	Created      time.Time
	Checksum     string
	ChecksumType string // Adler-32, CRC32, HAVAL, MD5, MNP, SHA-1, SHA-256, SHA-384, SHA-512, TIGER, WHIRLPOOL
}

// Location is the location of an object (attribute group LOCATION and a simple XLink).
type Location struct {
	LocType      string // required: ARK, URN, URL, PURL, HANDLE, DOI, OTHER
	OtherLocType string
	Href         string // for a file of the package: see Href
	Role         string // xlink:role
	Title        string // xlink:title
}

// FileGrp is a group of files.
type FileGrp struct {
	ID       string
	VersDate time.Time
	AdmID    []string
	Use      string
	Foreign  []Foreign
}

// File is a file, or a part of the file that contains it. Begin and End count bytes of that outer
// file (BETYPE is BYTE). The profile defines their exact meaning.
type File struct {
	ID  string // required
	Seq xmlstream.Int
	FileCore
	OwnerID    string
	AdmID      []string
	DmdID      []string
	GroupID    string
	Use        string
	Begin, End xmlstream.Int
	Locations  []FLocat
	Transforms []Transform
}

// FLocat is one location of a file.
type FLocat struct {
	ID  string
	Use string
	Location
}

// Transform is transformFile: the steps to undo, in order, to reach the files inside a file.
type Transform struct {
	ID        string
	Type      string // required: decompression, decryption
	Algorithm string // required
	Key       string
	Behavior  string
	Order     int64 // required, from 1
}

// StructMap is one view of the package's structure.
type StructMap struct {
	ID, Type, Label string
}

// Div is one node of a structure.
type Div struct {
	ID         string
	Order      xmlstream.Int
	OrderLabel string
	Label      string
	DmdID      []string
	AdmID      []string
	Type       string
	ContentIDs []string // URIs
	XLinkLabel string   // target of structLink
}

// Mptr points to another METS document.
type Mptr struct {
	ID string
	Location
	ContentIDs []string
}

// Fptr points from a division to its file, or to a part of a file.
type Fptr struct {
	ID         string
	FileID     string
	ContentIDs []string
	Area       *Area
	Par        []Area // files or parts that are presented together; not with Area
}

// Area is a part of a file. BEType and ExtType define the meaning of Begin, End and Extent.
type Area struct {
	ID         string
	FileID     string // required
	Shape      string
	Coords     string
	Begin, End string
	BEType     string
	Extent     string
	ExtType    string
	AdmID      []string
}

// SmLink is a link between two divisions, such as a hyperlink between archived pages. It names the
// divisions by their XLinkLabel.
type SmLink struct {
	ID       string
	From, To string // required
	ArcRole  string
	Title    string
}
