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

// Capability is what lets a reader have more than the public may: it stands in the path of replay
// URLs (COLL~CAPABILITY). All archived sites share one host: were the right in a cookie, in the
// address of a reading room, or in a password that the browser sends along, a hostile page that is
// open could read a restricted one as the reader who looks at it. In the path it goes where the
// page that has it leads, and it names the packages that it is good for; of all others, its holder
// may have what is open.
type Capability struct {
	Class    holdings.Class
	Packages []string // at least one
	Network  bool     // good only where the address of who asks gives him that class too: of who did not sign in
	Until    time.Time
}

// Errors of reading a capability.
var (
	ErrForged  = errors.New("this address holds a permission that we did not give")
	ErrExpired = errors.New("the permission in this address has run out")
)

// Key signs capabilities.
type Key struct{ secret [32]byte }

// keyName is the file of the key. Who can read it can make capabilities, so only its owner can.
const keyName = "capability.key"

// OpenKey reads the key in a folder, or makes one.
func OpenKey(dir string) (*Key, error) {
	file, k := filepath.Join(dir, keyName), &Key{}
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		_, _ = rand.Read(k.secret[:]) // never fails (crypto/rand)
		return k, writeKey(file, k.secret[:])
	}
	if err != nil {
		return nil, err
	}
	if len(content) != len(k.secret) {
		return nil, fmt.Errorf("%s is no key of ours: remove it, and a new one is made", file)
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

// classes by their number in a capability. Public readers need none.
var classes = []holdings.Class{holdings.OnSite, holdings.Staff}

// Sign writes a capability as it stands in a path. Its end is rounded up to a minute.
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

// Read reads a capability, and whether it is one of ours and still good. One that has run out is
// given with ErrExpired.
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
