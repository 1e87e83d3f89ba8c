package register

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// VerifyOptions are the options of [Verify].
type VerifyOptions struct {
	// Keys are public keys (note verifier keys) that the caller trusts: from the repository file or
	// from a person, never from the folder itself. The register must name one of them.
	Keys []string
	// Visit receives each leaf in its order, also the unknown ones; nil: none. Raw is valid until it
	// returns. Its error ends the verification.
	Visit func(Entry) error
}

// Report is the result of [Verify].
type Report struct {
	Head     Checkpoint
	Keys     []KeyAt
	Findings []Finding // at most maxFindings
	Problems int64     // all findings
}

// OK reports whether there is no finding.
func (r *Report) OK() bool { return r.Problems == 0 }

// maxFindings is the maximum number of findings in a report.
const maxFindings = 1000

func (r *Report) add(f Finding) {
	r.Problems++
	if len(r.Findings) < maxFindings {
		r.Findings = append(r.Findings, f)
	}
}

// Verify reads a folder of a register in full: every leaf against its hash, every hash against the
// root, the root against the signed checkpoint, every key against the key before it. Damage does not
// end it. Memory is constant. The error is about the system or the call.
func Verify(ctx context.Context, path string, o VerifyOptions) (*Report, error) {
	v := &verifier{ctx: ctx, o: o, folder: folder(path), report: &Report{}}
	head, err := v.folder.checkpoint()
	if err != nil {
		code := RegisterDamaged
		if errors.Is(err, ErrNoRegister) {
			code = RegisterMissing
		}
		v.find(code, -1, checkpointFile, err.Error())
		return v.report, nil
	}
	v.report.Head = head
	v.chain.origin = head.Origin
	if err := v.leaves(); err != nil {
		return nil, err
	}
	v.edges()
	v.keys()
	return v.report, nil
}

type verifier struct {
	ctx    context.Context
	o      VerifyOptions
	folder folder
	report *Report
	edge   edge
	chain  keyChain
	lost   bool // leaves that could not be read: keys may be among them
}

func (v *verifier) find(code Code, index int64, file, detail string) {
	v.report.add(Finding{Code: code, Folder: string(v.folder), Index: index, File: file, Detail: detail})
}

// leaves reads all bundles.
func (v *verifier) leaves() error {
	size := v.report.Head.Size
	for n := int64(0); n<<tileHeight < size; n++ {
		if err := v.ctx.Err(); err != nil {
			return err
		}
		if err := v.bundle(n, width(0, n, size)); err != nil {
			return err
		}
		if v.lost && v.missing(n) {
			return nil
		}
	}
	return nil
}

// missing reports whether both files of a place are missing. Then the rest is most likely missing,
// too, and a checkpoint that claims 2⁴⁸ leaves must not keep the audit busy.
func (v *verifier) missing(n int64) bool {
	w := width(0, n, v.report.Head.Size)
	_, _, bundleErr := v.folder.open(entriesLevel, n, w, maxBundle)
	_, _, tileErr := v.folder.tile(0, n, w)
	return errors.Is(bundleErr, fs.ErrNotExist) && errors.Is(tileErr, fs.ErrNotExist)
}

// bundle reads one bundle and its tile. Where they differ, the tree decides which one is damaged.
func (v *verifier) bundle(n int64, w int) error {
	first := n << tileHeight
	entries, bundleName, bundleErr := v.folder.bundle(n, w)
	hashes, tileName, tileErr := v.folder.tile(0, n, w)
	if tileErr != nil {
		v.find(RegisterDamaged, first, tileName, tileErr.Error())
	}
	if bundleErr != nil {
		v.lost = true
		v.find(RegisterDamaged, first, bundleName, bundleErr.Error())
		entries = nil
	}
	for i := range w {
		var entry []byte
		if entries != nil {
			entry = entries[i]
		}
		if entry != nil && hashes != nil && tlog.RecordHash(entry) != hashes[i] {
			if v.authentic(first + int64(i)) {
				v.lost = true
				v.find(RegisterDamaged, first+int64(i), bundleName, "the entry differs from its hash in the tree")
				entry = nil
			} else {
				v.find(RegisterDamaged, first+int64(i), tileName, "the hash differs from its entry")
			}
		}
		if err := v.entry(entry, hashes, i); err != nil {
			return err
		}
	}
	return nil
}

// authentic reports whether the hash of a leaf on disk belongs to the tree of the checkpoint.
func (v *verifier) authentic(index int64) bool {
	_, err := v.folder.hashes(v.report.Head.tree()).ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
	return err == nil
}

// entry adds an entry to the tree: by its bytes, or by its hash if they are damaged.
func (v *verifier) entry(entry []byte, hashes []tlog.Hash, i int) error {
	index := v.edge.size
	var h tlog.Hash
	switch {
	case entry != nil:
		h = tlog.RecordHash(entry)
	case hashes != nil:
		h = hashes[i]
	}
	if entry != nil {
		leaf, err := Parse(entry)
		if err != nil {
			leaf = nil
			v.find(RegisterLeaf, index, "", err.Error())
		}
		if key, ok := leaf.(Key); ok {
			if err := v.chain.add(v.edge.tree(), key); err != nil && !v.lost {
				v.find(RegisterKey, index, "", err.Error())
			}
		}
		if v.o.Visit != nil {
			if err := v.o.Visit(Entry{Index: index, Raw: entry, Leaf: leaf}); err != nil {
				return err
			}
		}
	}
	return v.edge.push(h, v.tile)
}

// tile compares a full tile above the leaves with the one on disk. [verifier.bundle] compared those
// of the leaves.
func (v *verifier) tile(level int, n int64, want []tlog.Hash) error {
	if level > 0 {
		v.compareTile(level, n, want)
	}
	return nil
}

func (v *verifier) compareTile(level int, n int64, want []tlog.Hash) {
	hashes, name, err := v.folder.tile(level, n, len(want))
	if err != nil {
		v.find(RegisterDamaged, n<<(tileHeight*(level+1)), name, err.Error())
	} else if !slices.Equal(hashes, want) {
		v.find(RegisterDamaged, n<<(tileHeight*(level+1)), name, "the hashes differ from the leaves")
	}
}

// edges compares the partial tiles above the leaves, and the root.
func (v *verifier) edges() {
	if v.edge.size < v.report.Head.Size {
		v.find(RegisterDamaged, v.edge.size, "", "the leaves from here on are missing")
		return
	}
	for level, hashes := range v.edge.levels {
		if level > 0 && len(hashes) > 0 {
			v.compareTile(level, v.edge.size>>(tileHeight*(level+1)), hashes)
		}
	}
	if root := v.edge.root(); Digest(root) != v.report.Head.Root {
		v.report.add(Finding{Code: RegisterDamaged, Folder: string(v.folder), Index: -1, File: checkpointFile,
			Expected: v.report.Head.Root.String(), Found: Digest(root).String(),
			Detail: "the leaves do not add up to the root that was signed"})
	}
}

// keys judges the keys and the signature of the checkpoint.
func (v *verifier) keys() {
	if v.lost { // the file keys is verified against the tree
		if chain, err := v.folder.keys(v.report.Head.Origin, v.report.Head.tree()); err == nil {
			v.chain = *chain
		}
	}
	v.report.Keys = v.chain.keys
	size := v.report.Head.Size
	if !v.report.Head.SignedBy(v.chain.at(size)) {
		v.find(RegisterSignature, -1, checkpointFile, "the key that the register names last did not sign it")
	}
	text, err := readFile(v.folder.join(keysFile), maxKeyFile)
	if err != nil {
		v.find(RegisterDamaged, -1, keysFile, err.Error())
	} else if listed, err := parseKeys(text); err != nil || !slices.Equal(within(listed, size), v.chain.keys) {
		v.find(RegisterDamaged, -1, keysFile, "it does not list the keys that the leaves name")
	}
	trusted := len(v.o.Keys) == 0
	for _, k := range v.chain.keys {
		trusted = trusted || slices.Contains(v.o.Keys, k.Key)
		if k.Link == UnlinkedKey {
			v.find(KeyUnlinked, k.Index, "", fmt.Sprintf("%s replaced a key that did not sign it", k.Key))
		}
	}
	switch {
	case len(v.o.Keys) == 0:
		v.find(RegisterKeyAlone, -1, keysFile, "no public key from elsewhere was compared")
	case !trusted:
		v.find(RegisterKey, -1, keysFile, "the register names none of the trusted keys")
	}
}

// within drops keys behind a tree: they come from an append that was cut off.
func within(keys []KeyAt, size int64) []KeyAt {
	return slices.DeleteFunc(keys, func(k KeyAt) bool { return k.Index >= size })
}
