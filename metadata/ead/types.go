package ead

import "time"

// Version is one of the two versions.
type Version string

// The versions, by namespace, which identifies them for readers.
const (
	EAD3    Version = "http://ead3.archivists.org/schema/"
	EAD2002 Version = "urn:isbn:1-931666-22-9"

	xlink = "http://www.w3.org/1999/xlink"
)

// HasLang reports whether a text can state its language.
func (v Version) HasLang() bool { return v == EAD3 }

// Document is a finding aid.
type Document struct {
	ID       string // of the finding aid: recordid, eadid
	Title    string // of the finding aid
	Agency   string // the keeper of the finding aid; required by EAD3
	Created  time.Time
	Software string // that made it
	Unit
}

// Unit is a unit of description: the whole material (archdesc) or a component (c).
type Unit struct {
	// collection, series, file, item, …; other values are written as otherlevel; a component may
	// have ""
	Level      string
	ID         string // unitid
	Titles     []Text // at least one
	Dates      []Date
	Keepers    []Text // repository: bodies
	Originated []Name // origination: the creators
	Languages  []Language
	Extents    []Text // physdesc
	Addresses  []Address
	Notes      []Note
	Access     []Term
	Parts      []Unit // dsc and c
}

// Text is a text and its language.
type Text struct {
	Text string
	Lang string // EAD3 only
}

// Date is a unitdate.
type Date struct {
	Text
	Normal string // ISO 8601, to the day, ranges with "/"; see IsNormal
	Char   string // datechar: the event: "creation", "captured"
}

// Name is a person or body.
type Name struct {
	Kind string // persname, corpname, famname or name; "" is name
	Text
	Role string // relator in EAD3, role in EAD 2002
}

// Language is a language of the material.
type Language struct {
	Text
	Code string // ISO 639-2b, three letters
}

// Address is a dao: an address at which the material can be seen.
type Address struct {
	Href  string // a URI, see xmlstream.IsURI
	Title string // linktitle, xlink:title
}

// Note is a block of text of one of NoteKinds.
type Note struct {
	Kind string
	Text
	Head string
}

// NoteKinds are the elements of notes.
var NoteKinds = []string{"accessrestrict", "arrangement", "bioghist", "odd", "phystech", "processinfo",
	"relatedmaterial", "scopecontent", "userestrict"}

// Term is an access point in controlaccess, of one of TermKinds.
type Term struct {
	Kind string
	Text
	Role string // of names
}

// TermKinds are the elements of access points.
var TermKinds = []string{"name", "persname", "corpname", "famname", "subject", "geogname", "genreform", "title",
	"occupation", "function"}

var levels = []string{"class", "collection", "file", "fonds", "item", "recordgrp", "series", "subfonds", "subgrp",
	"subseries"}

var nameKinds = []string{"name", "persname", "corpname", "famname"}
