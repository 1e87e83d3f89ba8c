package program

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"quire/internal/sandbox"
	"quire/internal/yamlfile"
)

// read reads a declaration, and checks it.
func read(doc string) (Program, error) {
	var p Program
	n, err := yamlfile.Read(strings.NewReader(doc), "the tool")
	if err != nil {
		return p, err
	}
	keys := p.Fields()
	maps.Copy(keys, map[string]func(*yamlfile.Node){"label": func(*yamlfile.Node) {}})
	n.Fields(keys)
	if err := n.Err(); err != nil {
		return p, err
	}
	return p, p.CheckPrints()
}

func TestRead(t *testing.T) {
	got, err := read("label: x\ncommand: [validator, -x, '{input.pdf}']\nversion: validator\nreads: [/opt/x]\n" +
		"prints: text/xml\nstatuses: [0, 1]\ntimeout: 1m30s\noutput: 64 KiB\nmemory: 1 GB\nscratch: 2048\n")
	want := Program{Command: []string{"validator", "-x", "{input.pdf}"}, Version: []string{"validator"},
		Reads: []string{"/opt/x"}, Prints: "text/xml", Statuses: []int{0, 1},
		Timeout: Duration(90 * time.Second), Output: 64 << 10, Memory: 1e9, Scratch: 2048}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if l := got.Limits(); l != (sandbox.Limits{Time: 90 * time.Second, Output: 64 << 10, Memory: 1e9, Scratch: 2048}) {
		t.Errorf("limits %+v", l)
	}
}

func TestReadRefuses(t *testing.T) {
	const some = "command: [x, '{input}']\nversion: [x]\n"
	for doc, want := range map[string]string{
		"command: x -y\nversion: [x]\n":              "no shell splits a line",
		"command: [x, '{input}']\n":                  "version is missing",
		"version: [x]\n":                             "command: no program is named",
		"command: [x, '{output}']\nversion: [x]\n":   "command: {output} is invalid for tools",
		"command: [x]\nversion: [x, '{output.a}']\n": "version: {output} is invalid for tools",
		some + "prints: XML\n":                       `"XML" is not a media type`,
		some + "statuses: [no]\n":                    `"no" is not an exit status`,
		some + "statuses: [-1]\n":                    "statuses: -1 is not an exit status",
		some + "reads: [lib]\n":                      "is not an absolute path",
		some + "timeout: soon\n":                     "is not a duration",
		some + "output: much\n":                      "output",
	} {
		if p, err := read(doc); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want an error with %q", doc, p, err, want)
		}
	}
}

func TestSucceeded(t *testing.T) {
	one := func(status int) *sandbox.Answer {
		a := &sandbox.Answer{Done: sandbox.Done{Status: status}}
		if status != 0 {
			a.Reason = "ended"
		}
		return a
	}
	killed, late, flooded := one(-1), one(1), one(1)
	late.Late, flooded.Flooded = true, true
	for _, c := range []struct {
		statuses []int
		a        *sandbox.Answer
		want     bool
	}{
		{nil, one(0), true}, {nil, one(1), false}, {[]int{0, 1}, one(1), true}, {[]int{0, 1}, one(0), true},
		{[]int{0, 1}, one(2), false}, {[]int{1}, one(0), false}, {[]int{0, 1}, killed, false}, {[]int{0, 1},
			late, false},
		{[]int{0, 1}, flooded, false},
	} {
		p := Program{Statuses: c.statuses}
		if got := p.Succeeded(c.a); got != c.want {
			t.Errorf("statuses %v, %+v: %v", c.statuses, c.a, got)
		}
	}
}
