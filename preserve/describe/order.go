package describe

import (
	"cmp"
	"slices"

	"quire/metadata/marc"
)

// inOrder sorts fields by tag, as catalogues show them. Fields with the same tag keep their order.
func inOrder(fields []marc.Field) {
	slices.SortStableFunc(fields, func(a, b marc.Field) int { return cmp.Compare(a.Tag, b.Tag) })
}
