//go:build interop

package register

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/interop/internal/peers"
	"quire/repository/register"
)

var (
	ctx = context.Background()
	now = time.Date(2026, 11, 28, 12, 0, 0, 123456000, time.UTC)
)

// write makes a register of 502 leaves with a rotation in the middle, and returns it with its leaves.
func write(t *testing.T) (o register.Options, w *register.Writer, leaves []register.Leaf) {
	t.Helper()
	dir := t.TempDir()
	o = register.Options{Folder: filepath.Join(dir, "register"), Key: filepath.Join(dir, "register.key")}
	w, err := register.Create(ctx, o, register.Origin("1b7e3a52-0000-4000-8000-000000000001"), now)
	if err != nil {
		t.Fatal(err)
	}
	salt := register.NewSalt()
	object := salt.Object("urn:x:1")
	for n := range 100 {
		at := now.Add(time.Duration(n) * time.Second)
		leaves = append(leaves,
			register.Version{Time: at, Object: object, Number: uint32(n + 1),
				Inventory: salt.Inventory([64]byte{byte(n)})},
			register.Event{Time: at, Object: object, File: salt.Event([]byte{byte(n)}), Type: "ingestion"},
			register.Batch{Time: at, Run: [16]byte{byte(n)}, Root: salt.Line([]byte{byte(n)}), Lines: 7, Objects: 5,
				Problems: 1, Type: "fixity check"},
			register.Setting{Time: at, Digest: salt.Setting([]byte("rules")), Name: "rules.yaml"},
			register.Tombstone{Time: at, Object: object, Record: salt.Record([]byte("gone"))})
	}
	for _, part := range [][]register.Leaf{leaves[:1], leaves[1:300], leaves[300:]} {
		if _, err := w.AppendLeaves(ctx, part...); err != nil {
			t.Fatal(err)
		}
		if len(part) == 299 {
			if _, err := w.Rotate(ctx, now); err != nil {
				t.Fatal(err)
			}
		}
	}
	return o, w, leaves
}

// read runs the reader, and returns its lines or its complaint.
func read(t *testing.T, args ...string) (lines []string, complaint string) {
	t.Helper()
	python := filepath.Join(peers.Tools(t), "venv", "bin", "python")
	var errs strings.Builder
	cmd := exec.Command(python, append([]string{"reader.py"}, args...)...)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil && errs.Len() == 0 {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), errs.String()
}

// fields returns the line that the reader prints for a leaf.
func fields(l register.Leaf) string {
	switch l := l.(type) {
	case register.Version:
		return fmt.Sprintf("version %d %v %d %v", l.Time.UnixMicro(), l.Object, l.Number, l.Inventory)
	case register.Event:
		return fmt.Sprintf("event %d %v %v %s", l.Time.UnixMicro(), l.Object, l.File, l.Type)
	case register.Batch:
		return fmt.Sprintf("batch %d %s %v %d %d %d %s", l.Time.UnixMicro(), hex.EncodeToString(l.Run[:]), l.Root,
			l.Lines, l.Objects, l.Problems, l.Type)
	case register.Setting:
		return fmt.Sprintf("setting %d %v %s", l.Time.UnixMicro(), l.Digest, l.Name)
	case register.Tombstone:
		return fmt.Sprintf("tombstone %d %v %v", l.Time.UnixMicro(), l.Object, l.Record)
	}
	return "key"
}

// TestReader has a reader in another language, with a proof for each of several leaves.
func TestReader(t *testing.T) {
	o, w, leaves := write(t)
	reader, err := register.OpenReader(o.Folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []int64{0, 1, 255, 256, 301, 501} {
		text, err := reader.Proof(index)
		if err != nil {
			t.Fatal(err)
		}
		proof := filepath.Join(t.TempDir(), "proof")
		if err := os.WriteFile(proof, text, 0o600); err != nil {
			t.Fatal(err)
		}
		lines, complaint := read(t, o.Folder, w.Keys()[0].Key, proof, fmt.Sprint(index))
		if complaint != "" || len(lines) != len(leaves)+2 {
			t.Fatalf("%d lines: %s", len(lines), complaint)
		}
		if _, complaint := read(t, o.Folder, w.Keys()[0].Key, proof, fmt.Sprint(index+1)); complaint == "" {
			t.Errorf("the proof of %d holds for another leaf", index)
		}
	}
	lines, _ := read(t, o.Folder, w.Keys()[0].Key)
	for i, leaf := range leaves {
		at := i + 1
		if i >= 300 {
			at++ // behind the rotation
		}
		if want := fmt.Sprintf("%d %s", at, fields(leaf)); lines[at] != want {
			t.Errorf("%q, not %q", lines[at], want)
		}
	}
}

// TestReaderRefuses changes each file of a register, and the key.
func TestReaderRefuses(t *testing.T) {
	o, w, _ := write(t)
	if _, complaint := read(t, o.Folder, "other+00000000+AAAA"); !strings.Contains(complaint, "another key") {
		t.Error(complaint)
	}
	for _, name := range []string{"checkpoint", "tile/entries/000", "tile/0/001.p/246", "tile/1/000.p/1"} {
		path := filepath.Join(o.Folder, name)
		text, err := os.ReadFile(path)
		if err == nil {
			changed := append([]byte(nil), text...)
			changed[len(text)-20] ^= 1
			err = os.WriteFile(path, changed, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, complaint := read(t, o.Folder, w.Keys()[0].Key); complaint == "" {
			t.Errorf("a change of %s is not found", name)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, complaint := read(t, o.Folder, w.Keys()[0].Key); complaint != "" {
		t.Error(complaint)
	}
}
