package main

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"quire/internal/humanize"
)

// columns prints one line of a long list, two spaces between its columns. It escapes control
// characters, like printf. A width is in characters; a negative one aligns the column to the right.
func (t *terminal) columns(widths []int, values ...string) {
	if t.failed != nil {
		return
	}
	line := t.row[:0]
	for i, v := range values {
		if i > 0 {
			line = append(line, "  "...)
		}
		v = humanize.Visible(v)
		fill := max(widths[i], -widths[i]) - utf8.RuneCountInString(v)
		if fill > 0 && widths[i] < 0 {
			line = append(line, strings.Repeat(" ", fill)...)
		}
		line = append(line, v...)
		if fill > 0 && widths[i] > 0 {
			line = append(line, strings.Repeat(" ", fill)...)
		}
	}
	t.row = append(line, '\n')
	if _, err := t.out.Write(t.row); err != nil {
		t.failed = fmt.Errorf("printing the result: %w", err)
	}
}

// inBlocks calls list, which prints a long list, and writes its lines in blocks.
func (t *terminal) inBlocks(list func() error) error {
	direct := t.out
	defer func() { t.out = direct }()
	blocks := bufio.NewWriterSize(direct, 64<<10)
	t.out = blocks
	err := list()
	if flushed := blocks.Flush(); flushed != nil && t.failed == nil {
		t.failed = fmt.Errorf("printing the result: %w", flushed)
	}
	return cmp.Or(err, t.failed)
}
