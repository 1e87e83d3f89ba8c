// Package library has programs that use the packages of Quire. The page
// docs/how-to/200_use-it-in-your-program.md shows them.
package library

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"quire/format/warc"
)

const page = "../../docs/how-to/200_use-it-in-your-program.md"

var program = regexp.MustCompile("(?s)```go title=\"([^\"]+)\"\n(.*?)```\n")

// The page shows each program exactly as it is compiled here, and complete.
func TestPageShowsThePrograms(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, m := range program.FindAllSubmatch(text, -1) {
		shown[string(m[1])] = string(m[2])
	}
	programs, err := filepath.Glob("*/main.go")
	if err != nil || len(programs) != 4 || len(shown) != 4 || bytes.Count(text, []byte("```go")) != 4 {
		t.Fatalf("%d programs, %d on the page: %v", len(programs), len(shown), err)
	}
	for _, name := range programs {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if shown[filepath.ToSlash(name)] != string(code) {
			t.Errorf("%s shows another %s than the one that is compiled: copy it there", page, name)
		}
	}
}

// crawl writes a WARC file of three answers from two hosts.
func crawl(t *testing.T, path string) {
	t.Helper()
	w, err := warc.Create(path, warc.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, uri := range []string{"http://b.test/2", "http://a.test/1", "http://b.test/1"} {
		answer := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat(uri, 100)
		b := warc.NewResponse(uri, time.Date(2024, 5, 6, 7, 8, i, 0, time.UTC), strings.NewReader(answer))
		if _, _, err := w.WriteRecord(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Each program does as the page describes.
func TestPrograms(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./...")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", name, err, out)
		}
		return string(out)
	}
	path := filepath.Join(dir, "a.warc.gz")
	crawl(t, path)
	read := run("read", path)
	if strings.Count(read, " 200 text/plain http://") != 3 ||
		!strings.HasPrefix(read, "0 200 text/plain http://b.test/2\n") {
		t.Errorf("read prints\n%s", read)
	}
	run("filter", "a.test", path, "b.warc.gz")
	if got := run("read", "b.warc.gz"); !strings.HasSuffix(got, " 200 text/plain http://a.test/1\n") ||
		strings.Count(got, "\n") != 1 {
		t.Errorf("filtered, there are\n%s", got)
	}
	index := run("index", path)
	want := regexp.MustCompile(`^test,a\)/1 20240506070801 .*\ntest,b\)/1 20240506070802 .*\n` +
		`test,b\)/2 20240506070800 .*"status": "200".*\n$`)
	if !want.MatchString(index) {
		t.Errorf("index prints\n%s", index)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var second int
	if _, err := fmt.Sscan(strings.Split(read, "\n")[1], &second); err != nil {
		t.Fatal(err)
	}
	file[second+100] ^= 0xff
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	repaired := run("repair", path, "c.warc.gz")
	if !strings.Contains(repaired, fmt.Sprint("at byte ", second)) ||
		!strings.HasSuffix(repaired, "2 records kept, 1 lost\n") {
		t.Errorf("repair prints\n%s", repaired)
	}
	if got := run("read", "c.warc.gz"); strings.Count(got, "\n") != 2 || strings.Contains(got, "a.test") {
		t.Errorf("repaired, there are\n%s", got)
	}
}
