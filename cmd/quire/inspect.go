package main

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/report"
)

type inspectCmd struct {
	Path        []string `arg:"" placeholder:"FILE|FOLDER" help:"Containers, or folders that are searched for some."`
	Format      string   `enum:"text,json,containermd,html" default:"text" help:"How to report: text, json (one line per container), containermd (XML, one document per container) or html (one page for all)."`
	Verbose     bool     `help:"In text, show every finding that is listed instead of some of each kind; in containermd, an entry per record."`
	MaxFindings int      `default:"100" help:"How many findings of a kind to list per container. All are counted."`
	Findings    string   `placeholder:"FILE" help:"Write every finding to this file, one JSON object a line."`
	Strict      bool     `help:"Count what breaks a clause of the container's own standard as an error."`
	Policy      string   `placeholder:"FILE" help:"Severities by code, one \"CODE severity\" a line; see \"quire explain\"."`
	containerMDFlags
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
	if err := c.checkContainerMD(files); err != nil {
		return err
	}
	o, closeFindings, err := c.options()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeFindings()) }()
	good := true
	if c.wantsContainerMD() {
		err = c.containerMD(t, files, o, &good)
	} else {
		err = c.report(t, c.containers(t, files, o, &good))
	}
	if err != nil {
		return err
	}
	if !c.across(t, o) || !good {
		return errContent
	}
	return nil
}

// containers inspects the files one after the other; good is cleared when one is not valid.
func (c *inspectCmd) containers(t *terminal, files []string, o inspect.Options, good *bool) iter.Seq2[*model.Container, error] {
	return func(yield func(*model.Container, error) bool) {
		for _, file := range files {
			result, err := inspectOne(t, file, o)
			if err == nil {
				*good = *good && result.Outcome == model.Valid
			}
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

// report shows each container as soon as it is read, or all on one page.
func (c *inspectCmd) report(t *terminal, containers iter.Seq2[*model.Container, error]) error {
	if c.Format == "html" {
		return report.HTML(t.out, containers, report.Options{Made: time.Now(), By: software(), Explain: explanation})
	}
	for result, err := range containers {
		switch {
		case err != nil:
		case c.JSON || c.Format == "json":
			err = t.json(result)
		default:
			err = report.Text(t.out, result, report.TextOptions{All: c.Verbose, Explain: explanation})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// explanation looks a code up for a report.
func explanation(code string) report.Explanation {
	e, _ := inspect.Explain(code)
	return report.Explanation{Severity: e.Severity, Clause: e.Clause, Meaning: e.Meaning, Advice: e.Advice}
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

// inspectOne reads one container, with a bar when it takes long.
func inspectOne(t *terminal, file string, o inspect.Options) (*model.Container, error) {
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

// across reports what several files together do wrong; false when one of it is an error. A line of JSON is of a container,
// and so is a row of the page: there these findings stand in the file for findings only.
func (c *inspectCmd) across(t *terminal, o inspect.Options) bool {
	good := true
	shown := 0
	for _, f := range o.Set.Finish() {
		good = good && f.Severity != model.Error
		if o.Finding != nil {
			o.Finding(f)
		}
		if c.JSON || c.Format != "text" {
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
