package register

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"quire/internal/prove"
)

// These tests inject a fault into every change on disk in turn: either the disk dies there, as after
// kill -9, or only that change fails. Afterwards the register is opened again. It must have the old
// leaves or the new ones, and accept more.

// faultCase is a change that is repeated with a different fault each time.
type faultCase struct {
	name    string
	prepare int // leaves before the change
	change  func(w *Writer) error
	adds    int64 // leaves that the change adds
}

func faultCases() []faultCase {
	add := func(from, to int) func(w *Writer) error {
		return func(w *Writer) error {
			_, err := w.Append(background, func(yield func(Leaf, error) bool) {
				for n := from; n < to; n++ {
					if !yield(leaf(n), nil) {
						return
					}
				}
			})
			return err
		}
	}
	return []faultCase{
		{name: "one leaf", prepare: 9, change: add(9, 10), adds: 1},
		{name: "a full tile", prepare: 254, change: add(254, 255), adds: 1},
		{name: "two tiles", prepare: 100, change: add(100, 700), adds: 600},
		{name: "rotation", prepare: 9, adds: 1, change: func(w *Writer) error {
			_, err := w.Rotate(background, someTime)
			return err
		}},
	}
}

func TestFaultAtEveryChange(t *testing.T) {
	for _, c := range faultCases() {
		for _, dies := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/dies=%v", c.name, dies), func(t *testing.T) {
				steps := 0
				for at := 1; ; at++ {
					if runFault(t, c, at, dies) < at {
						break
					}
					steps = at
				}
				if steps < 10 {
					t.Errorf("only %d changes went through the door", steps)
				}
			})
		}
	}
}

// runFault makes the change with a fault at one step, and returns the number of steps.
func runFault(t *testing.T, c faultCase, at int, dies bool) int {
	t.Helper()
	o := options(t)
	defer func() { _ = os.RemoveAll(filepath.Dir(o.Key)) }()
	w := mustCreate(t, o)
	first := w.Keys()
	mustAppend(t, w, 0, c.prepare)
	d := &door{at: at, dies: dies}
	o.Disk = osDisk{fault: d.fault}
	w = mustOpen(t, o)
	d.count = 0
	changeErr := c.change(w)
	steps := d.count
	o.Disk = nil
	// The caller tries another append with the same writer: it succeeds, or refuses.
	w.disk = osDisk{}
	_, againErr := w.AppendLeaves(background, leaf(2000))
	w = mustOpen(t, o)
	size := w.Head().Size - int64(c.prepare) - 1
	if againErr == nil {
		size--
	}
	if size != 0 && size != c.adds || changeErr == nil && size != c.adds {
		t.Fatalf("step %d: %d of %d leaves (%v, %v)", at, size, c.adds, changeErr, againErr)
	}
	if there, err := folder(o.Folder).checkpoint(); err != nil || there.Size != w.Head().Size {
		t.Errorf("step %d: opened with %d leaves, and the folder has %d (%v)", at, w.Head().Size, there.Size, err)
	}
	mustAppend(t, w, 3000, 3003)
	mustCatchUp(t, w, o.Copies[0])
	for _, path := range []string{o.Folder, o.Copies[0]} {
		mustBeSound(t, w, path, w.Head().Size)
	}
	if w.Keys()[0] != first[0] {
		t.Errorf("step %d: the first key changed", at)
	}
	if _, err := os.Stat(o.Key + nextSuffix); err == nil {
		t.Errorf("step %d: the next key is left over", at)
	}
	if t.Failed() {
		t.Fatalf("step %d of %d (%v)", at, steps, changeErr)
	}
	return steps
}

// TestFaultInRecovery lets the disk die in an append, and again in the Open after it.
func TestFaultInRecovery(t *testing.T) {
	for _, c := range faultCases() {
		t.Run(c.name, func(t *testing.T) {
			for at := 1; at < 40; at += prove.Rounds(3, 1, 1) {
				for again := 1; again < 6; again++ {
					recoverFault(t, c, at, again)
				}
			}
		})
	}
}

func recoverFault(t *testing.T, c faultCase, at, again int) {
	t.Helper()
	o := options(t)
	defer func() { _ = os.RemoveAll(filepath.Dir(o.Key)) }()
	w := mustCreate(t, o)
	mustAppend(t, w, 0, c.prepare)
	w.disk = osDisk{fault: (&door{at: at, dies: true}).fault}
	_ = c.change(w) // its outcome is that of TestFaultAtEveryChange
	o.Disk = osDisk{fault: (&door{at: again, dies: true}).fault}
	_, _ = Open(background, o) // it may fail: the disk dies
	o.Disk = nil
	w = mustOpen(t, o)
	mustAppend(t, w, 3000, 3003)
	mustBeSound(t, w, o.Folder, w.Head().Size)
}

// TestFaultInCatchUp lets the disk die at every change of a catch-up. The folder has the old leaves
// or the new ones, and a second catch-up completes it.
func TestFaultInCatchUp(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	mustAppend(t, w, 0, 200)
	mustCatchUp(t, w, o.Copies[1])
	mustAppend(t, w, 200, 300)
	if _, err := w.Rotate(background, someTime); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, w, 300, 600)
	for at := 1; ; at++ {
		if err := os.RemoveAll(o.Copies[0]); err != nil {
			t.Fatal(err)
		}
		copyFolder(t, o.Copies[1], o.Copies[0])
		d := &door{at: at, dies: true}
		w.disk = osDisk{fault: d.fault}
		_, err := w.CatchUp(background, o.Copies[0])
		w.disk = osDisk{}
		reader, readErr := OpenReader(o.Copies[0])
		if readErr != nil {
			t.Fatal(readErr)
		}
		if size := reader.Head.Size; size != 201 && size != 602 || err == nil && size != 602 {
			t.Fatalf("step %d: %d leaves (%v)", at, size, err)
		}
		mustBeSound(t, w, o.Copies[0], reader.Head.Size)
		mustCatchUp(t, w, o.Copies[0])
		mustBeSound(t, w, o.Copies[0], 602)
		if d.count < at {
			break
		}
	}
}

// TestFaultInCreate repeats a Create that was cut off.
func TestFaultInCreate(t *testing.T) {
	for at := 1; ; at++ {
		o := options(t)
		d := &door{at: at, dies: true}
		o.Disk = osDisk{fault: d.fault}
		_, err := Create(background, o, origin, someTime)
		o.Disk = nil
		w, openErr := Open(background, o)
		if openErr != nil {
			if err == nil {
				t.Fatalf("step %d: created, and then: %v", at, openErr)
			}
			w = mustCreate(t, o)
		}
		mustAppend(t, w, 0, 3)
		mustBeSound(t, w, o.Folder, 4)
		if d.count < at {
			break
		}
	}
}

// TestWritesOfOneLeaf counts the files that an append of one leaf writes: bundle, tile, state and
// checkpoint, in a tree of any size, and two for each tile that becomes full.
func TestWritesOfOneLeaf(t *testing.T) {
	for _, c := range []struct{ size, writes int }{{300, 4}, {70_000, 4}, {511, 5}} {
		o := options(t)
		w := mustCreate(t, o)
		mustAppend(t, w, 1, c.size)
		writes := 0
		w.disk = osDisk{fault: func(op, _ string) error {
			if op == "rename" {
				writes++
			}
			return nil
		}}
		mustAppend(t, w, 0, 1)
		if writes != c.writes {
			t.Errorf("%d leaves: %d files were written, not %d", c.size, writes, c.writes)
		}
	}
}
