//go:build amd64 || arm64

package jail

import (
	"encoding/binary"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A filter of system calls closes the gaps of landlock: seccomp(2). It applies to the program and
// all processes that it starts.

// forbidden are calls that fail with EPERM. With them a program could reach other processes, the
// network or the machine, leave the process group by which it is found and killed, or leave data in
// the kernel after its end.
var forbidden = append([]uint32{
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP, // a connected pair of sockets (socketpair) reaches no other process
	unix.SYS_SETSID, unix.SYS_SETPGID, unix.SYS_UNSHARE, unix.SYS_SETNS,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_KCMP,
	unix.SYS_PROCESS_MADVISE, unix.SYS_PERF_EVENT_OPEN, unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP,
	unix.SYS_SEMCTL,
	unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT,
	unix.SYS_FSOPEN,
	unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_ACCT, unix.SYS_SYSLOG,
	unix.SYS_REBOOT,
	unix.SYS_KEXEC_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_ADJTIMEX, unix.SYS_CLOCK_ADJTIME, unix.SYS_SETHOSTNAME,
	unix.SYS_SETDOMAINNAME,
}, archForbidden...)

// idle are calls that report success but do nothing. They set rights, owners and times of files,
// which landlock allows wherever a program may read. In a folder that is removed after the run they
// have no use, but many programs end if they fail.
var idle = append([]uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
}, archIdle...)

// unsupported are calls that return an error as if the file system or the kernel did not know them.
// Programs can handle that.
var unsupported = map[uint32]syscall.Errno{
	unix.SYS_SETXATTR: unix.EOPNOTSUPP, unix.SYS_LSETXATTR: unix.EOPNOTSUPP, unix.SYS_FSETXATTR: unix.EOPNOTSUPP,
	unix.SYS_REMOVEXATTR: unix.EOPNOTSUPP, unix.SYS_LREMOVEXATTR: unix.EOPNOTSUPP,
	unix.SYS_FREMOVEXATTR: unix.EOPNOTSUPP,
	// its flags are in memory, which a filter cannot read: programs use clone instead
	unix.SYS_CLONE3: unix.ENOSYS,
	// this memory is not counted anywhere: programs use a file instead
	unix.SYS_MEMFD_CREATE: unix.ENOSYS, unix.SYS_MEMFD_SECRET: unix.ENOSYS,
}

// ofOthers are calls with a process as their first or stated argument. Only 0, the caller, is
// accepted.
var ofOthers = map[uint32]uint32{
	unix.SYS_PRLIMIT64: 0, unix.SYS_SCHED_SETAFFINITY: 0, unix.SYS_SCHED_SETPARAM: 0, unix.SYS_SCHED_SETSCHEDULER: 0,
	unix.SYS_SCHED_SETATTR: 0,
	unix.SYS_SETPRIORITY:   1, unix.SYS_IOPRIO_SET: 1, unix.SYS_MIGRATE_PAGES: 0, unix.SYS_MOVE_PAGES: 0,
}

// newNamespaces are the flags of clone that make namespaces. In them, a process would gain rights.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// asks are the requests of ioctl that only query, or concern the caller's own descriptor. Others
// fail as if the file were of the wrong kind.
var asks = []uint32{unix.TCGETS, unix.TIOCGWINSZ, unix.TIOCINQ, fioNBIO, fioCLEX, fioNCLEX}

const fioNBIO, fioCLEX, fioNCLEX = 0x5421, 0x5451, 0x5450 // asm-generic/ioctls.h

// filter is a program of the kernel's filter machine: classic BPF over struct seccomp_data.
type filter []unix.SockFilter

// Offsets in struct seccomp_data. Arguments have 64 bits; the filter checks the lower half (both
// supported machines are little-endian).
const (
	atNumber, atArch, atArgs, argSize = 0, 4, 16, 8
)

func (f *filter) add(code uint16, jt, jf uint8, k uint32) {
	*f = append(*f, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (f *filter) look(at uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, at) }

func (f *filter) answer(e syscall.Errno) {
	f.add(unix.BPF_RET|unix.BPF_K, 0, 0, unix.SECCOMP_RET_ERRNO|uint32(e))
}

func (f *filter) allow() { f.add(unix.BPF_RET|unix.BPF_K, 0, 0, unix.SECCOMP_RET_ALLOW) }

// when skips the next steps unless the loaded value is k.
func (f *filter) when(k uint32, steps uint8) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, steps, k)
}

// newFilter and newFilterOfListeners return the filter in the form of the kernel.
var (
	newFilter            = sync.OnceValue(func() []byte { return kernelForm(writeFilter(false)) })
	newFilterOfListeners = sync.OnceValue(func() []byte { return kernelForm(writeFilter(true)) })
)

func kernelForm(f filter) (program []byte) {
	for _, i := range f {
		program = append(binary.LittleEndian.AppendUint16(program, i.Code), i.Jt, i.Jf)
		program = binary.LittleEndian.AppendUint32(program, i.K)
	}
	return program
}

// listener lets a program make Unix stream sockets. It forbids the program to connect them. Datagram sockets stay
// forbidden, because they send without a connection.
func (f *filter) listener() {
	const kinds = 0xf // the other bits of the type are flags: socket(2)
	f.when(unix.SYS_CONNECT, 1)
	f.answer(unix.EPERM)
	f.when(unix.SYS_SOCKET, 7)
	f.look(atArgs)
	f.when(unix.AF_UNIX, 4)
	f.look(atArgs + argSize)
	f.add(unix.BPF_ALU|unix.BPF_AND|unix.BPF_K, 0, 0, kinds)
	f.when(unix.SOCK_STREAM, 1)
	f.allow()
	f.answer(unix.EPERM)
}

func writeFilter(listens bool) (f filter) {
	f.look(atArch)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 1, 0, auditArch)
	f.answer(unix.EPERM) // calls of the machine's other instruction set have other numbers
	f.look(atNumber)
	if otherCalls != 0 {
		f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, 0, 1, otherCalls)
		f.answer(unix.EPERM)
	}
	if listens {
		f.listener() // before socket is forbidden
	}
	for _, n := range forbidden {
		f.when(n, 1)
		f.answer(unix.EPERM)
	}
	for _, n := range idle {
		f.when(n, 1)
		f.answer(0)
	}
	for n, e := range unsupported {
		f.when(n, 1)
		f.answer(e)
	}
	for n, arg := range ofOthers {
		f.when(n, 4)
		f.look(atArgs + argSize*arg)
		f.when(0, 1)
		f.allow()
		f.answer(unix.EPERM)
	}
	f.when(unix.SYS_PRCTL, 6) // it must end with Quire, and its open files must stay countable
	f.look(atArgs)
	f.when(unix.PR_SET_PDEATHSIG, 1)
	f.answer(unix.EPERM)
	f.when(unix.PR_SET_DUMPABLE, 1)
	f.answer(unix.EPERM)
	f.allow()
	f.when(unix.SYS_CLONE, 4)
	f.look(atArgs)
	f.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, 0, 1, newNamespaces)
	f.answer(unix.EPERM)
	f.allow()
	f.when(unix.SYS_IOCTL, uint8(2+2*len(asks)))
	f.look(atArgs + argSize)
	for _, n := range asks {
		f.when(n, 1)
		f.allow()
	}
	f.answer(unix.ENOTTY)
	f.allow()
	return f
}

// filterWorks reports whether this kernel supports filters.
var filterWorks = sync.OnceValue(func() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
})
