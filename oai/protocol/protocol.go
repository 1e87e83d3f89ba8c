// Package protocol has the terms of OAI-PMH 2.0
// (http://www.openarchives.org/OAI/openarchivesprotocol.html) that providers and harvesters share:
// verbs, error codes, headers of records, datestamps, and names of sets.
package protocol

import "time"

// Verb is one of the six requests (clause 4).
type Verb string

// Namespace and SchemaLocation are the XML namespace and the schema location of responses. The
// schema has its own URL (clause 3.2).
const (
	Namespace      = "http://www.openarchives.org/OAI/2.0/"
	SchemaLocation = "http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd"
)

// Version is the version of the protocol, as in Identify.
const Version = "2.0"

// The six verbs.
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

// The eight codes.
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
	Datestamp  time.Time // of the last change of the disseminated content: UTC, whole seconds
	Sets       []string  // setSpecs, only the deepest, sorted
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
	Description string // text, shown as the description of an oai_dc; may be ""
}

// MaxIdentifier is the maximum length of an identifier in bytes. Longer URLs are not harvested, and
// they are not useful.
const MaxIdentifier = 16 << 10
