package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"quire/holdings"
	"quire/preserve/aip"
	"quire/repository/store"
)

// open opens the holdings in this process, and reports the times and the memory of a package.
func (b *bench) open(ctx context.Context, title string) (err error) {
	s, err := store.Open(ctx, b.repo(), store.Options{Describe: aip.Describe})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	before := heap()
	if b.processor != "" {
		f, err := os.Create(b.processor)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return errors.Join(err, f.Close())
		}
		defer func() {
			pprof.StopCPUProfile()
			err = errors.Join(err, f.Close())
		}()
	}
	begin, cpu := time.Now(), used()
	h, err := holdings.Of(ctx, s, holdings.Options{Wait: time.Hour})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close()) }()
	opened := time.Since(begin)
	n := 0
	for _, err := range h.Packages(ctx, holdings.Reader{Class: holdings.Public}) {
		if err != nil {
			return err
		}
		n++
	}
	listed := time.Since(begin)
	if err := h.Ready(ctx); err != nil {
		return err
	}
	ready, cpu := time.Since(begin), used()-cpu
	now := heap()
	fmt.Printf("%s: %d packages; opened after %.2f s, listed after %.2f s, all captures after %.2f s (CPU %.2f s); "+
		"%d bytes of heap a package; load %s\n", title, n, opened.Seconds(), listed.Seconds(), ready.Seconds(),
		cpu.Seconds(), (now-before)/int64(max(n, 1)), load())
	if b.profile == "" {
		return nil
	}
	return b.write(h)
}

// write writes the heap profile while the holdings are open.
func (b *bench) write(h *holdings.Holdings) error {
	f, err := os.Create(b.profile)
	if err != nil {
		return err
	}
	err = pprof.Lookup("heap").WriteTo(f, 0)
	runtime.KeepAlive(h)
	return errors.Join(err, f.Close())
}

// heap returns the bytes of the heap in use, after collections: the least of some seconds, because other goroutines
// look at all packages meanwhile.
func heap() int64 {
	least := int64(math.MaxInt64)
	for range 10 {
		runtime.GC()
		runtime.GC() // values that the first one finalized
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		least = min(least, int64(m.HeapAlloc))
		time.Sleep(300 * time.Millisecond)
	}
	return least
}

// used returns the processor time of this process.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}

// address is the place of the server.
const address = "127.0.0.1:18473"

// serve measures the start of the program: until it answers at all, until it has a page of all packages, and its
// memory then and a while later.
func (b *bench) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	begin := time.Now()
	run := exec.CommandContext(ctx, b.quire, "serve", "--repo", b.repo(), "--listen", address)
	run.Cancel = func() error { return run.Process.Signal(os.Interrupt) }
	var log strings.Builder
	run.Stderr = &log
	if err := run.Start(); err != nil {
		return err
	}
	client := http.Client{Timeout: time.Minute}
	var first, listening time.Duration
	for {
		if c, err := net.Dial("tcp", address); err == nil && listening == 0 {
			listening = time.Since(begin)
			_ = c.Close() // nothing was sent
		}
		r, err := client.Get("http://" + address + "/")
		if err == nil {
			_, err = io.Copy(io.Discard, r.Body)
			_ = r.Body.Close() // only read
		}
		if err == nil {
			first = time.Since(begin)
			break
		}
		if time.Since(begin) > 5*time.Minute {
			return fmt.Errorf("%w: %s", err, &log)
		}
		time.Sleep(10 * time.Millisecond)
	}
	first0, peak0 := memory(run.Process.Pid)
	time.Sleep(20 * time.Second)
	later, peak := memory(run.Process.Pid)
	fmt.Printf("serve: it listens after %.2f s, the first page is there after %.2f s; resident %s, peak %s; "+
		"20 s later %s, peak %s; load %s\n",
		listening.Seconds(), first.Seconds(), first0, peak0, later, peak, load())
	cancel()
	_ = run.Wait() // it was interrupted
	return nil
}

// memory returns the resident memory of a process, now and at most.
func memory(pid int) (now, peak string) {
	f, err := os.Open(filepath.Join("/proc", fmt.Sprint(pid), "status"))
	if err != nil {
		return "unknown", "unknown"
	}
	defer func() { _ = f.Close() }() // only read
	for in := bufio.NewScanner(f); in.Scan(); {
		if v, ok := strings.CutPrefix(in.Text(), "VmRSS:"); ok {
			now = strings.TrimSpace(v)
		}
		if v, ok := strings.CutPrefix(in.Text(), "VmHWM:"); ok {
			peak = strings.TrimSpace(v)
		}
	}
	return now, peak
}
