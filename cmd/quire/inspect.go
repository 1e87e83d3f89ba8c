package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"quire/model"
	"quire/preserve/inspect"
)

type inspectCmd struct {
	Path        []string `arg:"" placeholder:"FILE|FOLDER" help:"Containers, or folders that are searched for some."`
	Format      string   `enum:"text,json" default:"text" help:"How to report: text or json (one line per container)."`
	MaxFindings int      `default:"100" help:"How many findings of a kind to list per container. All are counted."`
	Findings    string   `placeholder:"FILE" help:"Write every finding to this file, one JSON object a line."`
	Strict      bool     `help:"Count what breaks a clause of the container's own standard as an error."`
	Policy      string   `placeholder:"FILE" help:"Severities by code, one \"CODE severity\" a line; see \"quire explain\"."`
	jsonFlag
}

// Run inspects every container and reports each as soon as it is read; then what only shows when files are compared.
func (c *inspectCmd) Run(t *terminal) (err error) {
	files, err := inspect.Find(c.Path)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		t.warn("no ARC or WARC file in " + strings.Join(c.Path, ", "))
		return errContent
	}
	o, closeFindings, err := c.options()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeFindings()) }()
	good := true
	for _, file := range files {
		result, err := c.one(t, file, o)
		if err != nil {
			return err
		}
		good = good && result.Outcome == model.Valid
		if err := c.report(t, result); err != nil {
			return err
		}
	}
	if !c.across(t, o) || !good {
		return errContent
	}
	return nil
}

// options reads the policy and opens the file for the findings.
func (c *inspectCmd) options() (inspect.Options, func() error, error) {
	o := inspect.Options{MaxFindings: c.MaxFindings, Strict: c.Strict}
	if c.Policy != "" {
		f, err := os.Open(c.Policy)
		if err != nil {
			return o, nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		if o.Policy, err = inspect.ReadPolicy(f); err != nil {
			return o, nil, fmt.Errorf("policy %s: %w", c.Policy, err)
		}
	}
	o.Set = inspect.NewSet().With(o)
	if c.Findings == "" {
		return o, func() error { return nil }, nil
	}
	out, err := newFindingsFile(c.Findings)
	if err != nil {
		return o, nil, err
	}
	o.Finding = out.add
	return o, out.close, nil
}

func (c *inspectCmd) one(t *terminal, file string, o inspect.Options) (*model.Container, error) {
	if info, err := os.Stat(file); err == nil {
		t.begin(file, info.Size())
	}
	defer t.clear()
	o.Progress = t.progress
	if tell := o.Finding; tell != nil {
		o.Finding = func(f model.Finding) {
			f.Path = file
			tell(f)
		}
	}
	return inspect.File(t.ctx, file, o)
}

func (c *inspectCmd) report(t *terminal, result *model.Container) error {
	if c.JSON || c.Format == "json" {
		return t.json(result)
	}
	printContainer(t, result)
	return nil
}

// across reports what several files together do wrong; false when one of it is an error. A line of JSON is of a container, so
// there these findings stand in the file for findings only.
func (c *inspectCmd) across(t *terminal, o inspect.Options) bool {
	good := true
	shown := 0
	for _, f := range o.Set.Finish() {
		good = good && f.Severity != model.Error
		if o.Finding != nil {
			o.Finding(f)
		}
		if c.JSON || c.Format == "json" {
			continue
		}
		if shown++; shown == 1 {
			t.printf("between the files:\n")
		}
		if shown <= c.MaxFindings {
			t.printf("  %s\n", f)
		}
	}
	if more := shown - c.MaxFindings; more > 0 {
		t.printf("  and %s\n", number(int64(more), "more finding", "more findings"))
	}
	return good
}

// printContainer shows one container on a screen.
func printContainer(t *terminal, c *model.Container) {
	t.printf("%s: %s\n", c.Path, c.Outcome)
	if c.Format != "" {
		t.printf("  %s %s, %s\n", c.Format, strings.Join(c.Versions, ", "), compressionName(c.Compression))
		t.printf("  %s, %s inflated\n", sizeOf(c.Bytes), sizeOf(c.InflatedBytes))
		t.printf("  %s: %s\n", number(c.Records.Total, "record", "records"), types(c))
	}
	if c.First != nil {
		t.printf("  %s to %s\n", c.First.Format("2006-01-02 15:04:05"), c.Last.Format("2006-01-02 15:04:05 MST"))
	}
	if c.Software != "" {
		t.printf("  by %s\n", c.Software)
	}
	printCounts(t, "hosts", c.Hosts)
	printCounts(t, "types", c.MIMETypes)
	if len(c.Responses) > 0 {
		var list []string
		for _, s := range c.Responses {
			list = append(list, fmt.Sprintf("%s × %d", s.Status, s.Count))
		}
		t.printf("  answers: %s\n", strings.Join(list, ", "))
	}
	t.printf("  SHA-512 %s\n", c.SHA512)
	for _, f := range c.Findings {
		t.printf("  %s\n", f)
	}
	if more := c.FindingsTotal - int64(len(c.Findings)); more > 0 {
		t.printf("  and %s\n", number(more, "more finding", "more findings"))
	}
	if c.Outcome == model.NotContainer {
		t.printf("  neither an ARC nor a WARC record is found in it\n")
	}
}

func compressionName(compression string) string {
	switch compression {
	case "none":
		return "not compressed"
	case "gzip":
		return "gzip, one member per record"
	case "gzip-whole":
		return "gzip, all records in one member"
	}
	return compression
}

// types lists the record types by name.
func types(c *model.Container) string {
	var list []string
	for _, t := range c.Types {
		list = append(list, fmt.Sprintf("%d %s", t.Count, t.Type))
	}
	return strings.Join(list, ", ")
}

// printCounts shows the most frequent names.
func printCounts(t *terminal, what string, counts []model.Count) {
	const shown = 5
	var list []string
	for _, c := range counts[:min(len(counts), shown)] {
		list = append(list, fmt.Sprintf("%s × %d", c.Name, c.Count))
	}
	if more := len(counts) - shown; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	if list != nil {
		t.printf("  %s: %s\n", what, strings.Join(list, ", "))
	}
}
