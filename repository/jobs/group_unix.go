//go:build unix

package jobs

import "syscall"

// apart puts a command into a group of its own, so that Ctrl-C reaches the worker alone.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
