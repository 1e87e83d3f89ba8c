// Package weburl reads URLs as browsers do: by the URL Standard of the WHATWG
// (url.spec.whatwg.org), which takes what is written in pages, not what RFC 3986 would have there.
// A link's text and the page's URL make the URL that is fetched.
//
// The text is UTF-8. Of a page in another encoding the query is written in that (clause 4.4, query
// state), for which Parse takes an encoder. Bytes that are not UTF-8 are percent-encoded as they
// are, where the standard has U+FFFD: such a URL can still be one that a crawler asked for.
//
// There are no setters, no origins and no blob URLs: this is for reading.
package weburl
