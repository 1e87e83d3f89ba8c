package policy

import (
	"slices"

	"quire/internal/yamlfile"
)

// readRules reads the rules and compiles their expressions.
func (p *Policy) readRules(n *yamlfile.Node) {
	seen := map[string]bool{}
	cost, count, words := map[budget]uint64{}, 0, p.words
	n.Items(func(n *yamlfile.Node) {
		if count++; count > maxRules {
			return // already reported
		}
		r, ok := readRule(n, words)
		if !ok {
			return
		}
		if seen[r.ID] || slices.Contains(sectionRules, r.ID) {
			n.Fail("the id %s is already used", r.ID)
		}
		seen[r.ID] = true
		of := r.budget()
		if cost[of] += r.cost; cost[of] > of.max() {
			n.Fail("with this rule, those of the scope %s may cost too much in total: use fewer rules, "+
				"or simpler expressions",
				r.Scope)
		}
		p.Rules = append(p.Rules, r)
	})
	if count > maxRules {
		n.Fail("has %d rules; the maximum is %d", count, maxRules)
	}
}

// readRule reads one rule; ok is false if its expression does not compile.
func readRule(n *yamlfile.Node, words *vocabulary) (r Rule, ok bool) {
	r.Line = n.Line()
	var when *yamlfile.Node
	scopes := make([]string, len(Scopes))
	for i, s := range Scopes {
		scopes[i] = string(s)
	}
	n.Fields(map[string]func(*yamlfile.Node){
		"id":       func(n *yamlfile.Node) { r.ID = name(n) },
		"scope":    func(n *yamlfile.Node) { r.Scope = Scope(n.OneOf(scopes...)) },
		"severity": func(n *yamlfile.Node) { r.Severity = severity(n) },
		"message":  func(n *yamlfile.Node) { r.Message = text(n, maxLong) },
		"when":     func(n *yamlfile.Node) { when, r.When = n, text(n, maxExpression) },
	})
	for _, lacks := range []struct{ key, value string }{
		{"id", r.ID}, {"scope", string(r.Scope)}, {"severity", string(r.Severity)}, {"when", r.When},
		{"message", r.Message},
	} {
		if lacks.value == "" {
			n.Fail("rule %s has no valid %s", r.ID, lacks.key)
			return r, false
		}
	}
	if len(r.When) > maxExpression {
		return r, false
	}
	wrong := r.compile(words)
	for _, w := range wrong {
		when.FailIn(w.line, "rule %s, character %d of the expression: %s", r.ID, w.column, w.message)
	}
	return r, len(wrong) == 0
}
