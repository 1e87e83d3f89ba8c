package identify

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestSource(t *testing.T) {
	const text = "0123456789abcdefghij"
	whole := Payload{Head: []byte(text), Size: 20}
	parts := Payload{Head: []byte(text[:8]), Tail: []byte(text[15:]), Size: 20}
	headOnly := Payload{Head: []byte(text[:8]), Size: 20}
	for name, c := range map[string]struct {
		p       Payload
		fromEnd bool
		off     int64
		length  int
		want    string
		err     error
	}{
		"inside":                         {whole, false, 2, 3, "234", nil},
		"up to the end":                  {whole, false, 17, 3, "hij", nil},
		"over the end":                   {whole, false, 17, 9, "hij", io.EOF},
		"beyond the end":                 {whole, false, 20, 1, "", io.EOF},
		"before the beginning":           {whole, false, -1, 1, "", io.EOF},
		"from the end":                   {whole, true, 0, 3, "hij", nil},
		"before the end":                 {whole, true, 2, 3, "fgh", nil},
		"from the end, over the start":   {whole, true, 18, 9, "01", io.EOF},
		"head":                           {parts, false, 0, 8, "01234567", nil},
		"into the hole":                  {parts, false, 6, 4, "67", io.EOF},
		"in the hole":                    {parts, false, 9, 2, "", io.EOF},
		"tail":                           {parts, false, 16, 2, "gh", nil},
		"tail from the end":              {parts, true, 1, 2, "hi", nil},
		"from the end, into the hole":    {parts, true, 3, 9, "fg", io.EOF},
		"no tail, from the end":          {headOnly, true, 0, 3, "", io.EOF},
		"no tail, head":                  {headOnly, false, 5, 3, "567", nil},
		"an offset beyond all reckoning": {parts, false, 1<<63 - 1, 1, "", io.EOF},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSource(c.p, false)
			slice := s.Slice
			if c.fromEnd {
				slice = s.EofSlice
			}
			got, err := slice(c.off, c.length)
			if string(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("got %q, %v; want %q, %v", got, err, c.want, c.err)
			}
			if s.Size() != 20 || !s.IsSlicer() {
				t.Errorf("size %d, slicer %t", s.Size(), s.IsSlicer())
			}
		})
	}
}

// TestSealed checks that siegfried's request for recognizing an archive has no result, and that
// every other request has.
func TestSealed(t *testing.T) {
	s := newSource(Payload{Head: []byte("PK\x03\x04 and more"), Size: 13}, true)
	if _, err := s.Slice(0, triggerLength); !errors.Is(err, errSealed) {
		t.Errorf("the start is readable: %v", err)
	}
	if b, err := s.Slice(0, 4); err != nil || string(b) != "PK\x03\x04" {
		t.Errorf("got %q, %v", b, err)
	}
}

// TestExhausted checks that endless reading is stopped.
func TestExhausted(t *testing.T) {
	s := newSource(Payload{Head: make([]byte, 1<<20), Size: 1 << 20}, false)
	var err error
	reads := 0
	for ; err == nil; reads++ {
		_, err = s.Slice(0, 1<<20)
	}
	if want := readsPerByte + readsAtLeast>>20; !errors.Is(err, errExhausted) || reads != want+1 || !s.exhausted() {
		t.Errorf("stopped after %d reads by %v, want %d", reads, err, want)
	}
}

// TestWindow checks that, for any sizes of writes, the window has the first and the last bytes in
// order.
func TestWindow(t *testing.T) {
	const limit, tail = 80, 10
	data := make([]byte, 500)
	for i := range data {
		data[i] = byte(i % 251)
	}
	w := NewWindow(limit)
	for size := range data {
		for _, step := range []int{1, 3, tail, 64, 500} {
			w.Reset()
			for rest := data[:size]; len(rest) > 0; {
				n, err := w.Write(rest[:min(step, len(rest))])
				if err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			p := w.Payload("name", "type/x")
			want := Payload{Head: data[:size]}
			if size > limit {
				want = Payload{Head: data[:limit-tail], Tail: data[size-tail : size]}
			}
			if p.Size != int64(size) || p.Name != "name" || p.MIME != "type/x" || !bytes.Equal(p.Head, want.Head) ||
				!bytes.Equal(p.Tail, want.Tail) {
				t.Fatalf("%d bytes in steps of %d: %v\nhead %v\ntail %v", size, step, p, p.Head, p.Tail)
			}
		}
	}
}

// TestWithin checks that bytes passed directly are cut to the same parts as in a window.
func TestWithin(t *testing.T) {
	text := []byte("0123456789abcdefghijklmnopqrstuvwxyz")
	for name, c := range map[string]struct {
		p          Payload
		limit      int
		head, tail string
	}{
		"whole and small":            {Payload{Head: text, Size: 36}, 40, string(text), ""},
		"whole and large":            {Payload{Head: text, Size: 36}, 16, "0123456789abcd", "yz"},
		"a size that is too small":   {Payload{Head: text, Size: 3}, 40, string(text), ""},
		"head alone":                 {Payload{Head: text[:20], Size: 36}, 16, "0123456789abcd", ""},
		"head and tail that meet":    {Payload{Head: text[:20], Tail: text[20:], Size: 36}, 40, string(text), ""},
		"head and tail that overlap": {Payload{Head: text[:20], Tail: text[10:], Size: 36}, 60, string(text), ""},
		"a tail larger than all":     {Payload{Head: text[:2], Tail: text, Size: 10}, 60, "qrstuvwxyz", ""},
		"head and tail apart":        {Payload{Head: text[:6], Tail: text[30:], Size: 36}, 40, "012345", "uvwxyz"},
	} {
		if p := c.p.within(c.limit); string(p.Head) != c.head || string(p.Tail) != c.tail {
			t.Errorf("%s: head %q, tail %q; want %q, %q", name, p.Head, p.Tail, c.head, c.tail)
		}
	}
}

func TestHints(t *testing.T) {
	for in, want := range map[string]string{
		"http://a.example/x.PNG":               "png",
		"http://a.example/x.css?v=1.2":         "css",
		"http://a.example/x.pdf#page=2":        "pdf",
		"http://a.example":                     "",
		"http://a.example/":                    "",
		"http://a.example/index.php":           "",
		"http://a.example/a.b/c":               "",
		"report.doc":                           "doc",
		"x.a-name-that-is-no-extension-at-all": "",
		"x.ä":                                  "",
		"http://a.example/x.tar.gz":            "gz",
	} {
		if got := extension(in); got != want {
			t.Errorf("extension of %q is %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"Text/HTML; charset=utf-8": "text/html", " image/png ": "image/png",
		"": ""} {
		if got := bareMIME(in); got != want {
			t.Errorf("type of %q is %q, want %q", in, got, want)
		}
	}
}
