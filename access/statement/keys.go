package statement

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"quire/internal/disk"
	"quire/internal/filelock"
)

// RetiredName is the name of the file with the public keys that signed before. Without it, earlier
// statements verify only with the copies that readers kept.
const RetiredName = "statement-retired.pem"

// Keys are the keys of an archive: the one that signs, and the public ones that signed before. It
// reads the files at each call, so a rotation by another process counts at once.
type Keys struct{ dir string }

// OpenKeys returns the keys in a folder, and makes a first one if there is none.
func OpenKeys(dir string) (*Keys, error) {
	if _, err := OpenKey(dir); err != nil {
		return nil, err
	}
	return &Keys{dir}, nil
}

// AtKeys returns the keys in a folder, and makes none.
func AtKeys(dir string) (*Keys, error) {
	if _, err := readKey(filepath.Join(dir, KeyName)); err != nil {
		return nil, fmt.Errorf("the key of statements, which quire serve makes at its first start: %w", err)
	}
	return &Keys{dir}, nil
}

// ErrUnfinished reports a rotation that was interrupted: the key in the file is retired already.
var ErrUnfinished = errors.New("the rotation of the statement key was interrupted: repeat quire statement-key rotate")

// current returns the key that signs, and the retired ones.
func (k *Keys) current() (*Key, Published, error) {
	retired, err := ReadPublished(filepath.Join(k.dir, RetiredName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for i := range retired {
		if retired[i].Until.IsZero() {
			return nil, nil, fmt.Errorf("%s has a key without the time of its end: restore it from a backup",
				filepath.Join(k.dir, RetiredName))
		}
	}
	key, err := readKey(filepath.Join(k.dir, KeyName))
	return key, retired, err
}

// Sign returns a statement in its envelope, by the current key.
func (k *Keys) Sign(s *Statement) ([]byte, error) {
	key, retired, err := k.current()
	if err != nil {
		return nil, err
	}
	if retired.find(key.Public().ID()) != nil {
		return nil, ErrUnfinished
	}
	return key.Sign(s)
}

// Published returns the public keys, the current one first, then the retired ones, the newest first.
func (k *Keys) Published() (Published, error) {
	key, retired, err := k.current()
	if err != nil || retired.find(key.Public().ID()) != nil {
		return retired, err
	}
	now := PublicKey{Public: key.Public()}
	if len(retired) > 0 {
		now.From = retired[0].Until
	}
	return append(Published{now}, retired...), nil
}

// Rotate retires the current key at a moment, and makes another, which it returns. The private part
// of the retired key is removed; backups can still have it. An interrupted rotation is
// completed. compromised is the moment since which another may have had the key; zero if none.
func (k *Keys) Rotate(now, compromised time.Time) (out PublicKey, err error) {
	err = k.locked(func() error {
		key, retired, err := k.current()
		if err != nil {
			return err
		}
		old := retired.find(key.Public().ID())
		if old == nil {
			retired = append(Published{{Public: key.Public(), Until: now}}, retired...)
			old = &retired[0]
			if len(retired) > 1 {
				old.From = retired[1].Until
			}
		}
		if err := old.distrust(compromised); !compromised.IsZero() && err != nil {
			return err
		}
		if err := k.write(retired); err != nil {
			return err
		}
		private, err := newKey()
		if err != nil {
			return err
		}
		out = PublicKey{Public: private.Public(), From: old.Until}
		return private.write(filepath.Join(k.dir, KeyName))
	})
	return out, err
}

// Distrust states that another may have had a retired key since a moment. The key is named by its ID.
func (k *Keys) Distrust(id string, since time.Time) error {
	return k.locked(func() error {
		key, retired, err := k.current()
		if err != nil {
			return err
		}
		at := retired.find(id)
		switch {
		case at == nil && key.Public().ID() == id:
			return fmt.Errorf("key %s still signs: use quire statement-key rotate --compromised-since", id)
		case at == nil:
			return fmt.Errorf("no retired key is named %.40q: quire statement-key list names them", id)
		}
		if err := at.distrust(since); err != nil {
			return err
		}
		return k.write(retired)
	})
}

// distrust marks a key. A later time than before would make doubtful statements look good.
func (k *PublicKey) distrust(since time.Time) error {
	switch {
	case since.After(time.Now()):
		return fmt.Errorf("%s is in the future: give the time since which another may have had the key",
			since.UTC().Format(time.RFC3339))
	case !k.Compromised.IsZero() && since.After(k.Compromised):
		return fmt.Errorf("key %s is compromised since %s already: only an earlier time can take its place", k.ID(),
			k.Compromised.UTC().Format(time.RFC3339))
	}
	k.Compromised = since
	return nil
}

// maxLine is more than the length of a line of times.
const maxLine = 200

func (k *Keys) write(retired Published) error {
	text := retired.PEM()
	if len(text)+len(retired[0].PEM())+maxLine > maxPublished { // with the current key, as it is published
		return fmt.Errorf("%d retired keys are too many", len(retired))
	}
	return disk.Write(filepath.Join(k.dir, RetiredName), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// locked runs a change while no other process makes one.
func (k *Keys) locked(change func() error) error {
	f, err := os.OpenFile(filepath.Join(k.dir, "statement.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // releases the lock; nothing was written
	if err := filelock.Try(f); err != nil {
		return fmt.Errorf("another process changes the statement key: %w", err)
	}
	return change()
}
