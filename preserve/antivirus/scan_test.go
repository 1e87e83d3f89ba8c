package antivirus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"quire/internal/clamdtest"
	"quire/model"
)

func scanner(t *testing.T, address string, o Options) *Scanner {
	t.Helper()
	s, err := New(address, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scanned returns the verdict on content written in parts of the given size.
func scanned(t *testing.T, s *Scanner, content []byte, part int) Verdict {
	t.Helper()
	pass := s.Begin(context.Background())
	defer pass.Stop()
	payload := pass.Payload()
	for len(content) > 0 {
		n := min(part, len(content))
		if _, err := payload.Write(content[:n]); err != nil {
			t.Fatal(err)
		}
		content = content[n:]
	}
	return payload.Close().Wait()
}

func TestAddresses(t *testing.T) {
	for _, c := range []struct{ text, network, address string }{
		{"/run/clamav/clamd.ctl", "unix", "/run/clamav/clamd.ctl"},
		{"./clamd", "unix", "./clamd"},
		{"unix:clamd", "unix", "clamd"},
		{"unix:///run/c", "unix", "/run/c"},
		{"tcp://host:1", "tcp", "host:1"},
		{"tcp:host", "tcp", "host:3310"},
		{"localhost", "tcp", "localhost:3310"},
		{"192.0.2.1:99", "tcp", "192.0.2.1:99"},
		{"::1", "tcp", "[::1]:3310"},
		{"[::1]", "tcp", "[::1]:3310"},
		{"[::1]:99", "tcp", "[::1]:99"},
		{"", "", ""}, {"unix:", "", ""}, {"a:b:c", "", ""}, {":99", "", ""}, {"host:", "", ""},
	} {
		network, address, err := parseAddress(c.text)
		if network != c.network || address != c.address || (err != nil) != (c.network == "") {
			t.Errorf("%q: %q %q %v", c.text, network, address, err)
		}
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		answer, signature, reason string
		outcome                   model.ScanOutcome
	}{
		{"stream: OK", "", "", model.ScanClean},
		{"stream: Win.Test.EICAR_HDB-1 FOUND", "Win.Test.EICAR_HDB-1", "", model.ScanInfected},
		{"stream: OK FOUND", "OK", "", model.ScanInfected},
		{"stream: a\x1b[2J\xff FOUND", "a\uFFFD[2J\uFFFD", "", model.ScanInfected},
		{"stream: " + strings.Repeat("x", 999) + " FOUND", strings.Repeat("x", maxSignature), "", model.ScanInfected},
		{"stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND", "",
			"it exceeds a limit of clamd: Heuristics.Limits.Exceeded.MaxFileSize", model.ScanNotDone},
		{"INSTREAM size limit exceeded. ERROR", "", "it is larger than clamd takes (StreamMaxLength)",
			model.ScanNotDone},
		{"stream: Can't allocate memory ERROR", "", "clamd answers: stream: Can't allocate memory ERROR",
			model.ScanNotDone},
		{"", "", "", ""}, {"OK", "", "", ""}, {"stream: ", "", "", ""}, {"stream:  FOUND", "", "", ""},
		{"stream: ok", "", "", ""},
		{"stream: OK ", "", "", ""}, {"1: stream: OK", "", "", ""}, {"PONG", "", "", ""},
		{"HTTP/1.1 200 OK", "", "", ""},
	} {
		v, err := judge(c.answer)
		if v.Outcome != c.outcome || v.Signature != c.signature || v.Reason != c.reason ||
			(err != nil) != (c.outcome == "") {
			t.Errorf("%.50q: %+v, %v", c.answer, v, err)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("stream: OK")
	f.Add("stream: A FOUND")
	f.Add("ClamAV 1.4.6/27500/Mon Nov  3")
	f.Fuzz(func(t *testing.T, answer string) {
		v, err := judge(answer)
		if (v.Outcome == model.ScanClean) != (answer == "stream: OK") || err != nil && v != (Verdict{}) {
			t.Errorf("%q: %+v, %v", answer, v, err)
		}
		if s, err := readVersion(answer); err == nil && (s.Name == "" || s.Version == "") {
			t.Errorf("%q: %+v", answer, s)
		}
	})
}

func TestVersions(t *testing.T) {
	for answer, want := range map[string]string{
		"ClamAV 1.4.6/27500/Mon Nov  3 09:00:00 2025": "ClamAV 1.4.6, database 27500 of Mon Nov  3 09:00:00 2025",
		"ClamAV 1.4.6": "ClamAV 1.4.6, database without a version",
		"PONG":         "", "": "", "COMMAND READ TIMED OUT ERROR": "",
	} {
		clamd := clamdtest.Start(t, clamdtest.Options{Version: answer + "\x00"})
		got, err := scanner(t, clamd.Address, Options{}).Version(context.Background())
		var away *AwayError
		if want == "" && !errors.As(err, &away) || want != "" && got.String() != want {
			t.Errorf("%q: %s, %v", answer, got, err)
		}
	}
}

// EICAR is found at any position, for any payload length and any sequence of writes. clamd receives
// exactly the bytes written.
func TestStreams(t *testing.T) {
	for _, tcp := range []bool{false, true} {
		clamd := clamdtest.Start(t, clamdtest.Options{TCP: tcp})
		s := scanner(t, clamd.Address, Options{})
		random := make([]byte, 3*bufferSize+17)
		rand.New(rand.NewSource(1)).Read(random) //nolint:gosec // the same bytes every time
		for _, size := range []int{1, 68, bufferSize - 1, bufferSize, bufferSize + 1, len(random)} {
			for _, part := range []int{1000, bufferSize, len(random)} {
				clean := random[:size]
				if v := scanned(t, s, clean, part); v.Outcome != model.ScanClean {
					t.Errorf("%d bytes in %d: %+v", size, part, v)
				}
				if all := clamd.Streams(); !bytes.Equal(all[len(all)-1], clean) {
					t.Errorf("%d bytes in %d: other bytes came to clamd", size, part)
				}
				if v := scanned(t, s, append(bytes.Clone(clean), clamdtest.EICAR()...),
					part); v.Outcome != model.ScanInfected || v.Signature != clamdtest.Signature {
					t.Errorf("EICAR behind %d bytes in %d: %+v", size, part, v)
				}
			}
		}
	}
}

// An error of clamd is never accepted as a clean result.
func TestMisbehaviour(t *testing.T) {
	// a short time limit for tests that must time out; other tests on a busy machine may need
	// longer
	const quick = 100 * time.Millisecond
	always := func(answer string) func([]byte) string { return func([]byte) string { return answer } }
	for _, c := range []struct {
		name  string
		clamd clamdtest.Options
		want  string // in the reason or the error
	}{
		{"hangs", clamdtest.Options{Answer: always(clamdtest.Hang)}, "did not answer within 100ms"},
		{"closes without an answer", clamdtest.Options{Answer: always(clamdtest.Close)},
			"closed the connection before it had answered"},
		{"closes in mid-stream", clamdtest.Options{Break: 10}, ""},
		{"size limit", clamdtest.Options{Limit: 10}, "larger than clamd takes"},
		{"half an answer", clamdtest.Options{Answer: always("stream: O"), Raw: true},
			"closed the connection before it had answered"},
		{"an answer without an end", clamdtest.Options{Answer: always("stream: OK"), Raw: true},
			"closed the connection before it had answered"},
		{"an endless answer", clamdtest.Options{Answer: always(strings.Repeat("x", 2*maxAnswer)), Raw: true},
			"no end within"},
		{"another protocol", clamdtest.Options{Answer: always("HTTP/1.1 400 Bad Request\r\n\r\n")},
			"not a valid answer to INSTREAM"},
		{"an error", clamdtest.Options{Answer: always("stream: Can't create temporary file ERROR")},
			"Can't create temporary file"},
	} {
		for _, size := range []int{100, 5 * bufferSize} {
			for _, tcp := range []bool{false, true} {
				c.clamd.TCP = tcp
				clamd := clamdtest.Start(t, c.clamd)
				o := Options{Timeout: 5 * time.Minute}
				if c.name == "hangs" {
					o.Timeout = quick
				}
				v := scanned(t, scanner(t, clamd.Address, o), make([]byte, size), 1<<20)
				said := v.Reason
				if v.Away != nil {
					said += ": " + v.Away.Error()
				}
				if v.Outcome != model.ScanNotDone || v.Reason == "" || !strings.Contains(said, c.want) {
					t.Errorf("%s, %d bytes, tcp %v: %+v", c.name, size, tcp, v)
				}
				clamd.Stop()
			}
		}
	}
}

// An OK before the end of the stream does not apply to the whole.
func TestAnEarlyOKIsNotBelieved(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 100))
			_, _ = c.Write([]byte("stream: OK\x00"))
			_ = c.Close()
		}
	}()
	if v := scanned(t, scanner(t, l.Addr().String(), Options{}), make([]byte, 100*bufferSize),
		1<<20); v.Outcome != model.ScanNotDone {
		t.Errorf("%+v", v)
	}
}

// After one broken connection, the scanner reconnects and sends the held part of the payload again.
func TestReconnects(t *testing.T) {
	broken := false
	clamd := clamdtest.Start(t, clamdtest.Options{Answer: func([]byte) string {
		if broken {
			return ""
		}
		broken = true
		return clamdtest.Close
	}})
	if v := scanned(t, scanner(t, clamd.Address, Options{}), []byte(clamdtest.EICAR()),
		10); v.Outcome != model.ScanInfected || !broken {
		t.Errorf("%+v", v)
	}
}

// A clamd that is unreachable, or returns, is noticed; meanwhile the scanner does not try it at
// each payload.
func TestAway(t *testing.T) {
	dir, err := os.MkdirTemp("", "clamd")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	socket := filepath.Join(dir, "s")
	s := scanner(t, socket, Options{})
	var away *AwayError
	if err := s.Ping(context.Background()); !errors.As(err, &away) || !strings.Contains(err.Error(), socket) ||
		!errors.Is(err, os.ErrNotExist) {
		t.Errorf("ping: %v", err)
	}
	for range 2000 { // the wait between attempts limits this
		if v := scanned(t, s, []byte("x"), 10); v.Outcome != model.ScanNotDone || !errors.As(v.Away, &away) {
			t.Fatalf("%+v", v)
		}
	}
	if s.backoff != firstBackoff {
		t.Errorf("asked again after %v", s.backoff)
	}
	clamd := clamdtest.Start(t, clamdtest.Options{})
	s.address, s.until = clamd.Address, time.Time{}
	if v := scanned(t, s, []byte("x"), 10); v.Outcome != model.ScanClean || s.why != nil {
		t.Errorf("come back: %+v", v)
	}
}

// The number of connections is limited, memory does not grow with the payload, and no goroutine
// remains.
func TestBounds(t *testing.T) {
	before := runtime.NumGoroutine()
	clamd := clamdtest.Start(t, clamdtest.Options{Answer: func([]byte) string {
		time.Sleep(time.Millisecond)
		return ""
	}})
	s := scanner(t, clamd.Address, Options{Connections: 3})
	pass := s.Begin(context.Background())
	var all []*Pending
	for i := range 100 {
		payload := pass.Payload()
		_, _ = fmt.Fprintf(payload, "payload %d", i)
		if i%10 == 9 {
			_, _ = payload.Write(make([]byte, 2*bufferSize))
		}
		if i%10 == 5 {
			_, _ = payload.Write(make([]byte, 2*bufferSize))
			payload.Cancel()
			continue
		}
		all = append(all, payload.Close())
	}
	for i, p := range all {
		if v := p.Wait(); v.Outcome != model.ScanClean || !p.Done() {
			t.Errorf("%d: %+v", i, v)
		}
	}
	if got := len(clamd.Streams()); got != 90 {
		t.Errorf("%d streams came whole, want 90", got)
	}
	if most := clamd.MostAtOnce(); most < 1 || most > 3 {
		t.Errorf("%d streams at once", most)
	}
	if pass.Payload().Close() != nil {
		t.Error("a verdict on nothing")
	}
	pass.Stop()
	clamd.Stop()
	for range 6000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// A cancelled scan does not wait for a hanging clamd.
func TestStop(t *testing.T) {
	clamd := clamdtest.Start(t, clamdtest.Options{Answer: func([]byte) string { return clamdtest.Hang }})
	ctx, cancel := context.WithCancel(context.Background())
	pass := scanner(t, clamd.Address, Options{Timeout: time.Hour}).Begin(ctx)
	payload := pass.Payload()
	_, _ = payload.Write([]byte("x"))
	pending := payload.Close()
	cancel()
	if v := pending.Wait(); v.Outcome != model.ScanNotDone || !errors.Is(v.Away, context.Canceled) {
		t.Errorf("%+v", v)
	}
	pass.Stop()
}
