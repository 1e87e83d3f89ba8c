// Package yamlfile reads small YAML files that people write, and reports each error with its line:
// an unknown key, a key that is there twice, a word where one of a few is wanted. Nothing is
// converted behind anyone's back: values are what stands there, so that "no" is a country and
// 2030-01-01 a text. Anchors, aliases and tags are refused, and a file has one document of at most
// a megabyte: so no file means more than it says.
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

// MaxBytes is how long a file may be.
const MaxBytes = 1 << 20

// maxProblems is the number of problems that an error lists.
const maxProblems = 20

// Node is one value of a file, with the place where it stands.
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

// Read reads a file of one document, whose root is a mapping. The name is that of the file in
// errors: "the rights".
func Read(in io.Reader, name string) (n *Node, err error) {
	defer func() {
		if p := recover(); p != nil { // the library panics on some documents that are none
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
		return nil, fmt.Errorf("reading %s: line %d: a second document begins; one is wanted", name, max(more.Line, 1))
	}
	return &Node{yaml: root.Content[0], file: &file{name: name}}, nil
}

// Err returns all problems, a line each.
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

// Problems is how many things were found wrong so far, in the file as a whole.
func (n *Node) Problems() int { return len(n.file.problems) + n.file.more }

// Fail records a problem of a value.
func (n *Node) Fail(format string, args ...any) { n.fail(n.Line(), format, args...) }

// FailIn records a problem in one line of a text of several (from 1). The text of a literal block
// (|) begins in the line behind its key; where lines were folded into one, only the first is known.
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

// Line is where the value begins, from 1.
func (n *Node) Line() int { return n.yaml.Line }

// plain refuses anchors, aliases and tags.
func (n *Node) plain(kind yaml.Kind, want string) bool {
	y := n.yaml
	switch {
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		n.Fail("anchors (&) and aliases (*) are not taken: write the value out")
	case y.Style&yaml.TaggedStyle != 0:
		n.Fail("the tag %.40q is not taken", y.Tag)
	case y.Kind != kind:
		n.Fail("is no %s", want)
	default:
		return true
	}
	return false
}

// Fields reads a mapping: each of its keys goes to the function of its name. Others are refused.
func (n *Node) Fields(known map[string]func(*Node)) {
	n.Each(func(key string, value *Node) {
		if read, ok := known[key]; ok {
			read(value)
			return
		}
		value.Fail("unknown key; known are %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	})
}

// Each reads a mapping whose keys are names of the writer's own, in their order.
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
			k.Fail("%.80q is there twice", key)
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

// IsText says whether the value is a single one, and no list or mapping.
func (n *Node) IsText() bool { return n.yaml.Kind == yaml.ScalarNode }

// Text reads a value as it stands there, without blanks around it. An empty one is refused: leave
// the key out.
func (n *Node) Text() string {
	if !n.plain(yaml.ScalarNode, "single value") {
		return ""
	}
	s := strings.TrimSpace(n.yaml.Value)
	if s == "" || n.yaml.Tag == "!!null" {
		n.Fail("has no value: give one, or leave the key out")
		return ""
	}
	return s
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

// OneOf reads one of the words.
func (n *Node) OneOf(words ...string) string {
	s := n.Text()
	if s != "" && !slices.Contains(words, s) {
		n.Fail("%.80q is none of %s", s, strings.Join(words, ", "))
		return ""
	}
	return s
}

// Date reads a day: yyyy-mm-dd.
func (n *Node) Date() string {
	s := n.Text()
	if _, err := time.Parse(time.DateOnly, s); s != "" && err != nil {
		n.Fail("%.80q is no day: write it as 2030-12-31", s)
		return ""
	}
	return s
}

// Number reads a whole number that is not negative.
func (n *Node) Number() int64 {
	s := n.Text()
	v, err := strconv.ParseInt(s, 10, 64)
	if s != "" && (err != nil || v < 0) {
		n.Fail("%.80q is no whole number", s)
		return 0
	}
	return v
}

// Bool reads true or false.
func (n *Node) Bool() bool { return n.OneOf("true", "false") == "true" }

// Duration reads a length of time: 10s, 5m, 1h30m.
func (n *Node) Duration() time.Duration {
	s := n.Text()
	d, err := time.ParseDuration(s)
	if s != "" && (err != nil || d <= 0) {
		n.Fail("%.80q is no length of time: write it as 10s, 5m, 1h30m", s)
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

// ParseSize reads a number of bytes as people write it: 4096, 64 KiB, 8MiB, 2 GB. KiB, MiB, GiB and
// TiB are powers of 1024, kB, MB, GB and TB of 1000.
func ParseSize(s string) (int64, error) {
	digits := strings.TrimLeft(s, "0123456789")
	factor, ok := sizeUnits[strings.ToLower(strings.TrimSpace(digits))]
	v, err := strconv.ParseInt(s[:len(s)-len(digits)], 10, 64)
	if !ok || err != nil || v > math.MaxInt64/factor {
		return 0, fmt.Errorf("%.80q is no number of bytes: write it as 4096, 64 KiB, 8 MiB", s)
	}
	return v * factor, nil
}

var sizeUnits = map[string]int64{
	"": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
	"tib": 1 << 40,
}
