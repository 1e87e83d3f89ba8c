package captures

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/filemap"
)

// unmap makes a segment use ReadAt.
func unmap(f *files) {
	for _, s := range f.segments() {
		filemap.Unmap(s.text)
		s.text = nil
	}
}

// TestCutOff: truncating a file during a read gives an error, mapped or not; the rest of the index
// still works.
func TestCutOff(t *testing.T) {
	for _, mapped := range []bool{true, false} {
		x := open(t, filepath.Join(t.TempDir(), DirName))
		err := x.Add(t.Context(), "p", []Container{{Path: "a.warc", SHA512: "1"}},
			func(_ context.Context, _ *Container, line func(*Line) error) error {
				for n := range 1000 {
					l := Line{Capture: Capture{URL: fmt.Sprintf("http://a.example/%04d", n),
						Timestamp: "20200102030405",
						Type:      "response"}}
					if err := line(&l); err != nil {
						return err
					}
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		f := x.current.segments[0]
		if !mapped {
			unmap(f)
		}
		ask := func(n int) (found int, err error) {
			for _, err := range x.Captures(t.Context(),
				Query{URL: fmt.Sprintf("http://a.example/%04d", n), Closest: "20200102030405"}) {
				if err != nil {
					return found, err
				}
				found++
			}
			return found, nil
		}
		if n, err := ask(10); err != nil || n != 1 { // caches the probed lines
			t.Fatal(n, err)
		}
		if err := os.Truncate(f.captures.f.Name(), f.captures.size/2); err != nil {
			t.Fatal(err)
		}
		if _, err := ask(990); err == nil || !strings.Contains(err.Error(), "has become shorter") {
			t.Errorf("mapped %v: %v", mapped, err)
		}
		if n, err := ask(10); err != nil || n != 1 {
			t.Errorf("mapped %v: %d before the cut, %v", mapped, n, err)
		}
		if len(x.held) != 0 {
			t.Error("released data is still held")
		}
	}
}

// TestGuardedPanics: other panics are not mistaken for disk errors.
func TestGuardedPanics(t *testing.T) {
	none := func(uintptr) bool { return false }
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("%v", p)
		}
	}()
	if err := guarded(none, func() error { return errEnough }); !errors.Is(err, errEnough) {
		t.Error(err)
	}
	_ = guarded(none, func() error { panic("mine") })
}
