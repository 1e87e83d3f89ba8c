package program

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes make the program the first of a group, and let it end when Quire does.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// limit sets what the process may use. A limit that cannot be set, because there is a lower one, is not needed; where the system
// forbids to set any, the time and what is written are limited all the same.
func limit(pid int, l Limits) {
	seconds := uint64(l.Time.Seconds()) + 1
	for resource, most := range map[int]uint64{
		unix.RLIMIT_AS: uint64(l.Memory), unix.RLIMIT_CPU: seconds, unix.RLIMIT_FSIZE: uint64(l.Scratch), unix.RLIMIT_CORE: 0,
	} {
		_ = unix.Prlimit(pid, resource, &unix.Rlimit{Cur: most, Max: most}, nil)
	}
}

// wait waits for the end of the program, and ends what it left behind. While nobody has waited for it its number is its own, so that
// no other group is killed.
func wait(cmd *exec.Cmd) error {
	for errors.Is(unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil), unix.EINTR) {
	}
	killGroup(cmd.Process.Pid)
	return cmd.Wait()
}

// killGroup kills the program with all that it started, but for what left its group.
func killGroup(pid int) { _ = unix.Kill(-pid, unix.SIGKILL) } // they may have ended
