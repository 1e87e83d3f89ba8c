//go:build unix

package sandbox

import "syscall"

// fileTooLarge is the signal for a program that writes a larger file than it may.
const fileTooLarge = syscall.SIGXFSZ
