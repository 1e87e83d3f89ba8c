package policy

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"

	"quire/internal/program"
	"quire/internal/yamlfile"
	"quire/preserve/policy/tools"
)

// Tool is a program that examines the bytestreams of some formats, as a policy declares it.
type Tool struct {
	tools.Tool

	// the formats it examines: PUIDs, media types, Unknown. A media type means those of the
	// identified format or, for a bytestream of no known format, the declared one.
	Formats []string
	Facts   []FactRule
	Line    int // in the file
}

// FactRule is a fact that a tool states of a bytestream: an expression over its output.
type FactRule struct {
	Name string
	Is   string // the expression; its variable is output
	Type string // of its value, named as in CEL
	Line int

	program cel.Program
	cost    uint64 // maximum, of one evaluation
}

// variable returns the name of a fact in rules.
func (t *Tool) variable(f *FactRule) string { return toolFamily + "." + t.Label + "." + f.Name }

// toolFamily is the first part of the variables of tools.
const toolFamily = "tool"

// Limits of the tools of a policy.
const (
	maxTools   = 10
	maxFacts   = 20
	maxInput   = program.Size(4 << 30)
	maxOutput  = program.Size(16 << 20)
	maxRuns    = 10_000_000
	maxTimeout = program.Duration(3600e9) // an hour
)

// toolName is the form of labels and facts: a name in CEL.
var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// reserved lists the names that CEL reserves.
var reserved = []string{"as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in",
	"let", "loop", "namespace", "null", "package", "return", "true", "var", "void", "while"}

func readName(n *yamlfile.Node, name string) string {
	if name != "" && (!toolName.MatchString(name) || slices.Contains(reserved, name)) {
		n.Fail("%.80q is not a name for expressions: use small letters, digits and _, at most 40", name)
		return ""
	}
	return name
}

// readToolsAndRules reads the tools, and then the rules, which use their facts. Either may be nil.
func (p *Policy) readToolsAndRules(doc, all, rules *yamlfile.Node) {
	before := doc.Problems()
	if all != nil {
		p.readTools(all)
	}
	p.words = p.vocabulary()
	if doc.Problems() > before { // rules without their facts have no useful errors
		return
	}
	if rules != nil {
		p.readRules(rules)
	}
	if all != nil && doc.Problems() == 0 {
		p.checkUsed(all)
	}
}

// readTools reads the tools, and compiles their facts.
func (p *Policy) readTools(n *yamlfile.Node) {
	seen := map[string]bool{}
	n.Items(func(n *yamlfile.Node) {
		t := readTool(n)
		if t.Label != "" && seen[t.Label] {
			n.Fail("the label %s is already used", t.Label)
		}
		seen[t.Label] = true
		p.Tools = append(p.Tools, t)
	})
	if len(p.Tools) > maxTools {
		n.Fail("has %d tools; the maximum is %d", len(p.Tools), maxTools)
	}
}

// checkUsed checks that rules use each tool: a tool that examines nothing would mislead readers.
func (p *Policy) checkUsed(n *yamlfile.Node) {
	i := 0
	n.Items(func(n *yamlfile.Node) {
		if !slices.ContainsFunc(p.Rules, func(r Rule) bool { return slices.Contains(r.Tools, i) }) {
			n.Fail("no rule uses the tool %s", p.Tools[i].Label)
		}
		i++
	})
}

func readTool(n *yamlfile.Node) Tool {
	t := Tool{Line: n.Line()}
	var facts *yamlfile.Node
	keys := t.Program.Fields()
	maps.Copy(keys, map[string]func(*yamlfile.Node){
		"label":   func(n *yamlfile.Node) { t.Label = readName(n, n.Text()) },
		"formats": func(n *yamlfile.Node) { t.Formats = list(n, wrongFormat) },
		"lists":   func(n *yamlfile.Node) { t.Lists = n.Texts() },
		"input":   func(n *yamlfile.Node) { t.Input = program.Size(n.Size()) },
		"runs":    func(n *yamlfile.Node) { t.Runs = n.Number() },
		"facts":   func(n *yamlfile.Node) { facts = n },
	})
	n.Fields(keys)
	t.Tool = t.WithDefaults()
	t.check(n, facts)
	if facts != nil {
		t.readFacts(facts)
	}
	return t
}

// check checks a tool, apart from its facts.
func (t *Tool) check(n, facts *yamlfile.Node) {
	switch {
	case t.Label == "":
		n.Fail("the tool has no valid label")
	case len(t.Formats) == 0:
		n.Fail("the tool %s has no formats: list the PUIDs that it examines", t.Label)
	case facts == nil:
		n.Fail("the tool %s has no facts: rules could not use it", t.Label)
	}
	if err := t.Program.CheckPrints(); err != nil {
		n.Fail("the tool %s: %v", t.Label, err)
	}
	if strings.Contains(strings.Join(t.Program.Command, " "), "{url}") {
		n.Fail("the tool %s: {url} is invalid in a policy: equal bytes have one result", t.Label)
	}
	for _, l := range []struct {
		key         string
		value, most int64
	}{
		{"input", int64(t.Input), int64(maxInput)}, {"output", int64(t.Program.Output), int64(maxOutput)},
		{"runs", t.Runs, maxRuns}, {"timeout", int64(t.Program.Timeout), int64(maxTimeout)},
	} {
		if l.value > l.most {
			n.Fail("the tool %s: %s is above the maximum", t.Label, l.key)
		}
	}
}

func (t *Tool) readFacts(n *yamlfile.Node) {
	seen, cost := map[string]bool{}, uint64(0)
	n.Each(func(name string, n *yamlfile.Node) {
		f := FactRule{Name: readName(n, name), Is: text(n, maxExpression), Line: n.Line()}
		if f.Name == "" || f.Is == "" || len(f.Is) > maxExpression || seen[name] {
			return // already reported
		}
		seen[name] = true
		for _, w := range f.compile(t) {
			n.FailIn(w.line, "fact %s, character %d of the expression: %s", name, w.column, w.message)
		}
		if cost += f.cost; cost > maxFactCost && cost-f.cost <= maxFactCost {
			n.Fail("with this fact, those of the tool %s may cost too much in total", t.Label)
		}
		t.Facts = append(t.Facts, f)
	})
	if len(t.Facts) > maxFacts {
		n.Fail("has %d facts; the maximum is %d", len(t.Facts), maxFacts)
	}
}

// applies reports whether the tool examines bytestreams of a format, declared as that media type.
func (t *Tool) applies(f *format, declared string) bool {
	if f.among(t.Formats) {
		return true
	}
	return f.puid == "" && declared != "" && slices.ContainsFunc(t.Formats, func(s string) bool {
		group, many := strings.CutSuffix(s, "*")
		return s == declared || many && strings.HasPrefix(declared, group)
	})
}
