package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"quire/holdings/numbers"
	"quire/repository/jobs"
	"quire/repository/store"
)

type submitCmd struct {
	Queue    string    `placeholder:"NAME" help:"@submitQueue"`
	Priority int       `default:"2" placeholder:"N" help:"From 1, first, to 4. Default: 2."`
	Attempts int       `default:"5" placeholder:"N" help:"How often a command with exit status 2 is tried. Default: 5."`
	At       time.Time `placeholder:"TIME" help:"Not before this time, such as 2027-01-31T22:00:00Z."`
	Source   string    `placeholder:"NAME" help:"@submitSource"`
	Select   string    `placeholder:"CEL" help:"@submitSelect"`
	Each     bool      `help:"Make a job for each argument of the command. For ingest, always."`
	Command  []string  `arg:"" passthrough:"" help:"The command, without \"quire\", with its flags."`
	repoFlag
	jsonFlag

	by, dir string // the person and the folder; "" for the account and the folder of this process
}

// jobKinds are the commands that a worker runs. Their names are those of the queues.
var jobKinds = []string{"audit", "collection", "convert", "dedup", "describe", "export", "index", "ingest", "inspect",
	"migrate", "pack", "reconcile", "report", "stats", "thumbnail", "validate", withdrawals}

// withdrawals is the command of which a job can only finish what a person decided.
const withdrawals = "withdraw"

// repairQueue has audits that repair.
const repairQueue = "repair"

// Run puts the command into the queue.
func (c *submitCmd) Run(ctx context.Context, t *terminal) error {
	calls, err := c.prepared()
	if err != nil {
		return err
	}
	return c.withQueue(ctx, t, func(s *store.Store, q *jobs.Queue) error {
		made, err := c.submit(ctx, s, q, calls)
		if err != nil {
			return err
		}
		return c.print(t, made)
	})
}

// prepared checks the command, and returns its jobs.
func (c *submitCmd) prepared() ([]jobs.Call, error) {
	call, err := parsed(c.Command)
	if err != nil {
		return nil, err
	}
	if err := c.adopt(call); err != nil {
		return nil, err
	}
	return c.calls(call)
}

// submit puts jobs into the queue, with --select for each chosen package.
func (c *submitCmd) submit(ctx context.Context, s *store.Store, q *jobs.Queue, calls []jobs.Call) (
	[]jobs.Submitted, error) {
	if c.Select != "" {
		var err error
		if calls, err = selectedCalls(ctx, s, calls, c.Select); err != nil {
			return nil, err
		}
	}
	return q.Submit(ctx, calls)
}

// idMark stands for the id of a package in a command with --select.
const idMark = "{}"

// selectedCalls returns the calls for each package that an expression chooses. Their commands have its id for {}.
func selectedCalls(ctx context.Context, s *store.Store, calls []jobs.Call, expression string) ([]jobs.Call, error) {
	if !slices.ContainsFunc(calls[0].Command, func(word string) bool { return strings.Contains(word, idMark) }) {
		return nil, errors.New("with --select, write {} for the id of each package: quire submit --select EXPRESSION " +
			"audit {}")
	}
	var all []jobs.Call
	for p, err := range numbers.Packages(ctx, s, expression) {
		if err != nil {
			return nil, err
		}
		for _, call := range calls {
			words := make([]string, 0, len(call.Command))
			for _, word := range call.Command {
				words = append(words, strings.ReplaceAll(word, idMark, p.ID))
			}
			call.Command = words
			all = append(all, call)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no package is selected by %s", expression)
	}
	return all, nil
}

func (c *submitCmd) print(t *terminal, made []jobs.Submitted) error {
	for _, s := range made {
		if c.JSON {
			if err := t.json(s); err != nil {
				return err
			}
			continue
		}
		note := ""
		if s.Already {
			note = "  (waits or runs already)"
		}
		t.printf("job %d: %s%s\n", s.Job, written(s.Command), note)
	}
	return nil
}

// written returns a command as people write it.
func written(command []string) string { return strings.Join(command, " ") }

// parsed checks a command as if it were called now.
func parsed(args []string) (*kong.Context, error) {
	var inner commands
	helped := false
	parser, err := grammar(&inner, kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return nil, err
	}
	call, err := parser.Parse(args)
	if err != nil {
		return nil, wrongCall(err, args)
	}
	if helped {
		return nil, errors.New("the command asks for help; ask now: quire help COMMAND")
	}
	if name := kindOf(call); !slices.Contains(jobKinds, name) {
		return nil, fmt.Errorf("no worker runs %q; submit takes %s", name, strings.Join(jobKinds, ", "))
	} else if name == withdrawals && !strings.HasPrefix(call.Command(), withdrawals+" finish") {
		return nil, errors.New("a person decides on withdrawals: a job can only finish one, withdraw finish ID")
	}
	return call, nil
}

// kindOf returns the first word of a command.
func kindOf(call *kong.Context) string {
	name, _, _ := strings.Cut(call.Command(), " ")
	return name
}

// flagOf returns the value of a flag of a command, and whether it has the flag.
func flagOf[T any](call *kong.Context, name string) (value T, has bool) {
	for _, f := range call.Flags() {
		if f.Name == name {
			value, has = call.FlagValue(f).(T)
		}
	}
	return value, has
}

// adopt makes the repository of the queue that of the command, and the other way round.
func (c *submitCmd) adopt(call *kong.Context) error {
	named, has := flagOf[string](call, "repo")
	given := slices.ContainsFunc(c.Command, func(word string) bool {
		return word == "--repo" || strings.HasPrefix(word, "--repo=")
	})
	if given && c.Repo == "" {
		c.Repo = named
	}
	if c.Repo == "" {
		return errNoRepository
	}
	repo, err := filepath.Abs(c.Repo)
	if err != nil {
		return err
	}
	if other, err := filepath.Abs(named); given && (err != nil || other != repo) && os.Getenv("QUIRE_REPO") != c.Repo {
		return errors.New("the command has another repository than the queue: name it once")
	} else if given {
		c.Repo = other
		return nil
	}
	const files, packages = "stats", "validate" // they read files, and with --repo something else
	if c.Repo = repo; has && kindOf(call) != files && kindOf(call) != packages {
		end := slices.Index(c.Command, "--")
		if end < 0 {
			end = len(c.Command)
		}
		c.Command = slices.Insert(slices.Clone(c.Command), end, "--repo", repo)
	}
	return nil
}

// calls returns the jobs of the command.
func (c *submitCmd) calls(call *kong.Context) ([]jobs.Call, error) {
	dir := c.dir
	if dir == "" {
		var err error
		if dir, err = os.Getwd(); err != nil {
			return nil, err
		}
	}
	kind := kindOf(call)
	queue := kind
	if repair, _ := flagOf[bool](call, "repair"); repair && kind == "audit" {
		queue = repairQueue
	}
	one := jobs.Call{Command: c.Command, Directory: dir, By: cmp.Or(c.by, caller()), Source: c.Source,
		Priority: c.Priority, Queue: cmp.Or(c.Queue, queue), Attempts: c.Attempts, At: c.At}
	if kind != "ingest" && !c.Each {
		return []jobs.Call{one}, nil
	}
	at := positions(call, c.Command)
	if len(at) == 0 {
		return nil, fmt.Errorf("the command %s has no argument to make a job for", kind)
	}
	var all []jobs.Call
	for _, i := range at {
		each := one
		each.Command = nil
		for n, word := range c.Command {
			if n == i || !slices.Contains(at, n) {
				each.Command = append(each.Command, word)
			}
		}
		if kind == "ingest" { // whatever its flags are
			each.Unique = "ingest " + c.Repo + " " + absolute(dir, c.Command[i])
		}
		all = append(all, each)
	}
	return all, nil
}

// absolute returns a path that begins in a folder.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// positions returns the places of the arguments in a command: the words that are neither the command, nor flags,
// nor their values.
func positions(call *kong.Context, words []string) (all []int) {
	takesValue := map[string]bool{}
	for _, f := range call.Flags() {
		takesValue["--"+f.Name] = !f.IsBool()
		if f.Short != 0 {
			takesValue["-"+string(f.Short)] = !f.IsBool()
		}
	}
	names := strings.Fields(call.Selected().FullPath())[1:] // the last one may be left out, if it is a default
	flags := true
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case flags && word == "--":
			flags = false
		case flags && len(word) > 1 && isFlag(word):
			if takesValue[word] {
				i++
			}
		case len(names) > 0 && word == names[0]:
			names = names[1:]
		default:
			names = nil
			all = append(all, i)
		}
	}
	return all
}

// withQueue opens the repository and its queue, and runs work.
func (f *repoFlag) withQueue(ctx context.Context, t *terminal, work func(*store.Store, *jobs.Queue) error) error {
	return f.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		if s.ReadOnly() {
			return fmt.Errorf("the queue of %s: %w", f.Repo, store.ErrReadOnly)
		}
		q, err := queueOf(ctx, t, s)
		if err != nil {
			return err
		}
		return closed(work(s, q), q.Close())
	})
}

// queueOf opens the queue of a repository.
func queueOf(ctx context.Context, t *terminal, s *store.Store) (*jobs.Queue, error) {
	root, file, database := s.Catalogue()
	q, err := jobs.Open(ctx, jobs.Place{Root: root, File: file, Database: database})
	if err != nil {
		return nil, err
	}
	for _, damage := range q.Damaged() {
		t.warn(damage.Error())
	}
	return q, nil
}
