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

// attributes put the program in its own process group, and end it with Quire.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// wait waits for the end of the program, and kills its remaining processes. Until the program has
// been waited for, no other group can have its number.
func wait(cmd *exec.Cmd) error {
	for errors.Is(unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	killGroup(cmd.Process.Pid)
	return cmd.Wait()
}

// killGroup kills the program and all processes that it started: none can leave the group (package
// jail).
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) } // they may have ended already

// maxProcesses is how many processes one program may have at once.
const maxProcesses = 256

// tooMuch returns the limit that the processes of a group exceed together, or "".
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

// census is the resources of a process group.
type census struct {
	processes int
	resident  int64           // bytes of memory; shared memory is counted for each process
	files     map[inode]int64 // open files without a name, with their bytes on disk
}

type inode struct{ device, number uint64 }

func (c *census) nameless() (all int64) {
	for _, bytes := range c.files {
		all += bytes
	}
	return all
}

// take examines all processes of a group.
func take(group int) *census {
	c := &census{files: map[inode]int64{}}
	proc, err := os.Open("/proc")
	if err != nil {
		return c
	}
	defer func() { _ = proc.Close() }() // opened for reading only
	names, _ := proc.Readdirnames(-1)   // a partial list is better than none
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

// open adds the open files without a name of a process: a deleted file uses disk space until it is
// closed.
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

// groupAndPages parses two fields of proc_pid_stat(5). The second field is a name with arbitrary
// characters, which ends at the last parenthesis.
func groupAndPages(stat []byte) (group int, pages int64) {
	const pgrp, rss = 5 - 3, 24 - 3 // fields count from 1, the name is the second
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= rss {
		return 0, 0
	}
	group, _ = strconv.Atoi(string(fields[pgrp]))
	pages, _ = strconv.ParseInt(string(fields[rss]), 10, 64)
	return group, pages
}
