// Package placetest has the tests that every kind of place passes.
package placetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quire/repository/place"
)

// Kind is a kind of place under test.
type Kind struct {
	// Open returns an empty place.
	Open func(t *testing.T) place.Place
	// Faults makes the next changes fail as the kind can fail, until it is called again with false. nil
	// if the kind has no such means.
	Faults func(p place.Place, fail bool)
	// Racers says that several writers of one new name may succeed at once: the service looks first, and
	// then writes.
	Racers bool
}

// Run tests a kind of place.
func Run(t *testing.T, kind Kind) {
	open, faults := kind.Open, kind.Faults
	for _, c := range []struct {
		name string
		test func(*testing.T, place.Place)
	}{
		{"write once", writeOnce}, {"ranges", ranges}, {"list", list}, {"replace", replace}, {"rename", rename},
		{"remove", remove}, {"names", wrongNames}, {"wrong bytes", wrongBytes}, {"short source", shortSource},
		{"cancelled", cancelled}, {"parts", parts}, {"probe", probe},
		{"two writers", func(t *testing.T, p place.Place) { twoWriters(t, p, kind.Racers) }},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
	if faults != nil {
		t.Run("faults", func(t *testing.T) {
			p := open(t)
			afterFaults(t, p, func(fail bool) { faults(p, fail) })
		})
	}
}

// Put writes a file, and ends the test if that fails.
func Put(t *testing.T, p place.Place, name, text string) {
	t.Helper()
	if err := write(p, name, text); err != nil {
		t.Fatal(err)
	}
}

func write(p place.Place, name, text string) error {
	ctx := context.Background()
	c, err := place.Sum(ctx, strings.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	return p.Write(ctx, name, strings.NewReader(text), c)
}

// Read returns the bytes of a file from an offset on.
func Read(t *testing.T, p place.Place, name string, offset int64) string {
	t.Helper()
	r, err := p.Open(context.Background(), name, offset)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Names lists the files with a prefix.
func Names(t *testing.T, p place.Place, prefix string) []string {
	t.Helper()
	names := []string{}
	for e, err := range p.List(context.Background(), prefix) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Name)
	}
	return names
}

func writeOnce(t *testing.T, p place.Place) {
	Put(t, p, "a/b c/ä%3a.txt", "first")
	if err := write(p, "a/b c/ä%3a.txt", "again"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second write: %v", err)
	}
	if got := Read(t, p, "a/b c/ä%3a.txt", 0); got != "first" {
		t.Errorf("the file has %q", got)
	}
	Put(t, p, "empty", "")
	if e, err := p.Stat(context.Background(), "empty"); err != nil || e.Size != 0 || e.Cold {
		t.Errorf("empty: %+v, %v", e, err)
	}
	if _, err := p.Stat(context.Background(), "absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat of an absent file: %v", err)
	}
	if _, err := p.Open(context.Background(), "absent", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening an absent file: %v", err)
	}
	sum, n, err := place.ReadBack(context.Background(), p, "a/b c/ä%3a.txt", func(int64) {})
	c, _ := place.Sum(context.Background(), strings.NewReader("first"), 5)
	if err != nil || n != 5 || sum != c.SHA512 {
		t.Errorf("read back: %s, %d, %v", sum, n, err)
	}
}

func ranges(t *testing.T, p place.Place) {
	Put(t, p, "f", "0123456789")
	for at, want := range map[int64]string{0: "0123456789", 7: "789", 10: "", 12: ""} {
		if got := Read(t, p, "f", at); got != want {
			t.Errorf("from %d: %q, want %q", at, got, want)
		}
	}
}

func list(t *testing.T, p place.Place) {
	want := []string{"a-b/x", "a/1", "a/2/x", "a/2/y", "ab"}
	for _, name := range []string{"ab", "a/2/y", "a/1", "a-b/x", "a/2/x"} {
		Put(t, p, name, name)
	}
	if got := Names(t, p, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("all: %q, want %q", got, want)
	}
	if got := Names(t, p, "a/2/"); !reflect.DeepEqual(got, want[2:4]) {
		t.Errorf("a/2/: %q", got)
	}
	if got := Names(t, p, "absent/"); len(got) != 0 {
		t.Errorf("absent/: %q", got)
	}
	for e, err := range p.List(context.Background(), "a") {
		if err != nil || e.Size != int64(len(e.Name)) {
			t.Errorf("%+v, %v", e, err)
		}
		break // an early end does no harm
	}
}

func replace(t *testing.T, p place.Place) {
	for _, text := range []string{"one", "the second", ""} {
		if err := p.Replace(context.Background(), "a/f", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := Read(t, p, "a/f", 0); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
}

func rename(t *testing.T, p place.Place) {
	ctx := context.Background()
	Put(t, p, "a/from", "text")
	Put(t, p, "taken", "other")
	if err := p.Rename(ctx, "a/from", "taken"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("to a name that is taken: %v", err)
	}
	if err := p.Rename(ctx, "a/from", "b/to"); err != nil {
		t.Fatal(err)
	}
	if got := Names(t, p, ""); !reflect.DeepEqual(got, []string{"b/to", "taken"}) || Read(t, p, "b/to", 0) != "text" {
		t.Errorf("after: %q", got)
	}
	if err := p.Rename(ctx, "a/from", "c"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
}

func remove(t *testing.T, p place.Place) {
	Put(t, p, "a/b/f", "text")
	Put(t, p, "a/g", "text")
	for range 2 {
		if err := p.Remove(context.Background(), "a/b/f"); err != nil {
			t.Error(err)
		}
	}
	if got := Names(t, p, ""); !reflect.DeepEqual(got, []string{"a/g"}) {
		t.Errorf("after: %q", got)
	}
	Put(t, p, "a/b/f", "again")
	Put(t, p, "a/b/g", "text")
	for _, prefix := range []string{"a/b/", "a/b/", "absent"} {
		only := func(name string) bool { return name != "a/b/g" }
		if err := p.Erase(context.Background(), prefix, only); err != nil {
			t.Error(err)
		}
	}
	if got := Names(t, p, ""); !reflect.DeepEqual(got, []string{"a/b/g", "a/g"}) {
		t.Errorf("after erasing: %q", got)
	}
}

func wrongNames(t *testing.T, p place.Place) {
	ctx := context.Background()
	for _, name := range []string{"", "/a", "a/", "a//b", "../a", "a/../b", ".", "a/.", "a\x00b"} {
		_, statErr := p.Stat(ctx, name)
		_, openErr := p.Open(ctx, name, 0)
		for op, err := range map[string]error{"write": write(p, name, "x"), "replace": p.Replace(ctx, name, nil),
			"remove": p.Remove(ctx, name), "rename": p.Rename(ctx, name, "x"), "stat": statErr, "open": openErr} {
			if err == nil {
				t.Errorf("%s %q: no error", op, name)
			}
		}
	}
	if got := Names(t, p, ""); len(got) != 0 {
		t.Errorf("the place has %q", got)
	}
}

func wrongBytes(t *testing.T, p place.Place) {
	ctx := context.Background()
	c, err := place.Sum(ctx, strings.NewReader("right"), 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(ctx, "f", strings.NewReader("wrong"), c); err == nil {
		t.Error("bytes that differ from their digest were written")
	}
	if got := Names(t, p, ""); len(got) != 0 {
		t.Errorf("the place has %q", got)
	}
}

// failing is a source that ends with an error after some bytes.
type failing struct {
	text string
	ends int64
}

var errSource = errors.New("the disk of the source failed")

// ReadAt implements io.ReaderAt.
func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at >= f.ends {
		return 0, errSource
	}
	n := copy(b, f.text[at:f.ends])
	if n < len(b) {
		return n, errSource
	}
	return n, nil
}

func shortSource(t *testing.T, p place.Place) {
	ctx := context.Background()
	text := strings.Repeat("0123456789", 20_000)
	c, err := place.Sum(ctx, strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(ctx, "f", failing{text, 100_000}, c); err == nil {
		t.Error("half a file was written")
	}
	if got := Names(t, p, ""); len(got) != 0 {
		t.Errorf("the place has %q", got)
	}
	Put(t, p, "f", text)
}

func cancelled(t *testing.T, p place.Place) {
	Put(t, p, "f", "text")
	ctx, cancel := context.WithCancel(context.Background())
	c, _ := place.Sum(ctx, strings.NewReader("more"), 4)
	cancel()
	if err := p.Write(ctx, "g", strings.NewReader("more"), c); !errors.Is(err, context.Canceled) {
		t.Errorf("write: %v", err)
	}
	last := error(nil)
	for _, err := range p.List(ctx, "") {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("list: %v", last)
	}
}

// parts writes a file in parts, as S3 does with large ones.
func parts(t *testing.T, p place.Place) {
	ctx := context.Background()
	text := make([]byte, 11<<20)
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < len(text); i += 8 {
		for k, v := 0, random.Uint64(); k < 8; k, v = k+1, v>>8 {
			text[i+k] = byte(v)
		}
	}
	c, err := place.SumParts(ctx, bytes.NewReader(text), int64(len(text)), 5<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(ctx, "large", failing{string(text), 7 << 20}, c); err == nil {
		t.Error("half a file was written")
	}
	if got := Names(t, p, ""); len(got) != 0 {
		t.Errorf("the place has %q", got)
	}
	if err := p.Write(ctx, "large", bytes.NewReader(text), c); err != nil {
		t.Fatal(err)
	}
	sum, n, err := place.ReadBack(ctx, p, "large", func(int64) {})
	if err != nil || n != c.Size || sum != c.SHA512 {
		t.Errorf("read back: %d bytes, %v", n, err)
	}
	e, err := p.Stat(ctx, "large")
	if err != nil || e.Checksum != "" && !c.Matches(e) {
		t.Errorf("the checksum of the place is %q, %v", e.Checksum, err)
	}
	if err := p.Write(ctx, "large", bytes.NewReader(text), c); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second write: %v", err)
	}
	if got := Read(t, p, "large", c.Size-5); got != string(text[c.Size-5:]) {
		t.Errorf("the last bytes are %q", got)
	}
}

// twoWriters lets several writers race for each name.
func twoWriters(t *testing.T, p place.Place, racers bool) {
	if _, err := p.Probe(context.Background()); err != nil {
		t.Fatal(err)
	}
	for n := range 10 {
		var won atomic.Int32
		var wait sync.WaitGroup
		name := fmt.Sprint("f", n)
		for w := range 4 {
			wait.Go(func() {
				if write(p, name, fmt.Sprint("writer ", w)) == nil {
					won.Add(1)
				}
			})
		}
		wait.Wait()
		if won.Load() < 1 || won.Load() > 1 && !racers {
			t.Errorf("%s: %d writers won", name, won.Load())
		}
		if got := Read(t, p, name, 0); !strings.HasPrefix(got, "writer ") || len(got) != 8 {
			t.Errorf("%s has %q", name, got)
		}
	}
}

func probe(t *testing.T, p place.Place) {
	traits, err := p.Probe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %v", p.URL(), traits)
	if got := Names(t, p, ""); len(got) != 0 {
		t.Errorf("the probe left %q", got)
	}
	if again, err := place.Clean(p.URL()); err != nil || again != p.URL() {
		t.Errorf("the address %s is %s, %v", p.URL(), again, err)
	}
}

// afterFaults checks that a failed change leaves the old state or the new one, and that it can be repeated.
func afterFaults(t *testing.T, p place.Place, faults func(fail bool)) {
	ctx := context.Background()
	Put(t, p, "old", "old")
	faults(true)
	for op, err := range map[string]error{"write": write(p, "a/new", "new"),
		"replace": p.Replace(ctx, "old", []byte("x")), "rename": p.Rename(ctx, "old", "other"),
		"remove": p.Remove(ctx, "old")} {
		if err == nil {
			t.Errorf("%s did not fail", op)
		}
	}
	faults(false)
	if got := Names(t, p, ""); !reflect.DeepEqual(got, []string{"old"}) || Read(t, p, "old", 0) != "old" {
		t.Errorf("after the faults: %q", got)
	}
	Put(t, p, "a/new", "new")
}
