package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"quire/holdings/payloads"
	"quire/internal/archivefs"
	"quire/internal/humanize"
	"quire/internal/jsonline"
	"quire/model"
	"quire/preserve/dedup"
	"quire/preserve/inspect"
	"quire/repository/store"
)

type dedupCmd struct {
	dedupFlags
	dedupChoices
	Within      bool `help:"Use earlier records of the source itself as originals, too."`
	Undo        bool `hidden:"" help:"Same as quire dedup undo."`
	Annotations bool `hidden:"" help:"Same as quire dedup annotations."`
}

// Run deduplicates, or restores the full records.
func (c *dedupCmd) Run(ctx context.Context, t *terminal) (err error) {
	switch {
	case c.Undo && c.Annotations:
		return errors.New("--undo and --annotations exclude each other: use one at a time")
	case len(c.Against) == 0 && !c.Within && !c.Undo && !c.Annotations:
		return errors.New("nothing to compare with: name an index, a folder or a repository with " +
			"--against, or add --within")
	}
	o := dedup.Options{
		Beside: c.Beside, Out: c.Out, DryRun: c.DryRun, Within: c.Within, OnlyChecked: c.OnlyChecked,
		Smallest: c.MinSize,
		Agent:    model.Agent{Name: "Quire", Version: version},
		Start:    func(total int64) { t.begin("deduplicating", total) }, Progress: t.progress,
	}
	if o.Viral, err = c.viral(); err != nil {
		return err
	}
	against, err := c.open(ctx, t, &o)
	defer func() { err = closed(err, against.Close()) }()
	if err != nil {
		return err
	}
	return c.work(ctx, t, o)
}

func (c *dedupCmd) work(ctx context.Context, t *terminal, o dedup.Options) (err error) {
	do := dedup.Run
	switch {
	case c.Undo:
		do = dedup.Undo
	case c.Annotations:
		do = dedup.Annotations
	}
	var out *resultFile
	if c.DryRun {
		if err := checkResultFile(c.Report); err != nil {
			return err
		}
	} else if c.Report != "" {
		if out, err = newResultFile(c.Report); err != nil {
			return err
		}
		defer func() { err = closed(err, out.closeAfter(err)) }()
	}
	r, err := do(ctx, c.Source, o)
	if err != nil {
		return err
	}
	t.clear()
	if out != nil {
		if err := jsonline.Encode(out, r); err != nil {
			return err
		}
	}
	if c.JSON {
		err = c.result(t, r)
	} else {
		c.print(t, r)
	}
	if err == nil && r.Outcome != model.Success {
		err = errContent
	}
	return err
}

func (c *dedupCmd) viral() (_ *dedup.ViralList, err error) {
	if c.Viral == "" {
		return nil, nil
	}
	f, err := os.Open(c.Viral)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // opened for reading only
	list, err := dedup.ReadViralList(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Viral, err)
	}
	return list, err
}

// opened has the opened sources of --against; dedup closes them at the end.
type opened []interface{ Close() error }

// Close closes them in reverse order: a source may depend on its repository.
func (o opened) Close() error {
	var err error
	for _, c := range slices.Backward(o) {
		err = errors.Join(err, c.Close())
	}
	return err
}

// open opens the holdings of --against.
func (c *dedupCmd) open(ctx context.Context, t *terminal, o *dedup.Options) (all opened, err error) {
	for _, path := range c.Against {
		switch kind, err := againstKind(path); {
		case err != nil:
			return all, err
		case kind == "index":
			o.Indexes = append(o.Indexes, dedup.Lines{Path: path, Legend: c.Legend})
		case kind == "repository":
			f := repoFlag{Repo: path}
			s, err := f.openWith(ctx, t, store.Options{ReadOnly: c.DryRun, Reading: true})
			if err != nil {
				return all, err
			}
			all = append(all, s)
			h, err := payloads.Open(ctx, s, path, payloads.Options{
				DryRun: c.DryRun, Problem: func(err error) { t.warn(err.Error()) }})
			if err != nil {
				return all, err
			}
			all = append(all, h)
			o.Against = append(o.Against, h)
		default:
			h, err := dedup.OpenFolder(ctx, path)
			if err != nil {
				return all, err
			}
			all = append(all, h)
			if h.Empty() {
				return all, fmt.Errorf("--against %s: %w found, and no index or repository", path,
					dedup.ErrNoContainer)
			}
			o.Against = append(o.Against, h)
		}
	}
	return all, nil
}

// againstKind reports the kind of a path of --against: index, containers or repository.
func againstKind(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		if store.Is(path) {
			return "repository", nil
		}
		return "containers", nil
	}
	if is, err := inspect.IsContainer(path); is || err != nil {
		return "containers", err
	}
	archive, err := archivefs.Open(path)
	if errors.Is(err, archivefs.ErrNotATree) {
		return "index", nil
	}
	if err != nil {
		return "", err
	}
	return "containers", archive.Close()
}

func (c *dedupCmd) print(t *terminal, r *dedup.Report) {
	verb := "became revisits"
	if c.DryRun {
		t.dry()
		for i := range r.Containers {
			t.would(r.Containers[i].Path, &r.Containers[i].Written, "")
		}
	}
	switch {
	case c.Undo:
		verb = "are full records again"
	case c.Annotations:
		verb = "were made of log lines"
	}
	t.printf("%s in %s: %d %s\n", humanize.Number(int64(len(r.Containers)), "container", "containers"), r.Out,
		r.Replaced, verb)
	if !c.Annotations {
		t.printf("  %s, %d with content; %s of payload, the files differ by %s\n",
			humanize.Number(r.Records, "record", "records"),
			r.Contents, humanize.Size(r.Payload), humanize.Size(max(r.Saved, -r.Saved)))
	}
	if n := len(r.Copied); n > 0 {
		t.printf("  and %s of the harvest, unchanged\n", humanize.Number(int64(n), "other file", "other files"))
	}
	for _, name := range r.NotCopied {
		t.printf("  not copied: %s, which is about the containers of before\n", name)
	}
	if n := r.Evidence[dedup.ByIndex]; n > 0 {
		t.printf("  %d of them rely on an index alone; --only-checked leaves those unchanged\n", n)
	}
	for _, why := range dedup.Reasons {
		if n := r.Left[why]; n > 0 {
			t.printf("  left  %8d  %s: %s\n", n, why, why.Text())
		}
	}
	for _, d := range r.Denied {
		t.printf("  wrong reference: %s names byte %d of %s for %s; "+
			"%s\n", d.Index, d.Offset, d.Container, d.URI, d.Message)
	}
	for _, l := range r.Lost {
		t.printf("  lost: %s byte %d, %s %s: %s\n", l.Container, l.Offset, l.Record, l.URI, l.Message)
	}
	if more := r.LostAll - int64(len(r.Lost)); more > 0 {
		t.printf("  and %s\n", humanize.Number(more, "more", "more"))
	}
}
