//go:build amd64 || arm64

package jail

import (
	"encoding/binary"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What landlock does not know of, a filter of system calls closes: seccomp(2). It holds for the
// program and all that it starts.

// forbidden are calls that fail with EPERM: by these a program would reach others, the network or
// the machine, leave the group of processes in which it is found and killed, or leave something
// behind in the kernel when it ends.
var forbidden = append([]uint32{
	unix.SYS_SOCKET, unix.SYS_IO_URING_SETUP, // a connected pair of sockets (socketpair) reaches nobody
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

// idle are calls that do nothing and say that they did: rights, owners and times of files, which
// landlock lets a program change wherever it may look. In a folder that is removed after the run
// they are of no use; many programs end when they fail.
var idle = append([]uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
}, archIdle...)

// unsupported are calls that are answered as if the file system or the kernel did not know them:
// programs are ready for that.
var unsupported = map[uint32]syscall.Errno{
	unix.SYS_SETXATTR: unix.EOPNOTSUPP, unix.SYS_LSETXATTR: unix.EOPNOTSUPP, unix.SYS_FSETXATTR: unix.EOPNOTSUPP,
	unix.SYS_REMOVEXATTR: unix.EOPNOTSUPP, unix.SYS_LREMOVEXATTR: unix.EOPNOTSUPP,
	unix.SYS_FREMOVEXATTR: unix.EOPNOTSUPP,
	// its flags are in memory, where a filter cannot look: clone is used instead
	unix.SYS_CLONE3: unix.ENOSYS,
	// memory that is counted nowhere: programs use a file instead
	unix.SYS_MEMFD_CREATE: unix.ENOSYS, unix.SYS_MEMFD_SECRET: unix.ENOSYS,
}

// ofOthers are calls whose first argument, or second where that is said, is a process: 0 is the
// caller, and no other is taken.
var ofOthers = map[uint32]uint32{
	unix.SYS_PRLIMIT64: 0, unix.SYS_SCHED_SETAFFINITY: 0, unix.SYS_SCHED_SETPARAM: 0, unix.SYS_SCHED_SETSCHEDULER: 0,
	unix.SYS_SCHED_SETATTR: 0,
	unix.SYS_SETPRIORITY:   1, unix.SYS_IOPRIO_SET: 1, unix.SYS_MIGRATE_PAGES: 0, unix.SYS_MOVE_PAGES: 0,
}

// newNamespaces are the flags of clone that make namespaces, in which a process would have rights
// that it does not have here.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// asks are the requests of ioctl that only ask, or are about the caller's own descriptor; others
// are answered as if the file were not of the kind that takes them.
var asks = []uint32{unix.TCGETS, unix.TIOCGWINSZ, unix.TIOCINQ, fioNBIO, fioCLEX, fioNCLEX}

const fioNBIO, fioCLEX, fioNCLEX = 0x5421, 0x5451, 0x5450 // asm-generic/ioctls.h

// filter is a program of the kernel's filter machine: classic BPF over struct seccomp_data.
type filter []unix.SockFilter

// Where things are in struct seccomp_data; arguments have 64 bits, of which the lower half is
// looked at (both machines that there are filters for are little-endian).
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

// when skips the next steps unless what was looked at is k.
func (f *filter) when(k uint32, steps uint8) {
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 0, steps, k)
}

// newFilter writes the filter, as the kernel reads it.
var newFilter = sync.OnceValue(func() (program []byte) {
	for _, i := range writeFilter() {
		program = append(binary.LittleEndian.AppendUint16(program, i.Code), i.Jt, i.Jf)
		program = binary.LittleEndian.AppendUint32(program, i.K)
	}
	return program
})

func writeFilter() (f filter) {
	f.look(atArch)
	f.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, 1, 0, auditArch)
	f.answer(unix.EPERM) // the calls of another machine, which this one has, too, have other numbers
	f.look(atNumber)
	if otherCalls != 0 {
		f.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, 0, 1, otherCalls)
		f.answer(unix.EPERM)
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
	f.when(unix.SYS_PRCTL, 6) // it ends when Quire does, and what it has open can be counted: it cannot wish otherwise
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

// filterWorks says whether this kernel takes filters.
var filterWorks = sync.OnceValue(func() bool {
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
})
