//go:build linux && (amd64 || arm64)

// Package enter is the part of a jail that works inside. Quire's own binary, started again under
// another name, restricts itself by the orders of package jail, and then becomes the program.
//
// Its init runs before everything else in a binary. So it works in quire, in a web server with this
// module, and in tests. It imports almost nothing on purpose. Go initializes packages in the order
// of their imports, then of their names. The imports of this package would be initialized in every
// run of every program, and much of the binary with them: 6 ms instead of 3.
package enter

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// Name is argv[0] of a binary that must restrict itself.
const Name = "quire-jail"

// failed is the exit status if a jail could not be entered. The reason is on the pipe.
const failed = 125

// pipe is the descriptor for the reason why the program does not run. It closes when the program
// runs.
const pipe = 3

func init() {
	if len(os.Args) == 0 || os.Args[0] != Name {
		return
	}
	err := enter(os.Args[1:])
	_, _ = syscall.Write(pipe, []byte(err.Error())) // without a reader, the reason is not needed
	os.Exit(failed)                                 //nolint:forbidigo // this process is no caller's: it should have become another program
}

// enter restricts this process and executes the program. It returns only on failure.
func enter(args []string) error {
	runtime.LockOSThread() // the restrictions apply to this thread, which becomes the program
	o, args, err := parse(args)
	if err != nil {
		return err
	}
	syscall.CloseOnExec(pipe)
	// Allocate everything first: the limits may leave no memory.
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

// standBack lowers the priority for processor and disk.
func (o *Orders) standBack() error {
	if o.Nice == 0 {
		return nil
	}
	const who, bestEffort, last = 1, 2 << 13, 7 // IOPRIO_WHO_PROCESS, IOPRIO_CLASS_BE: linux/ioprio.h
	_, _, _ = syscall.RawSyscall(syscall.SYS_IOPRIO_SET, who, 0, bestEffort|last)
	err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, o.Nice)
	if errors.Is(err, syscall.EACCES) {
		return nil // its priority is lower already
	}
	return err
}

// dropRights drops all rights of root except those kept. Other users have none.
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

// limit sets the limits. A limit that is already lower stays.
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

// landlock closes the network and all folders except those in the rules.
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

// add grants rights on a path. A missing or unreachable path needs none.
func (r Rule) add(rules uintptr) error {
	f, err := syscall.Open(r.Path, oPath|syscall.O_CLOEXEC, 0)
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EACCES) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(f) }() // opened only as a reference
	var s syscall.Stat_t
	if err := syscall.Fstat(f, &s); err != nil {
		return err
	}
	a := struct { // landlock_path_beneath_attr is packed: the kernel does not read the padding at its end
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

// filter applies the filter to all later system calls.
func (o *Orders) filter() error {
	if len(o.Filter) == 0 {
		return nil
	}
	const instruction = 8 // bytes of a struct sock_filter
	p := struct {
		length uint16
		first  *byte
	}{uint16(len(o.Filter) / instruction), &o.Filter[0]}
	// specAllow: older kernels disable speculative execution in programs with filters, which would
	// make them slow.
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

// execution is a prepared call of execve.
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

// exec returns only on error.
func (e *execution) exec() error {
	_, _, errno := syscall.RawSyscall(syscall.SYS_EXECVE, uintptr(unsafe.Pointer(e.path)),
		uintptr(unsafe.Pointer(&e.argv[0])), uintptr(unsafe.Pointer(&e.env[0])))
	return errno
}

// These have the same numbers on all machines with Go and landlock.
const (
	sysLandlockCreateRuleset, sysLandlockAddRule, sysLandlockRestrictSelf = 444, 445, 446

	prSetNoNewPrivs = 38
	oPath           = 0x200000
)
