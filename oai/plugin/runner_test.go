package plugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fake is a tool for tests.
type fake struct {
	label string
	say   func(ctx context.Context, c *Content) (Output, error)
	asked atomic.Int32 // number of version queries
	ran   atomic.Int32
}

func (f *fake) Label() string { return f.label }

func (f *fake) Version(context.Context) (string, error) {
	f.asked.Add(1)
	return f.label + " 1.0", nil
}

func (f *fake) Run(ctx context.Context, c *Content) (Output, error) {
	f.ran.Add(1)
	return f.say(ctx, c)
}

// fakes returns options with fakes as the built-in tools.
func fakes(all ...*fake) Options {
	o := Options{Workers: 2}
	for _, f := range all {
		o.Configs = append(o.Configs, Config{Label: f.label, Builtin: f.label})
	}
	o.Builtin = func(_, name string, _ map[string]string) (Tool, error) {
		for _, f := range all {
			if f.label == name {
				return f, nil
			}
		}
		return nil, fmt.Errorf("no %s", name)
	}
	return o
}

func runner(t *testing.T, o Options) *Runner {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func hold(t *testing.T, content string, o HoldOptions) *Content {
	t.Helper()
	o.TempDir = t.TempDir()
	h, err := Hold(context.Background(), strings.NewReader(content), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return &h.Content
}

// told returns the output of the tools, one line for each tool.
func told(results []Result) string {
	var lines []string
	for _, r := range results {
		line := fmt.Sprintf("%s (%s): %s", r.Label, r.Version, strings.TrimSpace(string(r.Bytes)))
		if r.Outcome != Good {
			line += fmt.Sprintf(" [%s: %s]", r.Outcome, r.Reason)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func shell(label, script string) Config {
	return Config{Label: label, Command: []string{"sh", "-c", script},
		Version: []string{"sh", "-c", "echo " + label + " 2.0"}, Timeout: Duration(5 * time.Minute)}
}

func TestPrograms(t *testing.T) {
	flood := shell("flood", "echo y; while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done")
	flood.Output = 5
	missing := Config{Label: "jhove", Command: []string{"jhove-that-is-not-here", "{input}"},
		Version: []string{"jhove-that-is-not-here", "-v"}}
	url := shell("url", "x")
	url.Command = []string{"echo", "{url}"}
	o := Options{Configs: []Config{
		shell("stdin", "tr a-z A-Z"), shell("file", "echo {input} {input} | tr t T; cat {input}; echo unsaid >&2"),
		shell("fails", "echo half; echo no good >&2; exit 3"),
		shell("silent", "true"), shell("images", "echo image"), flood, missing, url,
		{Label: "unversioned", Command: []string{"echo", "x"}, Version: []string{"false"}},
	}, TempDir: t.TempDir()}
	o.Configs[4].MIME = []string{"image/*"}
	var mu sync.Mutex
	var problems []string
	o.Problem = func(label string, err error) {
		mu.Lock()
		defer mu.Unlock()
		problems = append(problems, label+": "+err.Error())
	}
	r := runner(t, o)
	for range 2 {
		got, err := r.Run(context.Background(),
			hold(t, "quire", HoldOptions{MIMEType: "text/plain", URL: "http://a.example/$(id);`id`"}))
		if err != nil {
			t.Fatal(err)
		}
		want := `stdin (stdin 2.0): QUIRE
file (file 2.0): inpuT inpuT
quire
fails (fails 2.0): half
no good [failed: sh ended with status 3]
silent (silent 2.0): 
flood (flood 2.0): y
yyy [truncated: sh: it printed more than 5 bytes]
jhove (unknown): exec: "jhove-that-is-not-here": executable file not found in $PATH [failed: ]
url (url 2.0): http://a.example/$(id);` + "`id`" + `
unversioned (unknown): x`
		if told(got) != want {
			t.Errorf("%s\nwant\n%s", told(got), want)
		}
	}
	if len(problems) != 2 {
		t.Errorf("%q", problems)
	}
	if left, _ := os.ReadDir(o.TempDir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Output before a timeout is kept. A busy machine may need more time for it.
func TestLate(t *testing.T) {
	for limit := 300 * time.Millisecond; ; limit *= 3 {
		c := shell("late", "echo begun; sleep 1000")
		c.Timeout = Duration(limit)
		got, err := runner(t, Options{Configs: []Config{c}, TempDir: t.TempDir()}).Run(context.Background(),
			hold(t, "quire", HoldOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		said, want := told(got), fmt.Sprintf("late (late 2.0): begun [timed out: sh: it was not done after %s]", limit)
		if said == want {
			return
		}
		if strings.Contains(said, "begun") || limit > time.Minute {
			t.Fatalf("%s\nwant\n%s", said, want)
		}
	}
}

// A URL cannot become an option.
func TestURLIsOneArgument(t *testing.T) {
	c := shell("url", "x")
	c.Command = []string{"echo", "{url}"}
	r := runner(t, Options{Configs: []Config{c}})
	for url, want := range map[string]string{"--help": "would change the meaning of its argument",
		"a\x00b": "would change the meaning of its argument", "a b": "a b"} {
		got, err := r.Run(context.Background(), hold(t, "x", HoldOptions{URL: url}))
		if err != nil || !strings.Contains(told(got), want) {
			t.Errorf("%q: %s, %v", url, told(got), err)
		}
	}
}

// waiting returns the number of callers that wait for another.
func (f *flights) waiting() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.now {
		n += x.waiting
	}
	return n
}

// Concurrent equal requests run the tool once, and query the version once.
func TestManyAskOnce(t *testing.T) {
	begun, go1 := make(chan struct{}), make(chan struct{})
	slow := &fake{label: "slow", say: func(context.Context, *Content) (Output, error) {
		close(begun)
		<-go1
		return plainText("done"), nil
	}}
	r := runner(t, fakes(slow))
	c := hold(t, "x", HoldOptions{})
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			got, err := r.Run(context.Background(), c)
			if err != nil || told(got) != "slow (slow 1.0): done" {
				t.Errorf("%s, %v", told(got), err)
			}
		})
	}
	<-begun
	for r.flights.waiting() < 199 {
		runtime.Gosched()
	}
	close(go1)
	all.Wait()
	if slow.asked.Load() != 1 || slow.ran.Load() != 1 {
		t.Errorf("the version was asked %d times, the tool ran %d times", slow.asked.Load(), slow.ran.Load())
	}
}

// If the working caller is cancelled, the next one works.
func TestLeaderStops(t *testing.T) {
	begun := make(chan struct{}, 2)
	slow := &fake{label: "slow"}
	slow.say = func(ctx context.Context, _ *Content) (Output, error) {
		begun <- struct{}{}
		if slow.ran.Load() > 1 {
			return plainText("done"), nil
		}
		<-ctx.Done()
		return Output{}, ctx.Err()
	}
	r := runner(t, fakes(slow))
	c := hold(t, "x", HoldOptions{})
	ctx, cancel := context.WithCancel(context.Background())
	first, second := make(chan error), make(chan error)
	go func() { _, err := r.Run(ctx, c); first <- err }()
	<-begun
	go func() { _, err := r.Run(context.Background(), c); second <- err }()
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := <-second; err != nil || slow.ran.Load() != 2 {
		t.Errorf("%v after %d runs", err, slow.ran.Load())
	}
}

func TestWorkersAreBounded(t *testing.T) {
	var now, most atomic.Int32
	var tools []*fake
	for i := range 8 {
		tools = append(tools, &fake{label: fmt.Sprint("t", i), say: func(context.Context, *Content) (Output, error) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(time.Millisecond)
			now.Add(-1)
			return plainText("ok"), nil
		}})
	}
	if _, err := runner(t, fakes(tools...)).Run(context.Background(), hold(t, "x", HoldOptions{})); err != nil ||
		most.Load() > 2 {
		t.Errorf("%d at once, %v", most.Load(), err)
	}
}

func TestToolsThatBreak(t *testing.T) {
	o := fakes(
		&fake{label: "panics", say: func(context.Context, *Content) (Output, error) { panic("no such box") }},
		&fake{label: "hangs", say: func(ctx context.Context, _ *Content) (Output, error) {
			<-ctx.Done()
			return Output{}, ctx.Err()
		}},
		&fake{label: "floods", say: func(context.Context, *Content) (Output, error) {
			return plainText(strings.Repeat("x", 100)), nil
		}},
		&fake{label: "machine", say: func(context.Context, *Content) (Output, error) {
			return Output{}, errors.New("disk full")
		}},
	)
	o.Configs[1].Timeout = Duration(10 * time.Millisecond)
	o.Configs[2].Output = 3
	got, err := runner(t, o).Run(context.Background(), hold(t, "x", HoldOptions{}))
	want := `panics (panics 1.0): the tool broke down: no such box [failed: ]
hangs (hangs 1.0): it was not done after 10ms [timed out: it was not done after 10ms]
floods (floods 1.0): xxx [truncated: it said more than 3 bytes]
machine (machine 1.0): disk full [failed: ]`
	if err != nil || told(got) != want {
		t.Errorf("%s, %v\nwant\n%s", told(got), err, want)
	}
}

// Tools wait while others need the machine, until cancelled.
func TestHold(t *testing.T) {
	f := &fake{label: "f", say: func(context.Context, *Content) (Output, error) { return plainText("ok"), nil }}
	o := fakes(f)
	ctx, cancel := context.WithCancel(context.Background())
	o.Hold = func(ctx context.Context) error { cancel(); <-ctx.Done(); return ctx.Err() }
	if _, err := runner(t, o).Run(ctx, hold(t, "x", HoldOptions{})); !errors.Is(err, context.Canceled) ||
		f.ran.Load() > 0 {
		t.Errorf("%v after %d runs", err, f.ran.Load())
	}
}

func TestHeld(t *testing.T) {
	for _, size := range []int{0, 1, 9, 10, 11, 100000} {
		dir := t.TempDir()
		content := strings.Repeat("x", size)
		h, err := Hold(context.Background(), strings.NewReader(content), HoldOptions{Memory: 10, TempDir: dir})
		if err != nil {
			t.Fatal(err)
		}
		path, err := h.File()
		if err != nil {
			t.Fatal(err)
		}
		inFile, err := os.ReadFile(path)
		if err != nil || string(inFile) != content || h.Size != int64(size) || len(h.SHA256) != 64 {
			t.Errorf("%d: %d bytes in the file, Size %d, %v", size, len(inFile), h.Size, err)
		}
		var out bytes.Buffer
		if _, err := out.ReadFrom(h.Reader()); err != nil || out.String() != content {
			t.Errorf("%d: %d bytes, %v", size, out.Len(), err)
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
			t.Errorf("%d: left behind: %v", size, left)
		}
	}
}
