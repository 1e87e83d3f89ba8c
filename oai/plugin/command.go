package plugin

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"quire/internal/sandbox"
)

// command is an external program that runs anew for each bytestream.
type command struct {
	config Config
	temp   string
}

// Label returns the tool's name in the configuration.
func (t *command) Label() string { return t.config.Label }

// UsesURL reports whether an argument contains the URL.
func (t *command) UsesURL() bool {
	return slices.ContainsFunc(t.config.Command, func(a string) bool { return strings.Contains(a, "{url}") })
}

// UsesName reports whether the program reads a file: its name and time are part of the input.
func (t *command) UsesName() bool {
	return t.config.KeptOpen != "" ||
		slices.ContainsFunc(t.config.Command, func(a string) bool { return strings.Contains(a, "{input") })
}

// CommandLine returns the command line for a bytestream.
func (t *command) CommandLine(c *Content) string {
	p := t.config.program()
	if t.config.KeptOpen != "" {
		return p.PersistentCommandLine(questionOf(c))
	}
	return p.CommandLine(questionOf(c))
}

// questionOf returns the question to a program about a bytestream.
func questionOf(c *Content) sandbox.Question {
	return sandbox.Question{In: c.Reader(), URL: c.URL, Extension: sandbox.Extension(c.Name), Modified: c.Modified}
}

// program returns the sandboxed command of a configuration.
func (c *Config) program() sandbox.Command {
	return c.declared().Sandboxed(c.jail)
}

// Version returns the first line of the version command's output.
func (t *command) Version(ctx context.Context) (string, error) {
	return sandbox.Version(ctx, t.config.declared().SandboxedVersion(t.config.jail))
}

// Run runs the program on the bytes. Its standard output is the tool's output; after a failure its
// standard error is added.
func (t *command) Run(ctx context.Context, c *Content) (Output, error) {
	p := t.config.program()
	q := questionOf(c)
	q.Temp = t.temp
	return t.output(p.Ask(ctx, q))
}

// output converts the result of the program to the output of the tool.
func (t *command) output(answer *sandbox.Answer, err error) (Output, error) {
	if errors.Is(err, exec.ErrNotFound) {
		return Output{}, &Failure{Outcome: Failed, Passing: true, Output: plainText(err.Error())}
	}
	var failed *sandbox.Failure
	if errors.As(err, &failed) {
		return Output{}, &Failure{Outcome: Failed, Output: plainText(failed.Error())}
	}
	if err != nil {
		return Output{}, err
	}
	return t.judge(answer)
}

// judge converts the program's output and exit status.
func (t *command) judge(a *sandbox.Answer) (Output, error) {
	out := Output{MIMEType: t.config.Prints, Bytes: a.Printed}
	if out.MIMEType == "" {
		out.MIMEType = "text/plain"
	}
	outcome := Failed
	switch {
	case t.config.declared().Succeeded(a):
		return out, nil
	case a.Flooded:
		outcome = Truncated
	case a.Late:
		outcome = TimedOut
	}
	if outcome == Failed { // after a failure the output is text, whatever its usual type
		out = plainText(joinLines(string(a.Printed), a.Said))
	}
	if len(out.Bytes) == 0 {
		out = plainText(a.Reason)
	}
	killed := a.Status == -1 && !a.Flooded // killed by Quire, or by a system short of memory
	return Output{}, &Failure{Outcome: outcome, Reason: a.Reason, Passing: killed, Output: out}
}

func joinLines(a, b string) string {
	if a != "" && b != "" && !strings.HasSuffix(a, "\n") {
		a += "\n"
	}
	return a + b
}

func plainText(s string) Output { return Output{MIMEType: "text/plain", Bytes: []byte(s)} }

// newTool returns the tool of a configuration.
func newTool(c Config, o *Options) (Tool, error) {
	if c.KeptOpen != "" {
		return &persistentTool{command: command{config: c, temp: o.TempDir}}, nil
	}
	if c.Builtin == "" {
		return &command{config: c, temp: o.TempDir}, nil
	}
	if o.Builtin == nil {
		return nil, fmt.Errorf("%s: this program has no built-in tools", c.Label)
	}
	return o.Builtin(c.Label, c.Builtin, c.With)
}
