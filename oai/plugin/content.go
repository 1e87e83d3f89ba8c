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

	"quire/internal/disk"
)

// Held is a content with the room that it takes, which Close gives back.
type Held struct {
	Content

	mem     []byte
	file    *os.File // with all the bytes, when these are too many for memory
	tempDir string
	mu      sync.Mutex
	path    string // of a file with the bytes, once there is one
}

// HoldOptions of Hold.
type HoldOptions struct {
	URL, MIMEType, Charset string // see Content
	// bytes that are held in memory; what is longer goes to a temporary file. 0 is DefaultHeld
	Memory  int64
	TempDir string // "" is where temporary files go
}

// DefaultHeld is how much of a content is held in memory, in bytes.
const DefaultHeld = 4 << 20

// Hold reads a bytestream to its end, digests it, and keeps it: in memory, or in a temporary file
// when it is long. Whoever calls closes what it gives.
func Hold(ctx context.Context, in io.Reader, o HoldOptions) (_ *Held, err error) {
	if o.Memory <= 0 {
		o.Memory = DefaultHeld
	}
	h := &Held{Content: Content{URL: o.URL, MIMEType: o.MIMEType, Charset: o.Charset}, tempDir: o.TempDir}
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

// spill puts what is in memory and what follows into a file, if anything follows.
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

// named gives a file with the bytes: that which is there, or one that is made now. Its name tells
// nothing of the content.
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

// Close gives the room back. The content cannot be read any more.
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
