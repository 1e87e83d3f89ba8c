// Package crawl hands packages out as what crawlers make: WARC 1.1 files, and WACZ 1.1.1
// (docs/reference/565_exports.md).
//
// A record that the reader may have is copied as it is stored: the member of the container, byte
// for byte, where it lies alone in one. A revisit whose payload is not in the export becomes a
// response that has it.
package crawl

import "quire/access/export"

// Formats are those of this package.
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
