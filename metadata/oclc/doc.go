// Package oclc writes and reads descriptions of archived websites with the elements of OCLC
// Research, "Descriptive Metadata for Web Archiving" (Dooley and Bowers, 2018,
// doi:10.25333/C3005C), and a note. The report defines no serialization. This package has four, and
// each preserves every byte.
//
// If a serialization cannot carry a value, the text has U+FFFD in its gaps, and the exact bytes are
// beside it in base64. docs/reference/340_describe.md shows each form.
package oclc
