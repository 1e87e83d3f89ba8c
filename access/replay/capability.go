package replay

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/holdings"
	"quire/internal/disk"
)

// Capability grants a reader more than public access: it is part of the path of replay URLs
// (COLL~CAPABILITY). All archived sites share one host. With a cookie, an address or a password as
// the right, a hostile open page could read a restricted one with the viewer's rights. In the path,
// the right follows only the links of the page that has it. It names its packages; for others,
// public access applies.
type Capability struct {
	Class    holdings.Class
	Packages []string // at least one
	Network  bool     // valid only if the client's address has that class too: for readers without a login
	Until    time.Time
}

// Errors of reading a capability.
var (
	ErrForged  = errors.New("this address contains an invalid access token")
	ErrExpired = errors.New("the access token in this address has expired")
)

// Key signs capabilities.
type Key struct{ secret [32]byte }

// KeyName is the file of the key. Readers of this file can create capabilities, so only its owner
// may read it.
const KeyName = "capability.key"

// OpenKey reads the key in a folder, or creates one.
func OpenKey(dir string) (*Key, error) {
	file, k := filepath.Join(dir, KeyName), &Key{}
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		_, _ = rand.Read(k.secret[:]) // never fails (crypto/rand)
		return k, writeKey(file, k.secret[:])
	}
	if err != nil {
		return nil, err
	}
	if len(content) != len(k.secret) {
		return nil, fmt.Errorf("%s is not a capability key: remove it, and Quire creates a new one", file)
	}
	copy(k.secret[:], content)
	return k, nil
}

func writeKey(file string, secret []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
		return err
	}
	return disk.WriteSecret(file, func(w io.Writer) error {
		_, err := w.Write(secret)
		return err
	})
}

const (
	macBytes = 16
	maxToken = 2048 // characters of a capability
)

// classes maps the numbers in a capability to classes. Public readers need no capability.
var classes = []holdings.Class{holdings.OnSite, holdings.Staff}

// Sign encodes a capability for a path. Its expiry is rounded up to a minute.
func (k *Key) Sign(c Capability) string {
	flags := byte(slices.Index(classes, c.Class) + 1)
	if flags == 0 || len(c.Packages) == 0 {
		return ""
	}
	if c.Network {
		flags |= 0x80
	}
	text := binary.BigEndian.AppendUint32([]byte{flags}, uint32((c.Until.Unix()+59)/60))
	text = append(text, strings.Join(c.Packages, "\x00")...)
	return base64.RawURLEncoding.EncodeToString(append(text, k.mac(text)...))
}

// Read decodes a capability, and verifies its signature and expiry. It returns an expired one with
// ErrExpired.
func (k *Key) Read(token string, now time.Time) (c Capability, err error) {
	if len(token) > maxToken {
		return c, ErrForged
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) < 5+macBytes+1 {
		return c, ErrForged
	}
	text, mac := raw[:len(raw)-macBytes], raw[len(raw)-macBytes:]
	n := int(text[0]&0x7f) - 1
	if !hmac.Equal(mac, k.mac(text)) || n < 0 || n >= len(classes) {
		return c, ErrForged
	}
	c = Capability{
		Class: classes[n], Network: text[0]&0x80 != 0, Packages: strings.Split(string(text[5:]), "\x00"),
		Until: time.Unix(int64(binary.BigEndian.Uint32(text[1:5]))*60, 0),
	}
	if !now.Before(c.Until) {
		return c, ErrExpired
	}
	return c, nil
}

func (k *Key) mac(text []byte) []byte {
	m := hmac.New(sha256.New, k.secret[:])
	m.Write([]byte("quire replay capability 1\x00"))
	m.Write(text)
	return m.Sum(nil)[:macBytes]
}
