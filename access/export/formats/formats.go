// Package formats lists all forms in which packages are handed out: one line a package of them.
//
//	result, err := export.Run(ctx, repository, holdings, request, formats.All())
package formats

import (
	"slices"

	"quire/access/export"
	"quire/access/export/crawl"
)

// All are the formats, as help and pages list them.
func All() []export.Format {
	return slices.Concat(crawl.Formats())
}
