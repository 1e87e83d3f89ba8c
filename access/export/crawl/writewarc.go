package crawl

import (
	"context"
	"io"

	"quire/access/export"
	"quire/holdings"
)

// WARC writes the WARC files of an export below a folder of its output ("", or with a slash at its
// end), for formats that contain them. It calls done for each file.
func WARC(ctx context.Context, s *export.Source, out *export.Output, below string, done func(export.File) error) error {
	return Volumes(ctx, s, out, func(name string) (io.WriteCloser, error) {
		w, err := out.Create(below + name)
		if err != nil {
			return nil, err
		}
		return notifyingSink{w, done}, nil
	})
}

// Volumes writes the WARC files of an export, one after the other, to the writers that create
// returns.
func Volumes(ctx context.Context, s *export.Source, out *export.Output,
	create func(name string) (io.WriteCloser, error)) error {
	return copyAll(ctx, s, out, "WARC export", func(name string) (sink, error) {
		return create(name)
	}, copier{copied: func(*holdings.Judged, spot) error { return nil }})
}

// notifyingSink is a sink over a file of the export; it calls a function when the file is complete.
type notifyingSink struct {
	*export.Writer
	done func(export.File) error
}

// Close implements io.Closer.
func (t notifyingSink) Close() error {
	f, err := t.Finish()
	if err != nil {
		return err
	}
	return t.done(f)
}
