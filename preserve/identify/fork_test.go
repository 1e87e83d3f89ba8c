package identify

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/richardlehane/siegfried/pkg/static"

	"quire/internal/testsamples"
)

// siegfriedItself is the engine without our fork, as for signatures that the fork does not read.
var siegfriedItself = sync.OnceValues(func() (*engine, error) { return newEngine(static.New()) })

// TestForkOnParts checks that our fork answers like siegfried where the middle of a payload is
// missing, with and without hints. The tests of internal/matcher compare complete contents.
func TestForkOnParts(t *testing.T) {
	fork, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	itself, err := siegfriedItself()
	if err != nil {
		t.Fatal(err)
	}
	if fork.fork == nil || fork.sf != nil || itself.fork != nil {
		t.Fatal("the engines are not the fork and siegfried")
	}
	limit := 64 << 10
	if testing.Short() {
		limit = 4 << 10
	}
	differences, parts := 0, 0
	files(t, func(path string, b []byte) {
		p := Payload{Name: path, MIME: "application/octet-stream", Head: b}.within(limit).hints()
		if p.complete() || differences > 5 {
			return
		}
		parts++
		for _, p := range []Payload{p, {Head: p.Head, Tail: p.Tail, Size: p.Size}, {Head: p.Head, Size: p.Size}} {
			got, gotFits := fork.identify(p)
			want, wantFits := itself.identify(p)
			if got != want || !reflect.DeepEqual(gotFits, wantFits) {
				differences++
				t.Errorf("%s, %v:\ngot  %+v %+v\nwant %+v %+v", path, p, got, gotFits, want, wantFits)
			}
		}
	})
	if parts < 20 {
		t.Errorf("only %d samples are larger than %d bytes", parts, limit)
	}
}

// files calls add with the samples, each of at most 1 MiB.
func files(t *testing.T, add func(path string, b []byte)) {
	t.Helper()
	err := filepath.WalkDir(testsamples.Path(t, "samples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, 1<<20))
		if err == nil {
			add(path, b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestBothEngines checks that signatures which the fork does not read are matched by siegfried.
func TestBothEngines(t *testing.T) {
	itself, err := siegfriedItself()
	if err != nil {
		t.Fatal(err)
	}
	r, _ := itself.identify(Payload{Name: "gif", Head: []byte("GIF89a;"), Size: 7})
	if r.PUID != "fmt/4" || r.Basis != "extension match gif; byte match at [[0 6] [6 1]]" {
		t.Errorf("got %+v", r)
	}
}
