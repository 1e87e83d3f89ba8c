package main

import (
	"fmt"
	"strings"

	handed "quire/access/export/check"
	"quire/internal/humanize"
	"quire/model"
	"quire/oai/check"
	"quire/preserve/aip"
	"quire/preserve/inspect"
	"quire/source/survey"
)

type explainCmd struct {
	Code string `arg:"" optional:"" help:"The code of a finding; all codes are listed when none is given."`
	jsonFlag
}

// Run says what a finding means, or lists what can be found.
func (c *explainCmd) Run(t *terminal) error {
	if c.Code == "" {
		return c.list(t)
	}
	e, ok := inspect.Explain(strings.ToUpper(c.Code))
	if of, is := survey.Explain(strings.ToUpper(c.Code)); is && !ok {
		return explainSource(t, of, c.JSON)
	}
	if of, is := aip.Explain(strings.ToUpper(c.Code)); is && !ok {
		return explainPackage(t, of, c.JSON)
	}
	if of, is := handed.Explain(strings.ToUpper(c.Code)); is && !ok {
		return explainHanded(t, of, c.JSON)
	}
	if of, is := check.Explain(strings.ToUpper(c.Code)); is && !ok {
		return explainProvider(t, of, c.JSON)
	}
	if !ok {
		return fmt.Errorf("no finding has the code %q; \"quire explain\" lists them all", c.Code)
	}
	if c.JSON {
		return t.json(explained(e))
	}
	severity := string(e.Severity)
	if e.Breaks && e.Severity != model.Error {
		severity += "; error under --strict"
	}
	t.printf("%s (%s)\n\n", string(e.Code), severity)
	for _, line := range []string{e.Meaning, "Clause: " + e.Clause, "", e.Explanation, "", "Example: " + e.Example, "", "What to do: " + e.Advice} {
		if line != "" {
			line = humanize.Wrap("  "+humanize.Visible(line), 2, explainWidth)
		}
		t.print(line + "\n")
	}
	return nil
}

// explainSource says what a finding about a source means. There is no clause to name: each crawler has habits of its own.
func explainSource(t *terminal, e survey.Entry, asJSON bool) error {
	if asJSON {
		return t.json(e)
	}
	t.printf("%s (about a source)\n\n", e.Code)
	for _, line := range []string{e.Meaning, "", "What to do: " + e.Advice} {
		if line != "" {
			line = humanize.Wrap("  "+line, 2, explainWidth)
		}
		t.print(line + "\n")
	}
	return nil
}

// explainPackage says what a finding about a package means. The clauses are those of docs/package-format.md, by their checks.
func explainPackage(t *terminal, e aip.Entry, asJSON bool) error {
	if asJSON {
		return t.json(e)
	}
	t.printf("%s (%s, about a package)\n\n", e.Code, string(e.Severity))
	for _, line := range []string{e.Meaning, "Check: " + e.Check + ", of quire validate (docs/package-format.md, clause 4)", "", "What to do: " + e.Advice} {
		if line != "" {
			line = humanize.Wrap("  "+line, 2, explainWidth)
		}
		t.print(line + "\n")
	}
	return nil
}

// explainHanded says what a finding about something that was handed out means.
func explainHanded(t *terminal, e handed.Entry, asJSON bool) error {
	if asJSON {
		return t.json(e)
	}
	t.printf("%s (%s, about something handed out)\n\n", e.Code, string(e.Severity))
	for _, line := range []string{e.Meaning, "", "What to do: " + e.Advice} {
		if line != "" {
			line = humanize.Wrap("  "+line, 2, explainWidth)
		}
		t.print(line + "\n")
	}
	return nil
}

// explainProvider says what a finding about an OAI-PMH server means.
func explainProvider(t *terminal, e check.Entry, asJSON bool) error {
	if asJSON {
		return t.json(e)
	}
	t.printf("%s (%s, about an OAI-PMH server)\n\n", e.Code, string(e.Severity))
	for _, line := range []string{e.Meaning, "Clause: " + e.Clause + ", of OAI-PMH 2.0", "", "What to do: " + e.Advice} {
		if line != "" {
			line = humanize.Wrap("  "+line, 2, explainWidth)
		}
		t.print(line + "\n")
	}
	return nil
}

// explainWidth is how long a line of prose may be: as every terminal has it, and as it reads well.
const explainWidth = 80

func (c *explainCmd) list(t *terminal) error {
	for _, e := range inspect.Catalogue() {
		if c.JSON {
			if err := t.json(explained(e)); err != nil {
				return err
			}
			continue
		}
		t.printf("%-28s  %-7s  %s\n", string(e.Code), string(e.Severity), e.Meaning)
	}
	for _, e := range survey.Catalogue() {
		if c.JSON {
			if err := t.json(e); err != nil {
				return err
			}
			continue
		}
		t.printf("%-28s  %-7s  %s\n", e.Code, "source", e.Meaning)
	}
	for _, e := range aip.Catalogue() {
		if c.JSON {
			if err := t.json(e); err != nil {
				return err
			}
			continue
		}
		t.printf("%-28s  %-7s  %s\n", e.Code, string(e.Severity), e.Meaning)
	}
	for _, e := range handed.Catalogue() {
		if c.JSON {
			if err := t.json(e); err != nil {
				return err
			}
			continue
		}
		t.printf("%-28s  %-7s  %s\n", e.Code, string(e.Severity), e.Meaning)
	}
	for _, e := range check.Catalogue() {
		if c.JSON {
			if err := t.json(e); err != nil {
				return err
			}
			continue
		}
		t.printf("%-28s  %-7s  %s\n", e.Code, string(e.Severity), e.Meaning)
	}
	return nil
}

// explained is an entry of the catalogue as JSON has it.
func explained(e inspect.Entry) any {
	return struct {
		Code        string `json:"code"`
		Severity    string `json:"severity"`
		Clause      string `json:"clause"`
		Meaning     string `json:"meaning"`
		Explanation string `json:"explanation"`
		Example     string `json:"example"`
		Advice      string `json:"advice"`
	}{string(e.Code), string(e.Severity), e.Clause, e.Meaning, e.Explanation, e.Example, e.Advice}
}
