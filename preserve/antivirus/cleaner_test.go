package antivirus

import (
	"reflect"
	"testing"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"a b":              {"a", "b"},
		"  a\tb  ":         {"a", "b"},
		`a 'b c' "d 'e"f`:  {"a", "b c", "d 'ef"},
		`a ''`:             {"a", ""},
		`/x/y -o={output}`: {"/x/y", "-o={output}"},
		"":                 nil,
	} {
		if got, err := splitCommand(line); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is %q, %v; want %q", line, got, err, want)
		}
	}
	if _, err := splitCommand(`a "b`); err == nil {
		t.Error("an open quotation mark was accepted")
	}
}

func TestNewRefuses(t *testing.T) {
	for _, line := range []string{"", "   ", "no-such-program-of-quire {input}", `sh "`} {
		if _, err := NewCleaner(line); err == nil {
			t.Errorf("%q was accepted", line)
		}
	}
}
