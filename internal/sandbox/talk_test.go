package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestTalk checks that a program and its caller talk with each other, and that it ends with the talk, with all
// that it started.
func TestTalk(t *testing.T) {
	temp, child := t.TempDir(), 0
	c := sh(`sleep 1000 & echo $!; while read line; do echo "heard $line"; done`)
	if _, err := c.Talk(t.Context(), temp, func(in io.Writer, out io.Reader) error {
		r := bufio.NewReader(out)
		line, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if child, err = strconv.Atoi(strings.TrimSpace(line)); err != nil {
			return err
		}
		for _, word := range []string{"one", "two"} {
			if _, err := fmt.Fprintln(in, word); err != nil {
				return err
			}
			if line, err = r.ReadString('\n'); err != nil || line != "heard "+word+"\n" {
				return fmt.Errorf("%q, %w", line, err)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	ends(t, child)
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTalkFails(t *testing.T) {
	listen := func(_ io.Writer, out io.Reader) error {
		_, err := io.ReadAll(out)
		return errors.Join(err, io.ErrUnexpectedEOF)
	}
	for _, c := range []struct {
		name, script string
		limit        time.Duration
		fails        string
	}{
		{"it ends", "echo why >&2; exit 3", long, "sh ended too early; it said: why"},
		{"time", "sleep 1000", 300 * time.Millisecond, "sh: it was not done after 300ms"},
		{"too much", "i=0; while :; do head -c 1000000 /dev/zero > f$i; i=$((i+1)); done", long,
			"sh: it wrote more than 4194304 bytes"},
	} {
		command := sh(c.script)
		command.Limits.Time = c.limit
		_, err := command.Talk(t.Context(), t.TempDir(), listen)
		var failed *Failure
		if !errors.As(err, &failed) || failed.Error() != c.fails || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v; want %s", c.name, err, c.fails)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	command := sh("sleep 1000")
	_, err := command.Talk(ctx, t.TempDir(), func(io.Writer, io.Reader) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped by its caller: %v", err)
	}
	if _, err := command.Talk(t.Context(), t.TempDir(), func(io.Writer, io.Reader) error {
		return io.ErrNoProgress
	}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("the error of the talk is lost: %v", err)
	}
}
