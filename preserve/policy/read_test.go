package policy

import (
	"fmt"
	"strings"
	"testing"
)

const minimal = "name: reference\n"

func ruleOf(scope, when string) string {
	return minimal + "rules:\n- id: r\n  scope: " + scope + "\n  severity: warn\n  message: m\n  when: |\n    " + when +
		"\n"
}

func manyRules(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- {id: r%d, scope: record, severity: note, when: record.sound, message: m}\n", i)
	}
	return b.String()
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"nothing", "", "reading the policy: it is empty"},
		{"a comment", "# nothing\n", "reading the policy: it is empty"},
		{"no YAML", "name: a\nb: c: d\n", "line 2"},
		{"two documents", minimal + "---\nname: b\n", "a second document begins"},
		{"a list", "- a\n", "line 1: is no mapping"},
		{"no name", "title: t\n", "the policy has no name"},
		{"a bad name", "name: a b\n", `line 1, name: "a b" is not a name`},
		{"an unknown key", minimal + "copy: 3\n", `line 2, copy: unknown key; allowed are containers, copies`},
		{"a key twice", minimal + "copies: 3\ncopies: 4\n", `line 3: "copies" occurs twice`},
		{"an alias", "name: &a x\ntitle: *a\n", "line 2, title: anchors (&) and aliases (*) are not allowed"},
		{"a tagged key", "? [a]\n: b\n", "line 1: is no key"},
		{"no number", minimal + "copies: three\n", `line 2, copies: "three" is not a whole number`},
		{"more copies than anybody keeps", minimal + "copies: 99999999999\n", "line 2, copies: must be 1 to 100 copies"},
		{"no copies", minimal + "copies: 0\n", "line 2, copies: must be 1 to 100 copies"},
		{"an interval without a unit", minimal + "fixity_interval: 90\n",
			`line 2, fixity_interval: "90" is not an interval`},
		{"an interval of nothing", minimal + "fixity_interval: 0 days\n", "line 2, fixity_interval"},
		{"an interval of hours", minimal + "fixity_interval: 3 hours\n", "line 2, fixity_interval"},
		{"a container format", minimal + "containers:\n  formats: [WARC/1.1, warc]\n",
			`line 3, containers, formats: "warc" is none`},
		{"a compression", minimal + "containers:\n  compression: [bz2]\n", "line 3, containers, compression"},
		{"an empty list", minimal + "containers: {formats: []}\n", "line 2, containers, formats: has 0 values"},
		{"no list", minimal + "containers: {formats: {WARC: 1.1}}\n", "line 2, containers, formats: is no list"},
		{"twice in a list", minimal + "formats: {refuse: [fmt/4, fmt/4]}\n",
			"line 2, formats, refuse: fmt/4 is duplicated"},
		{"a severity", minimal + "findings: {at_most: bad}\n",
			`line 2, findings, at_most: "bad" is not one of none, info`},
		{"a code", minimal + "findings:\n  forbid:\n  - WARC-DATE\n  - WARC-DATES\n",
			`line 4, findings, forbid: no finding has the code "WARC-DATES"`},
		{"a code of the scanner", minimal + "findings: {forbid: " +
			"[SCAN-INFECTED]}\n", "virus findings belong in the section viruses"},
		{"allowed and forbidden", minimal + "findings: {allow: [WARC-DATE], forbid: [WARC-DATE]}\n",
			"line 2, findings: WARC-DATE is both"},
		{"a PUID", minimal + "formats: {accept: [fmt4]}\n", "line 2, formats, accept"},
		{"a media type in capitals", minimal + "formats: {accept: [Image/GIF]}\n", "in lower case"},
		{"a rule without a message", minimal + "rules:\n- {id: a, scope: record, severity: warn, when: record.sound}\n",
			"line 3, rules, no. 1: rule a has no valid message"},
		{"a scope", strings.Replace(ruleOf("record", "record.sound"), "scope: record", "scope: page", 1),
			`line 4, rules, no. 1, scope: "page" is not one of package, harvest`},
		{"an id twice", ruleOf("record", "record.sound") +
			"- {id: r, scope: record, severity: warn, when: record.sound, message: m}\n",
			"line 9, rules, no. 2: the id r is already used"},
		{"an id of a section", strings.Replace(ruleOf("record", "record.sound"), "id: r", "id: viruses.scan", 1),
			"the id viruses.scan is already used"},
		{"a rule that is no mapping", minimal + "rules: [a]\n", "line 2, rules, no. 1: is no mapping"},

		{"a syntax error", ruleOf("record", "record.sound &&"), "line 8, rules, no. 1, when: rule r, character 16"},
		{"an unknown variable", ruleOf("record", "record.url == 'a'"),
			`"record.url" is not a variable; the variables of this scope are: record.bytes`},
		{"an unknown family", ruleOf("record", "page.url == 'a'"), "of this scope are: format.…, harvest.…, record.…"},
		{"a variable of another scope", ruleOf("format", "format.count > 3 && record.sound"),
			"line 8, rules, no. 1, when: rule r, character 21 of the expression: record.sound has no value in the " +
				"scope format, only in: record"},
		{"a type", ruleOf("record", "record.status == '404'"), "found no matching overload"},
		{"a year as a text", ruleOf("record", "harvest.start.year < '2000'"), "found no matching overload"},
		{"no truth", ruleOf("record", "record.status"), "must be true or false, but is of type int"},
		{"no variable", ruleOf("record", "1 < 2"), "uses no variable"},
		{"a function that does not exist", ruleOf("record", "record.uri.lower() == 'a'"),
			`"lower" is not a function for policies`},
		{"a function that hides types", ruleOf("record", "dyn(record.uri) == 3"), "dyn is not a function for policies"},
		{"a macro that builds lists", ruleOf("record", "[1,2].map(x, x).size() > 2 && record.sound"), "line 8"},
		{"a map", ruleOf("record", "{'a': 1}['a'] == 1 && record.sound"), "maps are not allowed"},
		{"a pattern that is computed", ruleOf("record", "record.uri.matches(record.host)"),
			"the pattern of matches must be a literal"},
		{"a pattern that is none", ruleOf("record", "record.uri.matches('(')"), "line 8"},
		{"lists in lists", ruleOf("harvest",
			"harvest.seeds.all(a, harvest.seeds.all(b, harvest.seeds.all(c, a + b != c)))"),
			"character 1 of the expression: may cost too much"},
		{"long patterns in a list", ruleOf("harvest",
			"harvest.seeds.all(a, a.matches('"+strings.Repeat("(a|b)*", 200)+"'))"),
			"character 1 of the expression: may cost too much"},
		{"too much in all", minimal + "rules:\n" +
			strings.ReplaceAll(manyRules(150), "record.sound",
				"\"record.uri.matches('"+strings.Repeat("[a-z]", 6)+"')\""),
			"with this rule, those of the scope record may cost too much in total"},
		{"too long", ruleOf("record", "record.uri == '"+strings.Repeat("a", 2000)+"'"), "is longer than 2000 bytes"},
		{"too deep", ruleOf("record", strings.Repeat("(", 900)+"record.sound"+strings.Repeat(")", 900)), "line 8"},
		{"a deep list", minimal + "rules: " + strings.Repeat("[", 20000), "reading the policy"},
		{"a bomb of aliases",
			"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nname: *c\n",
			"anchors (&) and aliases (*) are not allowed"},
		{"too large", minimal + strings.Repeat("# comment\n", 110000), "longer than 1 MiB"},
		{"too many rules", minimal + "rules:\n" + manyRules(201), "has 201 rules; the maximum is 200"},
		{"a control character", "name: a\ntitle: \"a\\x01b\"\n", "line 2, title: has a control character"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(strings.NewReader(c.doc))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, policy %v; want an error with %q", err, p, c.want)
			}
		})
	}
}

// A rule of scope format applies only if formats were identified, whatever its condition. Otherwise
// a package in the profile compact would fulfil a policy that the same package in full violates.
func TestRuleOfFormatsNeedsFormats(t *testing.T) {
	for _, c := range []struct {
		scope string
		want  bool
	}{{"format", true}, {"harvest", false}} {
		p, err := Read(strings.NewReader("name: a\nrules: [{id: b, scope: " + c.scope +
			", severity: note, when: harvest.dated, message: m}]\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Needs().Formats; got != c.want {
			t.Errorf("scope %s: formats are needed: %v", c.scope, got)
		}
	}
}
