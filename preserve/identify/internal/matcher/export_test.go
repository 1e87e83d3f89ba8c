package matcher

import "slices"

// Texts returns the texts that the signatures search, for tests.
func Texts(s *Signatures) [][]byte {
	return append(s.bytes.start.texts(), s.bytes.end.texts()...)
}

func (t *trie) texts() [][]byte {
	var all [][]byte
	var visit func(n uint32, prefix []byte)
	visit = func(n uint32, prefix []byte) {
		p := t.nodes[n]
		if p.choices > 0 {
			all = append(all, slices.Clone(prefix))
		}
		for c := p.first; c < p.first+uint32(p.children); c++ {
			visit(c, append(prefix, t.keys[c]))
		}
	}
	visit(0, nil)
	return all
}

// Entries returns the names of entries in ZIP archives that have signatures, sorted, with the texts
// that their signatures search.
func Entries(s *Signatures) (names []string, texts [][][]byte) {
	tests := s.containers[kindZIP].byName
	for name := range tests {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var list [][]byte
		if m := tests[name].bytes; m != nil {
			list = append(m.start.texts(), m.end.texts()...)
		}
		texts = append(texts, list)
	}
	return names, texts
}
