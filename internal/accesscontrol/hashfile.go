package accesscontrol

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// Bounds of a file with hashes.
const (
	maxHashes     = 10_000
	maxBcryptCost = 14 // about one second of a processor per try
)

// hash is one line: the hash of a secret, and its owner.
type hash struct {
	name   string // "" if the file has no name
	bcrypt []byte // of a password
	sha256 []byte // of a password or token
}

// hashFile is a file with hashes. It is read again after a change, so a removed token becomes
// invalid at once. If it cannot be read, it has no hashes.
type hashFile struct {
	path  string
	parse func(line string) (hash, error)

	mu       sync.Mutex
	size     int64
	modified time.Time
	hashes   []hash
	err      error
}

// get returns the current hashes of the file.
func (f *hashFile) get() ([]hash, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if err != nil {
		f.modified = time.Time{}
		return nil, err
	}
	if !info.ModTime().Equal(f.modified) || info.Size() != f.size {
		f.hashes, f.err = f.read()
		f.size, f.modified = info.Size(), info.ModTime()
	}
	return f.hashes, f.err
}

func (f *hashFile) read() ([]hash, error) {
	in, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // opened for reading only
	var all []hash
	lines := bufio.NewScanner(io.LimitReader(in, maxHashes*512))
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		h, err := f.parse(line) // do not print the line: it may be a secret by mistake
		if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", f.path, number, err)
		}
		if len(all) == maxHashes {
			return nil, fmt.Errorf("%s has more than %d lines", f.path, maxHashes)
		}
		all = append(all, h)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no hashes: it authorizes no client", f.path)
	}
	return all, nil
}

// parsePassword parses user:hash, or a hash.
func parsePassword(line string) (hash, error) {
	name, secret, ok := strings.Cut(line, ":")
	if !ok {
		name, secret = "", line
	}
	h := hash{name: name}
	if strings.HasPrefix(secret, "$2") {
		cost, err := bcrypt.Cost([]byte(secret))
		if err != nil || len(secret) != 60 {
			return h, errors.New("not a bcrypt hash: make it with htpasswd -B")
		}
		if cost > maxBcryptCost {
			return h, fmt.Errorf("bcrypt has cost %d, which takes seconds per try; the maximum is %d", cost,
				maxBcryptCost)
		}
		h.bcrypt = []byte(secret)
		return h, nil
	}
	var err error
	if h.sha256, err = parseSHA256(secret); err != nil {
		return h, errors.New("neither bcrypt (htpasswd -B) nor the SHA-256 of a password in 64 " +
			"hexadecimal digits")
	}
	return h, nil
}

// parseToken parses the SHA-256 of a token, and after a space the name of its owner.
func parseToken(line string) (hash, error) {
	digits, name, _ := strings.Cut(line, " ")
	sum, err := parseSHA256(digits)
	return hash{name: strings.TrimLeft(name, " *-"), sha256: sum}, err // sha256sum adds "  -"
}

func parseSHA256(digits string) ([]byte, error) {
	sum, err := hex.DecodeString(digits)
	if err != nil || len(sum) != sha256.Size {
		return nil, errors.New("not a SHA-256 in 64 hexadecimal digits (never write the secret itself)")
	}
	return sum, nil
}
