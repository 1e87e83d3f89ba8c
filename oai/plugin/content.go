package plugin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"quire/internal/disk"
)

// Held is a content in memory or in a file. Close frees it.
type Held struct {
	Content

	mem     []byte
	file    *os.File // with all bytes, if too large for memory
	tempDir string
	mu      sync.Mutex
	path    string // of a file with the bytes, if it exists
}

// HoldOptions are the options of Hold.
type HoldOptions struct {
	URL, MIMEType, Charset string // see Content
	Name                   string
	Modified               time.Time
	// maximum bytes in memory; longer contents go to a temporary file. 0 means DefaultHeld
	Memory  int64
	TempDir string // "" means the default for temporary files
}

// DefaultHeld is the default number of bytes held in memory.
const DefaultHeld = 4 << 20

// Hold reads a bytestream to its end, digests it, and stores it: in memory, or in a temporary file
// if it is long. The caller closes the result.
func Hold(ctx context.Context, in io.Reader, o HoldOptions) (_ *Held, err error) {
	if o.Memory <= 0 {
		o.Memory = DefaultHeld
	}
	h := &Held{Content: Content{URL: o.URL, MIMEType: o.MIMEType, Charset: o.Charset, Name: o.Name,
		Modified: o.Modified}, tempDir: o.TempDir}
	h.File = h.named
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("reading %s: %w", o.URL, err), h.Close())
		}
	}()
	sum := sha256.New()
	from := io.TeeReader(&disk.Counted{Ctx: ctx, From: in}, sum)
	var mem bytes.Buffer
	if h.Size, err = io.Copy(&mem, io.LimitReader(from, o.Memory)); err != nil {
		return nil, err
	}
	h.mem = mem.Bytes()
	h.Bytes = bytes.NewReader(h.mem)
	if h.Size == o.Memory {
		if err := h.spill(from); err != nil {
			return nil, err
		}
	}
	h.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return h, nil
}

// spill moves the bytes in memory to a file, followed by the rest of from. It does nothing if from
// has no more bytes.
func (h *Held) spill(from io.Reader) error {
	first := make([]byte, 1)
	if _, err := io.ReadFull(from, first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	f, err := os.CreateTemp(h.tempDir, ".quire-content-*")
	if err != nil {
		return err
	}
	h.file, h.path = f, f.Name()
	h.Size, err = io.Copy(f, io.MultiReader(bytes.NewReader(h.mem), bytes.NewReader(first), from))
	h.mem, h.Bytes = nil, f
	return err
}

// named returns a file with the bytes, and creates it if necessary. Its name reveals nothing of the
// content.
func (h *Held) named() (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.path != "" {
		return h.path, nil
	}
	f, err := os.CreateTemp(h.tempDir, ".quire-content-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(h.mem)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	h.path = f.Name()
	return h.path, nil
}

// Close frees the content, which then is unreadable.
func (h *Held) Close() (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.file != nil {
		err = h.file.Close()
	}
	if h.path != "" {
		err = errors.Join(err, os.Remove(h.path))
	}
	h.file, h.path = nil, ""
	return err
}
