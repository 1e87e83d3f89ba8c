// Package formats lists all export formats: one line per package of formats.
package formats

import (
	"slices"

	"quire/access/export"
	"quire/access/export/bag"
	"quire/access/export/crawl"
	"quire/access/export/dspace"
	"quire/access/export/eark"
	"quire/access/export/metsref"
	"quire/access/export/mirror"
)

// All returns the formats, in the order of help and pages.
func All() []export.Format {
	others := slices.Concat(crawl.Formats(), mirror.Formats(), dspace.Formats(), eark.Formats(), metsref.Formats())
	return append(others, bag.Format(others))
}
