// Package ead writes and reads finding aids of archived websites, as EAD3 (1.1) and as EAD 2002 (Encoded Archival Description, Society
// of American Archivists), from one model: what both can hold, as far as a website is described with it.
//
//	err := ead.Write(x, ead.EAD3, ead.Document{
//		ID: "webarchive-001", Title: "Primers web archive", Agency: "Example Library", Created: now, Software: "Quire",
//		Unit: ead.Unit{Level: "collection", Titles: []ead.Text{{Text: "Primers web archive"}}},
//	})
//
// What only EAD3 can hold (the language of a text) is not written as EAD 2002; see [Version.HasLang].
package ead
