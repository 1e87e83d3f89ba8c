package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	"quire/holdings/numbers"
	"quire/model"
	"quire/preserve/identify"
	"quire/preserve/inspect"
	"quire/preserve/policy"
	"quire/preserve/report"
	"quire/repository/store"
)

type statsCmd struct {
	Path   []string `arg:"" optional:"" placeholder:"FILE|FOLDER" help:"@statsPath"`
	By     string   `enum:"all,completeness,container,definition,finding,format,host,language,mime,outcome,status,type,year" default:"host" help:"@statsBy"`
	Format string   `enum:"text,csv,json,html" default:"text" help:"Report format: text, csv, json or html (a page)."`
	statsRepoFlags
	identifyFlags
	policyFlag
	jsonFlag
}

// statsRepoFlags choose numbers of a repository.
type statsRepoFlags struct {
	repoFlag
	Collection string `placeholder:"ID" help:"With --repo: count the packages of this collection."`
	Package    string `placeholder:"ID" help:"With --repo: count this package."`
	Harvest    int    `placeholder:"N" help:"With --package: count only its Nth harvest."`
	Container  string `placeholder:"PATH" help:"With --package: count only this container."`
	From       int    `placeholder:"YEAR" help:"With --repo: only containers first captured in this year or later."`
	To         int    `placeholder:"YEAR" help:"With --repo: only containers first captured in this year or earlier."`
	Top        int    `placeholder:"N" help:"With --repo: only the N most frequent names. Default: all."`
	Count      bool   `help:"@statsCount"`
}

// byAll makes a page with all criteria.
const byAll = "all"

// Run counts the records of all containers.
func (c *statsCmd) Run(ctx context.Context, t *terminal) error {
	if c.JSON {
		c.Format = "json"
	}
	if len(c.Path) == 0 {
		return c.ofRepository(ctx, t)
	}
	if c.statsRepoFlags != (statsRepoFlags{repoFlag: repoFlag{os.Getenv("QUIRE_REPO")}}) {
		return errors.New("containers and a repository cannot be counted together: name one of them")
	}
	if by := report.By(c.By); by == report.ByCompleteness || by == report.ByDefinition || c.By == byAll {
		return fmt.Errorf("only a repository is counted by %s: name it with --repo", c.By)
	}
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
	o := inspect.Options{MaxFindings: 1, Identify: id, Languages: c.By == string(report.ByLanguage)}
	table, err := report.Stats(read(ctx, t, files, o), report.By(c.By))
	if err != nil {
		return err
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

// ofRepository prints numbers that the catalogue of a repository has.
func (c *statsCmd) ofRepository(ctx context.Context, t *terminal) error {
	switch {
	case c.Repo == "":
		return errors.New("name containers, or a repository with --repo or QUIRE_REPO")
	case c.Identify || c.Signature != "":
		return errors.New("--identify and --signature need containers: a repository has the formats of its packages")
	case c.By == byAll && c.Format != string(report.AsHTML):
		return errors.New("--by all makes a page: add --format html")
	case c.Policy != "" && c.Top != 0:
		return errors.New("--top and --policy exclude each other: risks are counted over all formats")
	}
	if c.Count {
		if err := c.with(ctx, t, func(s *store.Store) error { return countPackages(ctx, t, s) }); err != nil {
			return err
		}
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		q := numbers.Query{By: report.By(c.By), Collection: c.Collection, Package: c.Package, Harvest: c.Harvest,
			Container: c.Container, From: c.From, To: c.To, Top: c.Top}
		if c.Policy != "" {
			return c.risks(ctx, t, s, q)
		}
		if c.By == byAll {
			return numbers.Page(ctx, s, q, t.out)
		}
		table, err := numbers.Table(ctx, s, q)
		if err != nil {
			return err
		}
		c.notes(t, table.Scope)
		return table.Write(t.out, report.Form(c.Format))
	})
}

// notes warns of packages that are not counted. A page has these notes.
func (c *statsCmd) notes(t *terminal, s *report.Scope) {
	if c.Format != string(report.AsHTML) {
		for _, note := range s.Notes() {
			t.warn(note)
		}
	}
}

// risks prints the formats that the policy does not accept, over time.
func (c *statsCmd) risks(ctx context.Context, t *terminal, s *store.Store, q numbers.Query) error {
	p, err := c.policy()
	if err != nil {
		return err
	}
	id, err := identify.New(identify.Options{})
	if err != nil {
		return err
	}
	risks, err := numbers.Judge(ctx, s, q, p, id.MIME)
	if err != nil {
		return err
	}
	c.notes(t, risks.Scope)
	if err := risks.Write(t.out, report.Form(c.Format)); err != nil {
		return err
	}
	if risks.Outcome == string(policy.Refused) {
		return errContent
	}
	return nil
}

// countPackages counts the packages of earlier versions of Quire.
func countPackages(ctx context.Context, t *terminal, s *store.Store) error {
	t.begin("packages", 0)
	_, err := s.CountPackages(ctx, func(string) { t.progress(1) })
	t.clear()
	return err
}
