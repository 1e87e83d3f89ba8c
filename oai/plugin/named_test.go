package plugin

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

var modified = time.Date(2005, 8, 29, 12, 1, 40, 0, time.UTC)

// A program sees the time and the extension of the resource, never its name. Its result states the
// tool, the command line and the time of the run.
func TestNames(t *testing.T) {
	file := shell("stat", `date -u -r "$0" +"$0 %FT%TZ"`)
	file.Command = append(file.Command, "{input}")
	standard := shell("cat", "cat")
	f := &fake{label: "builtin", say: func(context.Context, *Content) (Output, error) { return plainText("x"), nil }}
	o := fakes(f)
	o.Configs = append(o.Configs, file, standard)
	r := runner(t, o)
	before := time.Now().Add(-time.Second)
	got, err := r.Run(context.Background(), hold(t, "x", HoldOptions{Name: "My secret.JPG", Modified: modified}))
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	for i, want := range []Result{{Tool: "quire:builtin"},
		{Tool: "sh", Command: `sh -c 'date -u -r "$0" +"$0 %FT%TZ"' input.jpg`,
			Output: plainText("input.jpg 2005-08-29T12:01:40Z\n")},
		{Tool: "sh", Command: "sh -c cat", Output: plainText("x")}} {
		if g := got[i]; g.Tool != want.Tool || g.Command != want.Command || g.Began.Before(before) ||
			want.Bytes != nil && string(g.Bytes) != string(want.Bytes) {
			t.Errorf("%+v\nwant %+v", g, want)
		}
	}
}

// The kept output of a program that reads a file is that of a resource with the same extension and
// time; names do not matter to others. It keeps the time of the run.
func TestCacheByName(t *testing.T) {
	file := shell("stat", `sleep 0.01; date -u -r "$0" +"$0 %FT%TZ"`)
	file.Command = append(file.Command, "{input}")
	standard := shell("cat", "sleep 0.01; cat")
	r := runner(t, Options{Configs: []Config{file, standard}, CacheDir: t.TempDir()})
	ask := func(name string, at time.Time) []Result {
		got, err := r.Run(context.Background(), hold(t, "x", HoldOptions{Name: name, Modified: at}))
		if err != nil || len(got) != 2 {
			t.Fatal(got, err)
		}
		return got
	}
	first := ask("a.jpg", modified)
	for _, c := range []struct {
		name string
		at   time.Time
		same [2]bool
	}{{"b.JPG", modified, [2]bool{true, true}}, {"a.png", modified, [2]bool{false, true}},
		{"a.jpg", modified.Add(time.Hour), [2]bool{false, true}}} {
		for i, got := range ask(c.name, c.at) {
			if (got.Taken == 0) != c.same[i] || c.same[i] && (!got.Began.Equal(first[i].Began) ||
				got.Command != first[i].Command || got.Tool != first[i].Tool) {
				t.Errorf("%s %s: %+v\nafter %+v", c.name, c.at, got, first[i])
			}
		}
	}
}

// ExifTool, kept open, sees the extension and the time.
func TestExifToolNames(t *testing.T) {
	if _, err := exec.LookPath("exiftool"); err != nil {
		t.Skip(err)
	}
	r := runner(t, Options{Configs: []Config{{Label: "exiftool", Command: []string{"exiftool", "-json"},
		KeptOpen: "exiftool", Version: []string{"exiftool", "-ver"}}}, TempDir: t.TempDir()})
	got, err := r.Run(context.Background(), hold(t, "no picture", HoldOptions{Name: "x.png", Modified: modified}))
	if err != nil || !strings.Contains(told(got), `"FileName": "input.png"`) ||
		!strings.Contains(told(got), `"FileModifyDate": "2005:08:29 12:01:40+00:00"`) ||
		got[0].Command != "exiftool -json input.png" {
		t.Errorf("%s, %v, %+v", told(got), err, got)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
