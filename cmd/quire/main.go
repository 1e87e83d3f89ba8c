// Command quire makes preservation packages of web archives, stores them in several verified
// copies, and serves and exports them. "quire help" lists the commands; docs/ explains them.
package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"quire/access/export"
	"quire/access/purge"
	"quire/internal/heapgoal"
	"quire/internal/longwork"
	"quire/preserve/aip"
	"quire/preserve/amend"
	"quire/preserve/convert"
	"quire/preserve/dedup"
	"quire/preserve/describe/warcmeta"
	"quire/preserve/migrate"
	"quire/preserve/pack"
	"quire/preserve/policy"
	"quire/repository/jobs"
	"quire/repository/store"
)

// version is set by the linker; see the Makefile.
var version = unknown

const unknown = "unknown"

func init() {
	if version == unknown { // a build without the Makefile
		version = built()
	}
}

// built returns the version that go build recorded: the module version, or the commit.
func built() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return strings.TrimPrefix(info.Main.Version, "v0.0.0-")
	}
	return unknown
}

// The exit statuses, the same for every command.
const (
	exitGood    = 0 // success
	exitContent = 1 // the content has problems
	exitCall    = 2 // the call or the system has problems
)

func main() {
	heapgoal.Set()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if jobs.Here() != nil {
		ctx = jobs.WhileWorker(ctx)
	}
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes one call and returns its exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cli commands
	t := newTerminal(stdout, stderr)
	color := chosenColor(args)
	t.colors(color)
	ctx = longwork.With(ctx, longwork.Patience, t.warn)
	exited := -1
	parser, err := grammar(&cli, kong.Writers(stdout, stderr), kong.Exit(func(code int) { exited = code }),
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(t), kong.Help(t.help))
	if err != nil {
		return t.fail(err)
	}
	args = normalizeArgs(args)
	if args[0] != "help" && args[0] != "complete" {
		d, err := withDefaults(parser)
		if err != nil {
			return t.fail(err)
		}
		t.colors(cmp.Or(color, d.color()))
	}
	call, err := parser.Parse(args)
	if exited >= 0 { // --help of a command was printed
		return exited
	}
	if err != nil {
		return t.fail(wrongCall(err, args))
	}
	if err := misspelled(call, args); err != nil {
		return t.fail(err)
	}
	if err := outside(call); err != nil {
		return t.fail(err)
	}
	err = call.Run(ctx, t)
	t.end()
	if t.failed != nil { // prevents that readers mistake a part for the whole
		return t.fail(t.failed)
	}
	if err != nil {
		return t.fail(err)
	}
	return exitGood
}

// grammar returns the command-line parser.
func grammar(cli *commands, more ...kong.Option) (*kong.Kong, error) {
	options := append(more, kong.Name("quire"), kong.Description("Preservation packages for web archives."),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}), exportForms())
	parser, err := kong.New(cli, options...)
	if err != nil {
		return nil, err
	}
	parser.Model.HelpFlag.Help = "Print this help."
	withExamples(parser.Model.Node, "")
	return parser, withTexts(parser.Model.Node)
}

// normalizeArgs returns the call in the spelling that the parser knows. `quire`, `quire --help` and
// `quire help --help` print the overview, `quire --version` the version, `quire help GROUP COMMAND`
// the flags of a command.
func normalizeArgs(args []string) []string {
	if len(args) == 0 {
		return []string{"help"}
	}
	isHelp := func(arg string) bool { return arg == "--help" || arg == "-h" }
	switch first := args[0]; {
	case first == "--version":
		return append([]string{"version"}, args[1:]...)
	case isHelp(first), first == "help" && len(args) > 1 && isHelp(args[1]):
		return []string{"help"}
	case first == "help" && len(args) > 1 && args[1] != "help" && !isFlag(args[1]):
		return append(slices.Clone(args[1:]), "--help")
	}
	return args
}

func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") }

// contentErrors are the errors of content, as opposed to errors of the call.
var contentErrors = []error{
	pack.ErrNoContainer, pack.ErrSheet,
	amend.ErrNoRow,
	convert.ErrNothing,
	dedup.ErrNoContainer,
	warcmeta.ErrNoContainer,
	migrate.ErrDamaged,
	migrate.ErrNothing,
	purge.ErrNeeded,
	store.ErrPurged,
}

// errContent is returned by a command that has already printed the problems of the content.
var errContent = errors.New("the content has problems")

// printError prints an error and the next step.
func (t *terminal) printError(err error) {
	t.clear()
	t.say(t.errShades.Error("quire:"), err.Error())
	if h := hint(err); h != "" {
		t.warn(h)
	}
}

// closed joins an error from closing a file to the error of a command. It drops errContent, which
// was already reported: an incomplete report is worse.
func closed(err, closing error) error {
	if closing != nil && errors.Is(err, errContent) {
		return closing
	}
	return errors.Join(err, closing)
}

// fail prints an error and returns its exit status.
func (t *terminal) fail(err error) int {
	t.clear()
	if errors.Is(err, errContent) {
		return exitContent
	}
	if errors.Is(err, context.Canceled) {
		t.warn("stopped before the end: finished results are kept, unfinished ones removed")
		return exitCall
	}
	t.printError(err)
	var content *store.ContentError
	var choice *store.ChoiceError
	var refused *policy.Error
	var empty *export.EmptyError
	var invalid *aip.InvalidError
	ofContent := func(known error) bool { return errors.Is(err, known) }
	if errors.As(err, &refused) || errors.As(err, &content) || errors.As(err, &empty) || errors.As(err, &choice) ||
		errors.As(err, &invalid) || slices.ContainsFunc(contentErrors, ofContent) {
		return exitContent
	}
	return exitCall
}
