package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes make the program the first of a group, and let it end when Quire does.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait waits for the end of the program, and ends what it left behind. While nobody has waited for
// it its number is its own, so that no other group is killed.
func wait(cmd *exec.Cmd) error {
	for errors.Is(unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	killGroup(cmd.Process.Pid)
	return cmd.Wait()
}

// killGroup kills the program with all that it started: none of it can leave the group (package
// jail).
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) } // they may have ended

// maxProcesses is how many processes one program may have at the same time.
const maxProcesses = 256

// tooMuch says what the processes of a group have together more of than they may: "" when nothing.
func tooMuch(group int, memory, scratch int64) string {
	c := take(group)
	switch {
	case c.processes > maxProcesses:
		return fmt.Sprintf("it started more than %d processes", maxProcesses)
	case c.resident > memory:
		return fmt.Sprintf("it took more than %d bytes of memory", memory)
	case c.nameless() > scratch:
		return fmt.Sprintf("it wrote more than %d bytes", scratch)
	}
	return ""
}

// census is what the processes of a group have.
type census struct {
	processes int
	resident  int64           // bytes of memory; what they share counts for each
	files     map[inode]int64 // that they have open and that have no name, with the bytes of disk that each takes
}

type inode struct{ device, number uint64 }

func (c *census) nameless() (all int64) {
	for _, bytes := range c.files {
		all += bytes
	}
	return all
}

// take looks at all processes of a group.
func take(group int) *census {
	c := &census{files: map[inode]int64{}}
	proc, err := os.Open("/proc")
	if err != nil {
		return c
	}
	defer func() { _ = proc.Close() }() // it was only read
	names, _ := proc.Readdirnames(-1)   // some of them are better than none
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it has ended
		}
		if g, pages := groupAndPages(stat); g == group {
			c.processes++
			c.resident += pages * int64(os.Getpagesize())
			c.open("/proc/" + name + "/fd/")
		}
	}
	return c
}

// open adds the files without a name that a process has open: a file that was taken away takes its
// room until it is closed.
func (c *census) open(folder string) {
	descriptors, err := os.ReadDir(folder)
	if err != nil {
		return // it has ended
	}
	for _, d := range descriptors {
		var s unix.Stat_t
		if unix.Stat(folder+d.Name(), &s) == nil && s.Mode&unix.S_IFMT == unix.S_IFREG && s.Nlink == 0 {
			c.files[inode{s.Dev, s.Ino}] = 512 * s.Blocks
		}
	}
}

// groupAndPages reads two of the fields of proc_pid_stat(5). The second field is a name, which may
// have anything in it but ends with the last parenthesis.
func groupAndPages(stat []byte) (group int, pages int64) {
	const pgrp, rss = 5 - 3, 24 - 3 // fields begin with 1, the name is the second
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= rss {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[pgrp]))
	pages, _ = strconv.ParseInt(string(fields[rss]), 10, 64)
	return group, pages
}
