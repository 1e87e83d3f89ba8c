package migrate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"quire/internal/blockbuffer"
	"quire/internal/sandbox"
	"quire/model"
	"quire/preserve/migrate/internal/builtin"
)

// tool converts one bytestream. Its error is about the bytestream, or from the machine: see
// failure.
type tool interface {
	convert(ctx context.Context, t *task) error
	agent() model.Agent
	words() string // description of the conversion, for the event
}

// failure is why a bytestream could not be converted.
type failure struct{ why string }

func (f *failure) Error() string { return f.why }

// errUnneeded reports that a bytestream already has the target format.
var errUnneeded = errors.New("the bytestream already has the target format")

func newTool(ctx context.Context, o *Options) (tool, error) {
	r := o.Rule
	if f, ok := builtin.Named(r.Builtin); ok {
		return &builtinTool{rule: r, convertOne: f, by: o.Agent}, nil
	}
	t := &commandTool{rule: r, command: sandbox.Command{Args: r.Command, Limits: r.Limits, Reads: r.Reads, Jail: r.Jail}}
	if err := t.command.Check(); err != nil {
		return nil, fmt.Errorf("the rule %s: %w", r.Name, err)
	}
	version, err := sandbox.Version(ctx, sandbox.Command{Args: r.Version, Reads: r.Reads, Jail: r.Jail})
	if err != nil {
		return nil, fmt.Errorf("the rule %s: reading the program's version: %w", r.Name, err)
	}
	t.by = model.Agent{Name: filepath.Base(r.Command[0]), Version: version}
	return t, nil
}

// builtinTool is a built-in conversion.
type builtinTool struct {
	rule       *Rule
	convertOne builtin.Func
	by         model.Agent
}

func (o *builtinTool) agent() model.Agent { return o.by }

func (o *builtinTool) words() string { return "the builtin " + o.rule.Builtin }

func (o *builtinTool) convert(_ context.Context, t *task) (err error) {
	defer func() {
		if p := recover(); p != nil { // a panic of the decoder
			err = &failure{fmt.Sprintf("the converter broke down: %v", p)}
		}
	}()
	if t.in.Size() > builtin.MaxInput {
		return &failure{fmt.Sprintf("it has more than %d bytes", builtin.MaxInput)}
	}
	content, err := io.ReadAll(t.in.Reader())
	if err != nil {
		return err
	}
	out, err := o.convertOne(builtin.Input{Content: content, ContentType: t.Declared, Undeclared: o.rule.Undeclared})
	switch {
	case errors.Is(err, builtin.ErrUnneeded):
		return errUnneeded
	case err != nil:
		return &failure{err.Error()}
	}
	t.notes, t.contentType = out.Notes, out.ContentType
	_, err = t.out.Write(out.Content)
	return err
}

// commandTool is an external program.
type commandTool struct {
	rule    *Rule
	command sandbox.Command
	by      model.Agent
}

func (c *commandTool) agent() model.Agent { return c.by }

// words describes the command, and the isolation that this machine lacks.
func (c *commandTool) words() string {
	words := "the command " + strings.Join(c.rule.Command, " ")
	if jail := sandbox.Jail(); !jail.Whole() {
		words += " (" + jail.String() + ")"
	}
	return words
}

func (c *commandTool) convert(ctx context.Context, t *task) error {
	_, err := c.command.Run(ctx, t.temp, t.in.Reader(), t.out)
	var failed *sandbox.Failure
	if errors.As(err, &failed) {
		return &failure{failed.Error()}
	}
	return err
}

// newHeld keeps bytes in memory, and in a file of dir if there are many.
func newHeld(dir string) *blockbuffer.Buffer { return &blockbuffer.Buffer{Dir: dir} }
