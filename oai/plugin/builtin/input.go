package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quire/oai/plugin"
)

// input is a bytestream that is read for one run. It records read errors, to distinguish them from
// faults of the bytes.
type input struct {
	*plugin.Content
	ctx context.Context
	err error
}

func newInput(ctx context.Context, c *plugin.Content) *input { return &input{Content: c, ctx: ctx} }

// ReadAt reads until the context ends.
func (in *input) ReadAt(p []byte, off int64) (int, error) {
	if in.err == nil {
		in.err = in.ctx.Err()
	}
	if in.err != nil {
		return 0, in.err
	}
	if off >= in.Size {
		return 0, io.EOF
	}
	short := int64(len(p)) > in.Size-off
	if short {
		p = p[:in.Size-off]
	}
	n, err := in.Bytes.ReadAt(p, off)
	switch {
	case n < len(p) && err == nil, n < len(p) && errors.Is(err, io.EOF):
		in.err = fmt.Errorf("%s: %d bytes are said to be there, and reading ended at %d: %w", in.URL, in.Size,
			off+int64(n), io.ErrUnexpectedEOF)
		return n, in.err
	case n < len(p):
		in.err = err
		return n, err
	case short:
		return n, io.EOF
	}
	return n, nil
}

// reader returns a reader of the first bytes, up to most.
func (in *input) reader(most int64) io.Reader { return io.NewSectionReader(in, 0, min(in.Size, most)) }

// head returns the first bytes.
func (in *input) head(most int) ([]byte, error) {
	b := make([]byte, min(in.Size, int64(most)))
	_, err := io.ReadFull(in.reader(int64(most)), b)
	return b, err
}

// jsonOutput formats the output of a tool as JSON, for people and scripts.
func jsonOutput(v any) (plugin.Output, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return plugin.Output{}, err
	}
	return plugin.Output{MIMEType: "application/json", Bytes: b.Bytes()}, nil
}

// notA returns an error that the bytes are not of a format.
func notA(what string, head []byte) error {
	const shown = 16
	if len(head) == 0 {
		return fmt.Errorf("not %s: there are no bytes", what)
	}
	return fmt.Errorf("not %s: begins with %q", what, head[:min(len(head), shown)])
}
