//go:build linux && (amd64 || arm64)

package jail

import (
	"os"

	"golang.org/x/sys/unix"

	"quire/internal/sandbox/jail/enter"
)

// Exists says whether there is a jail on this system.
const Exists = true

// Command is what is to be started in the place of a program: the path, the arguments, and a
// further file, the end of a pipe for Entered. args are those of the program, with its name.
func (c *Cell) Command(args []string, tell *os.File) (path string, all []string, files []*os.File, err error) {
	if path, err = ourselves(); err != nil {
		return "", nil, nil, err
	}
	o := enter.Orders{Nice: c.Nice, Program: c.Program}
	if filterWorks() {
		o.Filter = newFilter()
	}
	if abi() > 0 {
		o.Handled, o.Rules = c.landlock(abi())
	}
	if abi() > 0 && filterWorks() {
		// Root may look through folders of others, which lie above its own: what it may read there
		// is for landlock to say.
		o.KeepRights = 1 << unix.CAP_DAC_READ_SEARCH
	}
	o.Limits = []enter.Limit{
		{Resource: unix.RLIMIT_CPU, Most: c.Seconds}, {Resource: unix.RLIMIT_FSIZE, Most: c.FileSize},
		{Resource: unix.RLIMIT_CORE},
		{Resource: unix.RLIMIT_NOFILE, Most: maxFiles}, {Resource: unix.RLIMIT_MSGQUEUE},
		// What it has of its own and can write; address space is not limited: runtimes, such as
		// those of Java and Go, reserve much more of it than they ever use.
		{Resource: unix.RLIMIT_DATA, Most: c.Memory},
	}
	return path, o.Args(args), []*os.File{tell}, nil
}

// maxFiles is how many files a process may have open.
const maxFiles = 1024

// ourselves is the binary that runs, even when the file of its name is another one by now.
func ourselves() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}
