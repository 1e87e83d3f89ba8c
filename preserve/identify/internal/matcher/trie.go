package matcher

import (
	"bytes"
	"slices"
)

// trie has all byte strings of a set of sequences. A walk from one offset finds all that start
// there. The children of a node follow one another, so an edge needs one byte.
type trie struct {
	nodes   []node
	keys    []byte // the byte that leads to each node
	root    [256]uint32
	choices []uint32 // indexes of the choices that end at a node, in the order of the sequences
	longest int      // length of the longest string in bytes
}

type node struct {
	first, firstChoice uint32 // first child, and first choice
	children, choices  uint16
}

// text is one byte string of a choice.
type text struct {
	bytes  []byte
	choice uint32
}

// newTrie returns the trie of texts; choices at one node keep their order.
func newTrie(texts []text) *trie {
	slices.SortStableFunc(texts, func(a, b text) int { return slices.Compare(a.bytes, b.bytes) })
	t := &trie{nodes: make([]node, 1), keys: make([]byte, 1)}
	type part struct {
		node  uint32
		depth int
		texts []text
	}
	for queue := []part{{texts: texts}}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		t.longest = max(t.longest, p.depth)
		rest := t.end(p.node, p.depth, p.texts)
		n := &t.nodes[p.node]
		n.first = uint32(len(t.nodes))
		for len(rest) > 0 {
			key := rest[0].bytes[p.depth]
			same := 1
			for same < len(rest) && rest[same].bytes[p.depth] == key {
				same++
			}
			child := uint32(len(t.nodes))
			t.nodes, t.keys = append(t.nodes, node{}), append(t.keys, key)
			t.nodes[p.node].children++
			if p.depth == 0 {
				t.root[key] = child
			}
			queue = append(queue, part{child, p.depth + 1, rest[:same]})
			rest = rest[same:]
		}
	}
	return t
}

// end records the texts that end at node n, and returns the others.
func (t *trie) end(n uint32, depth int, texts []text) []text {
	ended := 0
	t.nodes[n].firstChoice = uint32(len(t.choices))
	for ended < len(texts) && len(texts[ended].bytes) == depth {
		t.choices = append(t.choices, texts[ended].choice)
		ended++
	}
	t.nodes[n].choices = uint16(ended)
	return texts[ended:]
}

// few is the number of children up to which a loop is the fastest search.
const few = 8

// next returns the child of node n by byte c, or 0.
func (t *trie) next(n uint32, c byte) uint32 {
	p := &t.nodes[n]
	if p.children > few {
		if i := bytes.IndexByte(t.keys[p.first:p.first+uint32(p.children)], c); i >= 0 {
			return p.first + uint32(i)
		}
		return 0
	}
	for i, key := range t.keys[p.first : p.first+uint32(p.children)] {
		if key == c {
			return p.first + uint32(i)
		}
	}
	return 0
}
