package pgtest

import (
	"os/exec"
	"syscall"
)

// dieWithParent ends the server when the test is killed.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGQUIT }
