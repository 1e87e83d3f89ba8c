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
	Path        []string `arg:"" placeholder:"FILE|FOLDER" help:"Containers, or folders to search for containers."`
	Format      string   `enum:"text,json,containermd,html" default:"text" help:"Report format: text, json (one line per container), containermd (XML, one document per container) or html (one page for all)."`
	Verbose     bool     `help:"In text, show every listed finding instead of a few of each kind; in containermd, an entry per record."`
	MaxFindings int      `default:"100" help:"Number of findings of a kind to list per container. All are counted."`
	Findings    string   `placeholder:"FILE" help:"Write every finding to this new file, one JSON object per line."`
	Strict      bool     `help:"Report violations of the container's own standard as errors."`
	Policy      string   `placeholder:"FILE" help:"Severities by code, one CODE SEVERITY per line; they also apply under --strict. See quire explain."`
	Apart       bool     `help:"Check each file separately and report it at once, also in json and html; ids and references are not compared between files."`
	containerMDFlags
	identifyFlags
	scanFlags
	jsonFlag
}

// Run inspects every container and reports each at once. Findings across files follow.
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

// waits reports whether reports wait until all files are compared. Text reports need not wait:
// findings across files come at the end. A JSON line or a page row holds everything about a file,
// so it waits.
func (c *inspectCmd) waits(files []string) bool {
	return !c.Apart && !c.wantsContainerMD() && (c.JSON || c.Format != "text" || len(files) == 1)
}

// containers inspects the files one after another.
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

// reportCompared inspects and compares all files before it reports. If reading ends early, it
// reports the files read so far.
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

// report prints each container, or one page for all. If files could not be read or reading ended
// early, the page states that containers are missing.
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

// judged passes the containers through, and adds their outcomes to the verdict.
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

// options reads the policy and opens the findings file.
func (c *inspectCmd) options() (inspect.Options, func() error, error) {
	o := inspect.Options{MaxFindings: c.MaxFindings, Strict: c.Strict}
	if o.MaxFindings == 0 { // 0 means none here, but the default there
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
		defer func() { _ = f.Close() }() // opened for reading only
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

// inspectOne reads one container, with a progress bar if it takes long.
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

// across prints the findings across files, after the reports of single files.
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

// text returns the display options for this terminal.
func (c *inspectCmd) text(t *terminal, o inspect.Options) report.TextOptions {
	return report.TextOptions{All: c.Verbose, Explain: o.Explain, Width: t.width(), Palette: t.shades,
		Next: inspect.NextStep}
}
