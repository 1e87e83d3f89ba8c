// Package formats lists all forms in which packages are handed out: one line a package of them.
//
//	result, err := export.Run(ctx, repository, holdings, request, formats.All())
package formats

import (
	"slices"

	"quire/access/export"
	"quire/access/export/crawl"
	"quire/access/export/dspace"
	"quire/access/export/eark"
	"quire/access/export/metsref"
)

// All are the formats, as help and pages list them.
func All() []export.Format {
	return slices.Concat(crawl.Formats(), dspace.Formats(), eark.Formats(), metsref.Formats())
}
