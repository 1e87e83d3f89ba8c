package premis

import (
	"time"

	"quire/metadata/xmlstream"
)

// Namespace is the namespace of PREMIS 3.0; Version is its value in METS's MDTYPEVERSION. The
// others belong to versions 2.
const (
	Namespace  = "http://www.loc.gov/premis/v3"
	Namespace2 = "info:lc/xmlns/premis-v2"
	Version    = "3.0"
	Version22  = "2.2"

	xsi = "http://www.w3.org/2001/XMLSchema-instance"
)

// Term is a term of a vocabulary (type stringPlusAuthority). The zero value is absent.
type Term struct {
	Text         string
	Authority    string // name of the vocabulary
	AuthorityURI string
	ValueURI     string
}

// Text returns a Term without a vocabulary.
func Text(s string) Term { return Term{Text: s} }

// Identifier is an identifier with its type ("UUID", "ARK", "local").
type Identifier struct {
	Type, Value string
}

// Link points to another entity by its identifier.
type Link struct {
	Identifier
	Roles []Term // for agents and objects; events and rights statements have none
	XMLID string // the ID of the entity, if it is in the same document
}

// Category is the category of an object; its value is the xsi:type without prefix.
type Category string

// The four categories of objects.
const (
	File               Category = "file"
	Representation     Category = "representation"
	IntellectualEntity Category = "intellectualEntity"
	Bitstream          Category = "bitstream"
)

// Object is a preserved object (data dictionary, entity 1). The category determines the fields that
// may be set; writing any other field is an error.
type Object struct {
	Category    Category // required
	XMLID       string
	Identifiers []Identifier // at least one

	PreservationLevels    []PreservationLevel // not for bitstreams
	SignificantProperties []Property
	Characteristics       []Characteristics // files and bitstreams only; at least one
	OriginalName          string            // not for bitstreams
	Storage               []Storage         // not for intellectual entities
	Environment           *Environment      // intellectual entities only
	Relationships         []Relationship
	Events                []Link
	// the intellectual entities it represents; PREMIS 2 only: PREMIS 3 has objects and
	// relationships for them
	Entities []Identifier
	Rights   []Link
}

// PreservationLevel is the set of preservation functions for an object.
type PreservationLevel struct {
	Type         Term
	Value        Term // required
	Role         Term
	Rationales   []string
	DateAssigned string
}

// Property is a characteristic of the object that must survive preservation actions.
type Property struct {
	Type  Term
	Value string
}

// Characteristics are the technical properties of a file or bitstream.
type Characteristics struct {
	CompositionLevel xmlstream.Int // number of encodings to undo to reach the named format
	Fixity           []Fixity
	Size             xmlstream.Int // bytes
	Formats          []Format      // at least one
	Applications     []Application
	Inhibitors       []Inhibitor

	// Extension writes an objectCharacteristicsExtension, such as a containerMD. Reading leaves it
	// nil: see [Extension].
	Extension func(*xmlstream.Writer) error
}

// Fixity is a message digest.
type Fixity struct {
	Algorithm  Term
	Digest     string
	Originator Term
}

// Format names a format, by name or by a key of a registry, or both.
type Format struct {
	Name     Term
	Version  string
	Registry Registry // absent if its Key is empty
	Notes    []string
}

// Registry is an entry of a format registry, such as PRONOM fmt/1281.
type Registry struct {
	Name, Key, Role Term
}

// Application is the program that made the object.
type Application struct {
	Name    Term
	Version string
	Date    string // creation date of the object, as EDTF
}

// Inhibitor is a feature that prevents use of the object, such as encryption.
type Inhibitor struct {
	Type    Term // required
	Targets []Term
	Key     string
}

// Storage is the place where the object is stored.
type Storage struct {
	Location Identifier // type and value of contentLocation; absent if Value is empty
	Medium   Term
}

// Environment describes hardware or software as an intellectual entity.
type Environment struct {
	Functions    []EnvironmentFunction
	Designations []EnvironmentDesignation
	Registries   []Registry
}

// EnvironmentFunction is the purpose of the environment.
type EnvironmentFunction struct {
	Type  Term
	Level string
}

// EnvironmentDesignation names the environment.
type EnvironmentDesignation struct {
	Name            Term // required
	Version, Origin string
	Notes           []string
}

// Relationship links an object to others.
type Relationship struct {
	Type    Term // required
	SubType Term // required
	Objects []RelatedObject
	Events  []RelatedEvent
}

// RelatedObject is the other end of a relationship.
type RelatedObject struct {
	Identifier
	Sequence xmlstream.Int
	XMLID    string
}

// RelatedEvent is the event that created the relationship.
type RelatedEvent struct {
	Identifier
	Sequence xmlstream.Int
	XMLID    string
}

// Event is an action (entity 2).
type Event struct {
	XMLID      string
	Identifier Identifier // required
	Type       Term       // required: see EventType
	DateTime   string     // required: see Time and Span
	Details    []string
	Outcomes   []Outcome
	Agents     []Link
	Objects    []Link
}

// Outcome is the result of an event, with notes.
type Outcome struct {
	Outcome Term
	Notes   []string

	// Extensions write an eventOutcomeDetailExtension each, after the notes. Reading leaves them
	// nil: see [ReadEventWith].
	Extensions []func(*xmlstream.Writer) error
}

// Agent is a person, organization or program that acted (entity 3).
type Agent struct {
	XMLID       string
	Identifiers []Identifier // at least one
	Names       []Term
	Type        Term // see AgentType
	Version     string
	Notes       []string
	Events      []Link
	Rights      []Link
}

// Rights is the permitted uses of objects, and their basis (entity 4).
type Rights struct {
	XMLID      string
	Statements []Statement // at least one

	// Extension writes a rightsExtension: data without an element in PREMIS. Reading does not set
	// it: see [Extension].
	Extension func(*xmlstream.Writer) error
}

// Statement is one rightsStatement. Of the four bases, only the one in Basis is set.
type Statement struct {
	Identifier Identifier // required
	Basis      Term       // required: see RightsBasis
	Copyright  *Copyright
	License    *License
	Statutes   []Statute
	Other      *OtherRights
	Granted    []Grant
	Objects    []Link
	Agents     []Link
}

// Copyright is the basis "copyright".
type Copyright struct {
	Status       Term // required
	Jurisdiction Term // required, a country code
	Determined   string
	Notes        []string
	Documents    []Document
	Applies      Dates
}

// License is the basis "license".
type License struct {
	Documents []Document
	Terms     string
	Notes     []string
	Applies   Dates
}

// Statute is the basis "statute".
type Statute struct {
	Jurisdiction Term // required, a country code
	Citation     Term // required
	Determined   string
	Notes        []string
	Documents    []Document
	Applies      Dates
}

// OtherRights is any other basis, such as a policy.
type OtherRights struct {
	Documents []Document
	Basis     Term // required
	Applies   Dates
	Notes     []string
}

// Document points to the text of a right.
type Document struct {
	Identifier
	Role Term
}

// Grant is one act that is permitted or restricted.
type Grant struct {
	Act               Term // required
	Restrictions      []Term
	TermOfGrant       Dates
	TermOfRestriction Dates
	Notes             []string
}

// Dates is a span of time; absent if Start is empty.
type Dates struct {
	Start, End string
}

// Time formats a time as PREMIS dates require: xs:dateTime in UTC, which is also EDTF. The zero
// time gives "".
func Time(t time.Time) string { return xmlstream.FormatTime(t) }

// Span formats a span of time as EDTF (level 0, time interval): "start/end". Without an end it
// returns only the start.
func Span(start, end time.Time) string {
	if end.IsZero() || end.Equal(start) {
		return Time(start)
	}
	return Time(start) + "/" + Time(end)
}
