package atomicdir

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A dry run reports the files that it would have made, and leaves nothing on disk. Without a dry
// run the files exist at the end.
func TestFor(t *testing.T) {
	for _, dry := range []bool{true, false} {
		temp, parent := t.TempDir(), t.TempDir()
		t.Setenv("TMPDIR", temp)
		out := filepath.Join(parent, "side", "out")
		work := func() (made []PlannedFile, err error) {
			w, err := For(out, dry)
			if err != nil {
				return nil, err
			}
			defer w.End(&err)
			for _, name := range []string{"a/b.txt", "c.txt"} {
				f, err := w.Create(name)
				if err != nil {
					return nil, err
				}
				if _, err := io.WriteString(f, name); err != nil {
					return nil, err
				}
				if err := f.Sync(); err != nil {
					return nil, err
				}
				if err := f.Close(); err != nil {
					return nil, err
				}
			}
			return w.Planned(), w.Install(out)
		}
		made, err := work()
		if err != nil {
			t.Fatal(err)
		}
		var want []PlannedFile
		if dry {
			want = []PlannedFile{{"a/b.txt", 7}, {"c.txt", 5}}
		}
		if !slices.Equal(made, want) {
			t.Errorf("dry run: %t: %v, want %v", dry, made, want)
		}
		for _, folder := range []string{temp, parent} {
			left, err := os.ReadDir(folder)
			if err != nil || len(left) > 0 && (dry || folder == temp) {
				t.Errorf("dry run: %t: %s has %v, %v", dry, folder, left, err)
			}
		}
		text, err := os.ReadFile(filepath.Join(out, "a", "b.txt"))
		if there := err == nil && string(text) == "a/b.txt"; there == dry {
			t.Errorf("dry run: %t: %q, %v", dry, text, err)
		}
	}
}
