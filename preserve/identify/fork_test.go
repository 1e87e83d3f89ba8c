package identify

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/richardlehane/siegfried/pkg/static"

	"quire/internal/testsamples"
)

// siegfriedItself is the engine without our fork.
var siegfriedItself = sync.OnceValues(func() (*engine, error) { return newEngine(static.New()) })

// engines returns our fork, and siegfried itself.
func engines(t testing.TB) (fork, itself *engine) {
	t.Helper()
	fork, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	if fork.fork == nil || fork.sf != nil {
		t.Fatal("the built-in signatures are not read by the fork")
	}
	if itself, err = siegfriedItself(); err != nil {
		t.Fatal(err)
	}
	return fork, itself
}

// same compares the answers of both engines.
func same(t testing.TB, p Payload) bool {
	t.Helper()
	fork, itself := engines(t)
	p = p.within(DefaultMaxBytes).hints()
	got, gotFits := fork.identify(p)
	want, wantFits := itself.identify(p)
	if got != want || !reflect.DeepEqual(gotFits, wantFits) {
		t.Errorf("%s, declared %q, %v:\ngot  %+v\n     %+v\nwant %+v\n     %+v", p.Name, p.MIME, p, got, gotFits, want, wantFits)
		return false
	}
	return true
}

func TestForkOnSamples(t *testing.T) {
	dir := testsamples.Path(t, "samples")
	files, differ := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, _ := d.Info()
		w := NewWindow(0)
		head := make([]byte, min(info.Size(), DefaultMaxBytes))
		if _, err := f.ReadAt(head, 0); err != nil {
			return err
		}
		w.Write(head)
		files++
		p := w.Payload(path, "")
		p.Size = info.Size()
		if !same(t, p) { differ++ }
		if differ > 10 { return fs.SkipAll }
		return nil
	})
	t.Log(files, "files", differ, err)
}
