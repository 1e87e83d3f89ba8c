package inflate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"time"

	"quire/format/fault"
)

// text returns this many bytes that compress like text.
func text(random *rand.Rand, size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%d words and %x; ", random.Intn(50), random.Intn(1<<20))
	}
	return b.String()[:size]
}

// manyMembers returns a file of members of all sizes, several slabs long.
func manyMembers(t testing.TB, compress func(testing.TB, string) []byte, seed int64) (file []byte, content string) {
	t.Helper()
	random := rand.New(rand.NewSource(seed)) //nolint:gosec // the same file every time
	var out bytes.Buffer
	var all strings.Builder
	for all.Len() < 8*slabSize {
		s := text(random, []int{1, 300, 5_000, 40_000, slabSize, 3 * slabSize}[random.Intn(6)])
		all.WriteString(s)
		out.Write(compress(t, s))
	}
	return out.Bytes(), all.String()
}

// story returns everything that a reader returns and reports, in order, for one sequence of calls.
func story(t *testing.T, file []byte, ahead bool, seed int64) (events []string, content string) {
	t.Helper()
	random := rand.New(rand.NewSource(seed)) //nolint:gosec // the same questions every time
	tell := func(format string, args ...any) { events = append(events, fmt.Sprintf(format, args...)) }
	in := NewReader(bytes.NewReader(file), Options{Ahead: ahead, Report: func(f fault.Fault) { tell("%v", f) }})
	defer func() { _ = in.Close() }()
	var all strings.Builder
	for {
		if n := random.Intn(40); n == 0 {
			b, err := in.Peek(random.Intn(4 * slabSize))
			tell("peek %d %v", len(b), err)
		} else if n < 10 {
			b, err := in.Peek(random.Intn(5_000))
			tell("peek %d %v", len(b), err)
		}
		at, err := in.Position()
		tell("%+v, behind %d, member %d, %v", at, in.PreviousEnd(), in.Members(), err)
		var d *Damage
		if errors.As(err, &d) {
			if err := in.Resume(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if errors.Is(err, io.EOF) {
			return events, all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := in.Chunk(1 + random.Int63n([]int64{100, 10_000, slabSize}[random.Intn(3)]))
		tell("chunk %d %v", len(chunk), err)
		all.Write(chunk)
	}
}

// TestAheadTellsTheSameStory checks that the result does not depend on the goroutine that inflates:
// every return value, and every fault between two of them, is the same.
func TestAheadTellsTheSameStory(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2)) // with one processor the reader inflates itself
	plainly := func(_ testing.TB, s string) []byte { return []byte(s) }
	for _, k := range []struct {
		name     string
		compress func(testing.TB, string) []byte
	}{{"gzip", member}, {"zstd", frame}, {"plain", plainly}} {
		for seed := int64(1); seed <= 6; seed++ {
			t.Run(fmt.Sprint(k.name, seed), func(t *testing.T) {
				file, content := manyMembers(t, k.compress, seed)
				damaged := seed > 2 && k.name != "plain"
				if damaged {
					random := rand.New(rand.NewSource(seed)) //nolint:gosec // the same damage every time
					for range 1 + random.Intn(6) {
						file[random.Intn(len(file))] ^= byte(1 + random.Intn(255))
					}
					file = bytes.Replace(file, member(t, "x"), append(member(t, ""), "junk"...), 1)
					file[0], file[1], file[2] = k.compress(t, "x")[0], k.compress(t, "x")[1], k.compress(t, "x")[2]
				}
				want, got := story(t, file, false, seed)
				if !damaged && got != content {
					t.Fatalf("%d bytes came, of %d, or others", len(got), len(content))
				}
				for range 2 { // the faster side differs from run to run
					again, same := story(t, file, true, seed)
					for i := range min(len(want), len(again)) {
						if want[i] != again[i] {
							t.Fatalf("event %d is %q, without going ahead %q", i, again[i], want[i])
						}
					}
					if len(want) != len(again) || got != same {
						t.Fatalf("%d events, without going ahead %d; or other bytes", len(again), len(want))
					}
				}
			})
		}
	}
}

func TestPeekAcrossSlabs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	content := text(rand.New(rand.NewSource(1)), MaxPeek+3*slabSize) //nolint:gosec // the same text every time
	for _, ahead := range []bool{false, true} {
		for _, file := range [][]byte{member(t, content), frame(t, content), []byte(content)} {
			in := NewReader(bytes.NewReader(file), Options{Ahead: ahead})
			taken := 0
			for _, n := range []int{1, leadSize, slabSize, slabSize + 1, 10, MaxPeek, 100, 2 * slabSize, leadSize + 1} {
				if _, err := in.Discard(777); err != nil {
					t.Fatal(err)
				}
				taken += 777
				b, err := in.Peek(n)
				if err != nil || string(b) != content[taken:taken+n] {
					t.Fatalf("%s, ahead %v: a look at %d bytes at %d shows %d, %v, or others", in.Compression(), ahead,
						n, taken, len(b), err)
				}
			}
			if rest, err := io.ReadAll(in); err != nil || string(rest) != content[taken:] {
				t.Errorf("%s, ahead %v: %d bytes came behind the looks, want %d: %v", in.Compression(), ahead,
					len(rest), len(content)-taken, err)
			}
			if _, err := in.Peek(MaxPeek + 1); err == nil {
				t.Error("more than MaxPeek can be shown")
			}
			if err := in.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestCloseEndsTheGoroutine checks that Close waits for the goroutine in any state, and that the
// file then belongs to the caller.
func TestCloseEndsTheGoroutine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	file, content := manyMembers(t, member, 1)
	before := runtime.NumGoroutine()
	for _, taken := range []int{0, 10, slabSize + 1, 3 * slabSize, len(content)} {
		in := NewReader(bytes.NewReader(file), Options{Ahead: true})
		if n, err := in.Discard(taken); err != nil {
			t.Fatalf("%d bytes of %d: %v", n, taken, err)
		}
		if ran := runtime.NumGoroutine() > before; taken == 3*slabSize && !ran {
			t.Error("nobody inflates ahead")
		}
		if err := errors.Join(in.Close(), in.Close()); err != nil {
			t.Error(err)
		}
		for tries := 0; runtime.NumGoroutine() > before; tries++ { // its work is done, it only has to exit
			if time.Sleep(time.Millisecond); tries > 10_000 {
				t.Fatalf("closed after %d bytes: %d goroutines, %d before", taken, runtime.NumGoroutine(), before)
			}
		}
		if _, err := io.Copy(io.Discard, in); !errors.Is(err, errClosed) && taken < len(content) {
			t.Errorf("reading after Close returns %v", err)
		}
	}
}

// TestShortFileIsReadAtOnce checks that a short file starts no second goroutine and no further
// slabs.
func TestShortFileIsReadAtOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	file := member(t, text(rand.New(rand.NewSource(1)), slabSize-1)) //nolint:gosec // the same text every time
	in := NewReader(bytes.NewReader(file), Options{Ahead: true})
	defer func() { _ = in.Close() }()
	if _, err := io.Copy(io.Discard, in); err != nil {
		t.Fatal(err)
	}
	if in.ahead.made > 1 {
		t.Errorf("%d slabs for a file of one", in.ahead.made)
	}
}

// TestErrorOfTheFileComesInItsPlace checks that read errors occur at their place, and end the
// goroutine.
func TestErrorOfTheFileComesInItsPlace(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	broken := errors.New("the disk is gone")
	content := text(rand.New(rand.NewSource(1)), 5*slabSize) //nolint:gosec // the same text every time
	in := NewReader(io.MultiReader(strings.NewReader(content), failing{broken}), Options{Ahead: true})
	defer func() { _ = in.Close() }()
	if n, err := io.Copy(io.Discard, in); !errors.Is(err, broken) || n != int64(len(content)) {
		t.Errorf("%d bytes of %d, then %v", n, len(content), err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
