package builtin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"quire/oai/plugin"
)

// content returns a bytestream in memory.
func content(b []byte, mime string) *plugin.Content {
	sum := sha256.Sum256(b)
	return &plugin.Content{
		URL: "http://a.example/x", MIMEType: mime, Size: int64(len(b)), SHA256: hex.EncodeToString(sum[:]),
		Bytes: bytes.NewReader(b),
	}
}

// run runs a tool on a bytestream.
func run(t testing.TB, name string, with map[string]string, c *plugin.Content) string {
	t.Helper()
	tool, err := New(name, name, with)
	if err != nil {
		t.Fatal(err)
	}
	out, err := tool.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	again, err := tool.Run(context.Background(), c)
	if err != nil || !bytes.Equal(again.Bytes, out.Bytes) {
		t.Errorf("%s says something else when it is asked again: %q, %v", name, again.Bytes, err)
	}
	return string(out.Bytes)
}

// fails returns the output of a tool that cannot read a bytestream.
func fails(t testing.TB, name string, c *plugin.Content) string {
	t.Helper()
	tool, err := New(name, name, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.Run(context.Background(), c)
	var f *plugin.Failure
	if !errors.As(err, &f) || f.Outcome != plugin.Failed || f.MIMEType != "text/plain" {
		t.Fatalf("%s: %v", name, err)
	}
	return string(f.Bytes)
}

func TestDigests(t *testing.T) {
	for name, want := range map[string]string{ // FIPS 180-4 and RFC 1321 use "abc" as an example
		"md5":    "900150983cd24fb0d6963f7d28e17f72\n",
		"sha1":   "a9993e364706816aba3e25717850c26c9cd0d89d\n",
		"sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n",
		"sha512": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3f" +
			"eebbd454d4423643ce80e2a9ac94fa54ca49f\n",
	} {
		c := content([]byte("abc"), "text/plain")
		if got := run(t, name, nil, c); got != want {
			t.Errorf("%s: %q", name, got)
		}
		c.SHA256 = ""
		if got := run(t, name, nil, c); got != want {
			t.Errorf("%s, where no digest is known: %q", name, got)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		with map[string]string
		want string
	}{
		{"md4", nil, `no built-in tool "md4"; there are `},
		{"md5", map[string]string{"salt": "x"}, `the built-in tool md5: unknown parameter "salt"; it has none`},
	} {
		if _, err := New("x", c.name, c.with); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v", c.name, c.with, err)
		}
	}
}

// Every tool has a description and a revision. For empty input and for noise it has an output or a
// failure.
func TestEveryTool(t *testing.T) {
	noise := bytes.Repeat([]byte{0xff, 0x00, 0x81, '<', '%', 0x7f}, 5000)
	for _, name := range Names() {
		mimes := all[name].mime
		if len(mimes) == 0 {
			t.Errorf("%s reads no media type", name)
		}
		tool, err := New("label of it", name, nil)
		if err != nil {
			t.Fatal(err)
		}
		version, err := tool.Version(context.Background())
		if err != nil || !strings.ContainsAny(version, "0123456789") || tool.Label() != "label of it" {
			t.Errorf("%s: %q, %q, %v", name, tool.Label(), version, err)
		}
		for _, b := range [][]byte{nil, noise} {
			for _, mime := range append(slices.Clone(mimes), "application/octet-stream", "text/html", "text/plain") {
				_, err := tool.Run(context.Background(), content(b, mime))
				var f *plugin.Failure
				if err != nil && (!errors.As(err, &f) || len(f.Bytes) == 0 ||
					strings.Contains(string(f.Bytes), "broke down")) {
					t.Errorf("%s of %d bytes as %s: %v", name, len(b), mime, err)
				}
			}
		}
	}
}

// torn is a failing disk.
type torn struct{}

var errTorn = errors.New("the disk is torn")

func (torn) ReadAt([]byte, int64) (int, error) { return 0, errTorn }

// Errors of the machine, or of the caller, are not reported as errors of the bytes.
func TestErrorsThatAreNotAboutTheBytes(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, name := range Names() {
		tool, err := New(name, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		mime := strings.TrimSuffix(all[name].mime[0], "*")
		c := &plugin.Content{URL: "http://a.example/x", MIMEType: mime, Size: 100, Bytes: torn{}}
		if _, err := tool.Run(context.Background(), c); !errors.Is(err, errTorn) {
			t.Errorf("%s, torn: %v", name, err)
		}
		if _, err := tool.Run(ended, c); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, ended: %v", name, err)
		}
		c = &plugin.Content{URL: "http://a.example/x", MIMEType: mime, Size: 100, Bytes: strings.NewReader("short")}
		if _, err := tool.Run(context.Background(), c); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s, short: %v", name, err)
		}
	}
}
