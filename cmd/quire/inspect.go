package main

import (
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
	jsonFlag
}

// Run inspects every container and reports each as soon as it is read.
func (c *inspectCmd) Run(t *terminal) error {
	files, err := inspect.Find(c.Path)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		t.warn("no ARC or WARC file in " + strings.Join(c.Path, ", "))
		return errContent
	}
	good := true
	for _, file := range files {
		result, err := c.one(t, file)
		if err != nil {
			return err
		}
		good = good && result.Outcome == model.Valid
		if c.JSON || c.Format == "json" {
			if err := t.json(result); err != nil {
				return err
			}
			continue
		}
		printContainer(t, result)
	}
	if !good {
		return errContent
	}
	return nil
}

func (c *inspectCmd) one(t *terminal, file string) (*model.Container, error) {
	if info, err := os.Stat(file); err == nil {
		t.begin(file, info.Size())
	}
	defer t.clear()
	return inspect.File(t.ctx, file, inspect.Options{MaxFindings: c.MaxFindings, Progress: t.progress})
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
