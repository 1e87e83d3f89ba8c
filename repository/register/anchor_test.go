package register

import (
	"context"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFolderAnchor keeps checkpoints, with a line that was cut off between them.
func TestFolderAnchor(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	a := FolderAnchor{Path: filepath.Join(filepath.Dir(o.Key), "drive")}
	if _, err := a.Keep(background, w.Head()); err == nil {
		t.Error("the folder is missing, and the anchor keeps a checkpoint")
	}
	if err := os.Mkdir(a.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		if _, err := a.Keep(background, w.Head()); err != nil {
			t.Fatal(err)
		}
		if n == 1 {
			file, err := os.OpenFile(filepath.Join(a.Path, anchorFile), os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			_, err = file.WriteString("2026-11-28T00:00:00Z 9 cut")
			if err := errors.Join(err, file.Close()); err != nil {
				t.Fatal(err)
			}
		}
		mustAppend(t, w, n*10, n*10+10)
	}
	var sizes []int64
	wrong := 0
	for c, err := range a.Checkpoints() {
		if err != nil {
			wrong++
			continue
		}
		sizes = append(sizes, c.Size)
		if f := CheckAnchored(o.Folder, c); f != nil {
			t.Error(f)
		}
	}
	if len(sizes) != 3 || sizes[0] != 1 || sizes[1] != 11 || sizes[2] != 21 || wrong != 1 {
		t.Errorf("%v, %d wrong lines", sizes, wrong)
	}
}

// TestAnchoredFork compares a register with the anchored checkpoint of another history.
func TestAnchoredFork(t *testing.T) {
	o, w := forked(t)
	mustAppend(t, w, 800, 1000)
	reader, err := OpenReader(o.Copies[0])
	if err != nil {
		t.Fatal(err)
	}
	if f := CheckAnchored(o.Folder, reader.Head); f == nil || f.Code != RegisterForked {
		t.Error(f)
	}
	own, err := newSigner(origin)
	if err != nil {
		t.Fatal(err)
	}
	forged, err := signCheckpoint(origin, w.edge.tree(), own)
	if err != nil {
		t.Fatal(err)
	}
	if f := CheckAnchored(o.Folder, forged); f == nil || f.Code != RegisterSignature {
		t.Error(f)
	}
}

func TestCommandAnchor(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	kept := filepath.Join(filepath.Dir(o.Key), "kept")
	a := CommandAnchor{Command: []string{"sh", "-c", `cat > "$0" && echo receipt`, kept}}
	receipt, err := a.Keep(background, w.Head())
	if err != nil || string(receipt) != "receipt\n" {
		t.Errorf("%q %v", receipt, err)
	}
	if text, err := os.ReadFile(kept); err != nil || string(text) != string(w.Head().Text) {
		t.Errorf("%q %v", text, err)
	}
	for _, c := range []struct {
		command string
		want    string
	}{
		{"echo no paper >&2; exit 3", "no paper"},
		{"sleep 60", context.DeadlineExceeded.Error()},
		{"sleep 5 & exit 0", "WaitDelay"}, // a child keeps the output open
	} {
		a := CommandAnchor{Command: []string{"sh", "-c", c.command}, Timeout: 300 * time.Millisecond}
		if _, err := a.Keep(background, w.Head()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.command, err)
		}
	}
	loud := CommandAnchor{Command: []string{"sh", "-c", "head -c 1000000 /dev/zero"}}
	if receipt, err := loud.Keep(background, w.Head()); err != nil || len(receipt) != maxOutput {
		t.Errorf("%d bytes, %v", len(receipt), err)
	}
	if _, err := (CommandAnchor{}).Keep(background, w.Head()); err == nil {
		t.Error("no program was run")
	}
}

// fickle is an anchor that fails on demand.
type fickle struct {
	err  error
	kept []int64
}

func (*fickle) Name() string { return "fickle" }

func (f *fickle) Keep(_ context.Context, c Checkpoint) ([]byte, error) {
	if f.err == nil {
		f.kept = append(f.kept, c.Size)
	}
	return []byte("receipt"), f.err
}

// TestOwed has an anchor that fails for a while: it is reported until it has the newest checkpoint.
func TestOwed(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	anchor := &fickle{}
	all := &Anchors{Folder: filepath.Join(filepath.Dir(o.Key), "anchors"), List: []Anchor{anchor}}
	owed := func(want int, when string) {
		t.Helper()
		found, err := all.Owed(w.Head())
		if err != nil || len(found) != want {
			t.Errorf("%s: %v %v", when, found, err)
		}
		for _, f := range found {
			if f.Code != AnchorFailed || f.Folder != "fickle" {
				t.Errorf("%s: %v", when, f)
			}
		}
	}
	owed(1, "at first")
	keep := func() {
		t.Helper()
		if _, err := all.Keep(background, w.Head()); err != nil {
			t.Fatal(err)
		}
	}
	keep()
	keep() // has it already
	owed(0, "kept")
	mustAppend(t, w, 0, 5)
	owed(1, "appended")
	anchor.err = errors.New("out of reach")
	keep()
	owed(1, "out of reach")
	state, err := all.State()
	if err != nil || len(state) != 1 || state[0].Size != 1 || state[0].Reason != "out of reach" ||
		state[0].Failed.IsZero() {
		t.Errorf("%+v %v", state, err)
	}
	mustAppend(t, w, 5, 9)
	anchor.err = nil
	keep()
	owed(0, "in reach again")
	if len(anchor.kept) != 2 || anchor.kept[1] != 10 {
		t.Error(anchor.kept)
	}
	for _, name := range []string{"1-1.checkpoint", "1-1.receipt", "1-10.checkpoint", "1-10.receipt", anchorStateFile} {
		if _, err := os.Stat(filepath.Join(all.Folder, name)); err != nil {
			t.Error(err)
		}
	}
	for _, text := range []string{"", "{", `{"format":2}`, `{"format":1,"anchors":[null]}`} {
		if err := os.WriteFile(filepath.Join(all.Folder, anchorStateFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := all.Owed(w.Head()); err == nil {
			t.Errorf("%q is a state", text)
		}
	}
}

// TestAnchorsCheck compares a register with its anchors: as it is, rolled back, and with damage in
// the records of the anchors.
func TestAnchorsCheck(t *testing.T) {
	o := options(t)
	w := mustCreate(t, o)
	dir := filepath.Dir(o.Key)
	drive := filepath.Join(dir, "drive")
	if err := os.Mkdir(drive, 0o700); err != nil {
		t.Fatal(err)
	}
	authority := newAuthority(t, x509.ExtKeyUsageTimeStamping)
	stamp := TimestampAnchor{URL: listen(t, authority.respond), Roots: authority.roots}
	all := &Anchors{Folder: filepath.Join(dir, "anchors"), List: []Anchor{FolderAnchor{Path: drive}, stamp}}
	old := filepath.Join(dir, "old")
	for n := range 3 {
		mustAppend(t, w, n*100, n*100+100)
		if found, err := all.Keep(background, w.Head()); err != nil || len(found) > 0 {
			t.Fatal(found, err)
		}
		if n == 0 {
			copyFolder(t, o.Folder, old)
		}
	}
	check := func(name, path string, want ...Code) {
		t.Helper()
		found, err := all.Check(path, authority.roots)
		if err != nil || len(found) != len(want) {
			t.Fatalf("%s: %v %v", name, found, err)
		}
		for i, f := range found {
			if f.Code != want[i] {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
	check("as it is", o.Folder)
	check("rolled back", old, RegisterBehind, RegisterBehind, RegisterBehind, RegisterBehind)
	change(t, filepath.Join(all.Folder, "2-101.receipt"), 400)
	check("a damaged receipt", o.Folder, AnchorReceipt)
	if err := os.Remove(filepath.Join(all.Folder, "2-201.checkpoint")); err != nil {
		t.Fatal(err)
	}
	check("a lost checkpoint", o.Folder, AnchorReceipt, AnchorReceipt)
	if err := os.RemoveAll(drive); err != nil {
		t.Fatal(err)
	}
	check("a drive that is away", o.Folder, AnchorReceipt, AnchorReceipt, AnchorReceipt)
}
