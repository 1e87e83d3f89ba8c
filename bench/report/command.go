package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// usage is the time and memory of a process and its children.
type usage struct {
	CPU  float64 // user and system, in seconds
	Wall float64 // seconds
	RSS  int64   // peak resident memory of any one of them, in KiB
}

// best keeps the lower of each time and the higher of the memory, because memory does not vary by
// chance.
func (u *usage) best(v usage) {
	if u.Wall == 0 {
		*u = v
		return
	}
	u.CPU, u.Wall, u.RSS = min(u.CPU, v.CPU), min(u.Wall, v.Wall), max(u.RSS, v.RSS)
}

// failure is a command that ended with a status other than 0.
type failure struct {
	usage
	status  int
	command string
	printed []byte // to standard output
	said    []byte // the end of its output
	err     error
}

// Error implements error.
func (f *failure) Error() string { return fmt.Sprintf("%s: %v: %s", f.command, f.err, f.said) }

// Unwrap returns the operating system's error.
func (f *failure) Unwrap() error { return f.err }

// run runs a command to its end and returns its usage. If the command fails, the error is a
// failure.
//
// GNU time starts the command, because a process that Go starts inherits Go's memory as its
// minimum.
func run(command ...string) (usage, []byte, error) {
	note, err := os.CreateTemp("", "quire-bench")
	if err != nil {
		return usage{}, nil, err
	}
	defer func() { _ = os.Remove(note.Name()) }() // a temporary file
	if err := note.Close(); err != nil {
		return usage{}, nil, err
	}
	cmd := exec.Command("/usr/bin/time", append([]string{"-o", note.Name(), "-q", "-f", "%U %S %e %M"}, command...)...)
	var out, trouble bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &trouble
	ended := cmd.Run()
	text, err := os.ReadFile(note.Name())
	if err != nil {
		return usage{}, nil, err
	}
	u, err := parseTime(string(text))
	if ended != nil {
		said := slices.Concat(out.Bytes(), trouble.Bytes())
		return usage{}, nil, &failure{u, cmd.ProcessState.ExitCode(), strings.Join(command, " "), out.Bytes(),
			said[max(0, len(said)-500):], ended}
	}
	return u, out.Bytes(), err
}

// parseTime reads the output of GNU time: user, system and elapsed seconds, and KiB.
func parseTime(text string) (usage, error) {
	var user, system float64
	var u usage
	if _, err := fmt.Sscan(text, &user, &system, &u.Wall, &u.RSS); err != nil {
		return usage{}, fmt.Errorf("GNU time wrote %q: %w", text, err)
	}
	u.CPU = user + system
	return u, nil
}

// shell runs a script with arguments and stops at the first error.
func shell(script string, arguments ...string) (usage, error) {
	u, _, err := run(append([]string{"sh", "-e", "-c", script, "sh"}, arguments...)...)
	return u, err
}

// dropCaches forces the next read to come from the disk. It needs root.
func dropCaches() error {
	if err := exec.Command("sync").Run(); err != nil {
		return err
	}
	return os.WriteFile("/proc/sys/vm/drop_caches", []byte("3"), 0)
}

// cool drops the caches if it has permission. The report states whether it had.
func cool() error {
	if err := dropCaches(); err != nil && !errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("dropping the page cache: %w", err)
	}
	return nil
}
