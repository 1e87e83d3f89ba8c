// Package protocol has the words of OAI-PMH 2.0
// (http://www.openarchives.org/OAI/openarchivesprotocol.html) that a provider and a harvester
// share: verbs, error codes, headers of records, datestamps, and names of sets.
package protocol

import "time"

// Verb is one of the six requests (clause 4).
type Verb string

// Namespace and SchemaLocation are those of responses: the schema has its own address (clause 3.2).
const (
	Namespace      = "http://www.openarchives.org/OAI/2.0/"
	SchemaLocation = "http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"
)

// Version is that of the protocol, as Identify tells it.
const Version = "2.0"

// The six.
const (
	Identify            Verb = "Identify"
	ListMetadataFormats Verb = "ListMetadataFormats"
	ListSets            Verb = "ListSets"
	ListIdentifiers     Verb = "ListIdentifiers"
	ListRecords         Verb = "ListRecords"
	GetRecord           Verb = "GetRecord"
)

// Code is an error or exception condition (clause 3.6).
type Code string

// The eight.
const (
	BadArgument             Code = "badArgument"
	BadResumptionToken      Code = "badResumptionToken"
	BadVerb                 Code = "badVerb"
	CannotDisseminateFormat Code = "cannotDisseminateFormat"
	IDDoesNotExist          Code = "idDoesNotExist"
	NoRecordsMatch          Code = "noRecordsMatch"
	NoMetadataFormats       Code = "noMetadataFormats"
	NoSetHierarchy          Code = "noSetHierarchy"
)

// Header is the header of a record (clause 2.5).
type Header struct {
	Identifier string    // a URI, of at most MaxIdentifier bytes: see IsURI
	Datestamp  time.Time // of the last change of what is disseminated: UTC, whole seconds
	Sets       []string  // setSpecs, the deepest only, sorted
	Deleted    bool
}

// Format is a format of metadata (clause 3.4).
type Format struct {
	Prefix    string
	Schema    string // URL of its XML schema
	Namespace string
}

// Set is a set (clause 2.6).
type Set struct {
	Spec        string // segments of unreserved characters, separated by colons
	Name        string
	Description string // text, shown as the description of an oai_dc; "" for none
}

// MaxIdentifier is the most bytes of an identifier that is looked for: no URL of more was harvested
// and can be of use.
const MaxIdentifier = 16 << 10
