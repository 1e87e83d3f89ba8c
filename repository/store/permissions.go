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

// Permissions say which accounts of the machine may look into the repository and its copies. They
// hold for what is written from then on. The zero value is mode 0750, and the group that the system
// gives.
type Permissions struct {
	// of folders, octal; files get it without execution, stored content without writing
	Mode  string `json:"mode,omitempty"`
	Group string `json:"group,omitempty"` // name or number
}

// defaultMode keeps other accounts out: a package may be restricted by its rights.
const defaultMode fs.FileMode = 0o750

// grants are permissions as the system takes them.
type grants struct {
	mode  fs.FileMode // of folders
	gid   int         // -1: the system's choice
	umask bool        // the umask of the process narrows them
}

// purpose says what a file is for; its permissions follow from it.
type purpose fs.FileMode

const (
	storedFile  purpose = 0o444 // of a stored package: nothing writes it twice
	workingFile purpose = 0o666 // whatever else is in the repository and its copies
)

// folderMode gives the mode of folders.
func (p Permissions) folderMode() (fs.FileMode, error) {
	if p.Mode == "" {
		return defaultMode, nil
	}
	n, err := strconv.ParseUint(p.Mode, 8, 32)
	group, others := n>>3&7, n&7
	if err != nil || n>>6 != 7 || group != 0 && group != 5 && group != 7 || others != 0 && others != 5 {
		return 0,
			fmt.Errorf("mode %q: give the mode of folders, 0700, 0750 or 0770, or with 5 at the end to let every "+
				"account read", p.Mode)
	}
	return fs.FileMode(n), nil
}

// gid gives the number of the group, or -1 where none is named.
func (p Permissions) gid() (int, error) {
	if p.Group == "" {
		return -1, nil
	}
	if n, err := strconv.ParseUint(p.Group, 10, 31); err == nil {
		return int(n), nil
	}
	g, err := user.LookupGroup(p.Group)
	if err != nil {
		return 0, fmt.Errorf("group %q: %w; name another with quire init --rebuild --group", p.Group, err)
	}
	return strconv.Atoi(g.Gid)
}

// permit has everything that is made from now on follow p. A group that this machine does not know
// is an error only when something is to be made: reading goes on.
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

// outside is the disk for what leaves the repository: the umask of the caller decides.
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

// ownFolder gives a folder its group and mode. With a group, what is made in the folder has it, too
// (set-group-ID).
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

// ownFile does so for a file, whatever the umask took from its mode.
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

// unlessForeign passes over file systems that have no modes, and over folders of others, such as
// the root of a mounted disk. An audit warns of what stays wider.
func unlessForeign(err error) error {
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil
	}
	return err
}
