package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"quire/holdings/document"
	"quire/internal/humanize"
	"quire/repository/store"
)

type documentGroup struct {
	List    documentListCmd    `cmd:"" help:"List the documents of the repository."`
	Set     documentSetCmd     `cmd:"" help:"Store a document, or a new version of it, in every copy."`
	Show    documentShowCmd    `cmd:"" help:"Print a document."`
	History documentHistoryCmd `cmd:"" help:"List the versions of a document: when, by whom, why."`
}

type documentListCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the documents.
func (c *documentListCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		all, err := s.Documents(ctx)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.JSON {
			t.printf("no documents; \"quire document set NAME FILE --repo %s\" stores one\n", c.Repo)
		}
		return printVersions(t, all, c.JSON, true)
	})
}

// printVersions prints versions of documents, one per line.
func printVersions(t *terminal, all []store.DocumentVersion, asJSON, named bool) error {
	for _, v := range all {
		if asJSON {
			if err := t.json(v); err != nil {
				return err
			}
			continue
		}
		if named {
			t.printf("%-20s ", v.Name)
		}
		t.printf("v%-3d %s  %10s  %s: %s\n", v.Version, moment(v.Created), humanize.Size(v.Size), v.By, v.Because)
	}
	return nil
}

// changeFlags are the facts of a change.
type changeFlags struct {
	Because string `required:"" placeholder:"TEXT" help:"The reason of the change, kept with the version."`
	By      string `placeholder:"WHO" help:"The person responsible. Default: your account."`
}

// who returns the person responsible.
func (f *changeFlags) who() string {
	if f.By != "" {
		return f.By
	}
	return caller()
}

type documentSetCmd struct {
	Name string `arg:"" help:"@document_name"`
	File string `arg:"" type:"existingfile" help:"The file, at most 16 MiB. Rules and policies are checked."`
	changeFlags
	repoFlag
	jsonFlag
}

// Run stores the document.
func (c *documentSetCmd) Run(ctx context.Context, t *terminal) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(f, store.MaxDocument+1)) // a longer one is refused
	_ = f.Close()                                                   // opened for reading only
	if err != nil {
		return err
	}
	return c.with(ctx, t, func(s *store.Store) error {
		r, err := document.Set(ctx, s, c.Name,
			store.Change{File: filepath.Base(c.File), Text: text, Because: c.Because, By: c.who(), Base: -1})
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(r)
		}
		if r.AlreadyStored {
			t.printf("already stored: document %s, version %d\n", c.Name, r.Version)
			printOwed(t, r.Owed)
			return nil
		}
		t.printf("stored document %s, version %d, verified in %s\n", c.Name, r.Version, everyCopy(r))
		for _, p := range r.Copies {
			t.printf("  %s  %s\n", p.Name, p.Path)
		}
		printOwed(t, r.Owed)
		return nil
	})
}

type documentShowCmd struct {
	Name    string `arg:"" help:"Name of the document."`
	Version int    `placeholder:"N" help:"The version. Default: the newest."`
	repoFlag
	jsonFlag
}

// Run prints the document as it is, or its facts and text as JSON.
func (c *documentShowCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		v, text, err := s.Document(ctx, c.Name, c.Version)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(struct {
				store.DocumentVersion
				Text string `json:"text"`
			}{v, string(text)})
		}
		_, err = t.raw.Write(text)
		return err
	})
}

type documentHistoryCmd struct {
	Name string `arg:"" help:"Name of the document."`
	repoFlag
	jsonFlag
}

// Run lists the versions.
func (c *documentHistoryCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		all, err := s.DocumentHistory(ctx, c.Name)
		if err != nil {
			return err
		}
		return printVersions(t, all, c.JSON, false)
	})
}

type rulesSetCmd struct {
	File string `arg:"" type:"existingfile" help:"The rules in YAML. They are checked, and replace the stored rules."`
	changeFlags
	repoFlag
	jsonFlag
}

// Run stores the rules in the repository.
func (c *rulesSetCmd) Run(ctx context.Context, t *terminal) error {
	return (&documentSetCmd{Name: store.RulesDocument, File: c.File, changeFlags: c.changeFlags, repoFlag: c.repoFlag,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type rulesShowCmd struct {
	Version int `placeholder:"N" help:"The version. Default: the newest."`
	repoFlag
	jsonFlag
}

// Run prints the stored rules.
func (c *rulesShowCmd) Run(ctx context.Context, t *terminal) error {
	return (&documentShowCmd{Name: store.RulesDocument, Version: c.Version, repoFlag: c.repoFlag,
		jsonFlag: c.jsonFlag}).Run(ctx, t)
}

type rulesHistoryCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the versions of the stored rules.
func (c *rulesHistoryCmd) Run(ctx context.Context, t *terminal) error {
	return (&documentHistoryCmd{Name: store.RulesDocument, repoFlag: c.repoFlag, jsonFlag: c.jsonFlag}).Run(ctx, t)
}
