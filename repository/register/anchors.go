package register

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// Anchors keeps each new checkpoint at several anchors. An anchor that fails owes the checkpoint: it
// is tried again with the next one, and [Anchors.Owed] reports it until then.
type Anchors struct {
	// Folder holds what was anchored: the file anchors.json, and for each checkpoint with a receipt
	// the files NUMBER-SIZE.checkpoint and NUMBER-SIZE.receipt. It may lie in copies, too.
	Folder string
	List   []Anchor
	Disk   Disk // nil: the disk of the operating system
}

// Anchored is the state of one anchor.
type Anchored struct {
	Anchor string    `json:"anchor"`           // its name
	Number int       `json:"number"`           // of the anchor, in names of files
	Size   int64     `json:"size"`             // of the last checkpoint that it keeps
	Root   string    `json:"root,omitempty"`   // of that checkpoint, in hex
	Time   time.Time `json:"time,omitzero"`    // when it was kept
	Failed time.Time `json:"failed,omitzero"`  // the first failure since then
	Reason string    `json:"reason,omitempty"` // of the last failure
}

// anchorState is the content of anchors.json. Anchors that are no longer used stay in it.
type anchorState struct {
	Format  int         `json:"format"` // 1
	Anchors []*Anchored `json:"anchors"`
}

const (
	anchorStateFile = "anchors.json"
	maxAnchorState  = 1 << 20 // bytes
	maxReason       = 500     // bytes
)

// Keep brings a checkpoint to every anchor that does not have it. The findings name the anchors that
// failed. The error is that of the own records.
func (a *Anchors) Keep(ctx context.Context, c Checkpoint) ([]Finding, error) {
	state, err := a.read()
	if err != nil {
		return nil, err
	}
	changed := false
	for _, anchor := range a.List {
		was := state.of(anchor.Name())
		if was.Size == c.Size && was.Root == c.Root.String() {
			continue
		}
		changed = true
		receipt, err := anchor.Keep(ctx, c)
		if err == nil {
			err = a.store(was, c, receipt)
		}
		now := time.Now().UTC().Truncate(time.Second)
		if err == nil {
			*was = Anchored{Anchor: was.Anchor, Number: was.Number, Size: c.Size, Root: c.Root.String(), Time: now}
			continue
		}
		if was.Failed.IsZero() {
			was.Failed = now
		}
		was.Reason = err.Error()[:min(len(err.Error()), maxReason)]
	}
	if changed {
		err = a.write(state)
	}
	return a.owed(state, c), err
}

// Owed reports the anchors that do not have a checkpoint, without calling them.
func (a *Anchors) Owed(c Checkpoint) ([]Finding, error) {
	state, err := a.read()
	if err != nil {
		return nil, err
	}
	return a.owed(state, c), nil
}

// State returns the record of each anchor, also of those that are no longer used.
func (a *Anchors) State() ([]Anchored, error) {
	state, err := a.read()
	if err != nil {
		return nil, err
	}
	var all []Anchored
	for _, s := range state.Anchors {
		all = append(all, *s)
	}
	return all, nil
}

func (a *Anchors) owed(state *anchorState, c Checkpoint) []Finding {
	var all []Finding
	for _, anchor := range a.List {
		was := state.of(anchor.Name())
		if was.Size == c.Size && was.Root == c.Root.String() {
			continue
		}
		detail := "it was not tried yet"
		if was.Reason != "" {
			detail = fmt.Sprintf("it fails since %s: %s", was.Failed.Format(time.RFC3339), was.Reason)
		}
		all = append(all, Finding{Code: AnchorFailed, Folder: anchor.Name(), Index: -1, Expected: sizeOf(c.Size),
			Found: sizeOf(was.Size), Detail: detail})
	}
	return all
}

// store keeps a receipt with its checkpoint.
func (a *Anchors) store(was *Anchored, c Checkpoint, receipt []byte) error {
	if len(receipt) == 0 {
		return nil
	}
	stem := filepath.Join(a.Folder, fmt.Sprintf("%d-%d", was.Number, c.Size))
	if err := a.disk().MakeFolder(a.Folder); err != nil {
		return err
	}
	if err := a.disk().Replace(stem+".checkpoint", c.Text); err != nil {
		return err
	}
	return a.disk().Replace(stem+".receipt", receipt)
}

// of returns the record of an anchor, which it adds if there is none.
func (s *anchorState) of(name string) *Anchored {
	for _, known := range s.Anchors {
		if known.Anchor == name {
			return known
		}
	}
	added := &Anchored{Anchor: name, Number: len(s.Anchors) + 1}
	s.Anchors = append(s.Anchors, added)
	return added
}

func (a *Anchors) disk() Disk {
	if a.Disk == nil {
		return osDisk{}
	}
	return a.Disk
}

func (a *Anchors) read() (*anchorState, error) {
	path := filepath.Join(a.Folder, anchorStateFile)
	text, err := readFile(path, maxAnchorState)
	if errors.Is(err, fs.ErrNotExist) {
		return &anchorState{Format: 1}, nil
	}
	state := &anchorState{}
	if err == nil {
		err = json.Unmarshal(text, state)
	}
	if err == nil && state.Format != 1 {
		err = fmt.Errorf("format %d is not known", state.Format)
	}
	for _, s := range state.Anchors {
		if s == nil && err == nil {
			err = errors.New("an anchor is null")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return state, nil
}

func (a *Anchors) write(state *anchorState) error {
	text, err := json.MarshalIndent(state, "", "  ")
	if err != nil {
		return err
	}
	if err := a.disk().MakeFolder(a.Folder); err != nil {
		return err
	}
	return a.disk().Replace(filepath.Join(a.Folder, anchorStateFile), append(text, '\n'))
}
