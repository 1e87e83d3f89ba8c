package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"quire/access/server"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/holdings/rights"
	"quire/internal/humanize"
	"quire/repository/store"
)

type rulesCmd struct {
	Check   rulesCheckCmd   `cmd:"" help:"Check the keys, patterns and dates of a rules file."`
	Explain rulesExplainCmd `cmd:"" help:"Explain why readers may or may not see the captures of a URL."`
	Set     rulesSetCmd     `cmd:"" help:"@rules_set"`
	Show    rulesShowCmd    `cmd:"" help:"Print the rules that a repository keeps."`
	History rulesHistoryCmd `cmd:"" help:"List the versions of these rules: when, by whom, why."`
}

type rulesCheckCmd struct {
	File string `arg:"" type:"existingfile" help:"Rules in YAML (docs/reference/530_access-rules.md)."`
	jsonFlag
}

// Run reads the rules and prints their errors.
func (c *rulesCheckCmd) Run(t *terminal) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	set, wrong := rights.Read(f, c.File)
	_ = f.Close() // opened for reading only
	switch {
	case c.JSON:
		said := struct {
			File  string        `json:"file"`
			Right bool          `json:"right"`
			Wrong string        `json:"wrong"`
			Rules []rights.Rule `json:"rules"`
		}{File: c.File, Right: wrong == nil, Rules: append([]rights.Rule{}, set.Rules...)}
		if wrong != nil {
			said.Wrong = wrong.Error()
		}
		if err := t.json(said); err != nil {
			return err
		}
	case wrong != nil:
		t.printLines(wrong)
	default:
		t.printf("%s: %s, right\n", c.File, humanize.Number(int64(len(set.Rules)), "rule", "rules"))
	}
	if wrong != nil {
		return errContent
	}
	return nil
}

// printLines prints the errors of a file, each on a line.
func (t *terminal) printLines(wrong error) {
	for line := range strings.SplitSeq(wrong.Error(), "\n") {
		t.printf("%s\n", line)
	}
}

type rulesExplainCmd struct {
	URL    string `name:"url" required:"" placeholder:"URL" help:"The URL."`
	At     string `placeholder:"TIMESTAMP" help:"Only the capture closest to this time, such as 20150102 or 20150102030405. Default: all captures."`
	Rules  string `type:"existingfile" placeholder:"FILE" help:"A rules file to try before it is in force. Default: the rules that the settings name."`
	Config string `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"The settings file of quire serve."`
	repoFlag
	jsonFlag
}

// Run explains the captures of a URL.
func (c *rulesExplainCmd) Run(ctx context.Context, t *terminal) error {
	settings := server.Config{}
	if c.Config != "" {
		var err error
		if settings, err = server.Load(c.Config); err != nil {
			return err
		}
	}
	q := captures.Query{URL: c.URL}
	if c.At != "" {
		if strings.Trim(c.At, "0123456789") != "" || len(c.At) < 4 || len(c.At) > 14 {
			return fmt.Errorf("--at %q is not a timestamp: write 4 to 14 digits, such as 20150102", c.At)
		}
		q.Closest = c.At + "00000101000000"[len(c.At):]
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		h, err := holdings.Of(ctx, s, holdings.Options{Rules: cmp.Or(c.Rules, settings.Rules),
			Unstated: holdings.Verdict(settings.Unstated), Problem: func(err error) { t.warn(err.Error()) }})
		if err != nil {
			return err
		}
		return closed(c.explain(ctx, t, h, q), h.Close())
	})
}

func (c *rulesExplainCmd) explain(ctx context.Context, t *terminal, h *holdings.Holdings, q captures.Query) error {
	if err := h.Ready(ctx); err != nil {
		return err
	}
	some := false
	for capture, err := range h.Captures(ctx, holdings.Reader{Class: holdings.Staff}, q) {
		if err != nil {
			return err
		}
		e, err := h.Explain(ctx, capture.Capture)
		if err != nil {
			return err
		}
		if some = true; c.JSON {
			err = t.json(e)
		} else {
			printExplanation(t, e)
		}
		if err != nil || q.Closest != "" {
			return err
		}
	}
	if !some {
		return errors.New("no capture of " + c.URL + " is in the repository")
	}
	return nil
}

func printExplanation(t *terminal, e *holdings.Explanation) {
	t.printf("%s, captured %s (%s, record %d of %s in package %s)\n", e.URL, e.Timestamp, e.Type, e.Record, e.Container,
		e.Package)
	for _, r := range e.Readers {
		verdict := "may have it"
		switch {
		case r.Hidden:
			verdict = "the capture is hidden from them"
		case !r.Allowed:
			verdict = "may not have it: " + r.Message
		}
		t.printf("  %-7s %s\n", r.Class, verdict)
	}
	d := e.Readers[len(e.Readers)-1].Decision
	t.printf("  because it is %s: %s\n", d.Verdict, d.Why)
	if d.Until != "" {
		t.printf("  until %s\n", d.Until)
	}
	for _, s := range e.Of {
		printSaid(t, &s)
	}
}

func printSaid(t *terminal, s *holdings.Said) {
	if s.Payload {
		t.printf("  its payload is the payload of %s in package %s; these statements also apply:\n", s.URL, s.Package)
	}
	for _, why := range []string{s.Closed, s.Virus, s.Restricted} {
		if why != "" {
			t.printf("  %s\n", why)
		}
	}
	for _, collection := range slices.Sorted(maps.Keys(s.Rights)) {
		if collection != "" && len(s.Rights[collection]) > 0 {
			t.printf("  collection %s:\n", collection)
		}
		for i := range s.Rights[collection] {
			printEvidence(t, &s.Rights[collection][i])
		}
	}
	for i := range s.Rules {
		r := &s.Rules[i]
		t.printf("  rule in line %d (%s)  %s\n", r.Line, r.Access,
			strings.Join(slices.DeleteFunc([]string{r.Name, r.Comment, r.By, string(r.On)}, func(s string) bool {
				return s == ""
			}), ", "))
	}
}
