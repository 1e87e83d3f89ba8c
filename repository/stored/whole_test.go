package stored

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

// TestWhole: a regular member is inflated in one step. All others are left to the general reader.
func TestWhole(t *testing.T) {
	const text = "WARC/1.1\r\n\r\nThe steam tug leaves the quay, and the steam tug comes back."
	zip := func(extra []byte, name, text string) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Extra, z.Name = extra, name
		if _, err := io.WriteString(z, text); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	changed := func(b []byte, at int) []byte {
		b = bytes.Clone(b)
		b[(at+len(b))%len(b)] ^= 1
		return b
	}
	plain := zip(nil, "", text)
	for name, c := range map[string]struct {
		member []byte
		ok     bool
	}{
		"plain": {plain, true}, "with an extra field": {zip([]byte("sl\x08\x00abcdefgh"), "", text), true},
		"with a name": {zip(nil, "a.warc", text), false}, "a wrong CRC": {changed(plain, -5), false},
		"a wrong size": {changed(plain, -1), false}, "damaged data": {changed(plain, 20), false},
		"cut off": {plain[:len(plain)-1], false}, "two members": {append(bytes.Clone(plain), plain...), false},
		"an extra field beyond the end": {append([]byte("\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff\xff\xff"),
			plain...), false},
		"no member": {[]byte(text), false}, "large": {zip(nil, "", string(make([]byte, mostInflated+1))), false},
	} {
		var w whole
		ok := w.inflate(bytes.NewReader(c.member), int64(len(c.member)))
		if ok != c.ok {
			t.Errorf("%s: %v", name, ok)
			continue
		}
		if got, err := io.ReadAll(&w.content); ok && (err != nil || string(got) != text) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
