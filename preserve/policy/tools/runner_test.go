package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"quire/internal/program"
	"quire/model"
)

// script is a tool that is a shell script; its input is {input}.
func script(label, body string) Tool {
	return Tool{Label: label, Program: program.Program{Command: []string{"sh", "-c", body},
		Version: []string{"echo", label + " 1.2"}, Timeout: program.Duration(5 * time.Minute)}}
}

// newRunner returns a Runner of which the facts are the output.
func newRunner(t *testing.T, all ...Tool) *Runner {
	t.Helper()
	r := New(Options{Tools: all, TempDir: t.TempDir(), Reduce: func(_ int, v Value) any { return v }})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// hear passes a record with a payload, and returns the results of tools.
func hear(t *testing.T, r *Runner, rec model.Record, payload string, apply ...int) []*Pending {
	t.Helper()
	if l := r.Served(rec); l != nil {
		if _, err := l.Write([]byte(payload)); err != nil {
			t.Fatal(err)
		}
		if err := l.End(!strings.HasSuffix(payload, "half")); err != nil {
			t.Fatal(err)
		}
	}
	all, err := r.Run(context.Background(), &rec, apply)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// said formats a result.
func said(t *testing.T, p *Pending) string {
	t.Helper()
	res, err := p.Wait()
	if err != nil {
		t.Fatal(err)
	}
	outcome := map[Outcome]string{Ran: "ran", Repeated: "repeated", Failed: "failed", NotRun: "not run"}[res.Outcome]
	if res.Why != "" {
		return outcome + ": " + res.Why
	}
	return fmt.Sprintf("%s: %v", outcome, res.Facts)
}

func response(order int64) model.Record { return model.Record{Type: "response", Order: order} }

func TestRun(t *testing.T) {
	upper := script("upper", "tr a-z A-Z < {input}")
	json := script("json", `echo '{"bytes": '$(wc -c < {input})'}'; exit 1`)
	json.Program.Prints, json.Program.Statuses = "application/json", []int{0, 1}
	flood := script("flood", "yes")
	flood.Program.Output = 1000
	slow := script("slow", "sleep 600")
	slow.Program.Timeout = program.Duration(100 * time.Millisecond)
	small := script("small", "cat {input}")
	small.Input = 4
	halt := script("halt", "echo '<a>'")
	halt.Program.Prints = "text/xml"
	missing := Tool{Label: "missing", Program: program.Program{Command: []string{"validator-that-is-not-here",
		"{input}"},
		Version: []string{"validator-that-is-not-here", "-v"}}}
	unversioned := Tool{Label: "unversioned", Program: program.Program{Command: []string{"cat", "{input}"},
		Version: []string{"validator-that-is-not-here", "-v"}}}
	r := newRunner(t, upper, json, flood, slow, small, halt, missing, script("status", "echo bad >&2; exit 3"),
		script("signal", "kill -SEGV $$"), unversioned)
	cut, part := response(100), response(101)
	cut.Truncated, part.Status = "length", "206"
	for i, c := range []struct {
		rec     model.Record
		payload string
		tool    int
		want    string
	}{
		{response(1), "quire", 0, "ran: QUIRE"},
		{response(2), "quire", 0, "repeated: QUIRE"},
		{response(3), "quire", 1, "ran: map[bytes:5]"},
		{response(4), strings.Repeat("q", 100_000), 1, "ran: map[bytes:100000]"},
		{response(5), "x", 2, "failed: sh: it printed more than 1000 bytes"},
		{response(6), "x", 3, "failed: sh: it was not done after 100ms"},
		{response(7), "four", 4, "ran: four"},
		{response(8), "five!", 4, "not run: it has more than 4 bytes"},
		{response(9), "x", 5, "failed: its output is not usable XML: XML syntax error on line 2: unexpected EOF"},
		{response(10), "x", 6, `not run: exec: "validator-that-is-not-here": executable file not found in $PATH`},
		{response(11), "x", 7, "failed: sh ended with status 3; it said: bad"},
		{response(12), "x", 7, "failed: sh ended with status 3; it said: bad"},
		{response(13), "x", 8, "failed: sh was ended by a signal: segmentation fault"},
		{response(14), "one half", 0, "not run: its framing or coding cannot be removed to the end"},
		{model.Record{Type: "request", Order: 15}, "x", 0, "not run: its content cannot be read as it was served"},
		{cut, "x", 0, "not run: it was cut off when it was captured: length"},
		{part, "x", 0, "not run: it is a part of a resource (status 206)"},
		{response(16), "x", 9, `not run: exec: "validator-that-is-not-here": executable file not found in $PATH`},
	} {
		if got := said(t, hear(t, r, c.rec, c.payload, c.tool)[0]); got != c.want {
			t.Errorf("no. %d: %s; want %s", i, got, c.want)
		}
	}
	for tool, want := range map[int]string{0: "upper 1.2", 6: "", 3: "slow 1.2"} {
		if v, _ := r.Version(tool); v != want {
			t.Errorf("the version of tool %d is %q, want %q", tool, v, want)
		}
	}
	if _, missing := r.Version(6); !strings.Contains(missing, "validator-that-is-not-here") {
		t.Errorf("the missing tool is reported as %q", missing)
	}
}

// TestOnceForEqualBytes checks that a tool runs once for bytes that occur many times, also while
// the first run has not ended: the number in its output differs from run to run.
func TestOnceForEqualBytes(t *testing.T) {
	r := newRunner(t, script("random", "head -c 16 /dev/urandom | od -An -tx8"))
	var all []*Pending
	for order := range int64(20) {
		all = append(all, hear(t, r, response(order), "the same", 0)...)
	}
	first := said(t, all[0])
	if !strings.HasPrefix(first, "ran: ") {
		t.Fatal(first)
	}
	for i, p := range all[1:] {
		if got, want := said(t, p), strings.Replace(first, "ran", "repeated", 1); got != want {
			t.Errorf("copy %d: %q, want %q", i+2, got, want)
		}
	}
	if other := said(t, hear(t, r, response(50), "other", 0)[0]); !strings.HasPrefix(other, "ran") {
		t.Errorf("other bytes: %s", other)
	}
}

func TestLimitOfRuns(t *testing.T) {
	tool := script("cat", "cat {input}")
	tool.Runs = 2
	r := newRunner(t, tool)
	var got []string
	for i, payload := range []string{"a", "b", "a", "c"} {
		got = append(got, said(t, hear(t, r, response(int64(i)), payload, 0)[0]))
	}
	want := "ran: a, ran: b, repeated: a, not run: the limit of 2 runs is reached"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s; want %s", s, want)
	}
}

// TestStop checks that the end of the context stops the tools, and is no result of theirs.
func TestStop(t *testing.T) {
	r := newRunner(t, script("slow", "sleep 600"))
	ctx, cancel := context.WithCancel(context.Background())
	rec := response(1)
	if err := r.Served(rec).End(true); err != nil {
		t.Fatal(err)
	}
	all, err := r.Run(ctx, &rec, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if res, err := all[0].Wait(); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped tool: %+v, %v", res, err)
	}
}

// TestBlocksAreFreed checks that no bytestream stays in the store, whatever becomes of its record.
func TestBlocksAreFreed(t *testing.T) {
	r := newRunner(t, script("cat", "cat {input}"))
	said(t, hear(t, r, response(1), "one", 0)[0])
	said(t, hear(t, r, response(2), "one", 0)[0])
	hear(t, r, response(3), "no tool applies")
	for order, end := range map[int64]func(){
		4: func() { r.Drop(4) },
		5: r.Begin, // its record never came
	} {
		if _, err := r.Served(response(order)).Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		end()
	}
	r.all.Wait()
	if len(r.store.free) != r.store.blocks || r.store.blocks == 0 {
		t.Errorf("%d of %d blocks are free", len(r.store.free), r.store.blocks)
	}
}
