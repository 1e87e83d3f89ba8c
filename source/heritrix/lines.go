package heritrix

import (
	"bufio"
	"context"
	"errors"
	"io"

	"quire/internal/archivefs"
)

// maxLine is how much of a line is read, in bytes. Reports, lists and events have short ones; what is beyond is passed over.
const maxLine = 64 << 10

// scanLines visits the lines of a text, without their ends, with the offset at which each begins, until visit says no.
func scanLines(r io.Reader, visit func(line string, offset int64) bool) error {
	in := bufio.NewReaderSize(r, maxLine)
	var offset int64
	for {
		part, err := in.ReadSlice('\n')
		line, at := string(part), offset
		offset += int64(len(part))
		for errors.Is(err, bufio.ErrBufferFull) {
			part, err = in.ReadSlice('\n')
			offset += int64(len(part))
		}
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return err
		}
		for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
			line = line[:len(line)-1]
		}
		if nothing := last && offset == at; nothing || !visit(line, at) || last {
			return nil
		}
	}
}

// fileLines visits the lines of a file of the source.
func fileLines(ctx context.Context, t *archivefs.Tree, path string, visit func(line string, offset int64) bool) error {
	f, err := t.Open(path)
	if err != nil {
		return err
	}
	err = scanLines(f, func(line string, offset int64) bool { return ctx.Err() == nil && visit(line, offset) })
	return errors.Join(err, ctx.Err(), f.Close())
}
