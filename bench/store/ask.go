package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// usage is the cost of a command.
type usage struct {
	What      string
	CPU, Wall time.Duration
	RSS       int64 // peak, in bytes
	Asked     string
	Met       bool
}

// call runs a command to its end. Status 1 says that content has problems: no error here.
func call(command ...string) (u usage, err error) {
	var said bytes.Buffer
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = &said
	begin := time.Now()
	err = cmd.Run()
	u = usage{What: strings.Join(command[1:], " "), Wall: time.Since(begin)}
	if cmd.ProcessState == nil {
		return u, err
	}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.CPU, u.RSS = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), r.Maxrss<<10
	}
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		return u, fmt.Errorf("%s: %w: %s", strings.Join(command, " "), err, said.Bytes())
	}
	return u, nil
}

// busy is the load above which others have a large part of the machine, and the clock says little.
const busy = 2

// Busy reports whether the goals are judged by processor time.
func (m *measurement) Busy() bool { return m.Load > busy }

// time is the measure of a command: the clock, or processor time on a busy machine.
func (m *measurement) time(u usage) time.Duration {
	if m.Busy() {
		return u.CPU
	}
	return u.Wall
}

// load returns the load of the last minute, 0 if it is unknown.
func load() (n float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	_, _ = fmt.Sscan(string(text), &n) // 0 if it is no number
	return n
}

// ask measures commands that only read, each three times. The best counts.
func (m *measurement) ask() error {
	const memory = 150 << 20
	m.Load = load()
	for _, q := range []struct {
		what string
		most time.Duration
		args []string
	}{
		{"`list --limit 20`, the first page", 100 * time.Millisecond, []string{"list", "--limit", "20"}},
		{"`list --limit 20 --after` the middle", 100 * time.Millisecond,
			[]string{"list", "--limit", "20", "--after", name(m.Packages / 2)}},
		{"`show` of one package", 50 * time.Millisecond, []string{"show", name(m.Packages / 2)}},
		{"opening: `list --limit 1`", 50 * time.Millisecond, []string{"list", "--limit", "1"}},
		{"`list` of all", 0, []string{"list"}},
		{"`audit --sample 1% --seed 1`", 0, []string{"audit", "--sample", "1%", "--seed", "1"}},
		{"`audit` of all", 0, []string{"audit"}},
		{"`report --format json`", 0, []string{"report", "--format", "json", "--out",
			filepath.Join(m.work, "report.json")}},
	} {
		best := usage{Wall: time.Hour}
		for range 3 {
			u, err := call(append([]string{m.quire}, append(q.args, "--repo", m.repo())...)...)
			if err != nil {
				return err
			}
			if u.Wall < best.Wall {
				best = u
			}
			if q.most == 0 {
				break
			}
		}
		best.What = q.what
		best.Asked, best.Met = "150 MB", best.RSS < memory
		if q.most > 0 {
			best.Asked = fmt.Sprintf("%d ms, 150 MB", q.most.Milliseconds())
			best.Met = best.Met && m.time(best) < q.most
		}
		m.Commands = append(m.Commands, best)
		fmt.Fprintf(os.Stderr, "store: %s: %v\n", q.what, best.Wall)
	}
	return nil
}

// lose makes another repository, loses a copy of it, and has it refilled.
func (m *measurement) lose(ctx context.Context) error {
	other := &measurement{Packages: m.Lost, work: filepath.Join(m.work, "lost"), quire: m.quire}
	err := os.MkdirAll(other.work, 0o750)
	if err == nil {
		err = other.ingest(ctx)
	}
	if err == nil {
		err = other.refill()
	}
	m.Copy, m.Refill, m.Files, m.Bytes = other.Copy, other.Refill, other.Files, other.Bytes
	return err
}

// refill copies one copy by hand, with sha512sum of both, then loses it and has it refilled.
func (m *measurement) refill() (err error) {
	err = filepath.WalkDir(m.copy(2), func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			m.Files, m.Bytes = m.Files+1, m.Bytes+info.Size()
		}
		return err
	})
	if err != nil {
		return err
	}
	beside := filepath.Join(m.work, "beside")
	m.Copy, err = call("sh", "-e", "-c", `mkdir "$2"; cp -r "$1/ocfl" "$2/"; cd "$1"
		find ocfl -type f -print0 | xargs -0 sha512sum > "$3"; cd "$2"; sha512sum --quiet --check "$3"; sync -f .`,
		"sh", m.copy(1), beside, filepath.Join(m.work, "sums"))
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(beside), os.RemoveAll(m.copy(2))); err != nil {
		return err
	}
	if _, err := call(m.quire, "init", "rebuild", m.repo(), "--copy", m.copy(1), "--copy", m.copy(2)); err != nil {
		return err
	}
	m.Refill, err = call(m.quire, "audit", "--repair", "--owed", "--repo", m.repo())
	if err != nil {
		return err
	}
	if u, err := call(m.quire, "audit", "--sample", "1%", "--seed", "2", "--repo", m.repo()); err != nil {
		return err
	} else if u.Wall == 0 {
		return errors.New("the audit after the refill did not run")
	}
	return nil
}
