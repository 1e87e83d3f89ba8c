package model

import "time"

// Package has the statements of a package folder about itself: the facts a catalogue keeps and a
// store checks against.
type Package struct {
	ID         string
	Title      string
	Profile    string
	Created    time.Time
	First      time.Time // earliest capture; zero when no record had a readable date
	Last       time.Time
	Containers int64
	Records    int64
	Bytes      int64  // of all files of the package, mets.xml included
	METS       string // path of the METS within the package, slash-separated
	Files      []PackageFile
}

// PackageFile is one file a package says it holds.
type PackageFile struct {
	Path   string // within the package, slash-separated
	Size   int64
	SHA512 string // lower-case hex
	Use    string // file group: "DigitalManifestation", "Logfile"; "" for the METS itself
}
