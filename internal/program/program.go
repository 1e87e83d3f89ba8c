// Package program declares external programs in YAML: command, version, limits and output. The
// tools of a CRATE, the tools of a policy and the rules of a migration use these keys.
package program

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quire/internal/sandbox"
	"quire/internal/yamlfile"
)

// Program is an external program that runs in the jail. Zero limits mean the defaults of the
// caller or, without them, of package sandbox.
type Program struct {
	Command []string // the program with its arguments; {input} is the file with the bytes
	Version []string // the command that prints its version
	Reads   []string // files and folders that it may read, besides the system's and its own
	Prints  string   // media type of its standard output; "" means text/plain

	// exit statuses that mean success; empty means 0 alone. Some validators report an invalid file
	// by their status.
	Statuses []int

	Timeout Duration // of one run
	Output  Size     // of its standard output
	Memory  Size     // of each process, and of all together
	Scratch Size     // of the files that it writes
}

// Fields returns the readers of the keys in YAML, for [yamlfile.Node.Fields].
func (p *Program) Fields() map[string]func(*yamlfile.Node) {
	size := func(to *Size) func(*yamlfile.Node) { return func(n *yamlfile.Node) { *to = Size(n.Size()) } }
	return map[string]func(*yamlfile.Node){
		"command":  func(n *yamlfile.Node) { p.Command = arguments(n) },
		"version":  func(n *yamlfile.Node) { p.Version = arguments(n) },
		"reads":    func(n *yamlfile.Node) { p.Reads = n.Texts() },
		"prints":   func(n *yamlfile.Node) { p.Prints = n.Text() },
		"statuses": func(n *yamlfile.Node) { p.Statuses = statuses(n) },
		"timeout":  func(n *yamlfile.Node) { p.Timeout = Duration(n.Duration()) },
		"output":   size(&p.Output), "memory": size(&p.Memory), "scratch": size(&p.Scratch),
	}
}

// arguments reads a program with its arguments. A single text is one program; it is not split at
// spaces.
func arguments(n *yamlfile.Node) []string {
	if n.IsText() && strings.ContainsAny(n.Text(), " \t") {
		n.Fail("write a list with separate arguments: [file, -b, \"{input}\"]; no shell splits a line")
		return nil
	}
	return n.Texts()
}

// maxStatus is the greatest exit status of a process in POSIX.
const maxStatus = 255

func statuses(n *yamlfile.Node) (all []int) {
	for _, s := range n.Texts() {
		v, err := strconv.Atoi(s)
		if s != "" && err != nil {
			n.Fail("%.80q is not an exit status: 0 to %d", s, maxStatus)
			continue
		}
		all = append(all, v)
	}
	return all
}

// mediaType is a media type without parameters: RFC 6838, 4.2.
var mediaType = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}$`)

// Check returns an error if a declaration is invalid. The program need not exist here.
func (p *Program) Check() error {
	if p.Timeout < 0 || p.Output < 0 || p.Memory < 0 || p.Scratch < 0 {
		return errors.New("timeout, output, memory and scratch must not be negative")
	}
	for _, s := range p.Statuses {
		if s < 0 || s > maxStatus {
			return fmt.Errorf("statuses: %d is not an exit status: 0 to %d", s, maxStatus)
		}
	}
	if len(p.Version) == 0 {
		return errors.New("version is missing: set the command that prints the program's version")
	}
	if p.Prints != "" && !mediaType.MatchString(p.Prints) {
		return fmt.Errorf("prints: %.80q is not a media type", p.Prints)
	}
	for i, args := range [][]string{p.Command, p.Version} {
		c := sandbox.Command{Args: args, Reads: p.Reads}
		if err := c.CheckArgs(); err != nil {
			return fmt.Errorf("%s: %w", []string{"command", "version"}[i], err)
		}
	}
	return nil
}

// CheckPrints returns an error if the program does not print its result.
func (p *Program) CheckPrints() error {
	if err := p.Check(); err != nil {
		return err
	}
	for i, args := range [][]string{p.Command, p.Version} {
		if strings.Contains(strings.Join(args, " "), "{output") {
			return fmt.Errorf("%s: {output} is invalid for tools: their result is their standard output",
				[]string{"command", "version"}[i])
		}
	}
	return nil
}

// Limits returns the limits of one run.
func (p *Program) Limits() sandbox.Limits {
	return sandbox.Limits{Time: time.Duration(p.Timeout), Output: int64(p.Output), Memory: int64(p.Memory),
		Scratch: int64(p.Scratch)}
}

// Sandboxed returns the command for the jail.
func (p *Program) Sandboxed(jail sandbox.Demand) sandbox.Command {
	return sandbox.Command{Args: p.Command, Reads: p.Reads, Background: true, Jail: jail, Limits: p.Limits()}
}

// SandboxedVersion returns the command that prints the version.
func (p *Program) SandboxedVersion(jail sandbox.Demand) sandbox.Command {
	c := p.Sandboxed(jail)
	c.Args = p.Version
	return c
}

// Succeeded reports whether a run ended with an accepted status.
func (p *Program) Succeeded(a *sandbox.Answer) bool {
	switch {
	case a.Late, a.Flooded:
		return false
	case len(p.Statuses) == 0:
		return a.Reason == ""
	}
	return slices.Contains(p.Statuses, a.Status)
}

// Duration is a duration, written as 10s or 1m30s.
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler; it writes 1m30s.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler; it reads 1m30s.
func (d *Duration) UnmarshalText(s []byte) error {
	v, err := time.ParseDuration(string(s))
	if err != nil || v < 0 {
		return fmt.Errorf("%.80q is not a duration: write it as 10s, 5m, 1h30m", s)
	}
	*d = Duration(v)
	return nil
}

// Size is a number of bytes, written as 4096, 64 KiB or 8 MiB.
type Size int64

// MarshalText writes the number of bytes.
func (s Size) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%d", int64(s)), nil }

// UnmarshalText reads 8 MiB.
func (s *Size) UnmarshalText(text []byte) error {
	v, err := yamlfile.ParseSize(string(text))
	*s = Size(v)
	return err
}
