package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slow is a tool with output that is worth caching.
func slow(say func(c *Content) (Output, error)) *fake {
	return &fake{label: "slow", say: func(_ context.Context, c *Content) (Output, error) {
		time.Sleep(2 * minCachedTime)
		return say(c)
	}}
}

func cacheFiles(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "??", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Cached output is available after a restart and to other processes, but not for other bytes, types
// and settings.
func TestCache(t *testing.T) {
	f := slow(func(*Content) (Output, error) { return Output{MIMEType: "text/xml", Bytes: []byte("<a>\n</a>")}, nil })
	o := fakes(f)
	o.CacheDir = filepath.Join(t.TempDir(), "state", "tools")
	ask := func(content string, h HoldOptions) Result {
		t.Helper()
		got, err := runner(t, o).Run(context.Background(), hold(t, content, h))
		if err != nil || len(got) != 1 || string(got[0].Bytes) != "<a>\n</a>" || got[0].MIMEType != "text/xml" ||
			got[0].Version != "slow 1.0" {
			t.Fatalf("%+v, %v", got, err)
		}
		return got[0]
	}
	html := HoldOptions{MIMEType: "text/html", Charset: "utf-8", URL: "http://a.example/"}
	if r := ask("x", html); r.Taken < minCachedTime {
		t.Errorf("taken %s", r.Taken)
	}
	other := html
	other.URL = "http://b.example/"
	for _, h := range []HoldOptions{html, other} {
		if r := ask("x", h); r.Taken != 0 || f.ran.Load() != 1 {
			t.Errorf("ran %d times", f.ran.Load())
		}
	}
	ask("y", html)
	other.Charset = "iso-8859-1"
	ask("x", other)
	o.Configs[0].With = map[string]string{"a": "b"}
	ask("x", html)
	if f.ran.Load() != 4 {
		t.Errorf("ran %d times, want 4", f.ran.Load())
	}
}

// A damaged file is ignored, whatever the damage.
func TestCacheDamaged(t *testing.T) {
	f := slow(func(*Content) (Output, error) { return plainText("said"), nil })
	o := fakes(f)
	o.CacheDir = t.TempDir()
	c := hold(t, "x", HoldOptions{})
	run := func() {
		t.Helper()
		if got, err := runner(t, o).Run(context.Background(), c); err != nil || told(got) != "slow (slow 1.0): said" {
			t.Errorf("%s, %v", told(got), err)
		}
	}
	run()
	path := cacheFiles(t, o.CacheDir)[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, whole...)
	flipped[len(flipped)-1] ^= 1
	for i, damaged := range [][]byte{{}, whole[:10], whole[:len(whole)-1], flipped, append(whole, 'x'),
		[]byte("\n\n\n"), make([]byte, 100)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if run(); int(f.ran.Load()) != i+2 {
			t.Errorf("damage %d was believed", i)
		}
	}
	if run(); f.ran.Load() != 8 {
		t.Error("it was not kept again")
	}
}

// A failure caused by the machine is cached only briefly, or not at all.
func TestCacheOfFailures(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		kept bool
	}{
		"about the bytes": {&Failure{Outcome: Failed, Output: plainText("no JPEG")}, true},
		"killed":          {&Failure{Outcome: Failed, Passing: true, Output: plainText("killed")}, true},
		"timed out":       {&Failure{Outcome: TimedOut, Passing: true, Output: plainText("late")}, true},
		"an error":        {fmt.Errorf("no space left"), false},
	} {
		f := slow(func(*Content) (Output, error) { return Output{}, c.err })
		o := fakes(f)
		o.CacheDir = t.TempDir()
		content := hold(t, "x", HoldOptions{})
		r := runner(t, o)
		for range 2 {
			got, err := r.Run(context.Background(), content)
			if err != nil || got[0].Outcome == Good {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		for _, file := range cacheFiles(t, o.CacheDir) {
			content, err := os.ReadFile(file)
			s, _, ok := parseStored(content)
			var failed *Failure
			if err != nil || !ok || !errors.As(c.err, &failed) || s.Until.IsZero() == failed.Passing {
				t.Errorf("%s: %+v, %v", name, s, err)
			}
		}
		if (f.ran.Load() == 1) != c.kept {
			t.Errorf("%s: ran %d times", name, f.ran.Load())
		}
	}
	// Ten minutes later, a run that timed out is repeated.
	cache, err := newCache(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	key := strings.Repeat("ab", 32)
	if err := cache.write(cache.path(key),
		storedAs(`{"label":"a","version":"b","mime":"text/plain","until":"2001-01-01T00:00:00Z"}`, "late")); err != nil {
		t.Fatal(err)
	}
	if r, ok := cache.get(key); ok {
		t.Errorf("%+v is still believed", r)
	}
}

// The cache keeps its size limit. Recently used files stay, and leftovers of a crash are deleted.
func TestCacheIsBounded(t *testing.T) {
	dir := t.TempDir()
	c, err := newCache(dir, 10*blockSize)
	if err != nil {
		t.Fatal(err)
	}
	key := func(i int) string { return fmt.Sprintf("%02x%062x", i, i) }
	old := time.Now().Add(-3 * time.Hour)
	half := filepath.Join(dir, "00", ".new-1")
	for i := range 40 {
		if err := c.put(key(i), Result{Label: "a", Taken: time.Second, Output: plainText("said")}); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := os.WriteFile(half, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			_ = os.Chtimes(half, old, old)
		}
		at := old.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(c.path(key(i)), at, at); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.get(key(0)); !ok {
			t.Fatalf("the most recent output is gone after %d", i)
		}
		if n := len(cacheFiles(t, dir)); n > 11 {
			t.Fatalf("%d files", n)
		}
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("the leftovers of a crash still exist")
	}
	if n := len(cacheFiles(t, dir)); n < 8 {
		t.Errorf("%d files are left", n)
	}
}

// A write error of the cache is reported once and does not stop the tools.
func TestCacheOnABadDisk(t *testing.T) {
	f := slow(func(*Content) (Output, error) { return plainText("said"), nil })
	o := fakes(f)
	o.CacheDir = filepath.Join(t.TempDir(), "tools")
	problems := 0
	o.Problem = func(string, error) { problems++ }
	r := runner(t, o)
	if err := os.RemoveAll(o.CacheDir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.CacheDir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := r.Run(context.Background(), hold(t, "x", HoldOptions{})); err != nil ||
			told(got) != "slow (slow 1.0): said" {
			t.Errorf("%s, %v", told(got), err)
		}
	}
	if problems != 1 {
		t.Errorf("told %d times", problems)
	}
}

func storedAs(line, said string) []byte {
	return sealed([]byte(line + "\n" + said))
}

func FuzzParseStored(f *testing.F) {
	f.Add([]byte(`{"label":"a","version":"b","mime":"text/plain"}` + "\nsaid"))
	f.Add([]byte("{}"))
	f.Add([]byte(`{"until":"x"}` + "\n"))
	f.Fuzz(func(t *testing.T, rest []byte) {
		if _, _, ok := parseStored(rest); ok {
			t.Error("it is believed without a digest")
		}
		_, said, ok := parseStored(sealed(rest))
		if ok && !strings.HasSuffix(string(rest), string(said)) {
			t.Errorf("%q of %q", said, rest)
		}
	})
}
