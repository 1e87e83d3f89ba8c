// Package formats lists all forms in which packages are handed out: one line a package of them.
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

// All are the formats, as help and pages list them.
func All() []export.Format {
	others := slices.Concat(crawl.Formats(), mirror.Formats(), dspace.Formats(), eark.Formats(), metsref.Formats())
	return append(others, bag.Format(others))
}
