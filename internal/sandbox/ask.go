package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// Question is the input of a program for one bytestream.
type Question struct {
	Temp string    // parent of temporary folders; "" is the system's
	In   io.Reader // the bytestream
	URL  string    // its URL, for {url} in an argument

	// Extension is that of {input}, from [Extension]; "" for none. {input.pdf} keeps its own.
	Extension string
	Modified  time.Time // modification time of the file; zero means the time of the run
}

// Answer is a program's output, and how the program ended.
type Answer struct {
	Done
	Printed []byte // the beginning of its standard output, at most Limits.Output
	Reason  string // why it failed; "" if it succeeded
	Late    bool   // it was stopped at its time limit
	Flooded bool   // it was stopped because it printed more than Limits.Output
}

// Ask runs the program on a bytestream and returns its standard output, however it ended: a failing
// program is an answer too. The error comes from the context or the machine, or is a *Failure if
// the program cannot be run on this question.
func (c *Command) Ask(ctx context.Context, q Question) (_ *Answer, err error) {
	dir, err := newFolder(q.Temp)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, removeAll(dir)) }()
	r := &run{limits: c.Limits.withDefaults(), dir: dir, reads: c.Reads, background: c.Background, demand: c.Jail,
		printed: &clipped{full: make(chan struct{})}}
	r.printed.most = int(min(r.limits.Output, maxPrinted))
	if r.placed, err = c.placeNamed(dir, q.Extension); err != nil {
		return nil, err
	}
	// Many programs print the name. A relative name reveals nothing about this machine, and is the
	// same each time.
	for i, arg := range r.args {
		r.args[i] = strings.ReplaceAll(arg, dir+string(filepath.Separator), "")
	}
	r.modified = q.Modified
	if err := r.putURL(q.URL); err != nil {
		return nil, err
	}
	cmd, err := r.prepare(q.In)
	if err != nil {
		return nil, err
	}
	if err := r.process(ctx, cmd); err != nil {
		return nil, err
	}
	a := &Answer{Done: Done{Status: cmd.ProcessState.ExitCode(), Said: r.said.String()}, Printed: r.printed.kept,
		Late: r.late, Flooded: r.flooded}
	a.Output = int64(len(a.Printed))
	var failed *Failure
	if errors.As(r.judge(cmd), &failed) {
		a.Reason = failed.Reason
	}
	return a, nil
}

// maxPrinted is the absolute bound on the output kept, because it is in memory.
const maxPrinted = 256 << 20

// putURL replaces {url} in the arguments by the URL. Each argument stays one argument.
func (r *run) putURL(url string) error {
	for i, arg := range r.args {
		if !strings.Contains(arg, "{url}") {
			continue
		}
		put := strings.ReplaceAll(arg, "{url}", url)
		if strings.HasPrefix(put, "-") && !strings.HasPrefix(arg, "-") || strings.ContainsRune(put, 0) {
			return &Failure{Reason: fmt.Sprintf("%s: the URL %.200q would change the meaning of its argument", r.name(),
				url)}
		}
		r.args[i] = put
	}
	return nil
}

// Version asks the program for its version and returns the first line with a digit, from standard
// output or standard error; otherwise the first line. Its time limit is short.
func Version(ctx context.Context, c Command) (string, error) {
	c.Limits = Limits{Time: 30 * time.Second, Output: 64 << 10, Scratch: 16 << 20, Memory: c.Limits.Memory}
	a, err := c.Ask(ctx, Question{In: bytes.NewReader(nil)})
	if err != nil {
		return "", err
	}
	if a.Reason != "" && !a.Flooded {
		return "", &Failure{Reason: a.Reason, Done: a.Done}
	}
	first := ""
	for line := range strings.Lines(string(a.Printed) + "\n" + a.Said) {
		line = strings.TrimSpace(strings.ToValidUTF8(line[:min(len(line), 200)], "\uFFFD"))
		if strings.ContainsAny(line, "0123456789") {
			return line, nil
		}
		if first == "" {
			first = line
		}
	}
	if first != "" {
		return first, nil
	}
	return "", errors.New("it says none")
}
