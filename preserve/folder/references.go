package folder

import (
	"crypto/sha256"
	"maps"
	"slices"
)

// key stands for a string in sets that may have millions: 128 bits of its SHA-256, which nobody can make collide.
type key [16]byte

func keyOf(s string) key {
	sum := sha256.Sum256([]byte(s))
	return key(sum[:16])
}

// references checks that the IDs of METS are unique and that what refers to one finds it (clause 4). References go to METS's
// own elements; what a wrapped standard calls by an ID is for its schema to check.
type references struct {
	ids  map[key]struct{}
	open map[key]string // referred to, and not met yet → how
}

// maxNamed is how many open references are kept with their text.
const maxNamed = MaxFindings

func newReferences() *references {
	return &references{ids: map[key]struct{}{}, open: map[key]string{}}
}

// id notes an ID, and reports whether it is new.
func (r *references) id(id string) bool {
	k := keyOf(id)
	if _, twice := r.ids[k]; twice {
		return false
	}
	r.ids[k] = struct{}{}
	delete(r.open, k)
	return true
}

// ref notes a reference by an attribute.
func (r *references) ref(attribute, id string) {
	k := keyOf(id)
	if _, known := r.ids[k]; known {
		return
	}
	if _, waiting := r.open[k]; waiting {
		return
	}
	how := ""
	if len(r.open) < maxNamed {
		how = attribute + "=\"" + clip(id) + "\""
	}
	r.open[k] = how
}

// dangling tells the references that found nothing, once each.
func (r *references) dangling(f *findings) {
	unnamed := int64(0)
	for _, how := range slices.Sorted(maps.Values(r.open)) {
		if how == "" {
			unnamed++
			continue
		}
		f.add(breaks(CodeIDDangling, METSName, "%s names nothing in the document", how))
	}
	f.addUnseen(CodeIDDangling, unnamed)
}
