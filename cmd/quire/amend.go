package main

import (
	"context"
	"fmt"
	"strings"

	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/amend"
	"quire/repository/store"
)

type amendCmd struct {
	ID      string `arg:"" name:"id" help:"Identifier of the package."`
	Title   string `placeholder:"TEXT" help:"The new title."`
	Rights  string `type:"existingfile" placeholder:"FILE" help:"@amend_rights"`
	Note    string `placeholder:"TEXT" help:"A note on the website."`
	Schemas string `env:"QUIRE_SCHEMAS" placeholder:"FOLDER" help:"@amend_schemas"`
	sheetFlags
	changeFlags
	repoFlag
	jsonFlag
}

// Run stores the new version.
func (c *amendCmd) Run(ctx context.Context, t *terminal) error {
	sheet, err := c.amended()
	if err != nil {
		return err
	}
	o := amend.Options{Title: c.Title, Rights: c.Rights, Sheet: sheet, Note: c.Note, Because: c.Because, By: c.who(),
		Agent: model.Agent{Name: "Quire", Version: version},
		Start: func(total int64) { t.begin("reading", total) }, Progress: t.progress}
	return c.with(ctx, t, func(s *store.Store) error {
		var done *amend.Result
		receipt, err := s.Amend(ctx, c.ID, store.Amendment{
			Message: c.Because, By: c.who(), Progress: t.phases(),
			Edit: func(ctx context.Context, pkg, changed string) (err error) {
				defer t.clear()
				o.Out = changed
				done, err = amend.Run(ctx, pkg, o)
				return err
			},
			Validate: func(ctx context.Context, pkg string) error {
				defer t.clear()
				return aip.Require(ctx, pkg, aip.Options{Schemas: c.Schemas,
					Start: func(total int64) { t.begin("validating", total) }, Progress: t.progress})
			},
		})
		t.clear()
		if err != nil {
			return fmt.Errorf("amending %s: %w", c.ID, err)
		}
		if c.JSON {
			return t.json(struct {
				store.Receipt
				Amendment *amend.Result `json:"amendment"`
			}{receipt, done})
		}
		t.printf("amended %s, version %d, verified in %s\n", receipt.ID, receipt.Version, everyCopy(receipt))
		printOwed(t, receipt.Owed)
		for _, text := range done.Changes {
			t.printf("  %s\n", text)
		}
		t.printf("  new files: %s\n", strings.Join(done.Files, ", "))
		return nil
	})
}
