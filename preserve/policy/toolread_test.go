package policy

import (
	"fmt"
	"strings"
	"testing"

	"quire/preserve/policy/tools"
)

// toolOf returns a policy with a tool of these lines, and a rule that uses its fact valid.
func toolOf(lines string) string {
	return minimal + "tools:\n- label: v\n" + lines + "rules:\n- {id: r, scope: record, severity: warn, message: m, " +
		"when: '!tool.v.valid'}\n"
}

const (
	runs      = "  command: [validator, '{input}']\n  version: [validator, -v]\n"
	onFormat  = "  formats: [fmt/18]\n"
	withValid = "  facts:\n    valid: output == 'valid'\n"
)

func TestReadToolsRefuses(t *testing.T) {
	facts := func(is string) string {
		return toolOf(onFormat + runs + "  prints: text/xml\n  facts:\n    valid: " + is + "\n")
	}
	costly := "output.a.all(x, x.contains('" + strings.Repeat("x", 30) + "'))" // more than half of the limit
	for _, c := range []struct{ name, doc, want string }{
		{"no formats", toolOf(runs + withValid), "line 3, tools, no. 1: the tool v has no formats"},
		{"no facts", toolOf(onFormat + runs), "line 3, tools, no. 1: the tool v has no facts"},
		{"no version", toolOf(onFormat + "  command: [validator, '{input}']\n" + withValid), "version is missing"},
		{"no command", toolOf(onFormat + "  version: [validator, -v]\n" + withValid), "command: no program is named"},
		{"a shell line", toolOf(onFormat + "  command: validator -x\n  version: [v]\n" + withValid),
			"no shell splits a line"},
		{"an output file", toolOf(onFormat + "  command: [v, '{output}']\n  version: [v]\n" + withValid),
			"{output} is invalid for tools"},
		{"the URL", toolOf(onFormat + "  command: [v, '{url}']\n  version: [v]\n" + withValid),
			"{url} is invalid in a policy"},
		{"a way around the jail", toolOf(onFormat + runs + "  jail: best-effort\n" + withValid), "unknown key"},
		{"a label with a dot", strings.Replace(toolOf(onFormat+runs+withValid), "label: v\n", "label: v.x\n", 1),
			`"v.x" is not a name for expressions`},
		{"a reserved word", strings.Replace(toolOf(onFormat+runs+withValid), "label: v\n", "label: import\n", 1),
			`"import" is not a name for expressions`},
		{"a label twice", strings.Replace(toolOf(onFormat+runs+withValid), "rules:",
			"- label: v\n"+onFormat+runs+withValid+
				"rules:", 1), "the label v is already used"},
		{"a status", toolOf(onFormat + runs + "  statuses: [0, 256]\n" + withValid),
			"statuses: 256 is not an exit status"},
		{"too much output", toolOf(onFormat + runs + "  output: 1 GiB\n" + withValid), "output is above the maximum"},
		{"too much time", toolOf(onFormat + runs + "  timeout: 2h\n" + withValid), "timeout is above the maximum"},
		{"a relative path", toolOf(onFormat + runs + "  reads: [lib]\n" + withValid), "not an absolute path"},
		{"no rule uses it", minimal + "tools:\n- label: v\n" + onFormat + runs + withValid,
			"line 3, tools, no. 1: no rule uses the tool v"},
		{"a rule of another scope", strings.Replace(toolOf(onFormat+runs+withValid), "scope: record",
			"scope: format", 1),
			"tool.v.valid has no value in the scope format, only in: record"},
		{"an unknown fact", strings.Replace(toolOf(onFormat+runs+withValid), "tool.v.valid'", "tool.v.conforms'", 1),
			`"tool.v.conforms" is not a variable; the variables of this scope are: tool.v.valid`},
		{"a type", strings.Replace(toolOf(onFormat+runs+withValid), "!tool.v.valid'", "tool.v.valid > 1'", 1),
			"no matching overload for '_>_'"},

		{"a fact without a type", facts("output.report.valid"), "is of type dyn: compare it, or convert it"},
		{"a fact of a list", facts("'[output.a, output.b]'"), "is of type list(dyn)"},
		{"a fact that is none", facts("1 == 1"), "does not use output"},
		{"a variable of rules", facts("record.status == 200"), `"record" is not a name for facts`},
		{"a function", facts("type(output) == int"), "type is not a function for policies"},
		{"a map", facts(`'{"a": output.b} == {"a": "c"}'`), "maps are not allowed"},
		{"no CEL", facts("output ="), "line 9, tools, no. 1, facts, valid: fact valid, character"},
		{"a pattern that is no literal", facts("output.a.matches(output.b)"),
			"the pattern of matches must be a literal"},
		{"a costly one", facts("output.a.all(x, output.b.all(y, output.c.all(z, x == y || y == z)))"),
			"may cost too much"},
		{"costly together", facts(costly + "\n    v2: " + costly), "line 10, tools, no. 1, facts, v2: " +
			"with this fact, those of the tool v may cost too much in total"},
		{"JSON keys of a text", strings.Replace(facts("output.a == 'x'"), "text/xml", "text/plain", 1),
			"type 'string' does not support field selection"},
	} {
		if _, err := Read(strings.NewReader(c.doc)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want an error with %q", c.name, err, c.want)
		}
	}
}

// TestFacts has facts over outputs of each kind, with their types and values.
func TestFacts(t *testing.T) {
	report := map[string]tools.Value{"report": map[string]tools.Value{
		"valid": "true", "pages": "12", "size": 1.5, "made": "2024-01-02T03:04:05Z",
		"long": tools.Unseen("a text of more"),
		"message": []tools.Value{map[string]tools.Value{"severity": "info"},
			map[string]tools.Value{"severity": "error"}},
	}}
	for _, c := range []struct {
		is, prints string
		output     tools.Value
		want       string
	}{
		{"output.report.valid == 'true'", "text/xml", report, "bool true"},
		{"int(output.report.pages)", "text/xml", report, "int 12"},
		{"double(output.report.size)", "application/json", report, "double 1.5"},
		{"string(output.report.valid)", "text/xml", report, "string true"},
		{"timestamp(output.report.made)", "text/xml", report, "timestamp 2024-01-02 03:04:05 +0000 UTC"},
		{"output.report.message.exists(m, m.severity == 'error')", "text/xml", report, "bool true"},
		{"output.report.message.all(m, m.severity == 'error')", "text/xml", report, "bool false"},
		{"size(output.report.message)", "text/xml", report, "int 2"},
		{"has(output.report.profile) && output.report.profile == 'x'", "text/xml", report, "bool false"},
		{"output.contains('valid') && !output.startsWith('not')", "text/plain", "valid", "bool true"},
		{"size(output)", "text/plain", strings.Repeat("x", 5000), "int 5000"},

		{"output.report.profile == 'x'", "text/xml", report, "not known: no such key: profile"},
		{"output.report.valid.part == 'x'", "text/xml", report, "not known: "},
		{"output.report.long == 'x'", "text/xml", report, "not known: a text of more: rules do not see it"},
		{"output.report.message[7].severity == 'x'", "text/xml", report, "not known: index out of bounds: 7"},
		{"output.report.valid.exists(m, m.severity == 'error')", "text/xml", report, "not known: "},
		{"int(output.report.valid)", "text/xml", report, "not known: "},
		{"string(output)", "text/plain", strings.Repeat("x", 5000), "not known: it is a text of more than 4096 bytes"},
		{"output == 'x'", "text/plain", tools.Unseen("a long one"), "not known: a long one: rules do not see it"},
	} {
		tool := Tool{}
		tool.Program.Prints = c.prints
		f := FactRule{Name: "f", Is: c.is}
		if all := f.compile(&tool); len(all) > 0 {
			t.Errorf("%s: %v", c.is, all)
			continue
		}
		v := f.of(c.output)
		got := "not known: " + v.Why
		if v.Why == "" {
			got = fmt.Sprint(f.Type, " ", v.val(kind(f.Type), "f").Value())
		}
		if got != c.want && (c.want != "not known: " || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %s; want %s", c.is, got, c.want)
		}
	}
}

// TestExplainTools checks that readers of a policy see which programs it runs.
func TestExplainTools(t *testing.T) {
	doc := toolOf(onFormat + runs + "  reads: [/etc/validator]\n" + withValid)
	p, err := Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	e := p.Explain()
	var b strings.Builder
	if err := e.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"v (not installed here: its rules are not judged): validator {input}\n",
		"on fmt/18\n", "reads /etc/validator, too\n", "tool.v.valid (bool): output == 'valid'\n",
		"its tools run on bytestreams of their formats, in the jail"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the explanation lacks %q:\n%s", want, b.String())
		}
	}
	if all := p.MissingTools(); len(all) != 1 || all[0] != "v (validator)" {
		t.Errorf("missing tools: %q", all)
	}
}
