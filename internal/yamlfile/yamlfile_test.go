package yamlfile

import (
	"strings"
	"testing"
	"time"
)

// rule is the value that the tests read.
type rule struct {
	access, from string
	size         int64
	urls         []string
	words        map[string]string
}

func read(doc string) (rule, error) {
	r := rule{words: map[string]string{}}
	n, err := Read(strings.NewReader(doc), "the rule")
	if err != nil {
		return r, err
	}
	n.Fields(map[string]func(*Node){
		"access": func(n *Node) { r.access = n.OneOf("open", "no") },
		"from":   func(n *Node) { r.from = n.Date() },
		"size":   func(n *Node) { r.size = n.Number() },
		"urls":   func(n *Node) { r.urls = n.Texts() },
		"words":  func(n *Node) { n.Each(func(k string, v *Node) { r.words[k] = v.Text() }) },
	})
	return r, n.Err()
}

func TestRead(t *testing.T) {
	r,
		err := read("access: no\nfrom: 2030-01-31\nsize: 12\nurls:\n- http://a/\n- 'http://b/'\nwords: {yes: 1, no: " +
		"2}\n")
	if err != nil || r.access != "no" || r.from != "2030-01-31" || r.size != 12 ||
		strings.Join(r.urls, " ") != "http://a/ http://b/" ||
		r.words["yes"] != "1" || r.words["no"] != "2" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestValue(t *testing.T) {
	n, err := Read(strings.NewReader("a: ' x '\nb: ''\nc: [x]\n"), "the rule")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	n.Each(func(_ string, n *Node) { all = append(all, n.Value()) })
	if strings.Join(all, "|") != " x ||" || n.Problems() != 1 {
		t.Errorf("%q, %v", all, n.Err())
	}
}

func TestDurationAndSize(t *testing.T) {
	n, err := Read(strings.NewReader("wait: 1h30m\nmost: 8 MiB\n"), "the rule")
	if err != nil {
		t.Fatal(err)
	}
	var wait time.Duration
	var most int64
	n.Fields(map[string]func(*Node){
		"wait": func(n *Node) { wait = n.Duration() },
		"most": func(n *Node) { most = n.Size() },
	})
	if n.Err() != nil || wait != 90*time.Minute || most != 8<<20 {
		t.Errorf("%v, %d, %v", wait, most, n.Err())
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "4096": 4096, "64 KiB": 64 << 10, "64kib": 64 << 10, "2GB": 2e9, "8 B": 8,
		"9223372036854775807": 1<<63 - 1,
		"":                    -1, "MiB": -1, "-1": -1, "1.5 MiB": -1, "8 M": -1, "8 MiB 2": -1,
		"9223372036854775807 KiB": -1,
		"9223372036854775808":     -1,
	} {
		got, err := ParseSize(s)
		if err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, %v; want %d", s, got, err, want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"an unknown key", "access: no\nacces: no\n",
			`line 2, acces: unknown key; allowed are access, from, size, urls, words`},
		{"a key twice", "access: no\naccess: open\n", `line 2: "access" occurs twice`},
		{"another word", "\naccess: closed\n", `line 2, access: "closed" is not one of open, no`},
		{"no day", "from: 2030-02-30\n", `line 1, from: "2030-02-30" is not a day`},
		{"no number", "size: 1e3\n", `line 1, size: "1e3" is not a whole number`},
		{"a negative number", "size: -1\n", `is not a whole number`},
		{"no value", "access:\n", `line 1, access: has no value`},
		{"an empty value in a list", "urls:\n- a\n-\n", `line 3, urls, no. 2: has no value`},
		{"a list for a value", "access: [open]\n", `line 1, access: is no single value`},
		{"a value for a mapping", "words: a\n", `line 1, words: is no mapping`},
		{"a list", "- a\n", `line 1: is no mapping`},
		{"an anchor", "access: &a open\n", `line 1, access: anchors`},
		{"an alias", "urls: &a [b]\nwords: {x: *a}\n", `anchors`},
		{"a tag", "access: !!binary b3Blbg==\n", `line 1, access: the tag "!!binary" is not allowed`},
		{"a merge", "words: {<<: *x}\n", `unknown anchor`},
		{"two documents", "access: no\n---\naccess: open\n", `line 2: a second document begins`},
		{"nothing", "", `it is empty`},
		{"only a comment", "# no\n", `it is empty`},
		{"no YAML", "access: [", `reading the rule: yaml`},
		{"too long", strings.Repeat(" ", MaxBytes+1), `longer than 1 MiB`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := read(c.doc)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: error %v; want %q", r, err, c.want)
			}
		})
	}
}

// TestAllProblems checks that all problems are reported at once, up to a useful number.
func TestAllProblems(t *testing.T) {
	doc := "access: closed\nfrom: soon\n"
	for i := range 30 {
		doc += string(rune('A'+i%26)) + strings.Repeat("x", i) + ": 1\n"
	}
	_, err := read(doc)
	if err == nil || strings.Count(err.Error(), "\n") != maxProblems ||
		!strings.Contains(err.Error(), "line 2, from") || !strings.Contains(err.Error(), "and 12 more") {
		t.Error(err)
	}
}

// TestBomb checks that a document of aliases that expands to a gigabyte costs only its own length.
func TestBomb(t *testing.T) {
	doc := "words: &a0 {x: y}\n"
	for i := 1; i < 30; i++ {
		doc += "k" + string(rune('a'+i%26)) + strings.Repeat("i", i) + ": &a" + strings.Repeat("i", i) + " [*a" +
			strings.Repeat("i", i-1) + "]\n"
	}
	doc = strings.Replace(doc, "&a0", "&a", 1)
	if _, err := read(doc); err == nil || !strings.Contains(err.Error(), "anchors") {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("access: no\nfrom: 2030-01-31\nsize: 12\nurls: [a, b]\nwords: {a: b}\n")
	f.Add("a: &a [*a]\n")
	f.Add("? [a]\n: b\n--- !!x\n...\n")
	f.Fuzz(func(t *testing.T, doc string) {
		r, err := read(doc)
		if err == nil && r.access != "" && r.access != "open" && r.access != "no" {
			t.Errorf("%+v", r)
		}
	})
}
