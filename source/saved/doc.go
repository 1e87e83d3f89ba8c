// Package saved reads web pages that a person saved in a browser: pages of SingleFile and monolith,
// which hold all that they embed, and MHTML files (RFC 2557), which Chrome, Edge and Internet Explorer
// write. Such a page states its URL and its date.
//
// The bytes of a page are not those that the server sent: the browser writes the page as it shows it.
// So its grade is [source.Differing]. Pictures and fonts in an MHTML file are as they were sent; their
// grade is [source.OriginalEntity].
package saved
