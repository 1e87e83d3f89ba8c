// Package weburl parses URLs as browsers do, by the URL Standard of the WHATWG
// (url.spec.whatwg.org). The standard accepts the text that pages really contain, unlike RFC 3986.
// A link's text and the page's URL yield the URL to fetch.
//
// The text is UTF-8. In a page with another encoding, the query uses that encoding (clause 4.4,
// query state); Parse takes an encoder for it. Bytes that are not UTF-8 are percent-encoded
// unchanged, where the standard has U+FFFD, because a crawler may have requested such a URL.
//
// The package only reads: it has no setters, origins or blob URLs.
package weburl
