package jail

import (
	"errors"
	"path/filepath"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What landlock calls rights, by the version (ABI) of the kernel that knows them first: landlock(7).
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	ownRights  = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE // of a path that is no folder

	rights1    = 1<<13 - 1 // all that the first version knows
	netRights  = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	scopeKinds = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// The versions that brought what a jail needs.
const (
	abiRefer, abiTruncate, abiNet, abiIoctl, abiScope = 2, 3, 4, 5, 6
)

// abi is the version of landlock in this kernel; 0 when there is none.
var abi = sync.OnceValue(func() int {
	v, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
})

// handled are the rights that are taken away unless a rule gives them.
func handled(version int) unix.LandlockRulesetAttr {
	a := unix.LandlockRulesetAttr{Handled_access_fs: rights1}
	for _, more := range []struct {
		since int
		fs    uint64
		net   uint64
		scope uint64
	}{
		{since: abiRefer, fs: unix.LANDLOCK_ACCESS_FS_REFER}, {since: abiTruncate, fs: unix.LANDLOCK_ACCESS_FS_TRUNCATE},
		{since: abiNet, net: netRights}, {since: abiIoctl, fs: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV}, {since: abiScope, scope: scopeKinds},
	} {
		if version >= more.since {
			a.Handled_access_fs |= more.fs
			a.Handled_access_net |= more.net
			a.Scoped |= more.scope
		}
	}
	return a
}

// landlock takes all folders away but those that the program needs, and the network.
func (c *Cell) landlock() error {
	if abi() == 0 {
		return nil // told by Here
	}
	a := handled(abi())
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&a)), unsafe.Sizeof(a), 0)
	if errno != 0 {
		return errno
	}
	rules := int(fd)
	for _, p := range append(append(append([]string{}, systemPaths...), c.Program), c.Read...) {
		if err := allow(rules, p, a.Handled_access_fs&readRights); err != nil {
			return err
		}
	}
	for _, p := range devices {
		if err := allow(rules, p, a.Handled_access_fs&(unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE)); err != nil {
			return err
		}
	}
	if err := allow(rules, c.Dir, a.Handled_access_fs&ownRights); err != nil {
		return err
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return unix.Close(rules)
}

// allow gives rights to a file, or to a folder with all below it. What is not there needs none.
func allow(rules int, path string, rights uint64) error {
	f, err := unix.Open(filepath.Clean(path), unix.O_PATH|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(f) }() // it was only looked at
	var s unix.Stat_t
	if err := unix.Fstat(f, &s); err != nil {
		return err
	}
	if s.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	a := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(f)}
	if _, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&a)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}
