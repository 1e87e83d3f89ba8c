// Package jail locks a program in before it runs its first instruction: what it may read, where it
// may write, no network, no other processes but its own, bounds on what it may use up.
//
// The kernel lets a process lock in itself and what it will become, not another one. So what is
// started is our own binary once more, under the name quire-jail, which package enter catches in
// any binary that has it: it locks itself in, and becomes the program. What a kernel cannot do is
// left out and told by Here; that something fails which it can do ends the run.
package jail

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Cell is what one program is allowed.
type Cell struct {
	Dir     string   // the program's own folder: here alone it writes
	Program string   // what is run, a path
	Read    []string // files and folders that it may read besides those of the system

	Seconds  uint64 // of processor time, of each process
	Memory   uint64 // bytes of its own that it can write, of each process
	FileSize uint64 // bytes of each file
	Nice     int    // how far it stands back behind others: 0 to 19
}

// Report says what of a jail holds on this machine.
type Report struct {
	Holds []string // "writes in its own folder only"
	Lacks []string // what this kernel cannot do: "no network: ..."

	Landlock int  // its version in this kernel; 0 when there is none
	Filter   bool // the kernel filters system calls (seccomp)
}

// Fenced reports whether the kernel has the two fences without which a program is as free as its
// user: landlock, of any version, and a filter of system calls.
func (r Report) Fenced() bool { return r.Landlock >= 1 && r.Filter }

// Record is all of the report in a line: what holds, and what does not.
func (r Report) Record() string {
	text := strings.Join(r.Holds, "; ")
	if !r.Whole() {
		text += "; " + r.String()
	}
	return strings.TrimPrefix(text, "; ")
}

// Whole says whether nothing is lacking.
func (r Report) Whole() bool { return len(r.Lacks) == 0 }

// String is the report in a line.
func (r Report) String() string {
	if r.Whole() {
		return strings.Join(r.Holds, "; ")
	}
	return "not held: " + strings.Join(r.Lacks, "; ")
}

// Entered waits until the program runs, and gives the error if it could not be locked in or run.
// The reader is the other end of the pipe that Command was given.
func Entered(r *os.File) error {
	said, err := io.ReadAll(io.LimitReader(r, 4<<10))
	if err != nil {
		return fmt.Errorf("asking whether the program was locked in: %w", err)
	}
	if len(said) > 0 {
		return errors.New(string(said))
	}
	return nil
}

// systemPaths are what programs need of the system to run at all: what is installed, how it is set
// up, and what of the machine. There are no secrets in them, and nobody's work. Password hashes,
// keys and the files of other services in /etc are not among them.
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

// devices are those that anybody may read and write.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
