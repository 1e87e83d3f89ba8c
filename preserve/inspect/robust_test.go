//go:build unix

package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"quire/internal/prove"
	"quire/internal/testsamples"
)

// The memory of an inspection, for any file. Each runs in a separate process, and the system's peak
// includes the program itself. Times are only logged, because they depend on other work of the
// machine.
//
//	go test ./preserve/inspect -run TestMemory -v
func TestMemory(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name    string
		most    int64
		long    bool
		records int
	}{
		{"tiny", 200 * mib, true, 1_000_000},
		{"sparse", 100 * mib, true, 1},
		{"swallowing", 100 * mib, true, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				prove.Gigabytes(t)
			}
			said := inspectAlone(t, c.name, c.most)
			if want := fmt.Sprintf("%d records", c.records); !strings.Contains(said, want) {
				t.Errorf("it found %s, not %s", said, want)
			}
		})
	}
	for _, path := range bombs(t) {
		t.Run(filepath.Base(path), func(t *testing.T) { inspectAlone(t, path, 200*mib) })
	}
}

func bombs(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"bomb/*", "arc-bad/xml-entity-bomb.arc", "arc-bad/length-huge.arc",
		"warc-bad/header-*", "warc-bad/content-length-claims-10gb.warc"} {
		found, err := filepath.Glob(filepath.Join(testsamples.Path(t, "samples", "_made", "synthetic"), pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		all = append(all, found...)
	}
	return all
}

// alone names the file for the process that runs TestInspectAlone.
const alone = "QUIRE_TEST_INSPECT"

// inspectAlone inspects in a separate process, and checks its peak memory.
func inspectAlone(t *testing.T, what string, most int64) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestInspectAlone$", "-test.v") //nolint:gosec // this very program
	cmd.Env = append(os.Environ(), alone+"="+what)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Skip("the system does not say how much memory a process took")
	}
	resident := usage.Maxrss << 10 // Linux reports this size in KiB
	_, result, _ := strings.Cut(string(said), "alone: ")
	result, _, _ = strings.Cut(result, "\n")
	if _, peak, told := strings.Cut(string(said), "VmHWM:"); told {
		if _, err := fmt.Sscan(peak, &resident); err != nil {
			t.Fatal(err)
		}
		resident <<= 10
	}
	t.Logf("%s; %d MiB, %v of CPU", result, resident>>20,
		(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(10*time.Millisecond))
	if resident > most {
		t.Errorf("%d MiB were taken, %d are allowed", resident>>20, most>>20)
	}
	return result
}

// TestInspectAlone is the separate process: it runs only on request.
func TestInspectAlone(t *testing.T) {
	const head = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:%07d>\r\nWARC-Date: " +
		"2024-01-02T03:04:05Z\r\nWARC-Target-URI: urn:x\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
	const tenGB = 10 << 30
	tiny := func(i int64) string { return fmt.Sprintf(head+"x\r\n\r\n", i, 1) }
	var file io.ReadSeeker
	switch what := os.Getenv(alone); what {
	case "":
		t.Skip("it is run by TestMemory")
	case "tiny":
		file = &made{size: 1_000_000 * int64(len(tiny(0))), piece: func(at int64) string {
			n := int64(len(tiny(0)))
			return tiny(at / n)[at%n:]
		}}
	case "sparse":
		file = sparse(fmt.Sprintf(head, 0, int64(tenGB)), tenGB, "\r\n\r\n")
	case "swallowing": // a length far beyond the end of the file, and beyond the next record
		file = sparse(fmt.Sprintf(head, 0, int64(tenGB)), tenGB/10, "\r\n\r\n"+tiny(1))
	default:
		f, err := os.Open(what)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = f.Close() }()
		file = f
	}
	c, err := Reader(context.Background(), file, Options{Set: NewSet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("alone: %s, %d records, %d findings", c.Outcome, c.Records.Total, c.FindingsTotal)
	// Linux's usage of an ended process includes its parent; this value does not.
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		t.Logf("%s", status)
	}
}

// sparse returns a file of a start, a number of zero bytes, and an end.
func sparse(head string, zeros int64, end string) *made {
	const page = 64 << 10
	nothing := string(make([]byte, page))
	from := int64(len(head))
	return &made{size: from + zeros + int64(len(end)), piece: func(at int64) string {
		switch {
		case at < from:
			return head[at:]
		case at < from+zeros:
			return nothing[:min(page, from+zeros-at)]
		}
		return end[at-from-zeros:]
	}}
}

// made is a file that is generated during reading. piece returns some bytes from an offset on.
type made struct {
	at, size int64
	piece    func(at int64) string
}

func (m *made) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && m.at < m.size {
		k := copy(p[n:], m.piece(m.at))
		n, m.at = n+k, m.at+int64(k)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (m *made) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekStart:
		m.at = offset
	case io.SeekCurrent:
		m.at += offset
	default:
		return 0, errors.New("the end is not asked for")
	}
	return m.at, nil
}
