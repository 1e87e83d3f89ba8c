package captures

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/repotest"
)

// collect returns captures in short form.
func collect(t *testing.T, all func(func(*Capture, error) bool), word func(*Capture) string) string {
	t.Helper()
	var words []string
	for c, err := range all {
		must(t, err)
		words = append(words, word(c))
	}
	return strings.Join(words, " ")
}

var oddCrawl = record("response", "1", "http://a.example/x", "2020-01-02T03:04:05.678Z", page("hello")) +
	record("resource", "2", "dns:a.example", "2020-01-02T03:04:09Z", "hello") +
	strings.Replace(record("response", "3", "http://a.example/undated", "none", page("hello")), "WARC-Date: none\r\n",
		"", 1) +
	record("response", "4", "http://a.example/part", "2020-01-02T03:04:06Z", page("hello"), "WARC-Truncated: time") +
	revisit("5", "http://a.example/again", "2021-01-01T00:00:00Z", "WARC-Payload-Digest: "+helloSHA1)

// TestRecords: the index has all data of captures for lists of records and dedup; readers do not
// see unlisted records.
func TestRecords(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), DirName))
	must(t, packages{"p": {"c.warc": oddCrawl}}.add(t, x, "p"))
	id := func(c *Capture) string { return strings.Trim(c.ID, "<>urn:x") }
	if got := collect(t, x.Captures(t.Context(), Query{}), id); got != "5 4 1" {
		t.Errorf("readers find %q", got)
	}
	for _, q := range []Query{{Unlisted: true}, {Unlisted: true, Packages: []string{"p"}}} {
		if got := collect(t, x.Captures(t.Context(), q), id); got != "2 3" {
			t.Errorf("unlisted are %q", got)
		}
	}
	if got := collect(t, x.Captures(t.Context(), Query{Unlisted: true, URL: "http://a.example/undated"}),
		id); got != "3" {
		t.Errorf("undated is %q", got)
	}
	if got := collect(t, x.Captures(t.Context(), Query{URL: "http://a.example/undated"}), id); got != "" {
		t.Errorf("readers find undated records: %q", got)
	}
	if got := collect(t, x.Holders(t.Context(), helloSHA1), func(c *Capture) string {
		return fmt.Sprint(id(c), " ", c.Timestamp, " ", c.Date, " ", c.TruncatedBy, " ", c.Flaw, " ", c.Unlisted, " ",
			len(c.Digests), " ", c.Package, ";")
	}); got != "4 20200102030406 2020-01-02T03:04:06Z time truncated false 2 p; 1 20200102030405 "+
		"2020-01-02T03:04:05.678Z   false 2 p; "+
		"2 20200102030409 2020-01-02T03:04:09Z   true 2 p; 3    damaged true 2 p;" {
		t.Errorf("holders are %q", got)
	}
	if got := collect(t, x.Revisits(t.Context(), helloSHA1), func(c *Capture) string {
		return fmt.Sprint(id(c), ">", c.Payload.Order)
	}); got != "5>4" {
		t.Errorf("revisits are %q", got)
	}
	var after *Capture
	for _, want := range []string{"2", "3", ""} { // in pages of one
		got := ""
		for c, err := range x.Captures(t.Context(), Query{Unlisted: true, After: after}) {
			must(t, err)
			got, after = id(c), c
			break
		}
		if got != want {
			t.Errorf("behind that is %q, and not %q", got, want)
		}
	}
	s, err := x.Summary(t.Context())
	must(t, err)
	if s.Captures != 3 || fmt.Sprint(s.Left) != "[{it has no date 1} {no web resource (dns, whois) 1}]" {
		t.Errorf("%+v", s)
	}
}

// version1 converts a file of lines to version 1.
func version1(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.ReadFile(path)
	must(t, err)
	all := strings.SplitAfter(repotest.Gunzip(t, file), "\n")
	n := len(all) - 2
	lines := slices.DeleteFunc(all[1:], func(l string) bool { return strings.HasPrefix(l, "!") })
	head := strings.NewReplacer(`"version":2`, `"version":1`, fmt.Sprintf(`"lines":%d`, n),
		fmt.Sprintf(`"lines":%d`, len(lines)-1)).Replace(all[0])
	return repotest.Gzip(t, head+regexp.MustCompile(`,"(date|flaw)":"[^"]*"|,"chunked":true`).ReplaceAllString(
		strings.Join(lines, ""), ""))
}

// TestLess: lines of version 1 with omitted records are insufficient for every caller.
func TestLess(t *testing.T) {
	for crawl, want := range map[string]int{aCrawl: Readers, oddCrawl: Full} {
		s := newShelf(t, crawl, func(path string) []byte { return version1(t, path) })
		c := Container{Package: "p", Path: aContainer}
		read := open(t, filepath.Join(t.TempDir(), DirName)).Stored(s.store, nil, func(err error) { t.Error(err) })
		if err := read(t.Context(), &c, func(*Line) error { return nil }); err != nil || c.Version != want {
			t.Errorf("lines are of version %d, and not %d, %v", c.Version, want, err)
		}
	}
}

// TestMade: a container with lines of version 1 is not read for readers, and is read once for Full.
// Afterwards its lines are available even without the container. They are removed with the package.
func TestMade(t *testing.T) {
	s := newShelf(t, aCrawl, func(path string) []byte { return version1(t, path) })
	x := open(t, filepath.Join(t.TempDir(), DirName))
	var told []error
	read := x.Stored(s.store, nil, func(err error) { told = append(told, err) })
	lines := func(version int) (n int, c Container, err error) {
		c = Container{Package: "p", Path: aContainer, Version: version}
		err = read(t.Context(), &c, func(*Line) error { n++; return nil })
		return n, c, err
	}
	if n, c, err := lines(Readers); err != nil || n != 4 || c.Version != 1 {
		t.Errorf("%d lines of version %d, %v", n, c.Version, err)
	}
	if n, c, err := lines(Full); err != nil || n != 5 || c.Version != Full {
		t.Errorf("%d lines of version %d, %v", n, c.Version, err)
	}
	s.inCopies(2, aContainer, os.Remove)
	if n, c, err := lines(Full); err != nil || n != 5 || c.Version != Full || len(told) > 0 {
		t.Errorf("read once, there are %d lines of version %d, %v, reported %v", n, c.Version, err, told)
	}
	made, err := filepath.Glob(filepath.Join(x.dir, madeDir, "*"))
	must(t, err)
	if len(made) != 1 {
		t.Fatalf("kept is %q", made)
	}
	for name, age := range map[string]time.Duration{strings.Repeat("0", 128) + madeExt: 0,
		".quire-left": 48 * time.Hour} {
		other := filepath.Join(x.dir, madeDir, name)
		must(t, os.WriteFile(other, nil, 0o666))
		must(t, os.Chtimes(other, time.Time{}, time.Now().Add(-age)))
	}
	must(t, x.Sweep(t.Context(), s.store))
	if left, _ := filepath.Glob(filepath.Join(x.dir, madeDir, "*")); !slices.Equal(left, made) {
		t.Errorf("swept: %q", left)
	}
	if left, _ := filepath.Glob(filepath.Join(x.dir, madeDir, ".*")); len(left) > 0 {
		t.Errorf("swept: %q", left)
	}
	must(t, spoil(made[0]))
	if n, _, err := lines(Full); err == nil || n > 0 {
		t.Errorf("spoilt: %d lines, %v", n, err)
	}
}

// TestUpgrade: an index of version 1 is rebuilt; without write permission it is used with the same
// results.
func TestUpgrade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), DirName)
	x := open(t, dir)
	must(t, packages{"p": {"c.warc": aCrawl}, "q": {"d.warc": oddCrawl}}.add(t, x, "p"))
	must(t, packages{"p": {"c.warc": aCrawl}, "q": {"d.warc": oddCrawl}}.add(t, x, "q"))
	queries := []Query{{}, {Packages: []string{"p"}}, {Packages: []string{"q"}, Reverse: true}}
	var want []string
	for _, q := range queries {
		want = append(want, ask(t, x, q))
	}
	m := x.current.manifest
	m.Segments = slices.Clone(m.Segments)
	for i := range m.Segments {
		places := filepath.Join(dir, m.Segments[i].Name+placesExt)
		info, err := os.Stat(places)
		must(t, err)
		must(t, os.Remove(places))
		m.Segments[i].Places = false
		m.Segments[i].Bytes -= info.Size()
	}
	must(t, m.write(dir))
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, manifestName),
		[]byte(strings.Replace(string(text), `"version": 2`, `"version": 1`, 1)), 0o666))

	old, err := load(dir, nil) // as without write permission
	must(t, err)
	still := &Index{dir: dir, held: map[*snapshot]int{}}
	still.put(old)
	for i, q := range queries {
		if got := ask(t, still, q); got != want[i] {
			t.Errorf("%+v: %q, and not %q", q, got, want[i])
		}
	}
	anew := open(t, dir)
	if m := anew.current.manifest; m.Version != manifestVersion || len(m.Containers) > 0 ||
		ask(t, anew, Query{}) != "" {
		t.Errorf("%+v", m)
	}
}
