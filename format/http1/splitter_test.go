package http1

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"quire/format/fault"
)

// split writes b to a Splitter in pieces, checks the body, and returns the length of the head.
func split(t testing.TB, kind Kind, b []byte, step int) int {
	t.Helper()
	var body bytes.Buffer
	calls := 0
	s := NewSplitter(kind, func(*Head) io.Writer { calls++; return &body })
	for i := 0; i < len(b); i += step {
		if _, err := s.Write(b[i:min(i+step, len(b))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	n := int(s.HeadLength())
	if calls != 1 || !bytes.Equal(body.Bytes(), b[n:]) || (s.Head() == nil) != (n == 0) {
		t.Fatalf("%d calls, head of %d bytes, body %q of %q", calls, n, body.Bytes(), b)
	}
	return n
}

func TestSplitterInPieces(t *testing.T) {
	texts := []string{
		"HTTP/1.1 200 OK\r\nA: b\r\n\r\nbody\r\n\r\n",
		"HTTP/1.1 200 OK\nA: b\n\nbody",
		"HTTP/1.1 200 OK\rA: b\r\rbody",
		"HTTP/1.1 200 OK\r\r\nA: b\r\r\n\r\r\nbody",
		"HTTP/1.1 200 OK\r\nA: b",
		"\r\n\r\nICY 200 OK\r\n\r\n",
		"<html>", "", "HTTP", "\r\n\r\n", "  x",
	}
	for _, text := range texts {
		_, want, err := ParseHead([]byte(text), Response, nil)
		if err != nil && !errors.Is(err, ErrNoHead) {
			t.Fatal(err)
		}
		for step := 1; step <= len(text)+1; step++ {
			if got := split(t, Response, []byte(text), step); got != want {
				t.Errorf("%q in pieces of %d: head of %d bytes, want %d", text, step, got, want)
			}
		}
	}
}

func TestSplitterBound(t *testing.T) {
	text := "HTTP/1.1 200 OK\r\n" + strings.Repeat("A: b\r\n", 20)
	for step := 1; step <= len(text); step++ {
		var body bytes.Buffer
		var got codes
		s := NewSplitter(Response, func(*Head) io.Writer { return &body })
		s.MaxHead, s.Report = 32, got.sink
		for i := 0; i < len(text); i += step {
			if _, err := io.WriteString(s, text[i:min(i+step, len(text))]); err != nil {
				t.Fatal(err)
			}
		}
		if s.HeadLength() != 32 || body.String() != text[32:] || got.String() != "HEAD-TOO-LARGE" {
			t.Fatalf("in pieces of %d: head of %d bytes, body %q, faults %v", step, s.HeadLength(), body.String(), got)
		}
	}
}

// broken fails after some bytes.
type broken struct{ room int }

var errBroken = errors.New("no room")

func (b *broken) Write(p []byte) (int, error) {
	if b.room -= len(p); b.room < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestSplitterErrorsStick(t *testing.T) {
	s := NewSplitter(Response, func(*Head) io.Writer { return &broken{room: 3} })
	if _, err := io.WriteString(s, "HTTP/1.1 200 OK\r\n\r\nabc"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := io.WriteString(s, "d"); !errors.Is(err, errBroken) {
			t.Errorf("Write: %v", err)
		}
	}
	if err := s.Close(); !errors.Is(err, errBroken) {
		t.Errorf("Close: %v", err)
	}
	s.Reset(Response)
	if _, err := io.WriteString(s, "HTTP/1.1 200 OK\r\n\r\nabc"); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}

func TestSplitterDiscards(t *testing.T) {
	s := NewSplitter(Response, func(*Head) io.Writer { return nil })
	if _, err := io.WriteString(s, "HTTP/1.1 204 No Content\r\n\r\nabc"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil || s.HeadLength() != 27 {
		t.Errorf("head of %d bytes, %v", s.HeadLength(), err)
	}
}

func ExampleSplitter() {
	s := NewSplitter(Response, func(h *Head) io.Writer {
		fmt.Println(h.StatusCode, h.Get("content-type"))
		return printer{}
	})
	s.Report = func(f fault.Fault) { fmt.Println(f.Code, f.Detail) }
	for _, chunk := range []string{"HTTP/1.1 200\nConte", "nt-Type: text/plain\n\nbo", "dy"} {
		if _, err := io.WriteString(s, chunk); err != nil {
			fmt.Println(err)
		}
	}
	if err := s.Close(); err != nil {
		fmt.Println(err)
	}
	fmt.Println("body begins at", s.HeadLength())
	// Output:
	// HTTP-LINE-END line 1 ends in LF alone (first of 3)
	// HTTP-NO-REASON "200"
	// 200 text/plain
	// body "bo"
	// body "dy"
	// body begins at 39
}

type printer struct{}

func (printer) Write(p []byte) (int, error) {
	fmt.Printf("body %q\n", p)
	return len(p), nil
}

// TestSplitterTrickle would take minutes if every byte of a run of CR caused a new examination of
// the run.
func TestSplitterTrickle(t *testing.T) {
	text := "HTTP/1.1 200 OK" + strings.Repeat("\r", MaxHead-100) + "x"
	if n := split(t, Response, []byte(text), 1); n != len("HTTP/1.1 200 OK\r\r") {
		t.Errorf("head of %d bytes", n)
	}
}

// TestInterimAnswersAreNoBody checks that interim responses become part of the head, and that the
// body and the status are those of the last response. The data arrives in pieces of any size.
func TestInterimAnswersAreNoBody(t *testing.T) {
	const interim, hints = "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
	const answer = "HTTP/1.1 404 Not Found\r\nA: b\r\n\r\n"
	for _, c := range []struct {
		text   string
		head   int64
		status int
		faults string
	}{
		{interim + answer + "body", int64(len(interim + answer)), 404, "INTERIM"},
		{interim + hints + interim + answer, int64(len(interim+hints+interim) + len(answer)), 404,
			"INTERIM INTERIM INTERIM"},
		{interim + "body", int64(len(interim)), 100, ""},
		{interim, int64(len(interim)), 100, ""},
		{interim + "HTT", int64(len(interim)), 100, ""},
		{"HTTP/1.1 101 Switching Protocols\r\n\r\n" + answer, int64(len("HTTP/1.1 101 Switching Protocols\r\n\r\n")),
			101, ""},
	} {
		for step := 1; step <= len(c.text); step++ {
			var body bytes.Buffer
			var got codes
			s := NewSplitter(Response, func(*Head) io.Writer { return &body })
			s.Report = got.sink
			for i := 0; i < len(c.text); i += step {
				if _, err := io.WriteString(s, c.text[i:min(i+step, len(c.text))]); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if s.HeadLength() != c.head || body.String() != c.text[c.head:] || s.Head().StatusCode != c.status ||
				got.String() != c.faults {
				t.Fatalf("%q in pieces of %d: head of %d bytes, status %d, body %q, faults %v", c.text, step,
					s.HeadLength(), s.Head().StatusCode, body.String(), got)
			}
		}
	}
	var got codes
	s := NewSplitter(Response, func(*Head) io.Writer { return nil })
	s.Report = got.sink
	if _, err := io.WriteString(s, strings.Repeat(interim, 10_000)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil || s.HeadLength() > MaxHead {
		t.Errorf("interim answers without end: head of %d bytes, %v", s.HeadLength(), err)
	}
}
