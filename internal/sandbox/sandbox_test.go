package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// long is a time limit that is never reached, however busy the machine is.
const long = 5 * time.Minute

// sh returns a shell command with files {input} and {output}.
func sh(script string) Command {
	return Command{Args: []string{"sh", "-c", script}, Limits: Limits{Time: long, Output: 1 << 20, Scratch: 4 << 20}}
}

// untilItSpeaks tries with increasing time limits, until a program that must reach its limit had
// enough time to print something. On a busy machine a program may need a second to start.
func untilItSpeaks(try func(limit time.Duration) (spoke bool)) {
	for limit := 200 * time.Millisecond; !try(limit) && limit < long; limit *= 3 {
	}
}

// ends waits until a process no longer exists: sooner or later its new parent waits for it.
func ends(t *testing.T, pid int) {
	t.Helper()
	for range 3000 {
		if gone(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

func TestRun(t *testing.T) {
	cases := []struct{ name, script, in, out, fails string }{
		{"standard input and output", "tr a-z A-Z", "quire", "QUIRE", ""},
		{"files", "tr a-z A-Z < {input} > {output}", "quire", "QUIRE", ""},
		{"files with endings", "test {input.gif} = input.gif -o -s {input.gif} && cp {input.gif} {output.png}", "quire",
			"quire", ""},
		{"a file in, standard output", "cat {input} {input}", "ab", "abab", ""},
		{"standard input, a file out", "cat > {output}", "ab", "ab", ""},
		{"input that is not read", "echo done", strings.Repeat("x", 1<<20), "done\n", ""},
		{"its folder is its home, and empty",
			"cd && pwd | grep -q program- && ls | wc -l | tr -d ' \n'; cat > /dev/null", "x", "1", ""},
		{"no file of its own over the input", "test $(wc -c < {input}) = 5 && echo ok", "quire", "ok\n", ""},

		{"a status", "echo no good >&2; echo more >&2; exit 3", "x", "", "sh ended with status 3; it said: no good"},
		{"a signal", "kill -SEGV $$", "x", "", "sh was ended by a signal: segmentation fault"},
		{"nothing", "true", "x", "", "sh made no output"},
		{"no file", ": {output}", "x", "", "sh made no output"},
		{"a link to another's file", "ln -s /etc/passwd {output}", "x", "", "sh made no output"},
		{"a pipe", "mkfifo {output}", "x", "", "sh: its output is no file"},
		{"a folder", "mkdir {output}", "x", "", "sh: its output is no file"},
		{"too much on standard output", "head -c 2000000 /dev/zero", "x", "", "sh: it wrote more than 1048576 bytes"},
		{"too much in a file", "head -c 2000000 /dev/zero > {output}", "x", "", "sh: it wrote more than 1048576 bytes"},
		{"without end, in many files", "i=0; while :; do head -c 1000000 /dev/zero > f$i; i=$((i+1)); done", "x", "",
			"sh: it wrote more than 4194304 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			var out bytes.Buffer
			command := sh(c.script)
			if err := command.Check(); err != nil {
				t.Fatal(err)
			}
			done, err := command.Run(context.Background(), temp, strings.NewReader(c.in), &out)
			var failed *Failure
			if c.fails == "" {
				if err != nil || out.String() != c.out || done.Output != int64(len(c.out)) || done.Status != 0 {
					t.Errorf("%q, %+v, %v; want %q", out.String(), done, err, c.out)
				}
			} else if !errors.As(err, &failed) || err.Error() != c.fails || out.Len() > 0 {
				t.Errorf("%d bytes, %v; want %q", out.Len(), err, c.fails)
			}
			if left, _ := os.ReadDir(temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestFileSize checks that a file that exceeds the total limit ends its writer, even if the writer
// handles the signal.
func TestFileSize(t *testing.T) {
	c := sh("exec head -c 50000000 /dev/zero > {output}")
	_, err := c.Run(context.Background(), t.TempDir(), strings.NewReader("x"), &bytes.Buffer{})
	var failed *Failure
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "more than") && failed.Status == 0 {
		t.Errorf("%v", err)
	}
}

// TestChildrenEnd checks that processes started by a program end with it: at the time limit, when
// the call is stopped, and when it is done.
func TestChildrenEnd(t *testing.T) {
	cases := []struct {
		name, script string
		stop, late   bool
		fails        string
	}{
		{"time", "sleep 1000 & echo $! >&2; wait", false, true, "sh: it was not done after LIMIT; it said: PID"},
		{"context", "sleep 1000 & echo $! >&2; touch begun; wait", true, false, "context canceled"},
		{"left behind", "sleep 1000 & echo $! >&2; echo ok", false, false, ""},
		{"that holds standard error open", "sleep 1000 > /dev/null & echo $! >&2; exec >&2; exit 4", false, false,
			"sh ended with status 4; it said: PID"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			temp := t.TempDir()
			command := sh(c.script)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if c.stop {
				go func() {
					for begun, _ := filepath.Glob(filepath.Join(temp, ".quire-program-*", "begun")); len(begun) == 0 &&
						ctx.Err() == nil; {
						time.Sleep(10 * time.Millisecond)
						begun, _ = filepath.Glob(filepath.Join(temp, ".quire-program-*", "begun"))
					}
					cancel()
				}()
			}
			var done Done
			var err error
			run := func(limit time.Duration) bool {
				command.Limits.Time = limit
				done, err = command.Run(ctx, temp, strings.NewReader("x"), &bytes.Buffer{})
				return done.Said != ""
			}
			if c.late {
				untilItSpeaks(run)
			} else {
				run(long)
			}
			want := strings.NewReplacer("PID", done.Said, "LIMIT", command.Limits.Time.String()).Replace(c.fails)
			if fmt.Sprint(err) != want && (err != nil || want != "") {
				t.Errorf("%v; want %s", err, want)
			}
			pid, err := strconv.Atoi(done.Said)
			if err != nil {
				t.Fatalf("the child never ran: %v", err)
			}
			ends(t, pid)
		})
	}
}

// gone reports whether a process does not exist, or is only a zombie.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z")
}

// TestEnvironment checks that a program learns nothing about its caller.
func TestEnvironment(t *testing.T) {
	t.Setenv("QUIRE_SECRET", "hunter2")
	c := Command{Args: []string{"env"}}
	var out bytes.Buffer
	if _, err := c.Run(context.Background(), t.TempDir(), strings.NewReader(""), &out); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		name, _, _ := strings.Cut(line, "=")
		if !strings.Contains(" PATH HOME TMPDIR LC_ALL TZ ", " "+name+" ") {
			t.Errorf("it knows %s", line)
		}
	}
}

// TestSaid checks that a program's messages are kept up to the bound, and that more messages do not
// stop it.
func TestSaid(t *testing.T) {
	c := sh("head -c 1000000 /dev/zero | tr '\\0' e >&2; printf ok")
	var out bytes.Buffer
	done, err := c.Run(context.Background(), t.TempDir(), strings.NewReader(""), &out)
	if err != nil || out.String() != "ok" || done.Said != strings.Repeat("e", maxSaid) {
		t.Errorf("%d bytes said, %q, %v", len(done.Said), out.String(), err)
	}
}

func TestCheck(t *testing.T) {
	for want, args := range map[string][]string{
		"no program is named": {},
		`exec: "no-such-program-here": executable file not found in $PATH: install it, or give its ` +
			`path`: {"no-such-program-here"},
		`"{input": want {input} or {output}, or one with an extension, such as ` +
			`{output.png}`: {"cat", "{input"},
		"{input.gif} is a second file: give both placeholders the same " +
			"extension": {"cat", "{input}", "{input.gif}"},
		`"{input}": the program cannot be the bytestream`: {"{input}"},
	} {
		c := Command{Args: args}
		if err := c.Check(); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", args, err, want)
		}
	}
	c := Command{Args: []string{"cat", "{input}"}}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

// TestRelativeFolder checks that a program finds its files if temporary files are in a relative
// folder: it runs in another folder than Quire.
func TestRelativeFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("work", 0o700); err != nil {
		t.Fatal(err)
	}
	c := sh("cat {input} && cd && cat {input} && touch $TMPDIR/x")
	a, err := c.Ask(context.Background(), Question{Temp: "work", In: strings.NewReader("quire ")})
	if err != nil || string(a.Printed) != "quire quire " || a.Reason != "" {
		t.Errorf("asked in a relative folder: %+v, %v", a, err)
	}
	var out bytes.Buffer
	c = sh("tr a-z A-Z < {input} > {output}")
	if _, err := c.Run(context.Background(), "work", strings.NewReader("quire"), &out); err != nil ||
		out.String() != "QUIRE" {
		t.Errorf("run in a relative folder: %q, %v", out.String(), err)
	}
}
