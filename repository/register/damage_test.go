package register

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// TestDamageInEveryFile changes, cuts and removes each file of a register in turn. Each is a finding
// that names the file.
func TestDamageInEveryFile(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 699)
	key := w.Keys()[0].Key
	var names []string
	err := filepath.WalkDir(o.Folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, o.Folder+"/"))
		}
		return err
	})
	if err != nil || len(names) < 9 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		for _, harm := range []string{"change", "cut", "remove", "lengthen"} {
			path := filepath.Join(o.Folder, name)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			damaged := bytes.Clone(text)
			switch harm {
			case "change":
				damaged[len(text)/2] ^= 1
			case "cut":
				damaged = damaged[:len(text)-1]
			case "lengthen":
				damaged = append(damaged, 'x')
			}
			if harm == "remove" {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, damaged, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			report, err := Verify(background, o.Folder, VerifyOptions{Keys: []string{key}})
			if err != nil {
				t.Fatal(err)
			}
			named := func(f Finding) bool { return strings.Contains(f.File, name) }
			if !slices.ContainsFunc(report.Findings, named) {
				t.Errorf("%s %s: %v", harm, name, report.Findings)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	mustBeSound(t, w, o.Folder, 700)
}

// forge writes a register from leaves, with a right tree and a checkpoint of the given key.
func forge(t *testing.T, path string, key *signer, entries [][]byte) {
	t.Helper()
	a := newAppender(osDisk{}, folder(path), &edge{}, nil)
	chain := &keyChain{origin: origin}
	for _, entry := range entries {
		l, err := Parse(entry)
		if k, ok := l.(Key); err == nil && ok {
			if err := chain.add(a.edge.tree(), k); err != nil {
				t.Log(err)
			}
		}
		if err := a.add(entry); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.finish(); err != nil {
		t.Fatal(err)
	}
	head, err := signCheckpoint(origin, a.edge.tree(), key)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{keysFile: formatKeys(chain.keys), checkpointFile: head.Text} {
		if err := os.WriteFile(filepath.Join(path, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// entriesOf returns the entries of a folder.
func entriesOf(t *testing.T, path string) [][]byte {
	t.Helper()
	reader, err := OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for e, err := range reader.Leaves(background, 0) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, bytes.Clone(e.Raw))
	}
	return all
}

// TestForger rewrites one copy completely: a leaf removed, changed or added, with a tree that fits.
// Without the key, the signature is wrong. With it, the copy differs from the others.
func TestForger(t *testing.T) {
	forgeries := map[string]func([][]byte) [][]byte{
		"removed": func(e [][]byte) [][]byte { return slices.Delete(e, 300, 301) },
		"changed": func(e [][]byte) [][]byte { e[300][40] ^= 1; return e },
		"added":   func(e [][]byte) [][]byte { return slices.Insert(e, 300, e[17]) },
	}
	for name, change := range forgeries {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			w := mustCreate(t, o)
			mustAppend(t, w, 0, 599)
			mustCatchUp(t, w, o.Copies[1])
			own, err := newSigner(origin)
			if err != nil {
				t.Fatal(err)
			}
			entries := change(entriesOf(t, o.Folder))
			forge(t, o.Copies[0], own, entries)
			if got := codes(t, o.Copies[0], w.Keys()[0].Key); !slices.Equal(got, []Code{RegisterSignature}) {
				t.Errorf("without the key: %v", got)
			}
			if c := Compare(o.Copies, nil); len(c.Choices) != 1 || len(c.Findings) != 2 ||
				c.Findings[0].Code != RegisterSignature || c.Findings[1].Code != RegisterKeyAlone {
				t.Errorf("without the key: %+v", c)
			}
			forge(t, o.Copies[0], w.signer, entries)
			if got := codes(t, o.Copies[0], w.Keys()[0].Key); len(got) > 0 {
				t.Errorf("the holder of the key can forge a register of its own: %v", got)
			}
			c := Compare([]string{o.Folder, o.Copies[0], o.Copies[1]}, nil)
			if len(c.Choices) != 2 {
				t.Errorf("%+v", c)
			}
			for _, f := range c.Findings {
				if f.Code != RegisterForked || f.Index != 300 {
					t.Error(f)
				}
			}
			f := CheckAnchored(o.Copies[0], w.Head())
			if f == nil || f.Code != RegisterForked && f.Code != RegisterBehind {
				t.Errorf("an anchored checkpoint does not show it: %v", f)
			}
		})
	}
}

// TestForgerWithOwnKey makes a complete register with a key of the forger.
func TestForgerWithOwnKey(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 20)
	mustCatchUp(t, w, o.Copies[1])
	own, err := newSigner(origin)
	if err != nil {
		t.Fatal(err)
	}
	genesis, err := Marshal(Key{Time: someTime, Link: FirstKey, Public: own.public})
	if err != nil {
		t.Fatal(err)
	}
	entries := entriesOf(t, o.Folder)
	entries[0] = genesis
	forge(t, o.Copies[0], own, entries)
	if got := codes(t, o.Copies[0], w.Keys()[0].Key); !slices.Equal(got, []Code{RegisterKey}) {
		t.Errorf("%v", got)
	}
	c := Compare(o.Copies, nil)
	if len(c.Choices) != 2 || !slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Code == RegisterKey }) {
		t.Errorf("%+v", c)
	}
	c = Compare(o.Copies[:1], nil)
	if len(c.Findings) != 1 || c.Findings[0].Code != RegisterKeyAlone {
		t.Errorf("the key of one copy alone is trusted: %+v", c)
	}
	forge(t, o.Copies[0], own, append(entries, entries[1])) // longer than the right one
	if err := os.Remove(o.Key + stateSuffix); err != nil {
		t.Fatal(err)
	}
	if w := mustOpen(t, o); w.Head().Size != 21 {
		t.Error("the key of a forger is trusted")
	}
	c = Compare(o.Copies, []string{w.Keys()[0].Key})
	if len(c.Choices) != 1 || c.Choices[0].Folders[0] != o.Copies[1] {
		t.Errorf("%+v", c)
	}
}

func TestRotation(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 5)
	old := w.signer
	for range 3 {
		if _, err := w.Rotate(background, someTime); err != nil {
			t.Fatal(err)
		}
		if head := w.Head(); !head.SignedBy(w.chain.at(head.Size)) || !head.SignedBy(w.chain.at(head.Size-1)) {
			t.Error("a rotation is not signed by both keys")
		}
		mustAppend(t, w, 0, 300)
	}
	if w.Head().SignedBy(w.Keys()[0].Key) {
		t.Error("the old key still signs")
	}
	w = mustOpen(t, o)
	mustCatchUp(t, w, o.Copies...)
	for _, path := range append([]string{o.Folder}, o.Copies...) {
		mustBeSound(t, w, path, 1+5+3*301)
	}
	// A checkpoint of the old key for a newer tree does not count.
	head, err := signCheckpoint(origin, w.edge.tree(), old)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.Copies[0], checkpointFile), head.Text, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := codes(t, o.Copies[0], w.Keys()[0].Key); !slices.Equal(got, []Code{RegisterSignature}) {
		t.Error(got)
	}
}

// TestForgedRotation has a key that names itself as the next one.
func TestForgedRotation(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 5)
	own, err := newSigner(origin)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := own.Sign(rotationText(origin, w.edge.tree(), own.public))
	if err != nil {
		t.Fatal(err)
	}
	forged, err := Marshal(Key{Time: someTime, Link: RotatedKey, Public: own.public, Signature: [64]byte(signature)})
	if err != nil {
		t.Fatal(err)
	}
	forge(t, o.Copies[0], own, append(entriesOf(t, o.Folder), forged))
	got := codes(t, o.Copies[0], w.Keys()[0].Key)
	if !slices.Contains(got, RegisterKey) || !slices.Contains(got, RegisterSignature) {
		t.Error(got)
	}
}

func TestUnlinkedKey(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 5)
	first := w.Keys()[0].Key
	if _, err := Relink(background, o, someTime); err == nil {
		t.Error("a key that exists was replaced without its signature")
	}
	if err := os.Remove(o.Key); err != nil {
		t.Fatal(err)
	}
	w, err := Relink(background, o, someTime)
	if err != nil {
		t.Fatal(err)
	}
	mustAppend(t, w, 5, 9)
	if _, err := w.Rotate(background, someTime); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, mustOpen(t, o), 9, 12)
	report, err := Verify(background, o.Folder, VerifyOptions{Keys: []string{first}})
	if err != nil || len(report.Findings) != 1 || report.Findings[0].Code != KeyUnlinked ||
		report.Findings[0].Index != 6 {
		t.Errorf("%v %v", report.Findings, err)
	}
}

// TestUnlinkedForger adds leaves to one copy behind an unlinked key: nothing takes them over, and the
// comparison does not choose.
func TestUnlinkedForger(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 20)
	mustCatchUp(t, w, o.Copies...)
	own, err := newSigner(origin)
	if err != nil {
		t.Fatal(err)
	}
	entries := entriesOf(t, o.Folder)
	for _, l := range []Leaf{Key{Time: someTime, Link: UnlinkedKey, Public: own.public}, leaf(50), leaf(51)} {
		entry, err := Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry)
	}
	forge(t, o.Copies[0], own, entries)
	c := Compare(append([]string{o.Folder}, o.Copies...), nil)
	if len(c.Choices) != 2 || len(c.Choices[1].Folders) != 2 || len(c.Findings) != 1 ||
		c.Findings[0].Code != KeyUnlinked {
		t.Errorf("%+v", c)
	}
	trusting := Compare(append([]string{o.Folder}, o.Copies...), []string{w.Keys()[0].Key,
		verifierKey(origin, own.public)})
	if len(trusting.Choices) != 1 {
		t.Errorf("a person trusts the new key: %+v", trusting)
	}
	for _, state := range []bool{true, false} {
		if !state {
			if err := os.Remove(o.Key + stateSuffix); err != nil {
				t.Fatal(err)
			}
		}
		w = mustOpen(t, o)
		if w.Head().Size != 21 {
			t.Fatalf("forged leaves were taken over: %d", w.Head().Size)
		}
	}
	_, err = w.CatchUp(background, o.Copies[0])
	var found *FindingError
	if !errors.As(err, &found) || found.Finding.Code != RegisterSignature {
		t.Error(err)
	}
	// The main folder is lost, and the forged copy has the signed leaves: only those are taken.
	mustAppend(t, w, 20, 21) // the state is written again
	if err := os.RemoveAll(o.Folder); err != nil {
		t.Fatal(err)
	}
	entries = append(entriesOfWriter(t, w, entries), entries[21:]...)
	forge(t, o.Copies[0], own, entries)
	if err := os.RemoveAll(o.Copies[1]); err != nil {
		t.Fatal(err)
	}
	if w, err = Open(background, o); err != nil || w.Head().Size != 22 {
		t.Fatalf("%v", err)
	}
	mustBeSound(t, w, o.Folder, 22)
}

// entriesOfWriter returns the entries of a register of 22 leaves.
func entriesOfWriter(t *testing.T, w *Writer, entries [][]byte) [][]byte {
	t.Helper()
	last, err := Marshal(leaf(20))
	if err != nil || w.Head().Size != 22 {
		t.Fatal(err)
	}
	return append(slices.Clone(entries[:21]), last)
}

// TestKeySignedTwoHistories opens a register whose copy has a longer history of the same key.
func TestKeySignedTwoHistories(t *testing.T) {
	o, _ := forked(t)
	other, err := OpenReader(o.Copies[0])
	if err != nil || other.Head.Size <= 801 {
		t.Fatal(err)
	}
	w := mustOpen(t, o) // the state knows the right one
	if w.Head().Size != 801 {
		t.Error(w.Head().Size)
	}
	_, err = w.CatchUp(background, o.Copies[0])
	var found *FindingError
	if !errors.As(err, &found) || found.Finding.Code != RegisterForked {
		t.Error(err)
	}
	if err := os.Remove(o.Key + stateSuffix); err != nil {
		t.Fatal(err)
	}
	_, err = Open(background, o)
	if !errors.As(err, &found) || found.Finding.Code != RegisterForked {
		t.Error(err)
	}
}

// TestHostileCheckpoint claims a tree that is not there.
func TestHostileCheckpoint(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 5)
	head, err := signCheckpoint(origin, tlog.Tree{N: maxSize, Hash: tlog.Hash{1}}, w.signer)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Folder, checkpointFile)
	for _, text := range []string{string(head.Text), "", "x", strings.Repeat("x", maxCheckpoint+1),
		strings.Replace(string(head.Text), fmt.Sprint(int64(maxSize)), "-1", 1),
		strings.Replace(string(head.Text), fmt.Sprint(int64(maxSize)), "007", 1)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := codes(t, o.Folder, w.Keys()[0].Key); !slices.Contains(got, RegisterDamaged) {
			t.Errorf("%.40q: %v", text, got)
		}
		if c := Compare([]string{o.Folder}, nil); len(c.Findings) != 1 || c.Findings[0].Code != RegisterDamaged {
			t.Errorf("%.40q: %+v", text, c)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", path); err != nil {
		t.Fatal(err)
	}
	if got := codes(t, o.Folder, w.Keys()[0].Key); !slices.Equal(got, []Code{RegisterDamaged}) {
		t.Error(got)
	}
	if got := codes(t, fastDir(t), w.Keys()[0].Key); !slices.Equal(got, []Code{RegisterMissing}) {
		t.Error(got)
	}
}

// TestKeyFile compares the public key that is derived from the key file with the one of note.
func TestKeyFile(t *testing.T) {
	for range 50 { // base64 of some keys has a +
		s, err := newSigner(origin)
		if err != nil {
			t.Fatal(err)
		}
		v, err := note.NewVerifier(verifierKey(origin, s.public))
		if err != nil {
			t.Fatal(err)
		}
		signature, err := s.Sign([]byte("text"))
		if err != nil || !v.Verify([]byte("text"), signature) || v.KeyHash() != s.KeyHash() {
			t.Fatal(err)
		}
		if !ed25519.Verify(s.public[:], []byte("text"), signature) {
			t.Fatal("another public key")
		}
	}
	for _, text := range []string{"", "x", "PRIVATE+KEY+a+00000000+", "PRIVATE+KEY+a+00000000+" +
		base64.StdEncoding.EncodeToString(make([]byte, 33))} {
		if _, err := parseSigner(text); err == nil {
			t.Errorf("%q is a key", text)
		} else if text != "" && strings.Contains(err.Error(), text) && len(text) > 20 {
			t.Errorf("the error shows the key: %v", err)
		}
	}
}
