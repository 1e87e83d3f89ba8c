package describe

import (
	"cmp"
	"slices"

	"quire/metadata/marc"
)

// inOrder puts fields in the order of their tags, as catalogues show them; those of one tag stay as
// they were said.
func inOrder(fields []marc.Field) {
	slices.SortStableFunc(fields, func(a, b marc.Field) int { return cmp.Compare(a.Tag, b.Tag) })
}
