package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Some tests need other processes, to kill them or to let them compete. The test binary then runs
// itself again as a child that only ingests or repairs: TestMain sees the environment variable and never runs
// the tests.
const childEnv = "QUIRE_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		os.Exit(childMain(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// childMain opens the repository in the first argument and ingests the packages in the others. It
// prints a line for each: "ack ID VERSION", "already ID VERSION" or "error …". If the variable is
// "pause", it stops in the first ingest while the object is locked, and prints "paused". It
// continues when its standard input ends.
func childMain(args []string) int {
	ctx := context.Background()
	s, err := Open(ctx, args[0], Options{Describe: testDescribe, Software: "quire test child"})
	if err != nil {
		fmt.Println("error", err)
		return 2
	}
	if after, ok := strings.CutPrefix(os.Getenv(childEnv), "audit "); ok {
		return auditingChild(ctx, s, after)
	}
	options := IngestOptions{NewVersion: true}
	if os.Getenv(childEnv) == "pause" {
		var once sync.Once
		options.Progress = func(Progress) {
			once.Do(func() {
				fmt.Println("paused")
				_, _ = io.Copy(io.Discard, os.Stdin)
			})
		}
	}
	switch os.Getenv(childEnv) {
	case "repair":
		return childRepair(ctx, s, args[1:])
	case "refill":
		return childRepair(ctx, s, nil)
	case "add":
		if _, err := s.AddCopy(ctx, args[1]); err != nil {
			fmt.Println("error", err)
		}
		return childRepair(ctx, s, nil)
	case "purge":
		return childPurge(ctx, s, args[1:])
	}
	for _, dir := range args[1:] {
		r, err := s.Ingest(ctx, dir, options)
		switch {
		case err != nil:
			fmt.Println("error", strings.ReplaceAll(err.Error(), "\n", " "))
		case r.AlreadyStored:
			fmt.Println("already", r.ID, r.Version)
		default:
			fmt.Println("ack", r.ID, r.Version)
		}
	}
	if err := s.Close(); err != nil {
		fmt.Println("error", err)
		return 2
	}
	return 0
}

// auditingChild audits, and stops for ever in the package after so many. Each package is a batch.
func auditingChild(ctx context.Context, s *Store, after string) int {
	n, err := strconv.Atoi(after)
	if err != nil {
		return 2
	}
	c := &clock{at: time.Now().Add(time.Hour), step: 2 * batchTime}
	s.now = c.now
	read := 0
	_, err = s.Audit(ctx, nil, AuditOptions{Progress: func(p Progress) {
		if p.Done == 0 {
			return
		}
		if read++; read > n*filesInAll {
			fmt.Println("paused")
			time.Sleep(time.Hour) // select{} would be a deadlock, which ends the process
		}
	}})
	fmt.Println("error", err)
	return 2
}

// filesInAll is the number of files of a package of manyPackages, in three copies: five of OCFL, two
// of the package.
const filesInAll = 3 * 7

// childRepair repairs packages, or refills all copies if none is named. It prints "mended ID" for each.
func childRepair(ctx context.Context, s *Store, ids []string) int {
	show := func(r RepairReport, err error) error {
		if err != nil {
			fmt.Println("error", strings.ReplaceAll(err.Error(), "\n", " "))
		} else if len(r.Repaired) > 0 {
			fmt.Println("mended", r.ID)
		}
		return nil
	}
	if len(ids) == 0 {
		if _, err := s.Refill(ctx, "", RepairOptions{}, show); err != nil {
			fmt.Println("error", err)
		}
	}
	for _, id := range ids {
		_ = show(s.Repair(ctx, id, RepairOptions{})) // show returns nil
	}
	if err := s.Close(); err != nil {
		fmt.Println("error", err)
		return 2
	}
	return 0
}

// child is a running child.
type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
}

func startChild(t *testing.T, mode, root string, dirs ...string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{root}, dirs...)...)
	cmd.Env = append(os.Environ(), childEnv+"="+mode)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	})
	return &child{cmd: cmd, stdin: stdin, lines: bufio.NewScanner(stdout)}
}

// rest reads the remaining output of the child, and waits for its end.
func (c *child) rest() (lines []string) {
	for c.lines.Scan() {
		lines = append(lines, c.lines.Text())
	}
	_ = c.cmd.Wait() // a killed child has no useful exit status
	return lines
}
