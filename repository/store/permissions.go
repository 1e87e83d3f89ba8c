package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// Permissions define the accounts of the system that may read the repository and its copies. They
// apply to files written from then on. The zero value is mode 0750, with the group that the system
// assigns.
type Permissions struct {
	// mode of folders, octal; files get it without execution, stored content also without writing
	Mode  string `json:"mode,omitempty"`
	Group string `json:"group,omitempty"` // name or number
}

// defaultMode excludes other accounts, because the rights of a package may restrict it.
const defaultMode fs.FileMode = 0o750

// grants are permissions in the form of the system.
type grants struct {
	mode  fs.FileMode // of folders
	gid   int         // -1: the system's choice
	umask bool        // the umask of the process restricts them further
}

// purpose is the use of a file; its permissions follow from it.
type purpose fs.FileMode

const (
	storedFile  purpose = 0o444 // of a stored package: never written again
	workingFile purpose = 0o666 // all other files in the repository and its copies
)

// folderMode returns the mode of folders.
func (p Permissions) folderMode() (fs.FileMode, error) {
	if p.Mode == "" {
		return defaultMode, nil
	}
	n, err := strconv.ParseUint(p.Mode, 8, 32)
	group, others := n>>3&7, n&7
	if err != nil || n>>6 != 7 || group != 0 && group != 5 && group != 7 || others != 0 && others != 5 {
		return 0,
			fmt.Errorf("mode %q is invalid: use 0700, 0750 or 0770, or end it with 5 to let every "+
				"account read", p.Mode)
	}
	return fs.FileMode(n), nil
}

// gid returns the number of the group, or -1 if none is named.
func (p Permissions) gid() (int, error) {
	if p.Group == "" {
		return -1, nil
	}
	if n, err := strconv.ParseUint(p.Group, 10, 31); err == nil {
		return int(n), nil
	}
	g, err := user.LookupGroup(p.Group)
	if err != nil {
		return 0, fmt.Errorf("group %q: %w; name another with quire init rebuild --group", p.Group, err)
	}
	return strconv.Atoi(g.Gid)
}

// permit applies p to all files created from now on. A group that is unknown on this machine is an
// error only on writing; reading still works.
func (d *disk) permit(p Permissions) error {
	mode, err := p.folderMode()
	if err != nil {
		return err
	}
	d.asked = p
	gid, err := p.gid()
	d.grants, d.unknown = &grants{mode: mode, gid: gid}, err
	return nil
}

// outside returns the disk for files outside the repository, where the caller's umask decides.
func (d *disk) outside() *disk {
	return &disk{fault: d.fault, grants: &grants{mode: 0o777, gid: -1, umask: true}}
}

func (d *disk) granted() grants {
	if d.grants == nil {
		return grants{mode: defaultMode, gid: -1}
	}
	return *d.grants
}

func (d *disk) fileMode(p purpose) fs.FileMode { return d.granted().mode & fs.FileMode(p) }

// secret is the purpose of the key of the register. Its group may read it only if the group may write to the
// repository: such an account must be able to sign.
func (d *disk) secret() purpose {
	if d.granted().mode&0o020 != 0 {
		return 0o660
	}
	return 0o600
}

// ownFolder sets the group and mode of a folder. With a group, files created in the folder inherit
// it (set-group-ID).
func (d *disk) ownFolder(path string) error {
	g := d.granted()
	if g.umask {
		return nil
	}
	mode := g.mode
	if g.gid >= 0 {
		if err := os.Chown(path, -1, g.gid); err != nil {
			return err
		}
		mode |= fs.ModeSetgid
	}
	return unlessForeign(os.Chmod(path, mode))
}

// ownFile sets the group and mode of a file, regardless of the umask.
func (d *disk) ownFile(f *os.File, p purpose) error {
	g := d.granted()
	if g.umask {
		return nil
	}
	if g.gid >= 0 {
		if err := f.Chown(-1, g.gid); err != nil {
			return err
		}
	}
	return unlessForeign(f.Chmod(d.fileMode(p)))
}

// unlessForeign ignores the errors of file systems without modes. It also ignores errors about
// folders that belong to other users, such as the root of a mounted disk. An audit warns if access
// is wider than permitted.
func unlessForeign(err error) error {
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return err
}
