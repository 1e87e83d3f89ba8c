package main

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// machine describes the machine and the software of the measurement.
type machine struct {
	CPU, Kernel, Memory, Date   string
	Cores                       int
	Go, Quire, Commit           string
	Deflate, OpenSSL, CoreUtils string
	LoadBefore, LoadAfter       string // over the last minute
}

func describeMachine(o options) (machine, error) {
	m := machine{
		CPU: field("/proc/cpuinfo", "model name"), Memory: memory(), Cores: runtime.NumCPU(), Go: runtime.Version(),
		Date: time.Now().UTC().Format("2006-01-02 15:04 MST"), LoadBefore: load(),
	}
	for _, said := range []struct {
		to      *string
		command []string
	}{
		{&m.Kernel, []string{"uname", "-sr"}},
		{&m.Quire, []string{o.quire, "version"}},
		{&m.Commit, []string{"git", "rev-parse", "--short", "HEAD"}},
		{&m.Deflate, []string{"libdeflate-gunzip", "-V"}},
		{&m.OpenSSL, []string{"openssl", "version"}},
		{&m.CoreUtils, []string{"sha512sum", "--version"}},
	} {
		out, err := exec.Command(said.command[0], said.command[1:]...).Output()
		// A source archive has no commit; its version still identifies it.
		if err != nil && said.to != &m.Commit {
			return machine{}, err
		}
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		*said.to = first
	}
	return m, nil
}

// field returns the value of a named field in a file of /proc, or "unknown".
func field(file, name string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func memory() string {
	kib, err := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 10, 64)
	if err != nil {
		return "unknown"
	}
	return strconv.FormatInt(kib>>20, 10) + " GiB"
}

// load returns the average number of processes that wanted a core in the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
