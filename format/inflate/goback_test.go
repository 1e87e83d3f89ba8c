package inflate

import (
	"bytes"
	"io"
	"math/rand"
	"runtime"
	"testing"
)

// TestGoBack checks that after going back, over any distance, the same bytes come again at the same
// places.
func TestGoBack(t *testing.T) {
	file := make([]byte, 3<<20)
	random := rand.New(rand.NewSource(1)) //nolint:gosec // the same file every time
	random.Read(file)
	t.Run("alone", func(t *testing.T) { goBackAndForth(t, random, file, Options{}) })
	t.Run("with one ahead", func(t *testing.T) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
		goBackAndForth(t, random, file, Options{Ahead: true})
	})
}

func goBackAndForth(t *testing.T, random *rand.Rand, file []byte, o Options) {
	r := NewReader(bytes.NewReader(file), o)
	defer func() { _ = r.Close() }()
	for range 80 {
		to := random.Intn(len(file))
		at, err := r.Position()
		if err != nil && err != io.EOF { //nolint:errorlint // Position returns it bare
			t.Fatal(err)
		}
		ok, err := r.GoBack(int64(to))
		if err != nil || ok != (int64(to) <= at.Inflated) {
			t.Fatalf("from %d to %d: %v, %v", at.Inflated, to, ok, err)
		}
		if ok {
			if at, err = r.Position(); err != nil || at.Inflated != int64(to) || at.File != int64(to) {
				t.Fatalf("at %+v after going back to %d: %v", at, to, err)
			}
		}
		n := 1 + random.Intn(900_000)
		got := make([]byte, n)
		read, _ := io.ReadFull(r, got) // the file may end before
		if want := file[at.Inflated:min(at.Inflated+int64(n), int64(len(file)))]; !bytes.Equal(got[:read], want) {
			t.Fatalf("%d other bytes at %d", read, at.Inflated)
		}
	}
}

// TestNoGoingBack checks that reading continues unchanged if the source cannot go back.
func TestNoGoingBack(t *testing.T) {
	file := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	r := NewReader(struct{ io.Reader }{bytes.NewReader(file)}, Options{})
	if _, err := r.Discard(900_000); err != nil {
		t.Fatal(err)
	}
	if ok, err := r.GoBack(16); ok || err != nil {
		t.Errorf("a pipe went back: %v, %v", ok, err)
	}
	rest, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(rest, file[900_000:]) {
		t.Errorf("%d other bytes: %v", len(rest), err)
	}
}

// TestGoingBackIsBounded checks that too many requests to go back are refused, and that no bytes
// read ahead are lost.
func TestGoingBackIsBounded(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	file := make([]byte, 24<<20)
	rand.New(rand.NewSource(2)).Read(file) //nolint:gosec // the same file every time
	r := NewReader(bytes.NewReader(file), Options{Ahead: true})
	defer func() { _ = r.Close() }()
	const step = 1 << 20
	refused := 0
	for at := step; at < len(file); at += step {
		if _, err := r.Discard(at - int(r.base)); err != nil {
			t.Fatal(err)
		}
		ok, err := r.GoBack(0)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			refused++
		}
		from := int(r.base)
		if got, err := r.Peek(step / 4); err != nil || !bytes.Equal(got, file[from:from+step/4]) {
			t.Fatalf("other bytes at %d: %v", from, err)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}
