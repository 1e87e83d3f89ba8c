package register

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// Rotate replaces the key. The old key signs a leaf that names the new one, and both sign the head
// with this leaf. The old key is then deleted.
func (w *Writer) Rotate(ctx context.Context, now time.Time) (Checkpoint, error) {
	next, err := newSigner(w.chain.origin)
	if err != nil {
		return Checkpoint{}, err
	}
	if err := w.disk.ReplaceSecret(w.o.Key+nextSuffix, []byte(next.text+"\n")); err != nil {
		return Checkpoint{}, err
	}
	signature, err := w.signer.Sign(rotationText(w.chain.origin, w.edge.tree(), next.public))
	if err != nil || len(signature) != ed25519.SignatureSize {
		return Checkpoint{}, errors.Join(err, errors.New("register: the key cannot sign the next one"))
	}
	leaf := Key{Time: now.Truncate(time.Microsecond), Link: RotatedKey, Public: next.public,
		Signature: [64]byte(signature)}
	head, err := w.append(ctx, one(leaf), w.signer, next)
	if err != nil {
		return head, err
	}
	w.signer = next
	return head, w.adoptNext()
}

// adoptNext replaces the key file with the next key, once the register names that key.
func (w *Writer) adoptNext() error {
	if err := w.disk.ReplaceSecret(w.o.Key, []byte(w.signer.text+"\n")); err != nil {
		return err
	}
	return w.disk.RemoveAll(w.o.Key + nextSuffix)
}

// findKey reads the key file, and requires the key that the register names last. It completes a
// rotation that was cut off.
func (w *Writer) findKey() error {
	s, err := readSigner(w.o.Key)
	if err != nil {
		return err
	}
	next, nextErr := readSigner(w.o.Key + nextSuffix)
	switch {
	case s.Name() == w.chain.origin && s.public == w.chain.public:
		w.signer = s
		if errors.Is(nextErr, ErrNoKey) {
			return nil
		}
		return w.disk.RemoveAll(w.o.Key + nextSuffix) // no leaf names it
	case nextErr == nil && next.Name() == w.chain.origin && next.public == w.chain.public:
		w.signer = next
		return w.adoptNext()
	}
	return fmt.Errorf("register: %s is not the key that the register names last: %s", w.o.Key,
		w.chain.at(w.head.Size))
}

// Relink begins a new key after the old one was lost. Nothing proves that the new owner is the old
// one: [Verify] reports [KeyUnlinked] from then on. Move a key file that still exists away first. A
// Relink that was cut off can be repeated.
func Relink(ctx context.Context, o Options, now time.Time) (*Writer, error) {
	w := &Writer{o: o, disk: o.disk(), main: folder(o.Folder)}
	if err := w.settle(ctx); err != nil {
		return nil, err
	}
	if s, err := readSigner(o.Key); err == nil && s.public == w.chain.public {
		return nil, fmt.Errorf("register: %s is the key of this register: %w", o.Key, fs.ErrExist)
	}
	if _, err := os.Lstat(o.Key + nextSuffix); err == nil {
		return nil, fmt.Errorf("register: %s%s is left from a rotation: open the register first: %w", o.Key, nextSuffix,
			fs.ErrExist)
	}
	if err := w.makeKey(o.Key, w.chain.origin); err != nil {
		return nil, err
	}
	leaf := Key{Time: now.Truncate(time.Microsecond), Link: UnlinkedKey, Public: w.signer.public}
	if _, err := w.append(ctx, one(leaf), w.signer); err != nil {
		return nil, err
	}
	return w, nil
}
