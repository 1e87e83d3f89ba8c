// Package crawl exports packages in the formats of crawlers: WARC 1.1 files, and WACZ 1.1.1
// (docs/reference/565_exports.md).
//
// A record open to the reader is copied as stored: byte for byte the member of the container, if
// the record is alone in it. A revisit without its payload in the export becomes a response with
// the payload.
package crawl

import "quire/access/export"

// Formats returns the formats of this package.
func Formats() []export.Format {
	return []export.Format{
		{
			Name: "wacz", Title: "WACZ 1.1.1",
			About:  "one file with the captures, an index and the list of pages: opens in ReplayWeb.page",
			Ending: ".wacz", MIME: "application/wacz", Make: makeWACZ,
		},
		{
			Name: "warc", Title: "WARC 1.1 (ISO 28500:2017)",
			About: "the records as they were captured, for tools that read WARC", Make: makeWARC,
		},
	}
}
