package report

import (
	"fmt"
	"io"
	"strings"

	"quire/internal/humanize"
	"quire/model"
	"quire/model/finding"
)

// proseWidth is the line length of prose: it fits every terminal, and is easy to read.
const proseWidth = 80

// Catalogue lists the codes of a catalogue, a line each.
func Catalogue(w io.Writer, c *finding.Catalogue) error {
	for _, e := range c.All() {
		severity := string(e.Severity)
		if severity == "" {
			severity = strings.TrimPrefix(c.About, "a ")
		}
		if _, err := fmt.Fprintf(w, "%-28s  %-7s  %s\n", e.Code, severity, e.Meaning); err != nil {
			return fmt.Errorf("listing the codes of findings: %w", err)
		}
	}
	return nil
}

// Entry explains one code of a catalogue.
func Entry(w io.Writer, c *finding.Catalogue, e *finding.Entry) error {
	var kind []string
	switch {
	case e.Breaks && e.Severity != model.Error:
		kind = append(kind, string(e.Severity)+"; error under --strict")
	case e.Severity != "":
		kind = append(kind, string(e.Severity))
	}
	if c.About != "" {
		kind = append(kind, "about "+c.About)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\n", e.Code, strings.Join(kind, ", "))
	for _, p := range []struct{ before, label, text, suffix string }{
		{"", "", e.Meaning, ""},
		{"", "Clause: ", e.Clause, c.Clauses},
		{"", "Check: ", e.Check, c.Clauses},
		{"\n", "", e.Explanation, ""},
		{"\n", "Example: ", e.Example, ""},
		{"\n", "What to do: ", e.Advice, ""},
	} {
		if p.text != "" {
			b.WriteString(p.before + humanize.Wrap("  "+humanize.Visible(p.label+p.text+p.suffix), 2, proseWidth) +
				"\n")
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("explaining %s: %w", e.Code, err)
	}
	return nil
}
