// Package findingtest writes and compares the documents generated from catalogues of findings. Only
// tests use it.
package findingtest

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"quire/model"
	"quire/model/finding"
)

var update = flag.Bool("update", false, "write the catalogue's document again")

// generated is where the generated part begins: at the first section or table. The introduction
// before it is written by hand.
var generated = regexp.MustCompile(`(?m)^(## |\| code )`)

// Document requires that a document ends in the generated text; with -update it writes that text.
func Document(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := generated.FindIndex(text)
	if at == nil {
		t.Fatalf("%s has neither a section nor a table of codes", path)
	}
	if *update {
		if err := os.WriteFile(path, append(text[:at[0]:at[0]], want...),
			0o644); err != nil { //nolint:gosec // a document for everyone
			t.Fatal(err)
		}
		return
	}
	if string(text[at[0]:]) != want {
		t.Errorf("%s is out of date: run this test with -update", path)
	}
}

// Sections returns a section for each family of codes (a common prefix), with every entry in full.
func Sections(c *finding.Catalogue) string {
	var b strings.Builder
	family := ""
	for _, e := range c.Marked() {
		if name, _, _ := strings.Cut(e.Code, "-"); name != family {
			if family != "" {
				b.WriteByte('\n')
			}
			family = name
			fmt.Fprintf(&b, "## %s\n", family)
		}
		strict := ""
		if e.Breaks && e.Severity != model.Error {
			strict = ", *strict*"
		}
		fmt.Fprintf(&b, "\n### %s\n\n**%s**%s · %s\n\n%s\n%s\n\n*Example:* `%s`\n\n*What to do:* %s\n",
			e.Code, e.Severity, strict, e.Clause, e.Meaning, e.Explanation, e.Example, e.Advice)
	}
	return b.String()
}

// Table returns a row for each entry, with the catalogue's columns.
func Table(c *finding.Catalogue) string {
	columns := []struct {
		head string
		cell func(*finding.Entry) string
	}{
		{"code", func(e *finding.Entry) string { return "`" + e.Code + "`" }},
		{"severity", func(e *finding.Entry) string { return string(e.Severity) }},
		{"clause", func(e *finding.Entry) string { return e.Clause }},
		{"check", func(e *finding.Entry) string { return e.Check }},
		{"what was found", func(e *finding.Entry) string { return e.Meaning }},
		{"what to do", func(e *finding.Entry) string { return e.Advice }},
	}
	all := c.Marked()
	rows := make([]string, len(all)+2)
	for _, column := range columns {
		if column.cell(&all[0]) == "" {
			continue
		}
		rows[0] += "| " + column.head + " "
		rows[1] += "|---"
		for i := range all {
			rows[i+2] += "| " + strings.ReplaceAll(column.cell(&all[i]), "|", `\|`) + " "
		}
	}
	return strings.Join(rows, "|\n") + "|\n"
}
