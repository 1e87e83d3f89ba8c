package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"quire/internal/humanize"
	"quire/internal/secret"
	"quire/repository/jobs"
)

// terminal is the output of a command: results go to out, progress and errors to err.
type terminal struct {
	chosen   string // when to colour, as --color or the settings name it; "" for neither
	out, err io.Writer
	plain    *secret.Writer // out at first: it conceals passwords in URLs
	raw      io.Writer      // below plain, for bytes that must stay as they are
	failed   error          // the first write to out that failed
	row      []byte         // of columns, reused

	shades, errShades humanize.Palette // of out and of err

	bar   *progressbar.ProgressBar
	label string
	total int64
	done  int64
	since time.Time
	drawn bool // a progress line is on the screen

	worker *jobs.Reporter // to the worker that runs this process; nil without one
}

// newTerminal returns the output of a command. All that a command prints may have URLs of crawls,
// and these may have passwords: the output conceals them, whatever the command is.
func newTerminal(stdout, stderr io.Writer) *terminal {
	plain := secret.NewWriter(stdout)
	return &terminal{out: plain, plain: plain, raw: stdout, err: stderr, worker: jobs.ToWorker()}
}

// end prints the last line of a command, if it has no end.
func (t *terminal) end() {
	if err := t.plain.Flush(); err != nil && t.failed == nil {
		t.failed = fmt.Errorf("printing the result: %w", err)
	}
}

// barDelay is the duration after which a long operation shows a bar.
const barDelay = time.Second

// begin starts an operation of total bytes. It shows a bar if the operation takes long and the
// terminal is interactive.
func (t *terminal) begin(label string, total int64) {
	t.clear()
	t.label, t.total, t.done, t.since = label, total, 0, time.Now()
}

// progress adds n processed bytes to the current operation.
func (t *terminal) progress(n int64) {
	t.done += n
	t.worker.Report(jobs.Progress{Phase: t.label, Done: t.done, Total: t.total})
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
	_ = t.bar.Set64(min(t.done, t.total)) // a failed drawing of the bar stops nothing
}

// clear removes the bar.
func (t *terminal) clear() {
	if t.bar != nil {
		_ = t.bar.Clear() // as above
		t.bar = nil
	}
}

// watched reports whether the terminal is interactive.
func (t *terminal) watched() bool {
	f, ok := t.err.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the number of characters in a screen line of out. It returns 0 for a file or a
// pipe, because a program may read its lines.
func (t *terminal) width() int {
	f, ok := t.raw.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// line replaces the progress line on an interactive terminal.
func (t *terminal) line(text string) {
	t.clearLine()
	t.drawn = true
	fmt.Fprint(t.err, text)
}

// clearLine removes the progress line.
func (t *terminal) clearLine() {
	if t.drawn {
		t.drawn = false
		fmt.Fprint(t.err, "\r\x1b[K")
	}
}
