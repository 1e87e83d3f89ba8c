package register

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Open opens a register for appending. It completes an append or a rotation that was cut off. If
// the folder lost leaves that were signed, it takes them from another copy of the register, and if
// none has them, the error is a [*FindingError] with [RegisterBehind] or [RegisterForked].
func Open(ctx context.Context, o Options) (*Writer, error) {
	w := &Writer{o: o, disk: o.disk(), main: folder(o.Folder)}
	if err := w.settle(ctx); err != nil {
		return nil, err
	}
	if err := w.findKey(); err != nil {
		return nil, err
	}
	return w, w.refreshState()
}

// refreshState writes the state if it is missing or older than the head.
func (w *Writer) refreshState() error {
	state, err := w.readState()
	if err == nil && state != nil && state.Size == w.head.Size {
		return nil
	}
	return errors.Join(err, w.disk.ReplaceSecret(w.o.Key+stateSuffix, w.head.Text))
}

// readState reads the last checkpoint that was signed; nil: there is none.
func (w *Writer) readState() (*Checkpoint, error) {
	path := w.o.Key + stateSuffix
	text, err := readFile(path, maxCheckpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := ParseCheckpoint(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &c, nil
}

// settle brings the folder to the newest tree that was signed, and loads it.
func (w *Writer) settle(ctx context.Context) error {
	state, err := w.readState()
	if err != nil {
		return err
	}
	head, err := w.main.checkpoint()
	if err != nil && !errors.Is(err, ErrNoRegister) {
		return err
	}
	missing := err != nil
	w.StateMissing = state == nil
	switch {
	case state != nil && (missing || head.Size < state.Size):
		if head, err = w.advance(ctx, head, *state); err != nil {
			return err
		}
	case state != nil:
		if err := w.main.extends(head, *state); err != nil {
			return err
		}
	case missing:
		return fmt.Errorf("%w in %s", ErrNoRegister, w.o.Folder)
	}
	if err := w.load(head); err != nil {
		return err
	}
	return w.compareCopies(ctx)
}

// advance completes an append that was cut off behind the state, or takes the leaves from a copy.
func (w *Writer) advance(ctx context.Context, head, state Checkpoint) (Checkpoint, error) {
	if _, err := w.main.edge(state.tree()); err == nil {
		if head.Size > 0 {
			if err := w.main.extends(state, head); err != nil {
				return head, err
			}
		}
		return state, w.disk.Replace(w.main.join(checkpointFile), state.Text)
	}
	var errs []error
	for _, path := range w.o.Copies {
		c := folder(path)
		there, err := c.checkpoint()
		if err == nil && there.Size < state.Size {
			continue
		}
		if err == nil {
			err = c.extends(there, state)
		}
		if err == nil { // leaves behind the state wait for compareCopies, which judges their signature
			err = catchUp(ctx, w.disk, c, there, w.main, state)
		}
		if err == nil {
			return state, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", path, err))
	}
	return head, errors.Join(append([]error{&FindingError{Finding{Code: RegisterBehind, Folder: w.o.Folder,
		Index: head.Size, Expected: sizeOf(state.Size), Found: sizeOf(head.Size),
		Detail: "the key has signed more leaves than this folder has, and no copy has them"}}}, errs...)...)
}

// load reads the right edge and the keys of a head of the main folder.
func (w *Writer) load(head Checkpoint) error {
	e, err := w.main.edge(head.tree())
	if err != nil {
		return damaged(w.main, err)
	}
	tail, err := w.main.tail(e)
	if err != nil {
		return damaged(w.main, err)
	}
	chain, err := w.main.keys(head.Origin, head.tree())
	if err != nil {
		return damaged(w.main, err)
	}
	if !head.SignedBy(chain.at(head.Size)) {
		return &FindingError{Finding{Code: RegisterSignature, Folder: w.o.Folder, Index: head.Size,
			Expected: chain.at(head.Size), Detail: "the key that the register names last did not sign it"}}
	}
	w.head, w.edge, w.tail, w.chain = head, e, tail, chain
	return w.dropStaleKeys()
}

// dropStaleKeys removes keys of an append that was cut off: their leaves do not count.
func (w *Writer) dropStaleKeys() error {
	text, err := readFile(w.main.join(keysFile), maxKeyFile)
	if err != nil {
		return err
	}
	if want := formatKeys(w.chain.keys); string(want) != string(text) {
		return w.disk.Replace(w.main.join(keysFile), want)
	}
	return nil
}

// compareCopies takes leaves from a longer copy, if this key signed them: the state may be missing, or
// older. Without a state, it refuses to choose between two histories that the key signed.
func (w *Writer) compareCopies(ctx context.Context) error {
	for _, path := range w.o.Copies {
		c := folder(path)
		there, err := c.checkpoint()
		if err != nil || there.Size <= w.head.Size || !w.signed(c, there) {
			continue // CatchUp, Verify and Compare report it
		}
		err = c.extends(there, w.head)
		if err != nil && w.StateMissing {
			return err
		}
		if err != nil {
			continue // the state says which history is the right one; CatchUp reports the other
		}
		if err := catchUp(ctx, w.disk, c, there, w.main, there); err != nil {
			return err
		}
		if err := w.load(there); err != nil {
			return err
		}
	}
	return nil
}

// signed reports whether a checkpoint of another folder is signed by the last key of this register, or
// by one that this key signed. A forger can sign leaves by an unlinked key: they do not count.
func (w *Writer) signed(c folder, there Checkpoint) bool {
	chain, err := c.keys(there.Origin, there.tree())
	if err != nil || there.Origin != w.head.Origin || !there.SignedBy(chain.at(there.Size)) {
		return false
	}
	known := len(w.chain.keys)
	last := w.chain.keys[known-1]
	return len(chain.keys) >= known && chain.keys[known-1] == last && chain.unlinked(last.Index+1, nil) == nil
}

func damaged(f folder, err error) error {
	found := Finding{Code: RegisterDamaged, Folder: string(f), Index: -1, Detail: err.Error()}
	return errors.Join(&FindingError{found}, err)
}
