package tour

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

var files = fstest.MapFS{"crawl/a.warc": {Data: []byte("WARC")}, "rights.yaml": {Data: []byte("access: open\n")}}

// recorded runs a tour that only records its commands. pack and export write a few files, as the
// real commands would.
func recorded(t *testing.T, o Options, export map[string]string) (calls []string, out string, err error) {
	t.Helper()
	t.Chdir(t.TempDir()) // the tour leaves its folder as the working folder
	t.Setenv("QUIRE_REPO", "/srv/archive")
	t.Setenv("QUIRE_CONFIG", "/etc/quire.yaml")
	var b bytes.Buffer
	o.Files, o.Out = files, &b
	o.Crawled = time.Date(2026, 11, 21, 3, 34, 39, 0, time.UTC)
	o.Call = func(_ context.Context, args []string) error {
		calls = append(calls, strings.Join(args, "|"))
		switch args[0] {
		case "pack":
			return write("package", map[string]string{"mets.xml": "<mets/>", "containers/a.warc": "WARC"})
		case "export":
			return write("export", export)
		case "audit":
			if export == nil {
				return errors.New("status 1, see above")
			}
		}
		return nil
	}
	err = Run(t.Context(), o)
	return calls, b.String(), err
}

func write(folder string, files map[string]string) error {
	for name, content := range files {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

var same = map[string]string{"mets.xml": "<mets/>", "containers/a.warc": "WARC"}

func TestTour(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "it's here")
	calls, out, err := recorded(t,
		Options{Folder: folder, Program: os.Args[0], Serve: []string{"--listen", ":1"}}, same)
	if err != nil {
		t.Fatal(err)
	}
	want := "pack|crawl|--out|package|--id|harbour-museum|--title|Museum of Wooden Boats, Saltmarsh Quay|--rights|" +
		"rights.yaml validate|package init|repository ingest|package|--repo|repository audit|--repo|repository " +
		"list|--repo|repository show|harbour-museum|--repo|repository " +
		"export|harbour-museum|--repo|repository|--out|export " +
		"index|--repo|repository serve|--repo|repository|--listen|:1"
	if got := strings.Join(calls, " "); got != want {
		t.Errorf("called\n%s, not\n%s", got, want)
	}
	for _, line := range []string{
		`$ cd '` + strings.ReplaceAll(folder, "'", `'\''`) + "'\n",
		"$ quire pack crawl --out package --id harbour-museum --title 'Museum of Wooden Boats, Saltmarsh Quay' --rights",
		"compared with the package: 2 files, no difference\n", "  export PATH=", "  quire serve --repo repository\n",
		"$ quire serve --repo repository --listen :1\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("no %q in\n%s", line, out)
		}
	}
	if now, err := os.Getwd(); err != nil || now != folder {
		t.Errorf("the working folder is %s, not %s (%v)", now, folder, err)
	}
	if os.Getenv("QUIRE_REPO") != "" || os.Getenv("QUIRE_CONFIG") != "" {
		t.Error("settings of the user reach the commands")
	}
	info, err := os.Stat(filepath.Join(folder, "crawl", "a.warc"))
	if err != nil || !info.ModTime().Equal(time.Date(2026, 11, 21, 3, 34, 39, 0, time.UTC)) {
		t.Errorf("%v %v", info, err)
	}
}

func TestTourTemporary(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	calls, out, err := recorded(t, Options{}, same)
	if err != nil || len(calls) != 8 || !strings.Contains(out, "$ cd "+os.Getenv("TMPDIR")+"/quire-demo-") {
		t.Errorf("%v: %q\n%s", err, calls, out)
	}
	if strings.Contains(out, "export PATH") {
		t.Errorf("a path of no program:\n%s", out)
	}
}

func TestTourStops(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		o      Options
		export map[string]string
		calls  int
		want   string
	}{
		{"a failing command", Options{}, nil, 5, "the tour stopped at quire audit: status 1"},
		{"another file", Options{}, map[string]string{"mets.xml": "<mets />", "containers/a.warc": "WARC"}, 8,
			"differs from the package in mets.xml"},
		{"a file more", Options{}, map[string]string{"mets.xml": "<mets/>", "containers/a.warc": "WARC", "x": ""}, 8,
			"3 files, not 2"},
		{"a folder in use", Options{Folder: full}, same, 0, "is not empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			calls, _, err := recorded(t, c.o, c.export)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(calls) != c.calls {
				t.Errorf("%v after %d calls, not %q after %d", err, len(calls), c.want, c.calls)
			}
		})
	}
}

// broken is a writer that fails after a number of bytes.
type broken int

func (b *broken) Write(p []byte) (int, error) {
	if *b -= broken(len(p)); *b < 0 {
		return 0, errors.New("broken pipe")
	}
	return len(p), nil
}

// The tour stops when its output cannot be written.
func TestTourUnread(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("QUIRE_CONFIG", "")
	out := broken(200)
	err := Run(t.Context(), Options{Files: files, Out: &out, Call: func(_ context.Context, args []string) error {
		return fmt.Errorf("called %s", args)
	}})
	if err == nil || err.Error() != "broken pipe" {
		t.Error(err)
	}
}
