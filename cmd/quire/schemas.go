package main

import (
	"context"
	"quire/internal/humanize"
	"quire/preserve/schemas"
)

type schemasCmd struct {
	Fetch schemasFetchCmd `cmd:"" help:"Download the official XML schemas from their home pages, each checked against its SHA-256."`
}

type schemasFetchCmd struct {
	To       string `required:"" placeholder:"FOLDER" help:"The folder for the schemas, which --schemas will name. Files already in it are not fetched again."`
	From     string `placeholder:"URL" help:"A mirror: below this URL, each file is at the host and path of its home page."`
	Exports  bool   `help:"Also fetch the schemas of quire describe export: EAD, MARC, Dublin Core."`
	Unpinned bool   `help:"Also fetch files without a pinned digest: containerMD."`
	jsonFlag
}

// Run fetches the schemas.
func (c *schemasFetchCmd) Run(ctx context.Context, t *terminal) error {
	r, err := schemas.Fetch(ctx, schemas.Options{
		To: c.To, From: c.From, Exports: c.Exports, Unpinned: c.Unpinned, Agent: "quire/" + version,
		Start: func(total int64) { t.begin("fetching", total) }, Progress: t.progress,
	})
	if err != nil {
		return err
	}
	t.clear()
	if c.JSON {
		return t.json(r)
	}
	left := 0
	for _, f := range r.Files {
		switch f.State {
		case schemas.LeftOut:
			left++
			t.printf("  %-16s %s, %s\n", f.State, f.Path, f.URL)
		case schemas.Taken:
			t.printf("  %-16s %s, SHA-256 %s\n", f.State, f.Path, f.SHA256)
		default:
			t.printf("  %-16s %s\n", f.State, f.Path)
		}
	}
	t.printf("%s in %s: validate with --schemas %s\n", humanize.Number(int64(len(r.Files)-left), "schema", "schemas"),
		r.To, r.To)
	if left > 0 {
		t.printf("files without a pinned digest were left out, and are not validated; --unpinned fetches them\n")
	}
	return nil
}
