package model

import "strings"

// Format is a Count of an identified format, with its name, version and identifier in PRONOM.
type Format struct {
	Name    string `json:"name"`    // without the version, unless PRONOM's name contains it
	Version string `json:"version"` // "1.1"; often ""
	PUID    string `json:"puid"`    // "" if PRONOM has no entry, or the format is not known
	MIME    string `json:"-"`       // media types from PRONOM, separated by ", "; often ""
	Basis   string `json:"-"`       // of one payload: the evidence, if it is not a signature of PRONOM
	Count   int64  `json:"count"`
	Bytes   int64  `json:"bytes"`
	Blocks  int64  `json:"-"` // of the blocks of its records (Content-Length), in bytes
	Stored  int64  `json:"-"` // of its records as stored, in bytes; 0 if not known
}

// Unidentified is the name of the format of payloads that have none; their PUID is "".
const Unidentified = "unidentified"

// Known reports whether the format was identified.
func (f *Format) Known() bool { return f.PUID != "" || f.Name != "" && f.Name != Unidentified }

// FullName returns the name with the version, unless the name already contains it.
func (f *Format) FullName() string {
	if f.Version == "" || strings.Contains(" "+f.Name+" ", " "+f.Version+" ") {
		return f.Name
	}
	return f.Name + " " + f.Version
}
