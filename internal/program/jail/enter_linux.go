package jail

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// argv0 is the name under which a binary is a jail.
const argv0 = "quire-jail"

// failed is the exit status of a jail that could not be entered; the reason is on the pipe.
const failed = 125

// pipe is the descriptor on which it is told why the program does not run. It closes when the program runs.
const pipe = 3

func init() {
	if len(os.Args) == 0 || os.Args[0] != argv0 {
		return
	}
	err := enter(os.Args[1:])
	_, _ = unix.Write(pipe, []byte(err.Error())) // if nobody reads it, nobody asks
	os.Exit(failed)                              //nolint:forbidigo // this process is no caller's: it should have become another program
}

// Command is what is to be started in the place of a program: the path, the arguments, and a further file, the end of a pipe for
// Entered. args are those of the program, with its name.
func (c *Cell) Command(args []string, tell *os.File) (path string, all []string, files []*os.File, err error) {
	if path, err = ourselves(); err != nil {
		return "", nil, nil, err
	}
	told, err := json.Marshal(c)
	if err != nil {
		return "", nil, nil, err
	}
	return path, append([]string{argv0, string(told)}, args...), []*os.File{tell}, nil
}

// ourselves is the binary that runs, even when the file of its name is another one by now.
func ourselves() (string, error) {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self, nil
	}
	return os.Executable()
}

// enter locks this process in and makes it the program. It returns when it could not.
func enter(args []string) error {
	runtime.LockOSThread() // what follows is about this thread, and what it becomes
	var c Cell
	if len(args) < 2 {
		return errors.New("this is how Quire runs other programs: it is no command")
	}
	if err := json.Unmarshal([]byte(args[0]), &c); err != nil {
		return err
	}
	unix.CloseOnExec(pipe)
	// All that needs memory is made first: after the limits there may be none.
	run, err := newExecution(c.Program, args[1:], os.Environ())
	if err != nil {
		return err
	}
	filter := newFilter()
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"standing back", c.standBack},
		{"giving up new rights", func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{"closing folders and network", c.landlock},
		{"giving up the rights of root", dropCapabilities},
		{"limiting files and time", c.limit},
		{"closing the system's calls", filter.load},
		{"limiting memory", func() error { return c.limitMemory() }},
	} {
		if err := step.do(); err != nil {
			return fmt.Errorf("locking %s in: %s: %w", c.Program, step.what, err)
		}
	}
	return fmt.Errorf("running %s: %w", c.Program, run.exec())
}

// standBack lets others have processor and disk first.
func (c *Cell) standBack() error {
	if c.Nice == 0 {
		return nil
	}
	const who, bestEffort, last = 1, 2 << 13, 7 // IOPRIO_WHO_PROCESS, IOPRIO_CLASS_BE: linux/ioprio.h
	_, _, _ = unix.RawSyscall(unix.SYS_IOPRIO_SET, who, 0, bestEffort|last)
	if err := unix.Setpriority(unix.PRIO_PROCESS, 0, c.Nice); err != nil && !errors.Is(err, unix.EACCES) {
		return err // EACCES: it stands back further already
	}
	return nil
}

func (c *Cell) limit() error {
	for resource, most := range map[int]uint64{
		unix.RLIMIT_CPU: c.Seconds, unix.RLIMIT_FSIZE: c.FileSize, unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: maxFiles, unix.RLIMIT_MSGQUEUE: 0,
	} {
		if err := lower(resource, most); err != nil {
			return err
		}
	}
	return nil
}

// limitMemory limits what a process has of its own and can write. Address space is not limited: runtimes, such as those of Java and Go,
// reserve much more of it than they ever use.
func (c *Cell) limitMemory() error { return lower(unix.RLIMIT_DATA, c.Memory) }

// maxFiles is how many files a process may have open.
const maxFiles = 1024

// lower sets a limit, unless there is a lower one.
func lower(resource int, most uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(resource, &now); err != nil {
		return err
	}
	most = min(most, now.Max)
	return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: most, Max: most})
}

// dropCapabilities leaves root, if that is who we are, with the right of looking through folders of others, which lie above its own:
// what it may read there is for landlock to say. Others have none anyway.
func dropCapabilities() error {
	var keep uint32
	if abi() > 0 && filterWorks() {
		keep = 1 << unix.CAP_DAC_READ_SEARCH
	}
	h := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var d [2]unix.CapUserData
	if err := unix.Capget(&h, &d[0]); err != nil {
		return err
	}
	had := d[0].Permitted & keep
	d = [2]unix.CapUserData{{Effective: had, Permitted: had}}
	return unix.Capset(&h, &d[0])
}

// execution is a call of execve, ready to be made.
type execution struct {
	path      *byte
	argv, env []*byte
}

func newExecution(path string, args, env []string) (*execution, error) {
	p, err := unix.BytePtrFromString(path)
	if err != nil {
		return nil, err
	}
	argv, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return nil, err
	}
	envp, err := syscall.SlicePtrFromStrings(env)
	return &execution{p, argv, envp}, err
}

// exec returns only when there is an error.
func (e *execution) exec() error {
	_, _, errno := unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(e.path)), uintptr(unsafe.Pointer(&e.argv[0])), uintptr(unsafe.Pointer(&e.env[0])))
	return errno
}
