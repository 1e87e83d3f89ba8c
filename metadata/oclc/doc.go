// Package oclc writes and reads descriptions of archived websites with the elements of OCLC Research, "Descriptive Metadata for
// Web Archiving" (Dooley and Bowers, 2018, doi:10.25333/C3005C), and a note. The report names no serialization; four are
// here, and each gives back every byte.
//
//	r := oclc.Record{
//		{Element: oclc.Title, Value: "Statistiques", Lang: "fr"},
//		{Element: oclc.URL, Value: "http://example.be/", Kind: "seed"},
//	}
//	err := oclc.Write(out, oclc.XML, r)
//	r, err = oclc.Read(in, oclc.XML)
//
// A value that a serialization cannot carry is shown with U+FFFD in the gaps, with its exact bytes in base64 beside it.
// docs/describe.md shows each form.
package oclc
