package statement

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// PublicKey is a public key of an archive with the time in which it signed. Times are zero if they
// are not known, or not yet.
type PublicKey struct {
	Public
	From, Until time.Time
	Compromised time.Time // since then another may have had the key; zero if no such thing is known
}

// Published are the public keys of an archive, the newest first.
type Published []PublicKey

// find returns the key with an ID, or nil.
func (p Published) find(id string) *PublicKey {
	for i := range p {
		if p[i].ID() == id {
			return &p[i]
		}
	}
	return nil
}

// PEM returns the keys in PEM, each below a line with its times:
//
//	key MCowBQYDK2VwAyEA from 2026-11-30T12:00:00Z until 2027-11-30T12:00:00Z
//
// Programs for PEM skip such lines (RFC 7468, 5.2), and many read the first key only: the newest.
func (p Published) PEM() []byte {
	var out bytes.Buffer
	for i := range p {
		k := &p[i]
		out.WriteString("key " + k.ID())
		for _, t := range k.times() {
			if !t.at.IsZero() {
				out.WriteString(" " + t.name + " " + t.at.UTC().Format(time.RFC3339))
			}
		}
		out.WriteByte('\n')
		out.Write(k.Public.PEM())
	}
	return out.Bytes()
}

// maxPublished is the maximum size of a file of public keys in bytes: thousands of keys.
const maxPublished = 1 << 20

// timeOf is one of the times of a key, with its name in PEM.
type timeOf struct {
	name string
	at   *time.Time
}

func (k *PublicKey) times() []timeOf {
	return []timeOf{{"from", &k.From}, {"until", &k.Until}, {"compromised", &k.Compromised}}
}

// ReadPublished reads public keys in PEM, as the archive publishes them. A key without a line of times
// has none.
func ReadPublished(file string) (Published, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, maxPublished+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(text) > maxPublished {
		return nil, fmt.Errorf("%s is longer than %d bytes: not public keys of an archive", file, maxPublished)
	}
	all, err := parsePublished(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return all, nil
}

var begin = []byte("-----BEGIN")

// parsePublished reads keys strictly: a damaged key that is passed over in silence would take its times with it, and a
// compromised key would look good.
func parsePublished(text []byte) (all Published, err error) {
	lines := 0
	for {
		before, _, more := bytes.Cut(text, begin)
		if !more {
			break
		}
		block, rest := pem.Decode(text[len(before):])
		if block == nil || bytes.Count(text[:len(text)-len(rest)], begin) != 1 {
			return nil, fmt.Errorf("key %d is damaged: get the file again, or restore it from a backup", len(all)+1)
		}
		if block.Type != "PUBLIC KEY" {
			return nil, fmt.Errorf("it holds no PUBLIC KEY in PEM, but a %.40q", block.Type)
		}
		key, err := x509.ParsePKIXPublicKey(block.Bytes)
		public, ok := key.(ed25519.PublicKey)
		if err != nil || !ok {
			return nil, fmt.Errorf("key %d is no public Ed25519 key", len(all)+1)
		}
		k := PublicKey{Public: Public(public)}
		n, err := k.readTimes(string(before))
		if err != nil {
			return nil, fmt.Errorf("key %d: %w", len(all)+1, err)
		}
		lines += n
		all, text = append(all, k), rest
	}
	switch n, err := (&PublicKey{}).readTimes(string(text)); {
	case len(all) == 0:
		return nil, errors.New("it holds no PUBLIC KEY in PEM")
	case err != nil || n > 0 || len(all) > 1 && lines != len(all):
		return nil, fmt.Errorf("it has %d keys and other lines of times: get the file again, or restore it from "+
			"a backup", len(all))
	}
	return all, nil
}

// readTimes reads the line above a key, and returns the number of such lines. Other lines are not ours, and unknown
// names are of a later program.
func (k *PublicKey) readTimes(before string) (lines int, err error) {
	for line := range strings.Lines(before) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != "key" {
			continue
		}
		if lines++; lines > 1 || len(words)%2 != 0 || words[1] != k.ID() {
			return lines, errors.New("the line above it is of another key, or damaged")
		}
		for i := 2; i < len(words); i += 2 {
			for _, t := range k.times() {
				if t.name != words[i] {
					continue
				}
				if *t.at, err = time.Parse(time.RFC3339, words[i+1]); err != nil {
					return lines, fmt.Errorf("%s is no time: %.60q", t.name, words[i+1])
				}
			}
		}
	}
	return lines, nil
}

// Verdict is the result of a verified signature.
type Verdict struct {
	Key PublicKey // that signed
	// Doubts are reasons against the time of the statement. The signature is good all the same.
	Doubts []string
	// Note is a remark on the key that is no doubt about this statement; "" for none.
	Note string
}

// Verify returns the statement of an envelope, if one of the keys signed it. The error is ErrSignature
// if none did. The caller reports the doubts: the archive's time is compared with the times of the key.
func (p Published) Verify(text []byte) (*Statement, *Verdict, error) {
	last := ErrSignature
	for i := range p {
		s, err := p[i].Public.Verify(text)
		if errors.Is(err, ErrSignature) {
			continue
		}
		if err != nil {
			last = err
			break
		}
		v := &Verdict{Key: p[i]}
		v.judge(s)
		return s, v, nil
	}
	return nil, nil, last
}

// slack is the time for which a statement that was on its way when its key was retired is no doubt.
const slack = time.Minute

func (v *Verdict) judge(s *Statement) {
	const day = "2006-01-02 15:04:05 UTC"
	k := &v.Key
	made, err := time.Parse(time.RFC3339, s.Made)
	if err != nil {
		if !k.From.IsZero() || !k.Until.IsZero() || !k.Compromised.IsZero() {
			v.Doubts = append(v.Doubts, "it has no readable time, to compare with the times of its key")
		}
		return
	}
	if !k.From.IsZero() && made.Before(k.From.Add(-slack)) {
		v.Doubts = append(v.Doubts, "the statement is dated before its key signed, which was from "+
			k.From.UTC().Format(day))
	}
	if !k.Until.IsZero() && made.After(k.Until.Add(slack)) {
		v.Doubts = append(v.Doubts, "the statement is dated after its key was retired, on "+k.Until.UTC().Format(day))
	}
	if k.Compromised.IsZero() {
		return
	}
	if !made.Before(k.Compromised) {
		v.Doubts = append(v.Doubts, "another may have signed it: the key is compromised since "+
			k.Compromised.UTC().Format(day))
		return
	}
	v.Note = "the key is compromised since " + k.Compromised.UTC().Format(day) + ", and whoever has it can write an " +
		"earlier date: keep evidence that you had the statement before"
}
