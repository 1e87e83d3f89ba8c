// Package ead writes finding aids of archived websites, as EAD3 (1.1) and as EAD 2002 (Encoded
// Archival Description, Society of American Archivists). Both come from one model, with the
// elements that both versions have and a website needs.
//
// Data that only EAD3 can hold (the language of a text) is omitted in EAD 2002; see
// [Version.HasLang].
package ead
