//go:build amd64 || arm64

package jail

import (
	"sync"

	"golang.org/x/sys/unix"

	"quire/internal/sandbox/jail/enter"
)

// The rights of landlock, by the version (ABI) of the kernel that introduced them: landlock(7).
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	ownRights  = readRights | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SYM |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE // on a path that is not a folder

	rights1    = 1<<13 - 1 // all rights of the first version
	netRights  = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	scopeKinds = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
)

// The versions that introduced the rights a jail needs.
const (
	abiRefer, abiTruncate, abiNet, abiIoctl, abiScope = 2, 3, 4, 5, 6
)

// abi returns the version of landlock in this kernel, or 0.
var abi = sync.OnceValue(func() int {
	v, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
})

// handled returns the rights that are removed unless a rule grants them.
func handled(version int) unix.LandlockRulesetAttr {
	a := unix.LandlockRulesetAttr{Handled_access_fs: rights1}
	for _, more := range []struct {
		since int
		fs    uint64
		net   uint64
		scope uint64
	}{
		{since: abiRefer, fs: unix.LANDLOCK_ACCESS_FS_REFER},
		{since: abiTruncate, fs: unix.LANDLOCK_ACCESS_FS_TRUNCATE},
		{since: abiNet, net: netRights}, {since: abiIoctl, fs: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV},
		{since: abiScope, scope: scopeKinds},
	} {
		if version >= more.since {
			a.Handled_access_fs |= more.fs
			a.Handled_access_net |= more.net
			a.Scoped |= more.scope
		}
	}
	return a
}

// landlock returns the removed rights, and the rules that grant some of them again.
func (c *Cell) landlock(version int) (taken [3]uint64, rules []enter.Rule) {
	a := handled(version)
	give := func(rights uint64, paths ...string) {
		for _, p := range paths {
			r := rights & a.Handled_access_fs
			rules = append(rules, enter.Rule{Rights: r, FileRights: r & fileRights, Path: p})
		}
	}
	give(readRights, systemPaths...)
	give(readRights, c.Program)
	give(readRights, c.Read...)
	give(unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE, devices...)
	give(ownRights, c.Dir)
	return [3]uint64{a.Handled_access_fs, a.Handled_access_net, a.Scoped}, rules
}
