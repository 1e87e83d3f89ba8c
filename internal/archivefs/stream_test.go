package archivefs

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

// counted counts how often a stream is opened and closed.
type counted struct {
	io.Reader
	closed *int
}

func (c counted) Close() error { *c.closed++; return nil }

func TestStreamedIsInflatedWholeOnlyWhenAsked(t *testing.T) {
	for _, size := range []int{10, inMemory + 10} {
		text := strings.Repeat("0123456789", size/10+1)[:size]
		opened, closed := 0, 0
		c := Streamed(int64(size), func() (io.ReadCloser, error) {
			opened++
			return counted{strings.NewReader(text), &closed}, nil
		})
		first := make([]byte, 4)
		if _, err := io.ReadFull(c, first); err != nil || string(first) != "0123" || opened != 1 {
			t.Fatalf("read %q, %v, opened %d times", first, err, opened)
		}
		if at, err := c.Seek(0, io.SeekCurrent); at != 4 || err != nil || opened != 1 {
			t.Errorf("at %d, %v, opened %d times", at, err, opened)
		}
		two := make([]byte, 2)
		if _, err := c.ReadAt(two, int64(size-2)); err != nil || string(two) != text[size-2:] {
			t.Errorf("at the end: %q, %v", two, err)
		}
		rest, err := io.ReadAll(c)
		if err != nil || string(rest) != text[4:] {
			t.Errorf("the rest has %d bytes, %v", len(rest), err)
		}
		if at, err := c.Seek(-3, io.SeekEnd); at != int64(size-3) || err != nil {
			t.Errorf("at %d, %v", at, err)
		}
		if err := c.Close(); err != nil || opened != 2 || closed != 2 {
			t.Errorf("%v; opened %d times, closed %d times", err, opened, closed)
		}
	}
}

func TestStreamedEndsWhereItsSizeSays(t *testing.T) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte("abcdef"))), nil }
	if b, err := io.ReadAll(Streamed(3, open)); string(b) != "abc" || err != nil {
		t.Errorf("shorter: %q, %v", b, err)
	}
	if b, err := io.ReadAll(Streamed(9, open)); string(b) != "abcdef" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("longer: %q, %v", b, err)
	}
}
