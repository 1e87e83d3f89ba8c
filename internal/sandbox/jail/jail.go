// Package jail restricts a program before it runs its first instruction. It limits the files it may
// read and write and the resources it may use, and forbids the network and all processes except its
// own.
//
// The kernel lets a process restrict only itself and the program that it becomes. So the package
// starts Quire's own binary again, under the name quire-jail. Package enter recognizes that name in
// any binary that contains it, restricts the process, and executes the program. Restrictions that
// the kernel does not support are omitted, and Here reports them. If a supported restriction fails,
// the run ends.
package jail

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Cell is the permissions of one program.
type Cell struct {
	Dir     string   // the program's own folder, the only one it can write to
	Program string   // path of the program
	Read    []string // files and folders that it may read, besides the system's

	// It may make Unix stream sockets, and listen on them: browsers lock their profile with one. It still cannot
	// connect a socket to anything.
	Listens bool

	Seconds  uint64 // of processor time, per process
	Memory   uint64 // bytes of its own writable memory, per process
	FileSize uint64 // bytes of each file
	Nice     int    // its lower priority: 0 to 19
}

// Report lists the restrictions of a jail that work on this machine.
type Report struct {
	Holds []string // "writes in its own folder only"
	Lacks []string // unsupported by this kernel: "no network: ..."

	Landlock int  // its version in this kernel; 0 if missing
	Filter   bool // the kernel filters system calls (seccomp)
}

// Fenced reports whether the kernel has the two essential restrictions: landlock, of any version,
// and a filter of system calls. Without them, a program can do everything that its user can.
func (r Report) Fenced() bool { return r.Landlock >= 1 && r.Filter }

// Record returns the whole report in one line: the supported and the unsupported restrictions.
func (r Report) Record() string {
	text := strings.Join(r.Holds, "; ")
	if !r.Whole() {
		text += "; " + r.String()
	}
	return strings.TrimPrefix(text, "; ")
}

// Whole reports whether all restrictions are supported.
func (r Report) Whole() bool { return len(r.Lacks) == 0 }

// String returns the report in one line.
func (r Report) String() string {
	if r.Whole() {
		return strings.Join(r.Holds, "; ")
	}
	return "not held: " + strings.Join(r.Lacks, "; ")
}

// Entered waits until the program runs. It returns an error if the program could not be restricted
// or run. r is the other end of the pipe passed to Command.
func Entered(r *os.File) error {
	said, err := io.ReadAll(io.LimitReader(r, 4<<10))
	if err != nil {
		return fmt.Errorf("checking the restrictions of the program: %w", err)
	}
	if len(said) > 0 {
		return errors.New(string(said))
	}
	return nil
}

// systemPaths are the parts of the system that programs need to run: installed files,
// configuration, and data about the machine. They contain no secrets and no user data. Password
// hashes, keys and files of other services in /etc are excluded.
var systemPaths = []string{
	"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload", "/etc/alternatives",
	"/etc/nsswitch.conf",
	"/etc/passwd", "/etc/group", "/etc/locale.alias", "/etc/localtime", "/etc/timezone", "/etc/magic",
	"/etc/magic.mime", "/etc/mime.types",
	"/etc/fonts", "/var/cache/fontconfig", "/etc/perl", "/etc/python3", "/etc/java", "/etc/java-11-openjdk",
	"/etc/java-17-openjdk",
	"/etc/java-21-openjdk", "/etc/java-25-openjdk", "/etc/ImageMagick-6", "/etc/ImageMagick-7", "/etc/libreoffice",
	"/etc/papersize",
	"/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/filesystems",
	"/sys/devices/system", "/sys/fs/cgroup",
}

// devices are the devices that every user may read and write.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
