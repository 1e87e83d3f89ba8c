package main

import (
	"io"
	"net/url"
	"strings"

	"quire/access/siterules"
	"quire/format/surt"
	"quire/internal/humanize"
)

type siteRulesCmd struct {
	Check   siteRulesCheckCmd   `cmd:"" help:"Check the keys, patterns and expressions of a file of site rules."`
	Show    siteRulesShowCmd    `cmd:"" help:"Print the site rules of this program, as a file."`
	Explain siteRulesExplainCmd `cmd:"" help:"Explain which rules apply to a URL, and compare it with a captured one."`
}

type siteRulesCheckCmd struct {
	File string `arg:"" type:"existingfile" help:"Rules in YAML (docs/reference/547_site-rules.md)."`
	jsonFlag
}

// Run reads the rules and prints their errors.
func (c *siteRulesCheckCmd) Run(t *terminal) error {
	set, wrong := siterules.ReadFile(c.File)
	if set == nil {
		set = &siterules.Set{}
	}
	switch {
	case c.JSON:
		said := struct {
			File    string           `json:"file"`
			Right   bool             `json:"right"`
			Wrong   string           `json:"wrong"`
			Version string           `json:"version"`
			Rules   []siterules.Rule `json:"rules"`
		}{File: c.File, Right: wrong == nil, Version: set.Version, Rules: append([]siterules.Rule{}, set.Rules...)}
		if wrong != nil {
			said.Wrong = wrong.Error()
		}
		if err := t.json(said); err != nil {
			return err
		}
	case wrong != nil:
		t.printLines(wrong)
	default:
		t.printf("%s: version %s, %s, right\n", c.File, set.Version,
			humanize.Number(int64(len(set.Rules)), "rule", "rules"))
	}
	if wrong != nil {
		return errContent
	}
	return nil
}

type siteRulesShowCmd struct{}

// Run prints our rules.
func (c *siteRulesShowCmd) Run(t *terminal) error {
	_, err := io.WriteString(t.out, siterules.OwnText())
	return err
}

type siteRulesExplainCmd struct {
	URL      string `name:"url" required:"" placeholder:"URL" help:"A URL without a capture."`
	Captured string `placeholder:"URL" help:"A captured URL: may it answer?"`
	Type     string `placeholder:"TYPE" help:"Media type of the captured answer."`
	Rules    string `type:"existingfile" placeholder:"FILE" help:"A file of site rules, in addition to those of Quire."`
}

// Run prints the rules for a URL.
func (c *siteRulesExplainCmd) Run(t *terminal) error {
	for _, u := range []string{c.URL, c.Captured} {
		if _, err := url.Parse(u); err != nil {
			return err
		}
	}
	live, err := siterules.Follow(c.Rules, nil)
	if err != nil {
		return err
	}
	set := live.Now()
	l := set.Lookup(siterules.Request{URL: c.URL, Key: surt.Key(c.URL)})
	general, special := l.Rules()
	t.printf("site rules, version %s\n", set.Version)
	t.printf("ignore arguments:   %s\n", named(general))
	t.printf("look up otherwise:  %s\n", named(special))
	for _, r := range l.Ranges() {
		t.printf("captures compared:  %s (%s)\n", r.URL, r.Match)
	}
	if c.Captured == "" {
		return nil
	}
	captured := siterules.Request{URL: c.Captured, Key: surt.Key(c.Captured), MIME: c.Type}
	alike, ok := l.Compare(captured)
	if !ok {
		t.printf("%s does not answer it\n", c.Captured)
		return errContent
	}
	t.printf("%s answers it, by %s\n", c.Captured, named(l.Names(captured, alike)))
	return nil
}

func named(rules []string) string {
	if len(rules) == 0 {
		return "no rule"
	}
	return strings.Join(rules, ", ")
}
