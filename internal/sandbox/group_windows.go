package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

// fileTooLarge is a signal that Windows has not: nobody limits the files of a program here.
const fileTooLarge = syscall.Signal(-1)

// attributes are those of any program: here it has no group of its own.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// wait waits for the end of the program.
func wait(cmd *exec.Cmd) error { return cmd.Wait() }

// killGroup kills the program. What it started goes on.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended
	}
}

// tooMuch says nothing: the processes of a program cannot be counted here.
func tooMuch(int, int64, int64) string { return "" }
