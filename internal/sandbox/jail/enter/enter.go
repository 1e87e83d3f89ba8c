//go:build linux && (amd64 || arm64)

// Package enter is the half of a jail that works inside: our own binary, started once more under
// another name, locks itself in by the orders that package jail gave, and becomes the program.
//
// Its init stands before everything else that a binary does: so it works in quire, in a web server
// with our module, and in tests. It imports next to nothing on purpose. Go gets packages ready in
// the order of what they need, then of their names; what this one needed would be got ready in
// every run of every program, and with it much of the binary: that was 6 ms instead of 3.
package enter

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// Name is argv[0] of a binary that is to lock itself in.
const Name = "quire-jail"

// failed is the exit status of a jail that could not be entered; the reason is on the pipe.
const failed = 125

// pipe is the descriptor on which it is told why the program does not run. It closes when the
// program runs.
const pipe = 3

func init() {
	if len(os.Args) == 0 || os.Args[0] != Name {
		return
	}
	err := enter(os.Args[1:])
	_, _ = syscall.Write(pipe, []byte(err.Error())) // if nobody reads it, nobody asks
	os.Exit(failed)                                 //nolint:forbidigo // this process is no caller's: it should have become another program
}

// enter locks this process in and makes it the program. It returns when it could not.
func enter(args []string) error {
	runtime.LockOSThread() // what follows is about this thread, and what it becomes
	o, args, err := parse(args)
	if err != nil {
		return err
	}
	syscall.CloseOnExec(pipe)
	// All that needs memory is made first: after the limits there may be none.
	run, err := newExecution(o.Program, args, os.Environ())
	if err != nil {
		return err
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"standing back", o.standBack},
		{"giving up new rights", func() error { return prctl(prSetNoNewPrivs, 1) }},
		{"closing folders and network", o.landlock},
		{"giving up the rights of root", o.dropRights},
		{"closing the system's calls", o.filter},
		{"limiting what it takes", o.limit},
	} {
		if err := step.do(); err != nil {
			return errors.New("locking " + o.Program + " in: " + step.what + ": " + err.Error())
		}
	}
	return errors.New("running " + o.Program + ": " + run.exec().Error())
}

// standBack lets others have processor and disk first.
func (o *Orders) standBack() error {
	if o.Nice == 0 {
		return nil
	}
	const who, bestEffort, last = 1, 2 << 13, 7 // IOPRIO_WHO_PROCESS, IOPRIO_CLASS_BE: linux/ioprio.h
	_, _, _ = syscall.RawSyscall(syscall.SYS_IOPRIO_SET, who, 0, bestEffort|last)
	err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, o.Nice)
	if errors.Is(err, syscall.EACCES) {
		return nil // it stands back further already
	}
	return err
}

// dropRights leaves root, if that is who we are, with no more than what is kept. Others have none
// anyway.
func (o *Orders) dropRights() error {
	h := struct {
		version uint32
		pid     int32
	}{version: 0x20080522} // _LINUX_CAPABILITY_VERSION_3
	var d [2]struct{ effective, permitted, inheritable uint32 }
	if err := call(syscall.SYS_CAPGET, unsafe.Pointer(&h), unsafe.Pointer(&d)); err != nil {
		return err
	}
	for i := range d {
		d[i].permitted &= uint32(o.KeepRights >> (32 * i))
		d[i].effective, d[i].inheritable = d[i].permitted, 0
	}
	return call(syscall.SYS_CAPSET, unsafe.Pointer(&h), unsafe.Pointer(&d))
}

// limit sets limits, unless there are lower ones.
func (o *Orders) limit() error {
	for _, l := range o.Limits {
		var now syscall.Rlimit
		if err := syscall.Getrlimit(l.Resource, &now); err != nil {
			return err
		}
		most := min(l.Most, now.Max)
		if err := syscall.Setrlimit(l.Resource, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return nil
}

// landlock takes all folders away but those that the rules give, and the network.
func (o *Orders) landlock() error {
	if o.Handled == [3]uint64{} {
		return nil
	}
	fd, _, errno := syscall.RawSyscall(sysLandlockCreateRuleset, uintptr(unsafe.Pointer(&o.Handled)),
		unsafe.Sizeof(o.Handled), 0)
	if errno != 0 {
		return errno
	}
	for _, r := range o.Rules {
		if err := r.add(fd); err != nil {
			return errors.New(r.Path + ": " + err.Error())
		}
	}
	if _, _, errno := syscall.RawSyscall(sysLandlockRestrictSelf, fd, 0, 0); errno != 0 {
		return errno
	}
	return syscall.Close(int(fd))
}

// add gives rights to a path. What is not there, or cannot be reached, needs none.
func (r Rule) add(rules uintptr) error {
	f, err := syscall.Open(r.Path, oPath|syscall.O_CLOEXEC, 0)
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EACCES) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(f) }() // it was only looked at
	var s syscall.Stat_t
	if err := syscall.Fstat(f, &s); err != nil {
		return err
	}
	a := struct { // landlock_path_beneath_attr, which is packed: what pads it at the end is not read
		rights uint64
		folder int32
	}{r.Rights, int32(f)}
	if s.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		a.rights = r.FileRights
	}
	const pathBeneath = 1
	if _, _, errno := syscall.RawSyscall6(sysLandlockAddRule, rules, pathBeneath, uintptr(unsafe.Pointer(&a)), 0, 0,
		0); errno != 0 {
		return errno
	}
	return nil
}

// filter puts the filter before all system calls from here on.
func (o *Orders) filter() error {
	if len(o.Filter) == 0 {
		return nil
	}
	const instruction = 8 // bytes of a struct sock_filter
	p := struct {
		length uint16
		first  *byte
	}{uint16(len(o.Filter) / instruction), &o.Filter[0]}
	// specAllow: what older kernels do against guesses of the processor for programs with filters
	// would make them slow.
	const setFilter, specAllow = 1, 4
	if _, _, errno := syscall.RawSyscall(sysSeccomp, setFilter, specAllow, uintptr(unsafe.Pointer(&p))); errno != 0 {
		return errno
	}
	return nil
}

func prctl(option, value uintptr) error {
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func call(number uintptr, a, b unsafe.Pointer) error {
	if _, _, errno := syscall.RawSyscall(number, uintptr(a), uintptr(b), 0); errno != 0 {
		return errno
	}
	return nil
}

// execution is a call of execve, ready to be made.
type execution struct {
	path      *byte
	argv, env []*byte
}

func newExecution(path string, args, env []string) (*execution, error) {
	p, err := syscall.BytePtrFromString(path)
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
	_, _, errno := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(e.path)),
		uintptr(unsafe.Pointer(&e.argv[0])), uintptr(unsafe.Pointer(&e.env[0])))
	return errno
}

// These have the same numbers on all machines that Go and landlock run on.
const (
	sysLandlockCreateRuleset, sysLandlockAddRule, sysLandlockRestrictSelf = 444, 445, 446

	prSetNoNewPrivs = 38
	oPath           = 0x200000
)
