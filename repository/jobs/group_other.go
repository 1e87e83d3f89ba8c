//go:build !unix

package jobs

import "syscall"

func apart() *syscall.SysProcAttr { return nil }
