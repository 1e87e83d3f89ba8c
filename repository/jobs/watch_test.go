package jobs_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/repository/jobs"
)

// arrivals looks once at a folder, and returns the names of the deliveries that were submitted, and of the wrong
// ones with "!".
func arrivals(t *testing.T, q *jobs.Queue, folder, how string, command ...string) (names []string) {
	t.Helper()
	o := jobs.WatchOptions{Sources: []string{folder}, Once: true,
		Call: func(path, _ string) (jobs.Call, error) {
			if filepath.Base(path) == "refused" {
				return jobs.Call{}, errors.New("refused")
			}
			return a(append(slices.Clone(command), "status", "0", path)...), nil
		},
		Log: func(x jobs.Arrival) {
			name := filepath.Base(x.Path)
			if x.Error != "" {
				name += "!"
			} else if x.Job == 0 {
				t.Errorf("%s has no job", name)
			}
			names = append(names, name)
		}}
	if err := o.Complete.UnmarshalText([]byte(how)); err != nil {
		t.Fatal(err)
	}
	if err := q.Watch(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestWatchMarker submits deliveries with a marker, once, also in another process, and again after a change.
func TestWatchMarker(t *testing.T) {
	eachPlace(t, func(t *testing.T, p jobs.Place) {
		q, dir := opened(t, p), t.TempDir()
		look := func(want ...string) {
			t.Helper()
			if got := arrivals(t, q, dir, "marker"); !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
		for _, name := range []string{"inside/data", "inside/complete", "beside/data", "beside.complete", "none/data",
			".hidden/complete", "file.warc", "file.warc.complete", "refused/complete"} {
			write(t, filepath.Join(dir, name), "x")
		}
		if err := os.Symlink(filepath.Join(dir, "inside"), filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		look("beside", "file.warc", "inside", "refused!")
		look("refused!") // a new look has forgotten the refusal, and not the others
		q = opened(t, p)
		look("refused!")
		write(t, filepath.Join(dir, "none", "complete"), "")
		write(t, filepath.Join(dir, "inside", "more"), "x")
		if all, err := q.List(t.Context(), jobs.Query{Limit: 10}); err != nil || len(all) != 3 {
			t.Errorf("%d jobs, %v", len(all), err)
		}
		drain(t, q)
		look("inside", "none", "refused!")
	})
}

// TestWatchAge submits deliveries in which nothing changed for a while.
func TestWatchAge(t *testing.T) {
	q, dir := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")}), t.TempDir()
	write(t, filepath.Join(dir, "old", "data"), "x")
	write(t, filepath.Join(dir, "new", "old"), "x")
	write(t, filepath.Join(dir, "new", "data"), "x")
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{"old/data", "old", "new/old", "new"} {
		if err := os.Chtimes(filepath.Join(dir, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if got := arrivals(t, q, dir, "age:10m"); !slices.Equal(got, []string{"old"}) {
		t.Errorf("%q", got)
	}
}

// TestWatchManifest submits deliveries whose files are as the manifest says. A file that is missing may come; another
// digest, or a path out of the delivery, is wrong.
func TestWatchManifest(t *testing.T) {
	q, dir := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")}), t.TempDir()
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("x")))
	write(t, filepath.Join(dir, "outside"), "x")
	for name, manifest := range map[string]string{
		"good":      sum + "  data/a\n" + strings.ToUpper(sum) + " *data/b%25\n",
		"missing":   sum + "  data/a\n" + sum + "  data/c\n",
		"wrong":     strings.Repeat("0", 64) + "  data/a\n",
		"escapes":   sum + "  ../outside\n",
		"folder":    sum + "  data\n",
		"malformed": "data\n",
		"empty":     "",
	} {
		write(t, filepath.Join(dir, name, "data", "a"), "x")
		write(t, filepath.Join(dir, name, "data", "b%"), "x")
		write(t, filepath.Join(dir, name, "manifest-sha256.txt"), manifest)
	}
	write(t, filepath.Join(dir, "none", "data"), "x")
	write(t, filepath.Join(dir, "weaker", "data", "a"), "x")
	write(t, filepath.Join(dir, "weaker", "manifest-sha256.txt"), sum+" data/a\n")
	write(t, filepath.Join(dir, "weaker", "manifest-md5.txt"), "00 data/a\n")
	got := arrivals(t, q, dir, "manifest")
	want := []string{"escapes!", "folder!", "good", "malformed!", "weaker", "wrong!"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWatchForms refuses other forms of completeness.
func TestWatchForms(t *testing.T) {
	for _, text := range []string{"", "age", "age:", "age:-1m", "age:soon", "marker:", "marker:a/b", "marker:..",
		"manifest:x", "mark"} {
		var c jobs.Completeness
		if err := c.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
