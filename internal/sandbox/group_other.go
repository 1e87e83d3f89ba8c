//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"syscall"
)

// attributes make the program the first of a group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// wait waits for the end of the program, and ends what it left behind.
func wait(cmd *exec.Cmd) error {
	err := cmd.Wait()
	killGroup(cmd.Process.Pid)
	return err
}

// killGroup kills the program with all that it started, but for what left its group.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) } // they may have ended

// tooMuch says nothing: the processes of a group cannot be counted here.
func tooMuch(int, int64, int64) string { return "" }
