package catalogue

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"quire/internal/pgtest"
)

// TestTransfer writes a catalogue from a file into a database, and from there into another file: the rows are
// the same.
func TestTransfer(t *testing.T) {
	ctx := context.Background()
	first := open(t, filepath.Join(t.TempDir(), "c.db"))
	for _, id := range []string{"b", "a", "ü"} {
		if err := first.Put(ctx, record(id)); err != nil {
			t.Fatal(err)
		}
	}
	ended := Run{Run: "r1", Kind: Full, Began: noon, Started: noon, Finished: noon.Add(time.Hour),
		Ended: Complete, Chosen: 3}
	going := Run{Run: "r2", Kind: Aged, Share: 0.5, Choice: "{}", Began: noon, Started: noon.Add(1), Place: "p"}
	if err := first.EndRun(ctx, ended, []Audit{{Run: "r1", Copy: "copy-1", Started: noon, Problems: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := first.PutChecks(ctx, &going, []Check{{"a", "copy-1", noon.Add(time.Hour)}}); err != nil {
		t.Fatal(err)
	}
	second, err := CreateDatabase(ctx, pgtest.Place(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = second.Close() }()
	third := open(t, filepath.Join(t.TempDir(), "c.db"))
	var seen int64
	for _, step := range [][2]*Catalogue{{first, second}, {second, third}} {
		n, err := Transfer(ctx, step[0], step[1], func(n int64) { seen = n })
		if err != nil || n != (Transferred{Packages: 3, Events: 3, Runs: 2}) || seen != 3 {
			t.Errorf("%+v, %v", n, err)
		}
	}
	if a, b := rowsOf(t, first), rowsOf(t, third); !reflect.DeepEqual(a, b) {
		t.Errorf("rows differ:\n%v\n%v", a, b)
	}
}
