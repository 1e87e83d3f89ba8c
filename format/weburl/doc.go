// Package weburl reads URLs as browsers do: by the URL Standard of the WHATWG (url.spec.whatwg.org), which takes what is written in
// pages, not what RFC 3986 would have there. A link's text and the page's URL make the URL that is fetched:
//
//	base, err := weburl.Parse("http://example.org/a/b.html", nil, nil)
//	u, err := weburl.Parse("..\\c d.html?q=1#there", base, nil)
//	u.String()   // "http://example.org/c%20d.html?q=1#there"
//	u.Resource() // the same without its fragment: what is asked of the server
//
// The text is UTF-8. Of a page in another encoding the query is written in that (clause 4.4, query state), for which Parse takes an
// encoder. Bytes that are not UTF-8 are percent-encoded as they are, where the standard has U+FFFD: such a URL can still be one
// that a crawler asked for.
//
// There are no setters, no origins and no blob URLs: this is for reading.
package weburl
