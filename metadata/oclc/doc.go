// Package oclc writes and reads descriptions of archived websites with the elements of OCLC
// Research, "Descriptive Metadata for Web Archiving" (Dooley and Bowers, 2018,
// doi:10.25333/C3005C), and a note. The report names no serialization; four are here, and each
// gives back every byte.
//
// A value that a serialization cannot carry is shown with U+FFFD in the gaps, with its exact bytes
// in base64 beside it. docs/reference/340_describe.md shows each form.
package oclc
