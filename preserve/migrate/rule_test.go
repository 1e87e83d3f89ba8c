package migrate

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/preserve/migrate/internal/builtin"
)

const commandRule = `name: gif-by-program
from: [fmt/3, image/GIF]
to: {mime: image/png, puid: [fmt/11, fmt/13]}
command: [convert, "gif:{input}", "png:{output}"]
version: [convert, -version]
limits: {time: 90s, output: 500 MB, memory: 2 GB}
`

func TestParseRule(t *testing.T) {
	r, err := ParseRule(strings.NewReader(commandRule), "the rule")
	if err != nil {
		t.Fatal(err)
	}
	if r.Limits.Time != 90*time.Second || r.Limits.Output != 500e6 || r.Limits.Memory != 2e9 ||
		r.From[1] != "image/gif" || len(r.PUIDs) != 2 || r.Command[0] != "convert" {
		t.Errorf("%+v", r)
	}
}

// TestLimitsAsOfOtherTools checks the keys that rules share with the tools of policies and CRATEs.
func TestLimitsAsOfOtherTools(t *testing.T) {
	const old = "limits: {time: 90s, output: 500 MB, memory: 2 GB}"
	was, err := ParseRule(strings.NewReader(commandRule), "the rule")
	if err != nil {
		t.Fatal(err)
	}
	now, err := ParseRule(strings.NewReader(strings.Replace(commandRule, old, "timeout: 90s\noutput: 500 MB\n"+
		"memory: 2 GB", 1)), "the rule")
	if err != nil || now.Limits != was.Limits {
		t.Errorf("%+v, %v; want %+v", now, err, was.Limits)
	}
	for more, want := range map[string]string{
		"timeout: 90s\n":     "write the limits in one of the two forms",
		"statuses: [0, 1]\n": "statuses: unknown key", // a result of a failed program is none
		"prints: text/xml\n": "prints: unknown key",
	} {
		if _, err := ParseRule(strings.NewReader(commandRule+more), "the rule"); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", more, err, want)
		}
	}
}

// An error in a rule is reported with its line.
func TestRuleRefused(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"limits: {time: 90s", "limits: {tmie: 90s",
			"line 6, limits, tmie: unknown key; allowed are memory, output, scratch, time"},
		{"from: [fmt/3, image/GIF]", "from: [gif]",
			`line 2, from: "gif" is neither a key of PRONOM, such as fmt/3, nor a media type`},
		{"name: gif-by-program", "name: ../x", `line 1, name: "../x" is no name of a rule`},
		{"name: gif-by-program\n", "", "line 1: name is missing"},
		{"command: [convert, ", "builtin: gif-to-png\ncommand: [convert, ", "want either builtin or command"},
		{"command: [convert, \"gif:{input}\", \"png:{output}\"]\n", "", "want either builtin or command"},
		{"version: [convert, -version]\n", "", "version is missing"},
		{"png:{output}", "png:{output", `command: "png:{output": want {input}`},
		{"500 MB", "lots", "line 6, limits, output: is no number of bytes, such as 500 MB or 2 GB"},
		{"90s", "90", "line 6, limits, time: is no duration, such as 30s or 5m"},
		{"image/png", "png", `line 3, to, mime: "png" is no media type`},
		{"fmt/13", "13", `line 3, to, puid: "13" is no key of PRONOM, such as fmt/11`},
		{"limits:", "undeclared: klingon\nlimits:", "undeclared: \"klingon\" is no encoding of the Encoding Standard"},
		{"limits:", "undeclared: koi8-r\nlimits:", "undeclared is of the builtin html-to-utf8"},
		{"command: [convert, \"gif:{input}\", \"png:{output}\"]\n", "builtin: gif-to-png\n",
			"version, limits and reads are of a command"},
		{"command: [convert, \"gif:{input}\", \"png:{output}\"]\n", "builtin: gif-to-jpeg\n",
			"is not one of gif-to-png, html-to-utf8, xbm-to-png"},
	} {
		_, err := ParseRule(strings.NewReader(strings.Replace(commandRule, c.from, c.to, 1)), "the rule")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.to, err, c.want)
		}
	}
}

// Each of Quire's own conversions has a rule with its name, and the examples are rules.
func TestRulesAtHand(t *testing.T) {
	for _, name := range builtin.Names() {
		r, err := ReadRule(name)
		if err != nil || r.Builtin != name || r.Name != name {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if _, err := ReadRule("no-such-rule"); err == nil ||
		!strings.Contains(err.Error(), "gif-to-png, html-to-utf8, xbm-to-png") {
		t.Errorf("%v", err)
	}
	examples, err := filepath.Glob("../../examples/migrate/*.yaml")
	if err != nil || len(examples) < 4 {
		t.Fatalf("%v, %v", examples, err)
	}
	for _, path := range examples {
		if _, err := ReadRule(path); err != nil {
			t.Error(err)
		}
	}
}

func TestAccepts(t *testing.T) {
	r := usual["gif-to-png"]
	if all, err := r.accepts(nil); err != nil || len(all) != 3 {
		t.Errorf("%v, %v", all, err)
	}
	if some, err := r.accepts([]string{"IMAGE/GIF"}); err != nil || some.String() != "image/gif" {
		t.Errorf("%v, %v", some, err)
	}
	for from, want := range map[string]string{
		"fmt/44": "the rule gif-to-png does not take fmt/44, but fmt/3, fmt/4, image/gif",
		"gif":    `"gif" is neither a key of PRONOM, such as fmt/3, nor a media type`,
	} {
		if _, err := r.accepts([]string{from}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", from, err)
		}
	}
}
