//go:build unix

package sandbox

import "syscall"

// fileTooLarge is the signal for a program that exceeds the limit on a file's size.
const fileTooLarge = syscall.SIGXFSZ
