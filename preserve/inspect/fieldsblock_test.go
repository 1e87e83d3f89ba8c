package inspect

import (
	"strings"
	"testing"

	"quire/format/fault"
)

// The fields in a block of application/warc-fields, for any division of the block.
func TestFieldsBlock(t *testing.T) {
	for _, c := range []struct{ name, block, want string }{
		{"fields", "software: x\r\nformat: y\r\n", ""},
		{"no line break at the end", "software: x", ""},
		{"nothing", "", ""},
		{"empty lines", "software: x\r\n\r\n", ""},
		{"a value that is continued", "software: x\r\n y\r\n\tz\r\n", ""},
		{"line feeds alone", "software: x\nformat: y\n", ""},
		{"prose", "software: x\r\nfor the museum\r\nand the library\r\n",
			"line 2 of the block has no colon (first of 2)"},
		{"prose at the end", "software: x\r\nfor the museum", "line 2 of the block has no colon (first of 1)"},
		{"JSON", "{\r\n\"software\": \"x\"\r\n}", "line 1 of the block has no colon (first of 2)"},
	} {
		for _, size := range []int{1, 7, len(c.block) + 1} {
			var found []string
			o := fieldsObserver{on: true}
			o.report = func(f fault.Fault) { found = append(found, f.Detail) }
			for rest := c.block; rest != ""; rest = rest[min(size, len(rest)):] {
				if err := o.chunk([]byte(rest[:min(size, len(rest))])); err != nil {
					t.Fatal(err)
				}
			}
			if err := o.end(&entry{}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(found, "; "); got != c.want {
				t.Errorf("%s, in pieces of %d bytes: %q, want %q", c.name, size, got, c.want)
			}
		}
	}
}

// The URL and date of a capture resolve the reference of a revisit, in the file and across files,
// with or without angle brackets.
func TestRefersToTarget(t *testing.T) {
	revisit := record("revisit", "", target, identical,
		"WARC-Refers-To-Target-URI: <http://Example.org:80/page?q=1>", "WARC-Refers-To-Date: 2024-01-02T03:04:05Z")
	original := response("HTTP/1.1 200 OK\r\n\r\nhello")
	later := strings.Replace(original, "03:04:05Z", "03:04:06Z", 1)
	for _, c := range []struct {
		name  string
		files []string
		want  bool
	}{
		{"in the same file", []string{warcinfo + original + revisit}, false},
		{"behind it", []string{warcinfo + revisit + original}, false},
		{"in another file", []string{warcinfo + revisit, warcinfo + original}, false},
		{"of another time", []string{warcinfo + later + revisit}, true},
		{"nowhere", []string{warcinfo + revisit}, true},
	} {
		set := NewSet()
		for _, file := range c.files {
			inspectBytes(t, []byte(file), Options{Set: set, Name: "a.warc"})
		}
		got := false
		for _, f := range set.Finish() {
			got = got || f.Code == string(FaultRefersToTarget)
		}
		if got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
