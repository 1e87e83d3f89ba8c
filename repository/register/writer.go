package register

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// Options names the places of a register.
type Options struct {
	// Folder is the main copy of the register, outside the copies of the packages. It is written
	// first; [Writer.CatchUp] brings the others up to date.
	Folder string
	// Key is the path of the key file. Beside it, with the suffix .state, is the last checkpoint
	// that was signed. Neither may lie in a copy.
	Key string
	// Copies are other folders of the register, from which [Open] takes leaves that Folder lost.
	Copies []string
	// Disk makes the changes; nil: the disk of the operating system.
	Disk Disk
}

func (o Options) disk() Disk {
	if o.Disk == nil {
		return osDisk{}
	}
	return o.Disk
}

// Writer appends to a register. Its methods must not be called at the same time.
type Writer struct {
	// StateMissing: the file with the last signed checkpoint was missing. A rollback of all folders
	// at once would not have been noticed.
	StateMissing bool

	o      Options
	disk   Disk
	main   folder
	signer *signer
	chain  *keyChain
	head   Checkpoint
	edge   edge
	tail   []byte // entries of the last, partial bundle
	broken error  // an append that may or may not count
}

// Head returns the newest checkpoint.
func (w *Writer) Head() Checkpoint { return w.head }

// Keys returns all keys of the register, in order.
func (w *Writer) Keys() []KeyAt { return append([]KeyAt(nil), w.chain.keys...) }

// Create begins a register with a new key. It fails with fs.ErrExist if there is one. A Create that
// was cut off can be repeated.
func Create(ctx context.Context, o Options, origin string, now time.Time) (*Writer, error) {
	w := &Writer{o: o, disk: o.disk(), main: folder(o.Folder), chain: &keyChain{origin: origin}}
	for _, path := range []string{w.main.join(checkpointFile), o.Key + stateSuffix} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("register: %s: %w", path, fs.ErrExist)
		}
	}
	if err := w.makeKey(o.Key, origin); err != nil {
		return nil, err
	}
	if err := w.disk.MakeFolder(o.Folder); err != nil {
		return nil, err
	}
	leaf := Key{Time: now.Truncate(time.Microsecond), Link: FirstKey, Public: w.signer.public}
	if _, err := w.append(ctx, one(leaf), w.signer); err != nil {
		return nil, err
	}
	return w, nil
}

// makeKey writes a key file. A key file for the same origin is the leftover of a call that was cut
// off, and is used.
func (w *Writer) makeKey(path, origin string) error {
	s, err := readSigner(path)
	switch {
	case errors.Is(err, ErrNoKey):
		if s, err = newSigner(origin); err != nil {
			return err
		}
		if err := w.disk.ReplaceSecret(path, []byte(s.text+"\n")); err != nil {
			return err
		}
	case err != nil:
		return err
	case s.Name() != origin:
		return fmt.Errorf("register: %s is the key of another register, %s", path, s.Name())
	}
	w.signer = s
	return nil
}

// Append adds leaves in their order, signs the new head, and returns it. When it returns without an
// error, the leaves are on stable storage in the main folder. After an error none counts, except
// that the next [Open] completes an append that was cut off behind its last step. Memory does not
// grow with the number of leaves.
func (w *Writer) Append(ctx context.Context, leaves iter.Seq2[Leaf, error]) (Checkpoint, error) {
	return w.append(ctx, func(yield func(Leaf, error) bool) {
		for leaf, err := range leaves {
			if _, ok := leaf.(Key); ok && err == nil {
				err = errors.New("register: keys are added by Rotate and Relink")
			}
			if !yield(leaf, err) {
				return
			}
		}
	}, w.signer)
}

// AppendLeaves is [Writer.Append] for leaves in memory.
func (w *Writer) AppendLeaves(ctx context.Context, leaves ...Leaf) (Checkpoint, error) {
	return w.Append(ctx, func(yield func(Leaf, error) bool) {
		for _, leaf := range leaves {
			if !yield(leaf, nil) {
				return
			}
		}
	})
}

func one(leaf Leaf) iter.Seq2[Leaf, error] {
	return func(yield func(Leaf, error) bool) { yield(leaf, nil) }
}

// append writes tiles, then the keys, then the state (from here on the append counts), then the
// checkpoint.
func (w *Writer) append(ctx context.Context, leaves iter.Seq2[Leaf, error], signers ...*signer) (Checkpoint, error) {
	if w.broken != nil {
		return Checkpoint{}, fmt.Errorf("register: open it again: an earlier append failed: %w", w.broken)
	}
	a := newAppender(w.disk, w.main, &w.edge, w.tail)
	chain := &keyChain{origin: w.chain.origin, keys: w.Keys(), public: w.chain.public}
	for leaf, err := range leaves {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = w.addLeaf(a, chain, leaf)
		}
		if err != nil {
			return Checkpoint{}, err
		}
	}
	if a.edge.size == w.edge.size {
		return w.head, nil
	}
	if err := a.finish(); err != nil {
		return Checkpoint{}, err
	}
	var notes []note.Signer
	for _, s := range signers {
		notes = append(notes, s)
	}
	head, err := signCheckpoint(chain.origin, a.edge.tree(), notes...)
	if err != nil {
		return Checkpoint{}, err
	}
	if err := w.commit(head, chain); err != nil {
		w.broken = err
		return Checkpoint{}, err
	}
	w.head, w.edge, w.tail, w.chain = head, a.edge, a.bundle, chain
	a.prune()
	return head, nil
}

func (w *Writer) addLeaf(a *appender, chain *keyChain, leaf Leaf) error {
	entry, err := Marshal(leaf)
	if err != nil {
		return err
	}
	if key, ok := leaf.(Key); ok {
		if err := chain.add(a.edge.tree(), key); err != nil {
			return err
		}
	}
	return a.add(entry)
}

// commit makes a signed head count.
func (w *Writer) commit(head Checkpoint, chain *keyChain) error {
	if len(chain.keys) > len(w.chain.keys) {
		if err := w.disk.Replace(w.main.join(keysFile), formatKeys(chain.keys)); err != nil {
			return err
		}
	}
	if err := w.disk.ReplaceSecret(w.o.Key+stateSuffix, head.Text); err != nil {
		return err
	}
	return w.disk.Replace(w.main.join(checkpointFile), head.Text)
}
