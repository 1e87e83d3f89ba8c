package bytesource

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// numbered returns n bytes; each holds its position.
func numbered(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i ^ i>>8 ^ i>>16)
	}
	return b
}

func TestOffsetIsThatOfTheNextByte(t *testing.T) {
	file := numbered(3*BufferSize + 7)
	for name, r := range map[string]io.Reader{
		"at once": bytes.NewReader(file), "byte by byte": iotest.OneByteReader(bytes.NewReader(file)),
		"data with the end": iotest.DataErrReader(bytes.NewReader(file)),
	} {
		s := New(r)
		for _, step := range []int{0, 1, 10, 4096, BufferSize, BufferSize - 1, 3} {
			before := s.Offset()
			if _, err := s.Peek(min(step, BufferSize)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if s.Offset() != before {
				t.Errorf("%s: looking moved from %d to %d", name, before, s.Offset())
			}
			if _, err := s.Discard(step); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if b, err := s.Peek(1); err != nil || s.Offset() != before+int64(step) || b[0] != file[s.Offset()] {
				t.Errorf("%s: after %d bytes at %d: at %d, %v", name, step, before, s.Offset(), err)
			}
		}
	}
}

func TestGoBackTo(t *testing.T) {
	file := numbered(2*BufferSize + 100)
	s := New(bytes.NewReader(file))
	for _, to := range []int64{100, 5, BufferSize + 50, 0, int64(len(file)) - 1, 1} {
		if err := s.GoBackTo(to); err != nil {
			t.Fatal(err)
		}
		got, err := s.ReadByte()
		if err != nil || got != file[to] || s.Offset() != to+1 {
			t.Errorf("byte %d reads %d at %d, %v; want %d", to, got, s.Offset()-1, err, file[to])
		}
	}
	if err := s.GoBackTo(int64(len(file)) + 10); err != nil {
		t.Errorf("beyond the end: %v", err)
	}
	if s.Offset() != int64(len(file)) {
		t.Errorf("beyond the end the offset is %d", s.Offset())
	}
	rest, err := io.ReadAll(s)
	if err != nil || len(rest) != 0 {
		t.Errorf("behind the end there are %d bytes, %v", len(rest), err)
	}
}

// TestOffsetsCountFromWhereTheSourceStarts checks a file that begins within r: offsets count from
// there, also after going back.
func TestOffsetsCountFromWhereTheSourceStarts(t *testing.T) {
	r := bytes.NewReader(numbered(1000))
	if _, err := r.Seek(300, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	s := New(r)
	if _, err := s.Discard(200); err != nil {
		t.Fatal(err)
	}
	if err := s.GoBackTo(50); err != nil {
		t.Fatal(err)
	}
	if b, err := s.ReadByte(); err != nil || b != numbered(1000)[350] {
		t.Errorf("byte %d, %v", b, err)
	}
}

func TestGoingBackIsDeniedWhereItCannotBe(t *testing.T) {
	s := New(struct{ io.Reader }{strings.NewReader("0123456789")})
	if _, err := s.Discard(5); err != nil {
		t.Fatal(err)
	}
	if err := s.GoBackTo(2); err != nil || s.Offset() != 5 {
		t.Errorf("a stream went back to %d, %v", s.Offset(), err)
	}
}

// TestGoingBackComesToAnEnd checks that each step back is charged; when the allowance is spent,
// reading continues where it is.
func TestGoingBackComesToAnEnd(t *testing.T) {
	s := New(bytes.NewReader(numbered(1000)))
	denied := false
	for range 2 * rewindAllowance / smallRead {
		if _, err := s.Discard(500); err != nil {
			t.Fatal(err)
		}
		if err := s.GoBackTo(0); err != nil {
			t.Fatal(err)
		}
		if s.Offset() != 0 {
			denied = true
			break
		}
	}
	if !denied {
		t.Error("it can go back for ever")
	}
	charged := New(bytes.NewReader(numbered(1000)))
	charged.Charge(rewindAllowance + 1000)
	if _, err := charged.Discard(500); err != nil {
		t.Fatal(err)
	}
	if err := charged.GoBackTo(0); err != nil || charged.Offset() != 500 {
		t.Errorf("after a charge it went back to %d, %v", charged.Offset(), err)
	}
}

func TestErrIsThatOfTheFile(t *testing.T) {
	s := New(strings.NewReader("abc"))
	if _, err := io.ReadAll(s); err != nil || s.Err() != nil {
		t.Errorf("the end of the file is no error: %v, %v", err, s.Err())
	}
	bad := errors.New("disk gone")
	s = New(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(bad)))
	if b, err := s.Peek(10); string(b) != "abc" || !errors.Is(err, bad) || !errors.Is(s.Err(), bad) {
		t.Errorf("%q, %v, %v", b, err, s.Err())
	}
	if New(s) != s {
		t.Error("a Source of a Source is another")
	}
}

func TestEcho(t *testing.T) {
	content := append(numbered(100), "\x1f\x8b\x08 and what follows it here"...)
	place := content[100:]
	for name, parts := range map[string][][]byte{
		"whole": {content}, "cut in the magic": {content[:101], content[101:]},
		"bytewise":   bytes.SplitAfter(content, nil),
		"cut behind": {content[:110], content[110:115], content[115:]},
	} {
		e := NewEcho([]byte{0x1f, 0x8b, 8})
		for _, p := range parts {
			e.Note(p)
		}
		if !e.Has(place) {
			t.Errorf("%s: content is not recognized as content", name)
		}
		if e.Has(append([]byte{0x1f, 0x8b, 8}, numbered(30)...)) || e.Has(place[:5]) {
			t.Errorf("%s: other bytes are mistaken for content", name)
		}
		e.Reset()
		if e.Has(place) {
			t.Errorf("%s: the member before is not forgotten", name)
		}
	}
}
