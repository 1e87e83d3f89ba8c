package register

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Choice is one of several histories between which copies disagree.
type Choice struct {
	Size    int64    `json:"size"` // leaves of the longest register with this history
	Root    string   `json:"root"`
	Folders []string `json:"folders"` // the longest first; one that is behind may stand in several
}

// Comparison is the result of [Compare].
type Comparison struct {
	// Choices are the histories, the longest first. If there is more than one, only a person can
	// choose, and a rebuild must stop.
	Choices  []Choice
	Findings []Finding
}

// member is a folder that is compared.
type member struct {
	folder folder
	head   Checkpoint
	chain  *keyChain
}

// Compare compares the registers of several folders: they are the same, or one is the beginning of
// another (it lags, or was rolled back), or they forked. It reads a few tiles of each, and verifies
// the signatures by the keys that each names; [Verify] reads a folder in full. keys are the public
// keys that the caller trusts; without any, the folders must agree on the key, and there must be two.
// Leaves behind an unlinked key that is not trusted are a history of their own: anyone can sign them.
func Compare(paths []string, keys []string) Comparison {
	var c Comparison
	var members []member
	firsts := map[string][]string{} // first key → folders
	for _, path := range paths {
		m, finding := inspect(folder(path), keys)
		if finding != nil {
			c.Findings = append(c.Findings, *finding)
			continue
		}
		members = append(members, m)
		first := m.chain.keys[0].Key
		firsts[first] = append(firsts[first], path)
	}
	slices.SortStableFunc(members, func(a, b member) int { return cmp.Compare(b.head.Size, a.head.Size) })
	var heads []member
	for _, m := range members {
		if k := m.chain.unlinked(0, keys); k != nil {
			c.Findings = append(c.Findings, Finding{Code: KeyUnlinked, Folder: string(m.folder), Index: k.Index,
				Detail: k.Key + " replaced a key that did not sign it"})
		}
		heads = c.place(m, heads, keys)
	}
	if len(keys) == 0 && len(members) > 0 {
		c.agree(firsts, len(members))
	}
	return c
}

// inspect reads the head of a folder, and verifies its signature.
func inspect(f folder, trusted []string) (member, *Finding) {
	m := member{folder: f}
	var err error
	if m.head, err = f.checkpoint(); err != nil {
		code := RegisterDamaged
		if errors.Is(err, ErrNoRegister) {
			code = RegisterMissing
		}
		return m, &Finding{Code: code, Folder: string(f), Index: -1, File: checkpointFile, Detail: err.Error()}
	}
	if m.head.Size == 0 {
		return m, &Finding{Code: RegisterMissing, Folder: string(f), Index: -1, Detail: "the register has no leaf"}
	}
	m.chain, err = f.keys(m.head.Origin, m.head.tree())
	if err != nil {
		return m, &Finding{Code: RegisterDamaged, Folder: string(f), Index: -1, File: keysFile, Detail: err.Error()}
	}
	if !m.head.SignedBy(m.chain.at(m.head.Size)) {
		return m, &Finding{Code: RegisterSignature, Folder: string(f), Index: -1, File: checkpointFile,
			Detail: "the key that the register names last did not sign it"}
	}
	named := func(k KeyAt) bool { return slices.Contains(trusted, k.Key) }
	if len(trusted) > 0 && !slices.ContainsFunc(m.chain.keys, named) {
		return m, &Finding{Code: RegisterKey, Folder: string(f), Index: -1, File: keysFile,
			Detail: "the register names none of the trusted keys"}
	}
	return m, nil
}

// place adds a folder to the histories that it is the beginning of, or begins a new one. heads has
// the longest member of each choice.
func (c *Comparison) place(m member, heads []member, trusted []string) []member {
	var forks []*FindingError
	behind, fits := int64(0), false
	for i, h := range heads {
		err := h.folder.extendsIn(h.head, m.head, m.folder)
		var found *FindingError
		switch {
		case err == nil && h.chain.unlinked(m.head.Size, trusted) != nil: // reported with h
		case err == nil:
			fits = true
			behind = max(behind, h.head.Size-m.head.Size)
			c.Choices[i].Folders = append(c.Choices[i].Folders, string(m.folder))
		case errors.As(err, &found):
			forks = append(forks, found)
		}
	}
	if fits {
		if behind > 0 {
			c.Findings = append(c.Findings, Finding{Code: RegisterBehind, Folder: string(m.folder), Index: m.head.Size,
				Expected: sizeOf(m.head.Size + behind), Found: sizeOf(m.head.Size),
				Detail: "the folder was away, or was rolled back"})
		}
		return heads
	}
	for _, f := range forks {
		c.Findings = append(c.Findings, f.Finding)
	}
	c.Choices = append(c.Choices, Choice{Size: m.head.Size, Root: m.head.Root.String(),
		Folders: []string{string(m.folder)}})
	return append(heads, m)
}

// agree requires two folders with the same first key.
func (c *Comparison) agree(firsts map[string][]string, members int) {
	switch {
	case len(firsts) > 1:
		var named []string
		for key, folders := range firsts {
			named = append(named, key+" in "+strings.Join(folders, ", "))
		}
		slices.Sort(named)
		c.Findings = append(c.Findings, Finding{Code: RegisterKey, Index: -1, File: keysFile,
			Detail: "the copies begin with different keys: " + strings.Join(named, "; ")})
	case members == 1:
		c.Findings = append(c.Findings, Finding{Code: RegisterKeyAlone, Index: -1, File: keysFile,
			Detail: "only one copy names the public key, so nothing confirms it"})
	}
}

// CheckAnchored compares a folder with a checkpoint that was kept elsewhere: the checkpoint must be
// signed by the key of its time, and be the beginning of the register. The finding is nil if so.
func CheckAnchored(path string, anchored Checkpoint) *Finding {
	f := folder(path)
	head, err := f.checkpoint()
	if err != nil {
		return &Finding{Code: RegisterMissing, Folder: path, Index: -1, File: checkpointFile, Detail: err.Error()}
	}
	if anchored.Size > head.Size {
		return &Finding{Code: RegisterBehind, Folder: path, Index: head.Size, Expected: sizeOf(anchored.Size),
			Found: sizeOf(head.Size), Detail: "an anchor has a longer register: this one was rolled back"}
	}
	if err := f.extends(head, anchored); err != nil {
		var found *FindingError
		if errors.As(err, &found) {
			found.Finding.Detail = "an anchor has another history: " + found.Finding.Detail
			return &found.Finding
		}
		return &Finding{Code: RegisterDamaged, Folder: path, Index: -1, Detail: err.Error()}
	}
	chain, err := f.keys(head.Origin, head.tree())
	if err != nil {
		return &Finding{Code: RegisterDamaged, Folder: path, Index: -1, File: keysFile, Detail: err.Error()}
	}
	if !anchored.SignedBy(chain.at(anchored.Size)) {
		return &Finding{Code: RegisterSignature, Folder: path, Index: -1, Expected: chain.at(anchored.Size),
			Detail: fmt.Sprintf("the checkpoint of %d leaves is not signed by the key of its time", anchored.Size)}
	}
	return nil
}

// Consistency returns a proof (RFC 6962, 2.1.2) that the first old leaves of a folder are the
// beginning of its tree. tlog.CheckTree verifies it.
func (r *Reader) Consistency(old int64) (tlog.TreeProof, error) {
	if old < 1 || old > r.Head.Size {
		return nil, fmt.Errorf("register: there is no tree of %d leaves before one of %d", old, r.Head.Size)
	}
	return tlog.ProveTree(r.Head.Size, old, r.folder.hashes(r.Head.tree()))
}
