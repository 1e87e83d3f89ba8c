package inspect

import (
	"bytes"
	"context"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// large returns a container that is inflated ahead and has separate observers.
func large(t testing.TB) []byte {
	t.Helper()
	small := zip(t, warcinfo, response("HTTP/1.1 200 OK\r\n\r\nhello"), record("metadata", "a: b\r\n"))
	noise := make([]byte, 500_000)
	rand.New(rand.NewSource(1)).Read(noise) //nolint:gosec // the same file every time
	picture := zip(t, record("resource", string(noise), target))
	return bytes.Repeat(append(small, picture...), 6)
}

// allEnded waits for finished goroutines to disappear.
func allEnded(t *testing.T, before int) {
	t.Helper()
	for range 10_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// Each byte is delivered once and in order, also in a file where the reader goes back.
func TestOnlookersSeeEachByteOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	good := large(t)
	damaged := bytes.Clone(good)
	for at := 1000; at < len(damaged); at += 100_003 {
		damaged[at] ^= 0x55
	}
	junk := bytes.Repeat([]byte("no container at all. "), 200_000)
	for name, file := range map[string][]byte{"good": good, "damaged": damaged, "junk": junk} {
		var copied bytes.Buffer
		var told int64
		before := runtime.NumGoroutine()
		c := inspectBytes(t, file, Options{CopyTo: &copied, Progress: func(n int64) { told += n }})
		allEnded(t, before)
		sum := sha512.Sum512(file)
		if c.SHA512 != hex.EncodeToString(sum[:]) || c.Bytes != int64(len(file)) {
			t.Errorf("%s: SHA-512 %s of %d bytes is not that of the file", name, c.SHA512, c.Bytes)
		}
		if !bytes.Equal(copied.Bytes(), file) {
			t.Errorf("%s: the copy of %d bytes is not the file", name, copied.Len())
		}
		if told != int64(len(file)) {
			t.Errorf("%s: received %d bytes of %d", name, told, len(file))
		}
	}
}

// fullAfter is a disk with a limited capacity.
type fullAfter struct{ room int }

var errFull = errors.New("the disk is full")

func (f *fullAfter) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

// A failing copy ends the pass at any position, even the last byte, and no goroutine continues.
func TestFailedCopyEndsThePass(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	file := large(t)
	before := runtime.NumGoroutine()
	for _, room := range []int{0, apartFrom / 2, 2 * apartFrom, len(file) - 1} {
		disk := &fullAfter{room: room}
		if _, err := Reader(context.Background(), bytes.NewReader(file), Options{CopyTo: disk}); !errors.Is(err,
			errFull) {
			t.Errorf("with room for %d bytes of %d the pass says %v", room, len(file), err)
		}
		allEnded(t, before)
	}
}

// A cancelled context, or an error of the callback, ends all goroutines.
func TestEndedPassLeavesNothingBehind(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	file := large(t)
	before := runtime.NumGoroutine()
	for _, after := range []int64{0, 1, 2 * apartFrom, int64(len(file)) / 2} {
		ctx, cancel := context.WithCancel(context.Background())
		var told int64
		_, err := Reader(ctx, bytes.NewReader(file), Options{Progress: func(n int64) {
			if told += n; told >= after {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d bytes of %d: %v", after, len(file), err)
		}
		allEnded(t, before)
	}
}

// One processor gets the same result as two.
func TestProcessorsDoNotMatter(t *testing.T) {
	file := large(t)
	for at := 5000; at < len(file); at += 200_003 {
		file[at] ^= 0x11
	}
	result := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		b, err := json.Marshal(inspectBytes(t, file, Options{}))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if one, two := result(1), result(2); one != two {
		t.Errorf("one processor:\n%.2000s\ntwo:\n%.2000s", one, two)
	}
}

// endTold is a file that reports its complete reading.
type endTold struct {
	*bytes.Reader
	once sync.Once
	end  chan struct{}
}

func (r *endTold) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		r.once.Do(func() { close(r.end) })
	}
	return n, err
}

// A slow observer's cancellation is respected even after the last byte was read.
func TestCancelledAfterTheLastByte(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	// the part after apartFrom fits in the blocks
	file := warcinfo + record("resource", strings.Repeat("x", apartFrom+blockSize), target)
	source := &endTold{Reader: bytes.NewReader([]byte(file)), end: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	told := int64(0)
	_, err := Reader(ctx, source, Options{Progress: func(n int64) {
		if told += n; told == int64(len(file)) {
			<-source.end
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling, it returns %v", err)
	}
}
