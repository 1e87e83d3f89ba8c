//go:build interop

package tools

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
	"quire/oai/plugin"
	"quire/oai/plugin/builtin"
	"quire/preserve/inspect"
)

// payload is one bytestream of a sample, in a file.
type payload struct {
	path string
	mime string // as declared, without parameters
}

// collecting writes the pass's output for a record into memory.
type collecting struct {
	bytes.Buffer
	end func(b []byte)
}

func (c *collecting) End(whole bool) error {
	if whole && c.Len() > 0 {
		c.end(c.Bytes())
	}
	return nil
}

// payloads returns the distinct bytestreams in the WARC and ARC files of the shared samples,
// unpacked once.
func payloads(t *testing.T) []payload {
	t.Helper()
	unpack.Do(func() { unpacked, unpackErr = unpackSamples(testsamples.Path(t, "samples")) })
	if unpackErr != nil {
		t.Fatal(unpackErr)
	}
	return unpacked
}

var (
	unpack    sync.Once
	unpacked  []payload
	unpackErr error
	unpackDir string
)

func TestMain(m *testing.M) {
	status := m.Run()
	if unpackDir != "" {
		_ = os.RemoveAll(unpackDir) // in the folder for temporary files
	}
	os.Exit(status)
}

func unpackSamples(samples string) (all []payload, err error) {
	if unpackDir, err = os.MkdirTemp("", "quire-tools-"); err != nil {
		return nil, err
	}
	seen := map[[sha256.Size]byte]bool{}
	serve := func(r model.Record) inspect.Served {
		if !strings.HasPrefix(r.Status, "2") {
			return nil
		}
		return &collecting{end: func(b []byte) {
			sum := sha256.Sum256(b)
			if seen[sum] || len(b) > 16<<20 {
				return
			}
			seen[sum] = true
			path := filepath.Join(unpackDir, hex.EncodeToString(sum[:8]))
			if os.WriteFile(path, b, 0o666) == nil {
				all = append(all, payload{path, r.DeclaredMIME})
			}
		}}
	}
	err = filepath.WalkDir(samples, func(path string, d os.DirEntry, err error) error {
		name := strings.TrimSuffix(path, ".gz")
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".warc") && !strings.HasSuffix(name, ".arc") {
			return err
		}
		if info, err := d.Info(); err != nil || info.Size() > 64<<20 {
			return err
		}
		_, err = inspect.File(context.Background(), path, inspect.Options{Served: serve})
		return err
	})
	return all, err
}

// begins returns the payloads that start with one of the marks.
func begins(all []payload, marks ...string) (some []payload) {
	for _, p := range all {
		f, err := os.Open(p.path)
		if err != nil {
			continue
		}
		head := make([]byte, 16)
		n, _ := f.Read(head)
		f.Close()
		for _, mark := range marks {
			if bytes.HasPrefix(head[:n], []byte(mark)) {
				some = append(some, p)
				break
			}
		}
	}
	return some
}

// ask runs a built-in tool on a file. Failed reports that the tool cannot read it.
func ask(t *testing.T, tool plugin.Tool, p payload) (said []byte, failed bool) {
	t.Helper()
	b, err := os.ReadFile(p.path)
	if err != nil {
		t.Fatal(err)
	}
	out, err := tool.Run(context.Background(),
		&plugin.Content{URL: p.path, MIMEType: p.mime, Size: int64(len(b)), Bytes: bytes.NewReader(b)})
	var f *plugin.Failure
	if errors.As(err, &f) {
		return f.Bytes, true
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes, false
}

func newTool(t *testing.T, name string, with map[string]string) plugin.Tool {
	t.Helper()
	tool, err := builtin.New(name, name, with)
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

func decode(t *testing.T, b []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(b, to); err != nil {
		t.Fatal(fmt.Errorf("%w in %.300s", err, b))
	}
}
