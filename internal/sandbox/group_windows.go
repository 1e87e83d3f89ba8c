package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

// fileTooLarge is a signal that Windows does not have: the size of files is not limited here.
const fileTooLarge = syscall.Signal(-1)

// attributes are the default: here the program has no process group.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }

// wait waits for the end of the program.
func wait(cmd *exec.Cmd) error { return cmd.Wait() }

// killGroup kills the program. The processes that it started continue.
func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended already
	}
}

// tooMuch returns "": the processes of a program cannot be counted here.
func tooMuch(int, int64, int64) string { return "" }
