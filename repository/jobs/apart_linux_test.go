package jobs_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quire/repository/jobs"
)

// TestApart: a command has a process group of its own, so Ctrl-C at the worker's terminal reaches it once.
func TestApart(t *testing.T) {
	t.Parallel()
	q := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")})
	id := submitted(t, q, a("/proc/self/stat"))[0].Job
	drain(t, q, func(o *jobs.WorkOptions) { o.Program = []string{"cut", "-d", " ", "-f", "1,5"} })
	fields := strings.Fields(job(t, q, id).Report.Output)
	if len(fields) != 2 || fields[0] != fields[1] || fields[1] == fmt.Sprint(syscall.Getpgrp()) {
		t.Errorf("process and group %v; ours is %d", fields, syscall.Getpgrp())
	}
}

// TestEnvironment: programs that a command starts do not have its job.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	q := opened(t, jobs.Place{Root: t.TempDir(), File: filepath.Join(t.TempDir(), "c.db")})
	id := submitted(t, q, a("environment"))[0].Job
	drain(t, q)
	if got := job(t, q, id).Report.Output; got != "true" {
		t.Errorf("%q", got)
	}
}
