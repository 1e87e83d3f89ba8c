package model

import "time"

// Package is the data of a package folder about itself: the facts that a catalogue keeps and a
// store checks.
type Package struct {
	ID         string
	Title      string
	Profile    string
	Created    time.Time
	First      time.Time // earliest capture; zero if no record had a readable date
	Last       time.Time
	Containers int64
	Records    int64
	Bytes      int64  // of all files of the package, including mets.xml
	METS       string // path of the METS within the package, slash-separated
	Files      []PackageFile
	Numbers    *Numbers // nil for a collection
	Members    []string // identifiers of the packages of a collection, sorted
}

// PackageFile is one file in the package's list.
type PackageFile struct {
	Path   string // within the package, slash-separated
	Size   int64
	SHA512 string // lower-case hex
	Use    string // file group: "DigitalManifestation", "Logfile"; "" for the METS itself
}
