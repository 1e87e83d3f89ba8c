package crawl

import (
	"context"
	"iter"

	"quire/access/export"
	"quire/holdings"
)

// makeWARC exports a package as WARC files.
func makeWARC(ctx context.Context, s *export.Source, out *export.Output) error {
	create := func(name string) (sink, error) {
		w, err := out.Create(name)
		if err != nil {
			return nil, err
		}
		return listed{w}, nil
	}
	return copyAll(ctx, s, out, "WARC export", create,
		copier{copied: func(*holdings.Judged, spot) error { return nil }})
}

// listed is a sink over a file of the export.
type listed struct{ *export.Writer }

// Close implements io.Closer.
func (l listed) Close() error {
	_, err := l.Finish()
	return err
}

// copyAll copies the open records of a package into WARC files. The functions of k are called for
// each capture and request.
func copyAll(ctx context.Context, s *export.Source, out *export.Output, title string, create func(string) (sink, error),
	k copier) error {
	given, err := newPairs(ctx, s, out.Scratch())
	if err != nil {
		return err
	}
	defer given.close()
	v, err := newVolumes(s, out, title, create)
	if err != nil {
		return err
	}
	next, stop := iter.Pull2(s.Captures(ctx))
	defer stop()
	k.source, k.out, k.given, k.next, k.scratch, k.progress = s, v, given, next, out.Scratch(), out.Progress()
	if err := k.advance(); err != nil {
		return err
	}
	containers := s.Containers()
	total := int64(0)
	for _, f := range containers {
		total += f.Size
	}
	k.progress.Start("copying records", total)
	for _, f := range containers {
		if err := k.container(ctx, f); err != nil {
			return err
		}
	}
	return v.finish()
}
