package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// terminal is where a command prints: results to out, progress and errors to err.
type terminal struct {
	out, err io.Writer
	failed   error // the first write to out that failed

	bar   *progressbar.ProgressBar
	label string
	total int64
	done  int64
	since time.Time
	drawn bool // a line of progress stands there
}

// barDelay is how long something may take before a bar is drawn for it.
const barDelay = time.Second

// begin announces work of so many bytes. It is drawn when it takes longer, and when a person
// watches.
func (t *terminal) begin(label string, total int64) {
	t.clear()
	t.label, t.total, t.done, t.since = label, total, 0, time.Now()
}

// progress counts bytes of the work that was begun.
func (t *terminal) progress(n int64) {
	t.done += n
	if t.bar == nil {
		if !t.watched() || t.label == "" || time.Since(t.since) < barDelay {
			return
		}
		t.bar = progressbar.NewOptions64(t.total, progressbar.OptionSetWriter(t.err),
			progressbar.OptionSetDescription(t.label),
			progressbar.OptionShowBytes(true), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetRenderBlankState(true), progressbar.OptionFullWidth())
	}
	_ = t.bar.Set64(min(t.done, t.total)) // a bar that cannot be drawn stops nothing
}

// clear takes the bar away.
func (t *terminal) clear() {
	if t.bar != nil {
		_ = t.bar.Clear() // as above
		t.bar = nil
	}
}

// watched says whether a person watches.
func (t *terminal) watched() bool {
	f, ok := t.err.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width is how many characters have room in a line of the screen that results go to; 0 when they go
// to a file or a pipe, whose lines a program may read.
func (t *terminal) width() int {
	f, ok := t.out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// line draws a line of progress over the one before, where a person watches.
func (t *terminal) line(text string) {
	t.clearLine()
	t.drawn = true
	fmt.Fprint(t.err, text)
}

// clearLine takes that line away.
func (t *terminal) clearLine() {
	if t.drawn {
		t.drawn = false
		fmt.Fprint(t.err, "\r\x1b[K")
	}
}
