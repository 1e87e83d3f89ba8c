package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"time"

	"quire/internal/humanize"
	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/report"
)

type inspectCmd struct {
	Path        []string `arg:"" placeholder:"FILE|FOLDER" help:"Containers, or folders that are searched for some."`
	Format      string   `enum:"text,json,containermd,html" default:"text" help:"How to report: text, json (one line per container), containermd (XML, one document per container) or html (one page for all)."`
	Verbose     bool     `help:"In text, show every finding that is listed instead of some of each kind; in containermd, an entry per record."`
	MaxFindings int      `default:"100" help:"How many findings of a kind to list per container. All are counted."`
	Findings    string   `placeholder:"FILE" help:"Write every finding to this new file, one JSON object a line."`
	Strict      bool     `help:"Count a breach of the container's own standard as an error."`
	Policy      string   `placeholder:"FILE" help:"Severities by code, one \"CODE severity\" a line; they hold under --strict, too. See \"quire explain\"."`
	Apart       bool     `help:"Judge each file by itself and report it at once, also in json and html; ids and references are not compared between files."`
	containerMDFlags
	identifyFlags
	scanFlags
	jsonFlag
}

// Run inspects every container and reports each at once, and then the findings across files.
func (c *inspectCmd) Run(ctx context.Context, t *terminal) (err error) {
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
	defer func() { err = closed(err, closeFindings()) }()
	v := &verdict{files: len(files)}
	switch {
	case c.wantsContainerMD():
		err = c.containerMD(ctx, t, files, o, v)
	case c.waits(files):
		err = c.reportCompared(ctx, t, files, o, v)
	default:
		err = c.report(t, o, c.containers(ctx, t, files, o, v), v)
	}
	if err == nil && !c.waits(files) {
		err = c.across(t, o, v)
	}
	return closed(v.err(), err)
}

// waits reports whether the report comes after all files are compared. In text, findings across
// files have a place at the end, so no report waits; a line of JSON and a row of the page hold
// everything about a file.
func (c *inspectCmd) waits(files []string) bool {
	return !c.Apart && !c.wantsContainerMD() && (c.JSON || c.Format != "text" || len(files) == 1)
}

// containers inspects the files one after the other.
func (c *inspectCmd) containers(ctx context.Context, t *terminal, files []string, o inspect.Options,
	v *verdict) iter.Seq2[*model.Container, error] {
	return func(yield func(*model.Container, error) bool) {
		for _, file := range files {
			if c.Apart {
				o.Set = inspect.NewSet().With(o)
			}
			result, err := inspectOne(ctx, t, file, o)
			if err != nil && v.passOver(ctx, t, err) {
				continue
			}
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

// reportCompared inspects and compares all files before it reports. When the reading ends early, it
// reports the files read.
func (c *inspectCmd) reportCompared(ctx context.Context, t *terminal, files []string, o inspect.Options,
	v *verdict) (err error) {
	held, err := inspect.Hold(o.Set)
	if err != nil {
		return err
	}
	defer func() { err = closed(err, held.Close()) }()
	var early error
	for result, err := range c.containers(ctx, t, files, o, v) {
		if err == nil {
			err = held.Add(result)
		}
		if early = err; err != nil {
			break
		}
	}
	reported := c.report(t, o, held.All(), v)
	for _, f := range held.Rest() {
		t.warn(f.String())
	}
	return errors.Join(early, reported)
}

// report shows each container, or all on one page. When some could not be read, or the reading
// ended early, there are fewer than were asked for, and the page says so.
func (c *inspectCmd) report(t *terminal, o inspect.Options, containers iter.Seq2[*model.Container, error],
	v *verdict) error {
	if c.Format == "html" && !c.JSON {
		return report.HTML(t.out, judged(containers, v), report.Options{
			Made: time.Now(), By: software(), Expected: int64(v.files), Explain: o.Explain,
		})
	}
	for result, err := range judged(containers, v) {
		switch {
		case err != nil:
		case c.JSON || c.Format == "json":
			err = t.json(result)
		default:
			err = report.Text(t.out, result, c.text(t, o))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// judged passes the containers on, and their outcomes to the verdict.
func judged(containers iter.Seq2[*model.Container, error], v *verdict) iter.Seq2[*model.Container, error] {
	return func(yield func(*model.Container, error) bool) {
		for result, err := range containers {
			if err == nil {
				v.add(result.Outcome)
				v.addScan(result.Scan)
			}
			if !yield(result, err) {
				return
			}
		}
	}
}

// options reads the policy and opens the file for the findings.
func (c *inspectCmd) options() (inspect.Options, func() error, error) {
	o := inspect.Options{MaxFindings: c.MaxFindings, Strict: c.Strict}
	if o.MaxFindings == 0 { // 0 means none here, and the default there
		o.MaxFindings = -1
	}
	id, err := c.identifier()
	if err != nil {
		return o, nil, err
	}
	o.Identify = id
	if o.Scan, err = c.scanner(); err != nil {
		return o, nil, err
	}
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
	closeFindings := func() error { return nil }
	if c.Findings != "" {
		out, err := newFindingsFile(c.Findings)
		if err != nil {
			return o, nil, err
		}
		o.Finding, closeFindings = out.add, out.Close
	}
	o.Set = inspect.NewSet().With(o)
	return o, closeFindings, nil
}

// inspectOne reads one container, with a bar when it takes long.
func inspectOne(ctx context.Context, t *terminal, file string, o inspect.Options) (*model.Container, error) {
	if info, err := os.Stat(file); err == nil {
		t.begin(file, info.Size())
	}
	defer t.clear()
	o.Progress = t.progress
	if report := o.Finding; report != nil {
		o.Finding = func(f model.Finding) {
			f.Path = file
			report(f)
		}
	}
	return inspect.File(ctx, file, o)
}

// across reports findings across files, below the reports of each.
func (c *inspectCmd) across(t *terminal, o inspect.Options, v *verdict) error {
	if c.Apart {
		return nil
	}
	between := o.Set.Between()
	v.add(between.Outcome)
	if !c.wantsContainerMD() {
		return report.Between(t.out, between, c.text(t, o))
	}
	for _, f := range between.Findings {
		t.warn(f.String())
	}
	if more := between.FindingsTotal - int64(len(between.Findings)); more > 0 {
		t.warn("and " + humanize.Number(more, "more finding", "more findings") + " between the files")
	}
	return nil
}

// text says how a report is shown on this terminal.
func (c *inspectCmd) text(t *terminal, o inspect.Options) report.TextOptions {
	return report.TextOptions{All: c.Verbose, Explain: o.Explain, Width: t.width()}
}
