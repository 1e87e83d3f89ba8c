package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"quire/access/cdxserver"
	"quire/access/pictures"
	"quire/access/search"
	"quire/access/server"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/disk"
	"quire/internal/humanize"
	"quire/repository/store"
)

type indexCmd struct {
	Rebuild bool   `help:"Delete the index, and read all packages again."`
	Export  string `enum:",cdxj,cdx" default:"" placeholder:"FORM" hidden:"" help:"Do as quire index export FORM."`
	Out     string `placeholder:"FILE" hidden:"" help:"The file of quire index export."`
	For     string `enum:"public,onsite,staff" default:"public" hidden:"" help:"The readers of quire index export."`
	Config  string `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"The settings file of quire serve, which names the access rules."`
	repoFlag
	jsonFlag
}

// Run updates the index and waits for the end. It collects garbage twice as often as usual: an index is
// often made beside a server.
func (c *indexCmd) Run(ctx context.Context, t *terminal) error {
	const share = 50 // of the live memory, in percent
	debug.SetGCPercent(share)
	if (c.Export == "") != (c.Out == "") {
		return errors.New("--export FORM and --out FILE go together")
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error { return c.index(ctx, t, s) })
}

func (c *indexCmd) index(ctx context.Context, t *terminal, s *store.Store) error {
	dir, err := s.Derived("access")
	if err != nil {
		return err
	}
	lines := filepath.Join(dir, captures.DirName)
	if c.Rebuild {
		if err := captures.Clear(lines); err != nil {
			return err
		}
	}
	class := c.For
	if c.Export == "" {
		class = string(holdings.Staff) // the index has everything: rights are checked at each request
	}
	settings, err := settingsFor(t, c.Config, class)
	if err != nil {
		return err
	}
	w := &watch{t: t}
	var problems atomic.Int64
	h, err := holdings.Of(ctx, s, holdings.Options{
		Rules: settings.Rules, Unstated: holdings.Verdict(settings.Unstated),
		Problem: func(err error) {
			problems.Add(1)
			w.problem(err)
		},
		Progress: w.progress,
	})
	if err != nil {
		return err
	}
	err = h.Ready(ctx)
	if err == nil && c.Export != "" {
		t.note(noRightsWarning(ctx, h, settings, c.For))
		err = c.export(ctx, t, s, h)
	} else if err == nil {
		var text search.Summary
		if text, err = c.indexContent(ctx, t, h, &settings, dir, func(err error) {
			problems.Add(1)
			w.problem(err)
		}); err == nil {
			err = c.printSummary(ctx, t, lines, text)
		}
	}
	if err = closed(err, h.Close()); err == nil && problems.Load() > 0 {
		return errContent
	}
	return err
}

// indexContent builds the text index and the index of images. Both get each payload as it is read. A running server
// may be writing the images: then this waits for its turn.
func (c *indexCmd) indexContent(ctx context.Context, t *terminal, h *holdings.Holdings, o *server.Config, dir string,
	problem func(error)) (text search.Summary, err error) {
	if o.NoThumbnails {
		return indexText(ctx, t, h, o.Search, dir, c.Rebuild, nil, problem)
	}
	x, err := pictures.Open(ctx, filepath.Join(dir, pictures.DirName), h, problem)
	if err != nil {
		return text, err
	}
	if c.Rebuild {
		err = unlessBusy(ctx, func() error { return x.Clear(ctx) })
	}
	if err == nil {
		text, err = indexText(ctx, t, h, o.Search, dir, c.Rebuild, x, problem)
	}
	if err == nil {
		err = unlessBusy(ctx, func() error { return x.Update(ctx) })
	}
	return text, closed(err, x.Close())
}

// unlessBusy calls work until no other process is writing the index of images.
func unlessBusy(ctx context.Context, work func() error) error {
	for {
		err := work()
		if !errors.Is(err, pictures.ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// printSummary prints a summary of the index.
func (c *indexCmd) printSummary(ctx context.Context, t *terminal, dir string, text search.Summary) error {
	x, err := captures.Open(dir, captures.Options{})
	if err != nil {
		return err
	}
	sum, err := x.Summary(ctx)
	if err = closed(err, x.Close()); err != nil {
		return err
	}
	if c.JSON {
		return t.json(indexed{*sum, text})
	}
	t.printf("%s of %s in %s\n", humanize.Number(sum.Captures, "capture", "captures"),
		humanize.Number(sum.Containers, "container", "containers"),
		humanize.Number(sum.Packages, "package", "packages"))
	for _, l := range sum.Left {
		t.printf("  omitted: %s: %s\n", humanize.Number(l.Records, "record", "records"), l.Why)
	}
	t.printf("%s in the text index\n", humanize.Number(text.Documents, "payload", "payloads"))
	for _, n := range text.Notes {
		t.printf("  without text, or with part of the text: %s: "+
			"%s\n", humanize.Number(n.Documents, "payload", "payloads"),
			n.Why)
	}
	return nil
}

// indexed is the summary of both indexes.
type indexed struct {
	captures.Summary
	Text search.Summary `json:"text"`
}

// export writes the index for other programs.
func (c *indexCmd) export(ctx context.Context, t *terminal, s *store.Store, h *holdings.Holdings) error {
	place := func(ctx context.Context, pkg, container string) (string, error) {
		f, err := s.OpenContent(ctx, pkg, container)
		if err != nil {
			return "", err
		}
		defer func() { _ = f.Close() }() // only its location was needed
		return filepath.Abs(f.Name())
	}
	var done *cdxserver.Exported
	write := func(to io.Writer) (err error) {
		done, err = cdxserver.Export(ctx, to, h, holdings.Reader{Class: holdings.Class(c.For)}, c.Export, place)
		return err
	}
	if c.Out == "-" {
		if err := write(t.out); err != nil {
			return err
		}
		t.warn(omittedSummary(done))
		return lost(done)
	}
	if err := disk.Write(c.Out, write); err != nil {
		return err
	}
	t.warn(omittedSummary(done))
	if c.JSON {
		if err := t.json(done); err != nil {
			return err
		}
		return lost(done)
	}
	t.printf("%s written to %s\n", humanize.Number(done.Captures, "capture", "captures"), c.Out)
	for _, verdict := range []holdings.Verdict{holdings.Reading, holdings.Restricted, holdings.Blocked} {
		if n := done.Kept[string(verdict)]; n > 0 {
			t.printf("  withheld: %s (%s)\n", humanize.Number(n, "capture", "captures"), verdict)
		}
	}
	if done.Segmented > 0 {
		t.printf("  left out: %s, which other programs cannot join\n",
			humanize.Number(done.Segmented, "segmented record", "segmented records"))
	}
	return lost(done)
}

// omittedSummary describes the captures that are omitted from an exported index, including hidden
// captures. Only the operator sees this text.
func omittedSummary(done *cdxserver.Exported) string {
	kept := int64(0)
	for _, n := range done.Kept {
		kept += n
	}
	if kept+done.Hidden+done.Lost+done.Segmented == 0 {
		return "the file has all captures of the repository"
	}
	return fmt.Sprintf("withheld from these readers: %d; hidden from them by a rule: %d", kept, done.Hidden)
}

// lost reports captures whose containers are missing. Such captures are missing for all readers.
func lost(done *cdxserver.Exported) error {
	if done.Lost > 0 {
		return fmt.Errorf("%s: no copy has their containers: audit the repository",
			humanize.Number(done.Lost, "capture", "captures"))
	}
	return nil
}
