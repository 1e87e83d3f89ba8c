package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hostile is the argument that makes this binary the hostile program. It performs a deed and prints
// the results, one per line.
const hostile = "-hostile"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == hostile {
		deeds[os.Args[2]](os.Args[3:])
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == "-stay_open" {
		stayOpen()
	}
	os.Exit(m.Run())
}

// told prints whether an attempt succeeded.
func told(what string, err error) {
	if err == nil {
		fmt.Println(what, "DONE")
		return
	}
	fmt.Println(what, "refused")
}

func failing(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

var deeds = map[string]func(args []string){
	"dial": func(args []string) {
		for _, network := range []string{"tcp", "udp"} {
			c, err := net.DialTimeout(network, args[0], time.Second)
			if err == nil {
				_, err = c.Write([]byte("secret"))
			}
			told(network, err)
		}
		_, err := net.Dial("unix", args[1])
		told("unix", err)
		_, err = net.Dial("unix", "@"+filepath.Base(args[1]))
		told("abstract", err)
		_, err = net.Listen("tcp", "127.0.0.1:0")
		told("listen", err)
		for name, family := range map[string]int{"netlink": unix.AF_NETLINK, "packet": unix.AF_PACKET,
			"vsock": unix.AF_VSOCK, "alg": unix.AF_ALG} {
			_, err := unix.Socket(family, unix.SOCK_RAW, 0)
			told(name, err)
		}
		for name, kind := range map[string]int{"datagram": unix.SOCK_DGRAM, "packets": unix.SOCK_SEQPACKET} {
			_, err := unix.Socket(unix.AF_UNIX, kind|unix.SOCK_CLOEXEC, 0)
			told(name, err)
		}
		_, err = net.Listen("unix", "own.sock")
		told("own listener", err)
		_, _, errno := unix.RawSyscall(unix.SYS_IO_URING_SETUP, 8, 0, 0)
		told("uring", failing(errno))
	},
	"files": func(args []string) {
		secret := args[0]
		_, err := os.ReadFile(secret)
		told("read", err)
		_, err = os.ReadDir(filepath.Dir(secret))
		told("list", err)
		told("write", os.WriteFile(secret, []byte("x"), 0o600))
		told("create", os.WriteFile(secret+".new", []byte("x"), 0o600))
		told("truncate", os.Truncate(secret, 0))
		told("remove", os.Remove(secret))
		told("rename", os.Rename(secret, filepath.Join(os.Getenv("HOME"), "mine")))
		told("link", os.Link(secret, filepath.Join(os.Getenv("HOME"), "link")))
		told("mkdir", os.Mkdir(secret+".d", 0o700))
		_ = os.Symlink(secret, "symlink")
		_, err = os.ReadFile("symlink")
		told("symlink", err)
		_ = os.Chmod(secret, 0o777) // reports success
		_ = os.Chtimes(secret, time.Unix(0, 0), time.Unix(0, 0))
		told("xattr", unix.Setxattr(secret, "user.a", []byte("x"), 0))
		told("device", unix.Mknod("device", unix.S_IFBLK|0o600, 8<<8))
		told("mount", unix.Mount("none", ".", "tmpfs", 0, ""))
		told("namespace", unix.Unshare(unix.CLONE_NEWUSER))
		h := make([]byte, 16)
		_, _, errno := unix.RawSyscall(unix.SYS_OPEN_BY_HANDLE_AT, uintptr(0), uintptr(len(h)), 0)
		told("handle", failing(errno))
		_, err = os.ReadFile("/etc/shadow")
		told("shadow", err)
		_, err = os.ReadFile("/proc/" + args[1] + "/environ")
		told("environment", err)
		fmt.Println("own", os.WriteFile("own", []byte("x"), 0o600))
	},
	"others": func(args []string) {
		pid, _ := strconv.Atoi(args[0])
		told("kill", unix.Kill(pid, 0))
		told("signal", unix.Kill(pid, unix.SIGTERM))
		told("ptrace", unix.PtraceAttach(pid))
		told("limits", unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: 1, Max: 1}, nil))
		told("priority", unix.Setpriority(unix.PRIO_PROCESS, pid, 19))
		_, err := unix.Setsid()
		told("session", err)
		told("group", unix.Setpgid(0, 0))
		told("deathwish", unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0))
		_, _, errno := unix.RawSyscall(unix.SYS_SHMGET, 0, 4096, 0o1600)
		told("shared memory", failing(errno))
		var caps unix.CapUserData
		h := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_1}
		_ = unix.Capget(&h, &caps)
		fmt.Println("rights", caps.Permitted&^(1<<unix.CAP_DAC_READ_SEARCH))
	},
	// escape starts a process that tries everything that daemons do, and ends.
	"escape": func([]string) {
		c := exec.Command(os.Args[0], hostile, "linger")
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		told("setsid", c.Start())
		c = exec.Command(os.Args[0], hostile, "linger")
		told("start", c.Start())
		fmt.Println("pid", c.Process.Pid)
	},
	// caller is a Quire that runs a program.
	"caller": func(args []string) {
		c := sh("echo $$ > pid; mv pid begun; while :; do :; done")
		_, err := c.Ask(context.Background(), Question{Temp: args[0], In: strings.NewReader("")})
		told("ask", err)
	},
	"linger": func([]string) { time.Sleep(2 * long) },
	// hidden fills files without a name.
	"hidden": func([]string) {
		told("hide", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0))
		block := make([]byte, 1<<20)
		for i := range 100 {
			name := fmt.Sprint(i)
			f, err := os.Create(name)
			if err == nil {
				_, err = f.Write(block)
			}
			if err = errors.Join(err, os.Remove(name)); err != nil {
				fmt.Println(err)
				return
			}
		}
		time.Sleep(long)
		fmt.Println("nobody saw it")
	},
	"memory": func([]string) {
		_, err := unix.MemfdCreate("x", 0)
		told("memory that is a file", err)
	},
	"many": func([]string) {
		for i := range 1 << 20 {
			_ = os.WriteFile(fmt.Sprint(i), nil, 0o600)
		}
	},
}

// doing runs the command of a deed and returns its answer.
func doing(t *testing.T, l Limits, args ...string) string {
	t.Helper()
	if l.Time == 0 {
		l.Time = long
	}
	c := Command{Args: append([]string{os.Args[0], hostile}, args...), Limits: l}
	a, err := c.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
	if err != nil {
		t.Fatal(err)
	}
	if a.Reason != "" {
		return string(a.Printed) + a.Reason
	}
	return string(a.Printed)
}

// wholeJail skips the test if the kernel lacks a part of the jail.
func wholeJail(t *testing.T) {
	t.Helper()
	if r := Jail(); !r.Whole() {
		t.Skip(r)
	}
}

// refused checks that all attempts of the deed are refused, except those listed in the test.
func refused(t *testing.T, said string, but ...string) {
	t.Helper()
	lines := 0
	for line := range strings.Lines(said) {
		lines++
		line = strings.TrimSpace(line)
		if !strings.HasSuffix(line, " refused") && !strings.Contains(strings.Join(but, "\n"), line) {
			t.Error(line)
		}
	}
	if lines < 5 {
		t.Errorf("it did not do its work: %s", said)
	}
}

func TestNoNetwork(t *testing.T) {
	wholeJail(t)
	var reached atomic.Bool
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", tcp.Addr().String())
	if err != nil {
		t.Skip(err)
	}
	defer udp.Close()
	path := filepath.Join(t.TempDir(), "s")
	local, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	for _, l := range []net.Listener{tcp, local} {
		go func() {
			if _, err := l.Accept(); err == nil {
				reached.Store(true)
			}
		}()
	}
	go func() {
		if _, _, err := udp.ReadFrom(make([]byte, 10)); err == nil {
			reached.Store(true)
		}
	}()
	refused(t, doing(t, Limits{}, "dial", tcp.Addr().String(), path))
	// One that may listen reaches nothing either.
	c := Command{Args: []string{os.Args[0], hostile, "dial", tcp.Addr().String(), path}, Listens: true,
		Limits: Limits{Time: long}}
	var said []byte
	if _, err := c.Talk(t.Context(), t.TempDir(), func(_ io.Writer, out io.Reader) (err error) {
		said, err = io.ReadAll(out)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if refused(t, string(said), "own listener DONE"); !strings.Contains(string(said), "own listener DONE") {
		t.Errorf("it cannot listen: %s", said)
	}
	if reached.Load() {
		t.Error("a listener was reached")
	}
}

func TestOwnFolderOnly(t *testing.T) {
	wholeJail(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(secret)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, doing(t, Limits{}, "files", secret, strconv.Itoa(os.Getpid())), "own <nil>")
	after, err := os.Stat(secret)
	if err != nil || after.Mode() != before.Mode() || after.ModTime() != before.ModTime() ||
		after.Size() != before.Size() {
		t.Errorf("%v became %v, %v", before, after, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(secret)); len(left) != 1 {
		t.Errorf("made: %v", left)
	}
}

// TestReads checks the additional files that a program may read.
func TestReads(t *testing.T) {
	wholeJail(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "signature")
	if err := os.WriteFile(file, []byte("known"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, reads := range [][]string{nil, {dir}, {file}, {dir + "/absent"}} {
		c := Command{Args: []string{"cat", file}, Reads: reads}
		a, err := c.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
		if err != nil || (string(a.Printed) == "known") != (len(reads) > 0 && !strings.HasSuffix(reads[0], "absent")) {
			t.Errorf("%v: %+v, %v", reads, a, err)
		}
	}
}

func TestNoOtherProcesses(t *testing.T) {
	wholeJail(t)
	victim := exec.Command("sleep", "300")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	refused(t, doing(t, Limits{}, "others", strconv.Itoa(victim.Process.Pid)), "rights 0")
	if syscall.Kill(victim.Process.Pid, 0) != nil || gone(victim.Process.Pid) {
		t.Error("the victim is dead")
	}
	_ = victim.Process.Kill()
	_ = victim.Wait()
}

func TestNoEscape(t *testing.T) {
	wholeJail(t)
	said := doing(t, Limits{}, "escape")
	_, after, _ := strings.Cut(said, "pid ")
	pid, err := strconv.Atoi(strings.TrimSpace(after))
	if err != nil || !strings.Contains(said, "setsid refused") {
		t.Fatal(said)
	}
	ends(t, pid)
}

// TestTogether checks that memory and processes are counted over all processes of a program.
func TestTogether(t *testing.T) {
	for _, c := range [][2]string{
		{"exec tail /dev/zero", "sh ended with status 1"}, // it keeps its input until a line ends
		{"i=0; while [ $i -lt 12 ]; do head -c 60000000 /dev/zero | tail | sleep 1000 & i=$((i+1)); done; wait",
			"sh: it took more than 314572800 bytes of memory"},
		{"while :; do sleep 1000 & done", "sh: it started more than 256 processes"},
	} {
		command := sh(c[0])
		if strings.Contains(c[0], "/dev/zero") {
			command.Limits.Memory = 300 << 20
		}
		a, err := command.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
		// The first is refused memory, and ends on its own. But a check just before that may find
		// that it exceeds the limit with its libraries.
		seen := c[0] == "exec tail /dev/zero" && a.Reason == "sh: it took more than 314572800 bytes of memory"
		if err != nil || a.Reason != c[1] && !seen {
			t.Errorf("%s: %+v, %v", c[0], a, err)
		}
	}
	if said := doing(t, Limits{}, "many"); !strings.HasSuffix(said, ": it made more than 20000 files") {
		t.Error(said)
	}
}

// TestHiddenFiles checks that deleted files still being written count like others, and that files
// in memory are impossible.
func TestHiddenFiles(t *testing.T) {
	wholeJail(t)
	if said := doing(t, Limits{Scratch: 20 << 20, Output: 1 << 20}, "hidden"); !strings.HasPrefix(said,
		"hide refused") || !strings.HasSuffix(said, ": it wrote more than 20971520 bytes") {
		t.Error(said)
	}
	if said := doing(t, Limits{}, "memory"); said != "memory that is a file refused\n" {
		t.Error(said)
	}
}

func TestFloods(t *testing.T) {
	c := sh("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done")
	c.Limits.Output = 1000
	a, err := c.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
	if err != nil || !a.Flooded || len(a.Printed) != 1000 || a.Reason != "sh: it printed more than 1000 bytes" {
		t.Errorf("%+v, %v", a, err)
	}
	c = sh("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy >&2; done")
	c.Limits.Time = 300 * time.Millisecond
	a, err = c.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
	if err != nil || !a.Late || len(a.Said) > maxSaid || len(a.Printed) > 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestNotStarted checks a program that cannot be started. This error is reported as such, and not
// as output of the program.
func TestNotStarted(t *testing.T) {
	wholeJail(t)
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	c := Command{Args: []string{script}}
	_, err := c.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
	var failed *Failure
	if err == nil || errors.As(err, &failed) || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
	// The same for an interpreter in a closed folder.
	shell, err := os.ReadFile("/bin/sh")
	if err != nil {
		t.Skip(err)
	}
	mine := filepath.Join(t.TempDir(), "sh")
	if err := errors.Join(os.WriteFile(mine, shell, 0o700),
		os.WriteFile(script, []byte("#!"+mine+"\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	_, err = c.Ask(context.Background(), Question{Temp: t.TempDir(), In: strings.NewReader("")})
	if err == nil || !strings.Contains(err.Error(), "unless the configuration adds others") {
		t.Error(err)
	}
}

// TestEndsWithItsCaller checks that a program ends with Quire, even if Quire is killed.
func TestEndsWithItsCaller(t *testing.T) {
	temp := t.TempDir()
	caller := exec.Command(os.Args[0], hostile, "caller", temp)
	if err := caller.Start(); err != nil {
		t.Fatal(err)
	}
	pid := 0
	for range 6000 {
		if begun, _ := filepath.Glob(filepath.Join(temp, ".quire-program-*", "begun")); len(begun) > 0 {
			content, err := os.ReadFile(begun[0])
			if err != nil {
				t.Fatal(err)
			}
			pid, _ = strconv.Atoi(strings.TrimSpace(string(content)))
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = caller.Process.Kill()
	_ = caller.Wait()
	if pid == 0 {
		t.Fatal("the program never ran")
	}
	ends(t, pid)
}
