package place

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
)

// ProbePrefix begins the names of the files of a probe. A killed probe can leave one.
const ProbePrefix = "quire-probe-"

// probe writes a small file twice: a place that honours the condition refuses the second write. Some
// stores accept the condition and ignore it.
func probe(ctx context.Context, p Place) (t Traits, err error) {
	var token [8]byte
	_, _ = rand.Read(token[:]) // never fails: crypto/rand ends the program instead
	name := ProbePrefix + hex.EncodeToString(token[:])
	text := []byte("Quire tests this place. Nothing needs this file.\n")
	c, err := Sum(ctx, bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, p.Remove(context.WithoutCancel(ctx), name)) }()
	if err := p.Write(ctx, name, bytes.NewReader(text), c); err != nil {
		return t, fmt.Errorf("%s: writing a test file: %w", p.URL(), err)
	}
	err = p.Write(ctx, name, bytes.NewReader(text), c)
	if t.Exclusive = errors.Is(err, fs.ErrExist); !t.Exclusive && err != nil {
		return t, fmt.Errorf("%s: writing a test file again: %w", p.URL(), err)
	}
	sum, _, err := ReadBack(ctx, p, name, func(int64) {})
	if err == nil && sum != c.SHA512 {
		err = errors.New("other bytes came back")
	}
	if err != nil {
		return t, fmt.Errorf("%s: reading a test file: %w", p.URL(), err)
	}
	return t, nil
}
