//go:build linux && (amd64 || arm64)

package jail

import (
	"os"

	"golang.org/x/sys/unix"

	"quire/internal/sandbox/jail/enter"
)

// Exists reports whether jails exist on this system.
const Exists = true

// Command returns the path, arguments and extra file with which to start the jail in place of the
// program. The file is the end of a pipe that Entered reads from the other end. args are the
// program's arguments, with its name.
func (c *Cell) Command(args []string, tell *os.File) (path string, all []string, files []*os.File, err error) {
	if path, err = ourselves(); err != nil {
		return "", nil, nil, err
	}
	o := enter.Orders{Nice: c.Nice, Program: c.Program}
	if filterWorks() {
		if o.Filter = newFilter(); c.Listens {
			o.Filter = newFilterOfListeners()
		}
	}
	if abi() > 0 {
		o.Handled, o.Rules = c.landlock(abi())
	}
	if abi() > 0 && filterWorks() {
		// Root may traverse folders of other users above its own; landlock decides which files it
		// may read.
		o.KeepRights = 1 << unix.CAP_DAC_READ_SEARCH
	}
	o.Limits = []enter.Limit{
		{Resource: unix.RLIMIT_CPU, Most: c.Seconds}, {Resource: unix.RLIMIT_FSIZE, Most: c.FileSize},
		{Resource: unix.RLIMIT_CORE},
		{Resource: unix.RLIMIT_NOFILE, Most: maxFiles}, {Resource: unix.RLIMIT_MSGQUEUE},
		// The program's own writable memory. The address space is not limited: runtimes such as
		// Java and Go reserve much more than they use.
		{Resource: unix.RLIMIT_DATA, Most: c.Memory},
	}
	return path, o.Args(args), []*os.File{tell}, nil
}

// maxFiles is how many files a process may have open.
const maxFiles = 1024

// ourselves returns the running binary, even if the file of its name was replaced.
func ourselves() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}
