package main

import (
	"context"
	"iter"
	"strings"

	"quire/model"
	"quire/preserve/inspect"
	"quire/preserve/report"
)

type statsCmd struct {
	Path   []string `arg:"" placeholder:"FILE|FOLDER" help:"Containers, or folders to search for containers."`
	By     string   `enum:"format,host,mime,status,type,year" default:"host" help:"Count by format (as identified), host, mime (as declared), status, type (of record) or year (of capture)."`
	Format string   `enum:"text,csv,json,html" default:"text" help:"Report format: text, csv, json or html (a page)."`
	identifyFlags
	policyFlag
	jsonFlag
}

// Run counts the records of all containers.
func (c *statsCmd) Run(ctx context.Context, t *terminal) error {
	files, err := inspect.Find(c.Path)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		t.warn("no ARC or WARC file in " + strings.Join(c.Path, ", "))
		return errContent
	}
	level, err := c.judging(t)
	if err != nil {
		return err
	}
	if level != nil {
		return c.judgeFiles(ctx, t, files, level)
	}
	c.Identify = c.Identify || c.By == string(report.ByFormat)
	id, err := c.identifier()
	if err != nil {
		return err
	}
	table, err := report.Stats(read(ctx, t, files, inspect.Options{MaxFindings: 1, Identify: id}), report.By(c.By))
	if err != nil {
		return err
	}
	if c.JSON {
		c.Format = "json"
	}
	return table.Write(t.out, report.Form(c.Format))
}

// read inspects the files one after another.
func read(ctx context.Context, t *terminal, files []string, o inspect.Options) iter.Seq2[*model.Container, error] {
	return func(yield func(*model.Container, error) bool) {
		for _, file := range files {
			if c, err := inspectOne(ctx, t, file, o); !yield(c, err) || err != nil {
				return
			}
		}
	}
}
