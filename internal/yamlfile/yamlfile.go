// Package yamlfile reads small YAML files that people write, and reports each error with its line:
// an unknown key, a repeated key, a word that is not one of the allowed words. It converts no
// values implicitly: "no" stays a country code and 2030-01-01 a text. It refuses anchors, aliases
// and tags, and files with several documents or over a megabyte. So a file means only its visible
// text.
package yamlfile

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// MaxBytes is the largest file, in bytes.
const MaxBytes = 1 << 20

// maxProblems is how many problems an error lists.
const maxProblems = 20

// Node is one value of a file, with its place.
type Node struct {
	yaml *yaml.Node
	path string // "permissions, 2nd, from"
	file *file
}

type file struct {
	name     string
	problems []string
	more     int
}

// Read reads a file of one document; its root must be a mapping. The name is the one of the file in
// errors: "the rights".
func Read(in io.Reader, name string) (n *Node, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics on some invalid documents
			n, err = nil, fmt.Errorf("reading %s: %v", name, p)
		}
	}()
	doc, err := io.ReadAll(io.LimitReader(in, MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(doc) > MaxBytes {
		return nil, fmt.Errorf("reading %s: it is longer than 1 MiB", name)
	}
	dec := yaml.NewDecoder(strings.NewReader(string(doc)))
	var root, more yaml.Node
	err = dec.Decode(&root)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading %s: it is empty", name)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading %s: line %d: a second document begins; the file must have only one", name, max(more.Line, 1))
	}
	return &Node{yaml: root.Content[0], file: &file{name: name}}, nil
}

// Err returns all problems, one per line.
func (n *Node) Err() error {
	f := n.file
	if len(f.problems) == 0 {
		return nil
	}
	text := strings.Join(f.problems, "\n  ")
	if f.more > 0 {
		text += fmt.Sprintf("\n  and %d more", f.more)
	}
	return fmt.Errorf("reading %s: %s", f.name, text)
}

// Problems returns the number of problems so far, in the whole file.
func (n *Node) Problems() int { return len(n.file.problems) + n.file.more }

// Fail records a problem with a value.
func (n *Node) Fail(format string, args ...any) { n.fail(n.Line(), format, args...) }

// FailIn records a problem in one line (from 1) of a text with several lines. The text of a literal
// block (|) begins in the line after its key. If lines were folded into one, only the first is
// known.
func (n *Node) FailIn(line int, format string, args ...any) {
	at := n.Line()
	if n.yaml.Style&yaml.LiteralStyle != 0 {
		at += max(line, 1)
	}
	n.fail(at, format, args...)
}

func (n *Node) fail(line int, format string, args ...any) {
	if len(n.file.problems) == maxProblems {
		n.file.more++
		return
	}
	where := "line " + strconv.Itoa(line)
	if n.path != "" {
		where += ", " + n.path
	}
	n.file.problems = append(n.file.problems, where+": "+fmt.Sprintf(format, args...))
}

// Line returns the line of the value's beginning, from 1.
func (n *Node) Line() int { return n.yaml.Line }

// plain refuses anchors, aliases and tags.
func (n *Node) plain(kind yaml.Kind, want string) bool {
	y := n.yaml
	switch {
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		n.Fail("anchors (&) and aliases (*) are not allowed: write the value in full")
	case y.Style&yaml.TaggedStyle != 0:
		n.Fail("the tag %.40q is not allowed", y.Tag)
	case y.Kind != kind:
		n.Fail("is no %s", want)
	default:
		return true
	}
	return false
}

// Fields reads a mapping and calls the function for each key. It refuses unknown keys.
func (n *Node) Fields(known map[string]func(*Node)) {
	n.Each(func(key string, value *Node) {
		if read, ok := known[key]; ok {
			read(value)
			return
		}
		value.Fail("unknown key; allowed are %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	})
}

// Each reads a mapping with free keys, in order.
func (n *Node) Each(read func(key string, value *Node)) {
	if !n.plain(yaml.MappingNode, "mapping (key: value)") {
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.yaml.Content); i += 2 {
		k := &Node{yaml: n.yaml.Content[i], path: n.path, file: n.file}
		if !k.plain(yaml.ScalarNode, "key") {
			continue
		}
		key := k.yaml.Value
		if seen[key] {
			k.Fail("%.80q occurs twice", key)
			continue
		}
		seen[key] = true
		read(key, &Node{yaml: n.yaml.Content[i+1], path: join(n.path, fmt.Sprintf("%.80s", key)), file: n.file})
	}
}

// Items reads a list.
func (n *Node) Items(read func(*Node)) {
	if !n.plain(yaml.SequenceNode, "list (- value)") {
		return
	}
	for i, y := range n.yaml.Content {
		read(&Node{yaml: y, path: join(n.path, "no. "+strconv.Itoa(i+1)), file: n.file})
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + ", " + name
}

// IsText reports whether the value is a scalar, not a list or mapping.
func (n *Node) IsText() bool { return n.yaml.Kind == yaml.ScalarNode }

// Text reads a value as written, without surrounding blanks. It refuses an empty value: the key
// should be removed.
func (n *Node) Text() string {
	if !n.plain(yaml.ScalarNode, "single value") {
		return ""
	}
	s := strings.TrimSpace(n.yaml.Value)
	if s == "" || n.yaml.Tag == "!!null" {
		n.Fail("has no value: write one, or remove the key")
		return ""
	}
	return s
}

// Value reads a value as written, with blanks around it; it may be empty.
func (n *Node) Value() string {
	if !n.plain(yaml.ScalarNode, "single value") {
		return ""
	}
	return n.yaml.Value
}

// Texts reads a list of values, or a single one.
func (n *Node) Texts() []string {
	if n.IsText() {
		return []string{n.Text()}
	}
	var all []string
	n.Items(func(c *Node) { all = append(all, c.Text()) })
	return all
}

// OneOf reads a value that must be one of the words.
func (n *Node) OneOf(words ...string) string {
	s := n.Text()
	if s != "" && !slices.Contains(words, s) {
		n.Fail("%.80q is not one of %s", s, strings.Join(words, ", "))
		return ""
	}
	return s
}

// Date reads a day: yyyy-mm-dd.
func (n *Node) Date() string {
	s := n.Text()
	if _, err := time.Parse(time.DateOnly, s); s != "" && err != nil {
		n.Fail("%.80q is not a day: write it as 2030-12-31", s)
		return ""
	}
	return s
}

// Number reads an integer that is not negative.
func (n *Node) Number() int64 {
	s := n.Text()
	v, err := strconv.ParseInt(s, 10, 64)
	if s != "" && (err != nil || v < 0) {
		n.Fail("%.80q is not a whole number", s)
		return 0
	}
	return v
}

// Bool reads true or false.
func (n *Node) Bool() bool { return n.OneOf("true", "false") == "true" }

// Duration reads a duration: 10s, 5m, 1h30m.
func (n *Node) Duration() time.Duration {
	s := n.Text()
	d, err := time.ParseDuration(s)
	if s != "" && (err != nil || d <= 0) {
		n.Fail("%.80q is not a duration: write it as 10s, 5m, 1h30m", s)
		return 0
	}
	return d
}

// Size reads a number of bytes: 4096, 64 KiB, 8 MiB.
func (n *Node) Size() int64 {
	s := n.Text()
	if s == "" {
		return 0
	}
	size, err := ParseSize(s)
	if err != nil {
		n.Fail("%v", err)
	}
	return size
}

// ParseSize parses a number of bytes as people write it: 4096, 64 KiB, 8MiB, 2 GB. KiB, MiB, GiB
// and TiB are powers of 1024; kB, MB, GB and TB are powers of 1000.
func ParseSize(s string) (int64, error) {
	digits := strings.TrimLeft(s, "0123456789")
	factor, ok := sizeUnits[strings.ToLower(strings.TrimSpace(digits))]
	v, err := strconv.ParseInt(s[:len(s)-len(digits)], 10, 64)
	if !ok || err != nil || v > math.MaxInt64/factor {
		return 0, fmt.Errorf("%.80q is not a number of bytes: write it as 4096, 64 KiB, 8 MiB", s)
	}
	return v * factor, nil
}

var sizeUnits = map[string]int64{
	"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"tib": 1 << 40,
}
