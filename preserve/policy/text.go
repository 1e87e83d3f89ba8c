package policy

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"quire/internal/humanize"
)

// Text writes a judgement for people: its outcome, and the result of each rule. Rules that are kept
// are only counted, unless all is set.
func (j *Judgement) Text(w io.Writer, all bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "policy %s: %s", j.Policy, j.Outcome)
	kept := 0
	for i := range j.Rules {
		if j.Rules[i].Outcome == Kept {
			kept++
		}
	}
	fmt.Fprintf(&b, " (%d of %s kept)\n", kept, humanize.Count(len(j.Rules), "rule"))
	for i := range j.Rules {
		r := &j.Rules[i]
		if r.Outcome == Kept && !all {
			continue
		}
		fmt.Fprintf(&b, "  %s\n      %s\n", r, humanize.Visible(r.Message))
		for _, p := range r.First {
			fmt.Fprintf(&b, "      - %s\n", humanize.Visible(p.String()))
		}
		if more := r.Count - int64(len(r.First)); more > 0 {
			fmt.Fprintf(&b, "      - and %d more\n", more)
		}
		if r.WhyWhere != nil {
			fmt.Fprintf(&b, "      some could not be judged; the first: %s\n", humanize.Visible(r.WhyWhere.String()))
		}
	}
	for i := range j.Tools {
		t := &j.Tools[i]
		fmt.Fprintf(&b, "  %s\n", humanize.Visible(t.String()))
		if t.WhyWhere != nil {
			fmt.Fprintf(&b, "      - %s\n", humanize.Visible(t.WhyWhere.String()))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Explanation is a policy in words. Its JSON form is the contract of "quire policy explain --json".
type Explanation struct {
	Name        string     `json:"name"`
	Title       string     `json:"title"`
	Description string     `json:"description"`
	SHA512      string     `json:"sha512"`
	OnRefusal   string     `json:"on_refusal"` // keep, stop
	Sections    []Section  `json:"sections"`   // their requirements
	Tools       []ToolIn   `json:"tools"`
	Rules       []InWords  `json:"rules"`
	Variables   []Variable `json:"variables"`  // used in the rules
	Needs       []string   `json:"needs"`      // input required to judge
	Repository  []string   `json:"repository"` // its duties
}

// Section is the requirement of a section.
type Section struct {
	ID       string   `json:"id"`
	Severity Severity `json:"severity"` // consequence for a package that violates it
	Asks     string   `json:"asks"`
}

// InWords is a rule.
type InWords struct {
	ID       string   `json:"id"`
	Scope    Scope    `json:"scope"`
	Severity Severity `json:"severity"`
	When     string   `json:"when"` // condition that breaks it
	Message  string   `json:"message"`
	Uses     []string `json:"uses"` // variables
}

// Explain describes in words the packages that a policy accepts.
func (p *Policy) Explain() Explanation {
	e := Explanation{Name: p.Name, Title: p.Title, Description: p.Description, SHA512: p.SHA512, OnRefusal: "keep"}
	if p.Stop {
		e.OnRefusal = "stop"
	}
	for _, s := range p.sections() {
		e.Sections = append(e.Sections, Section{s.ID, s.Severity, s.Message})
	}
	e.Tools = p.explainTools()
	used := map[string]bool{}
	for i := range p.Rules {
		r := &p.Rules[i]
		e.Rules = append(e.Rules, InWords{r.ID, r.Scope, r.Severity, r.When, r.Message, r.Uses})
		for _, name := range r.Uses {
			used[name] = true
		}
	}
	e.Variables = slices.DeleteFunc(slices.Concat(Variables(), p.words.facts()),
		func(v Variable) bool { return !used[v.Name] })
	e.Needs = p.Needs().lines()
	if p.Copies > 0 {
		e.Repository = append(e.Repository, "keep "+copiesOf(p.Copies)+" at least")
	}
	if !p.Fixity.IsZero() {
		e.Repository = append(e.Repository, "read each copy again every "+strings.TrimPrefix(p.Fixity.String(), "1 "))
	}
	return e
}

func (n Needs) lines() []string {
	var all []string
	for _, need := range []struct {
		is   bool
		says string
	}{
		{n.Scan, "a virus scanner is required (--clamd)"},
		{n.Containers, "containers are read; checking a package reads them again"},
		{n.Formats, "the formats of payloads are identified"},
		{n.Records, "each record is judged"},
		{n.Tools, "its tools run on bytestreams of their formats, in the jail"},
		{n.Records && n.Harvests,
			"records wait on disk until their whole harvest is known, if its documentation lacks the facts"},
	} {
		if need.is {
			all = append(all, need.says)
		}
	}
	return all
}

// Text writes the explanation for people.
func (e *Explanation) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", e.Name)
	if e.Title != "" {
		fmt.Fprintf(&b, ": %s", e.Title)
	}
	b.WriteString("\n")
	if e.Description != "" {
		fmt.Fprintf(&b, "\n  %s\n", strings.ReplaceAll(e.Description, "\n", "\n  "))
	}
	if len(e.Sections) > 0 {
		b.WriteString("\nA package is accepted if:\n")
		for _, s := range e.Sections {
			fmt.Fprintf(&b, "  %-8s %s: %s\n", s.Severity, s.ID, s.Asks)
		}
	}
	toolsText(&b, e.Tools)
	if len(e.Rules) > 0 {
		b.WriteString("\nRules, and when they are broken:\n")
		for _, r := range e.Rules {
			fmt.Fprintf(&b, "  %-8s %s, for each %s: %s\n", r.Severity, r.ID, unit[r.Scope], r.Message)
			fmt.Fprintf(&b, "             %s\n", strings.ReplaceAll(r.When, "\n", "\n             "))
		}
		b.WriteString("\nVariables in the rules:\n")
		for _, v := range e.Variables {
			fmt.Fprintf(&b, "  %-24s %-12s  %s\n", v.Name, v.Type, v.Meaning)
		}
	}
	lines := func(title string, list []string) {
		if len(list) > 0 {
			fmt.Fprintf(&b, "\n%s\n  %s\n", title, strings.Join(list, "\n  "))
		}
	}
	lines("To judge a package:", e.Needs)
	lines("The repository must:", e.Repository)
	if e.OnRefusal == "stop" {
		b.WriteString("\nA refused package is not made.\n")
	} else {
		b.WriteString("\nA refused package is still made, and marked; quire ingest --policy does not " +
			"store it.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
