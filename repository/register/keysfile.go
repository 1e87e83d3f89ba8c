package register

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// linkNames are the words of the file keys.
var linkNames = map[Link]string{FirstKey: "first", RotatedKey: "rotated", UnlinkedKey: "unlinked"}

// String returns the word for a link in the file keys.
func (l Link) String() string { return linkNames[l] }

// formatKeys returns the file keys: one line for each key.
func formatKeys(keys []KeyAt) []byte {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%d %s %s\n", k.Index, k.Link, k.Key)
	}
	return []byte(b.String())
}

// parseKeys is the inverse of formatKeys.
func parseKeys(text []byte) ([]KeyAt, error) {
	var keys []KeyAt
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(parts) != 3 || !strings.HasSuffix(line, "\n") {
			return nil, fmt.Errorf("register: %q is not a line of the file keys", line)
		}
		index, err := strconv.ParseInt(parts[0], 10, 64)
		if err != nil || index < 0 || strconv.FormatInt(index, 10) != parts[0] ||
			len(keys) > 0 && index <= keys[len(keys)-1].Index {
			return nil, fmt.Errorf("register: %q is not the place of the next key", parts[0])
		}
		k := KeyAt{Index: index, Key: parts[2]}
		for link, name := range linkNames {
			if name == parts[1] {
				k.Link = link
			}
		}
		if k.Link.String() != parts[1] {
			return nil, fmt.Errorf("register: %q is not a link between keys", parts[1])
		}
		keys = append(keys, k)
	}
	return keys, nil
}

// keys reads the keys of a tree: each line of the file keys must be a leaf of the tree. Lines for
// leaves behind the tree come from an append that was cut off; they are dropped.
func (f folder) keys(origin string, tree tlog.Tree) (*keyChain, error) {
	text, err := readFile(f.join(keysFile), maxKeyFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listed, err := parseKeys(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.join(keysFile), err)
	}
	chain := &keyChain{origin: origin}
	for _, k := range listed {
		if k.Index >= tree.N {
			break
		}
		if err := f.addKey(chain, tree, k); err != nil {
			return nil, err
		}
	}
	if len(chain.keys) == 0 && tree.N > 0 {
		return nil, fmt.Errorf("%s names no key", f.join(keysFile))
	}
	return chain, nil
}

// addKey reads the leaf of a key, and verifies that it is in the tree.
func (f folder) addKey(chain *keyChain, tree tlog.Tree, k KeyAt) error {
	entry, err := f.entry(tree, k.Index)
	if err != nil {
		return err
	}
	leaf, err := Parse(entry)
	if err != nil {
		return err
	}
	key, ok := leaf.(Key)
	if !ok || key.Link != k.Link || verifierKey(chain.origin, key.Public) != k.Key {
		return fmt.Errorf("%s: leaf %d is not the key %s", f.join(keysFile), k.Index, k.Key)
	}
	before := tlog.Tree{N: k.Index}
	if k.Index > 0 {
		if before.Hash, err = tlog.TreeHash(k.Index, f.hashes(tree)); err != nil {
			return err
		}
	}
	return chain.add(before, key)
}

// entry reads one entry, and verifies that it is in the tree.
func (f folder) entry(tree tlog.Tree, index int64) ([]byte, error) {
	if index < 0 || index >= tree.N {
		return nil, fmt.Errorf("register: there is no leaf %d: the tree has %d", index, tree.N)
	}
	n := index >> tileHeight
	entries, name, err := f.bundle(n, width(0, n, tree.N))
	if err != nil {
		return nil, err
	}
	hashes, err := f.hashes(tree).ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", string(f), err)
	}
	entry := entries[index%tileWidth]
	if tlog.RecordHash(entry) != hashes[0] {
		return nil, fmt.Errorf("%s: leaf %d differs from its hash in the tree", f.join(name), index)
	}
	return entry, nil
}
