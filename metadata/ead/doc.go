// Package ead writes finding aids of archived websites, as EAD3 (1.1) and as EAD 2002 (Encoded
// Archival Description, Society of American Archivists), from one model: what both can hold, as far
// as a website is described with it.
//
// What only EAD3 can hold (the language of a text) is not written as EAD 2002; see
// [Version.HasLang].
package ead
