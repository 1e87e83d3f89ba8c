package main

import (
	"context"
	"slices"
	"strings"

	"quire/internal/humanize"
	"quire/metadata/oclc"
	"quire/preserve/describe/warcmeta"
)

// listed is a description in the form that is shown.
type listed struct {
	warcmeta.Listed
	Statements []statement `json:"statements"`
}

// statement is one value of a description.
type statement struct {
	Element oclc.Element `json:"element"`
	Lang    string       `json:"lang,omitempty"`
	Kind    string       `json:"kind,omitempty"`
	Value   string       `json:"value"`
}

// attached prints the descriptions in the source, each as soon as it is read. With --json it prints
// one object per line.
func (c *describeCmd) attached(ctx context.Context, t *terminal) error {
	var all, wrong int64
	o := warcmeta.ListOptions{Source: c.sourceFlags.options()}
	if c.Mapping != "" {
		var err error
		if o.Mapping, err = readMapping(c.Mapping); err != nil {
			return err
		}
	}
	err := warcmeta.List(ctx, c.Source, o, func(l warcmeta.Listed) error {
		if len(c.As) > 0 && !slices.Contains(c.As, string(l.Format)) {
			return nil
		}
		all++
		if l.Problem != "" {
			wrong++
		}
		if !c.JSON {
			printListed(t, &l)
			return t.failed
		}
		out := listed{Listed: l, Statements: make([]statement, len(l.Record))}
		for i, s := range l.Record {
			out.Statements[i] = statement{s.Element, s.Lang, s.Kind, s.Value}
		}
		return t.json(out)
	})
	if err == nil && !c.JSON {
		t.printf("%s\n", humanize.Number(all, "description", "descriptions"))
	}
	if err == nil && wrong > 0 {
		err = errContent
	}
	return err
}

func printListed(t *terminal, l *warcmeta.Listed) {
	t.printf("%s of %s, dated %s, in %s at byte %d\n", l.Format, l.URL, l.Date.Format("2006-01-02 15:04:05"),
		l.Container, l.Offset)
	t.printf("  %s, %s %s; refers to %s, %s\n", l.ID, l.Level, l.Row, l.RefersTo, l.TargetURI)
	if l.Replaces != "" {
		t.printf("  in the place of %s\n", l.Replaces)
	}
	if l.Own {
		t.printf("  by another system, as JSON; %s of OCLC read\n",
			humanize.Number(int64(len(l.Record)), "value", "values"))
	}
	if len(l.Unread) > 0 {
		t.printf("  names that are no elements: %s (name them with --mapping)\n", strings.Join(l.Unread, ", "))
	}
	if l.Problem != "" {
		t.printf("  cannot be read: %s\n", l.Problem)
	}
	for line := range strings.Lines(l.Document) {
		t.printf("    %s\n", strings.TrimRight(line, "\r\n"))
	}
}
