package register

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// TestAgainstTlog appends in batches of random sizes, and compares root, inclusion and consistency
// proofs with those that tlog computes from its own storage.
func TestAgainstTlog(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	r := random(t)
	p := &peer{}
	reader, err := OpenReader(o.Folder)
	if err != nil {
		t.Fatal(err)
	}
	first, err := reader.Leaf(0)
	if err != nil {
		t.Fatal(err)
	}
	p.add(t, first.Raw)
	sizes := []int64{1}
	for n := 0; n < 1500; {
		batch := 1 + r.IntN(1+r.IntN(600))
		mustAppend(t, w, n, n+batch)
		for i := n; i < n+batch; i++ {
			entry, err := Marshal(leaf(i))
			if err != nil {
				t.Fatal(err)
			}
			p.add(t, entry)
		}
		n += batch
		sizes = append(sizes, w.Head().Size)
		if want := p.root(t, w.Head().Size); tlog.Hash(w.Head().Root) != want {
			t.Fatalf("%d leaves: root %v, and tlog has %v", w.Head().Size, w.Head().Root, want)
		}
		if r.IntN(3) == 0 {
			w = mustOpen(t, o)
		}
	}
	compareProofs(t, o, p, sizes, r.IntN)
	mustBeSound(t, w, o.Folder, w.Head().Size)
}

func compareProofs(t *testing.T, o Options, p *peer, sizes []int64, below func(int) int) {
	t.Helper()
	reader, err := OpenReader(o.Folder)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := reader.Keys()
	if err != nil {
		t.Fatal(err)
	}
	size, root := reader.Head.Size, tlog.Hash(reader.Head.Root)
	for range 50 {
		index := int64(below(int(size)))
		e, err := reader.Leaf(index)
		if err != nil {
			t.Fatal(err)
		}
		proof, err := reader.Proof(index)
		if err != nil {
			t.Fatal(err)
		}
		if at, _, err := CheckProof(proof, e.Raw, keys[0].Key); err != nil || at != index {
			t.Fatalf("the proof of leaf %d: %d, %v", index, at, err)
		}
		if _, _, err := CheckProof(proof, e.Raw, verifierKey(origin, [32]byte{1})); err == nil {
			t.Fatalf("the proof of leaf %d holds for another key", index)
		}
		if _, _, err := CheckProof(proof, append(bytes.Clone(e.Raw), 0), keys[0].Key); err == nil {
			t.Fatalf("the proof of leaf %d holds for another leaf", index)
		}
		want, err := tlog.ProveRecord(size, index, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range want {
			if !bytes.Contains(proof, []byte("\n"+h.String()+"\n")) {
				t.Fatalf("leaf %d: the proof lacks %v", index, h)
			}
		}
	}
	for _, old := range sizes {
		proof, err := reader.Consistency(old)
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckTree(proof, size, root, old, p.root(t, old)); err != nil {
			t.Fatalf("%d in %d leaves: %v", old, size, err)
		}
	}
}

// TestLeavesComeBack reads all leaves, from any place on.
func TestLeavesComeBack(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 700)
	reader, err := OpenReader(o.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []int64{0, 1, 255, 256, 257, 512, 700, 701} {
		next := from
		for e, err := range reader.Leaves(background, from) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Index != next || e.Index > 0 && e.Leaf != leaf(int(e.Index)-1) {
				t.Fatalf("from %d: %d %+v", from, e.Index, e.Leaf)
			}
			next++
		}
		if next != 701 {
			t.Errorf("from %d: the last leaf is %d", from, next-1)
		}
	}
}

// TestPathsOfTheSpecification has the example of c2sp.org/tlog-tiles: a tree of 70,000 leaves.
func TestPathsOfTheSpecification(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 69_999)
	for _, name := range []string{"tile/0/000", "tile/0/272", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17",
		"tile/2/000.p/1", "tile/entries/000", "tile/entries/272", "tile/entries/273.p/112", "checkpoint", "keys"} {
		if _, err := os.Stat(filepath.Join(o.Folder, name)); err != nil {
			t.Error(err)
		}
	}
	partial, full := 0, 0
	err := filepath.WalkDir(filepath.Join(o.Folder, "tile"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			full++
			if strings.Contains(path, ".p") {
				partial++
			}
		}
		return err
	})
	if err != nil || full != 273+1+1+1+1+273+1 || partial != 4 {
		t.Errorf("%d files, %d of them partial (%v)", full, partial, err)
	}
	if got := tilePath(0, 1234067, 256); got != "tile/0/x001/x234/067" {
		t.Error(got)
	}
	mustBeSound(t, w, o.Folder, 70_000)
	change(t, filepath.Join(o.Folder, "tile/1/000"), 40)
	if got := codes(t, o.Folder, w.Keys()[0].Key); !slices.Equal(got, []Code{RegisterDamaged}) {
		t.Error(got)
	}
}

// TestDamagedSource reads and copies a register with a damaged entry.
func TestDamagedSource(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 600)
	change(t, filepath.Join(o.Folder, "tile/entries/001"), 40)
	reader, err := OpenReader(o.Folder)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := reader.Leaf(256); err == nil {
		t.Errorf("%+v", e)
	}
	last := int64(-1)
	for e, err := range reader.Leaves(background, 0) {
		if err == nil {
			last = e.Index
		}
	}
	if last != 255 {
		t.Errorf("the last leaf is %d", last)
	}
	if _, err := w.CatchUp(background, o.Copies[0]); err == nil {
		t.Error("a damaged entry was copied")
	}
	if _, err := os.Stat(filepath.Join(o.Copies[0], checkpointFile)); err == nil {
		t.Error("the copy has a checkpoint")
	}
}

func TestCatchUp(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	lagging, away := o.Copies[0], o.Copies[1]
	for n, step := 0, 1; n < 900; n, step = n+step, step*2 {
		mustAppend(t, w, n, n+step)
		if step%4 == 1 {
			mustCatchUp(t, w, lagging)
		}
	}
	before, err := OpenReader(lagging)
	if err != nil {
		t.Fatal(err)
	}
	if from, err := w.CatchUp(background, lagging); err != nil || from != before.Head.Size {
		t.Errorf("from %d, not %d: %v", from, before.Head.Size, err)
	}
	if from, err := w.CatchUp(background, away); err != nil || from != 0 {
		t.Errorf("from %d: %v", from, err)
	}
	for _, path := range o.Copies {
		mustBeSound(t, w, path, w.Head().Size)
	}
	if from, err := w.CatchUp(background, away); err != nil || from != w.Head().Size {
		t.Errorf("again from %d: %v", from, err)
	}
	c := Compare(append([]string{o.Folder}, o.Copies...), nil)
	if len(c.Choices) != 1 || len(c.Findings) > 0 {
		t.Errorf("%+v", c)
	}
}

// forked returns a register whose copy-1 has other leaves from number 500 on, signed by the same key.
func forked(t *testing.T) (Options, *Writer) {
	t.Helper()
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 499)
	other := o
	other.Folder, other.Key = o.Copies[0], filepath.Join(filepath.Dir(o.Key), "other.key")
	mustCatchUp(t, w, o.Copies[0], o.Copies[1])
	text, err := os.ReadFile(o.Key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other.Key, text, 0o600); err != nil {
		t.Fatal(err)
	}
	other.Copies = nil
	mustAppend(t, mustOpen(t, other), 1000, 1400)
	mustAppend(t, w, 499, 800)
	return o, w
}

func TestForkedFolderIsNeverWritten(t *testing.T) {
	o, w := forked(t)
	before, err := os.ReadFile(filepath.Join(o.Copies[0], checkpointFile))
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.CatchUp(background, o.Copies[0])
	var found *FindingError
	if !errors.As(err, &found) || found.Finding.Code != RegisterForked {
		t.Fatal(err)
	}
	mustAppend(t, w, 800, 1000)
	_, err = w.CatchUp(background, o.Copies[0])
	if !errors.As(err, &found) || found.Finding.Code != RegisterForked || found.Finding.Index != 500 {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(o.Copies[0], checkpointFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the forked folder was written: %v", err)
	}
}

// TestCompareNamesTheChoices compares a fork, with one folder from before it.
func TestCompareNamesTheChoices(t *testing.T) {
	o, _ := forked(t)
	c := Compare([]string{o.Folder, o.Copies[0], o.Copies[1]}, nil)
	if len(c.Choices) != 2 {
		t.Fatalf("%+v", c)
	}
	if !slices.Equal(c.Choices[0].Folders, []string{o.Copies[0], o.Copies[1]}) ||
		!slices.Equal(c.Choices[1].Folders, []string{o.Folder, o.Copies[1]}) {
		t.Errorf("%+v", c.Choices)
	}
	var forks, behind int
	for _, f := range c.Findings {
		switch f.Code {
		case RegisterForked:
			forks++
			if f.Index != 500 || f.Folder != o.Folder {
				t.Error(f)
			}
		case RegisterBehind:
			behind++
			if f.Folder != o.Copies[1] {
				t.Error(f)
			}
		default:
			t.Error(f)
		}
	}
	if forks != 1 || behind != 1 {
		t.Errorf("%d forks, %d behind: %v", forks, behind, c.Findings)
	}
}

// TestRolledBack restores older states of the folder: alone, and with its copies.
func TestRolledBack(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 300)
	old := filepath.Join(filepath.Dir(o.Key), "old")
	copyFolder(t, o.Folder, old)
	mustAppend(t, w, 300, 600)
	mustCatchUp(t, w, o.Copies...)
	anchored := w.Head()
	if f := CheckAnchored(o.Folder, anchored); f != nil {
		t.Error(f)
	}
	restore := func(path string) {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		copyFolder(t, old, path)
	}
	restore(o.Folder)
	if f := CheckAnchored(o.Folder, anchored); f == nil || f.Code != RegisterBehind {
		t.Error(f)
	}
	mustBeSound(t, mustOpen(t, o), o.Folder, 601) // from a copy
	for _, path := range append([]string{o.Folder}, o.Copies...) {
		restore(path)
	}
	_, err := Open(background, o)
	var found *FindingError
	if !errors.As(err, &found) || found.Finding.Code != RegisterBehind || found.Finding.Index != 301 {
		t.Errorf("every folder was rolled back: %v", err)
	}
	if err := os.Remove(o.Key + stateSuffix); err != nil {
		t.Fatal(err)
	}
	if w := mustOpen(t, o); !w.StateMissing {
		t.Error("a missing state is not reported")
	}
}

// TestStateMissing opens a lagging folder without the state: the longest copy counts.
func TestStateMissing(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 10)
	old := filepath.Join(filepath.Dir(o.Key), "old")
	copyFolder(t, o.Folder, old)
	mustAppend(t, w, 10, 20)
	mustCatchUp(t, w, o.Copies[1])
	for _, path := range []string{o.Folder, o.Key + stateSuffix} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
	}
	copyFolder(t, old, o.Folder)
	w = mustOpen(t, o)
	mustBeSound(t, w, o.Folder, 21)
	if _, err := os.Stat(o.Key + stateSuffix); err != nil {
		t.Error(err)
	}
}

func TestCreateOnce(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	if _, err := Create(background, o, origin, someTime); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	info, err := os.Stat(o.Key)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	if _, err := w.AppendLeaves(background, Key{Time: someTime, Link: UnlinkedKey}); err == nil {
		t.Error("a key was appended as a leaf")
	}
	if _, err := Open(background, Options{Folder: fastDir(t), Key: o.Key + "none"}); !errors.Is(err, ErrNoRegister) {
		t.Error(err)
	}
	if err := os.Remove(o.Key); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(background, o); !errors.Is(err, ErrNoKey) {
		t.Error(err)
	}
}
