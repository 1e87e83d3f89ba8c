package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quire/repository/register"
)

// anchorsFolder is the folder of the repository with the records of anchors. They are in no copy, and neither
// are the anchors themselves: a copy must not choose a program to run.
const anchorsFolder = "anchors"

// Prefixes of the settings of anchors.
const (
	anchorOfFolder  = "folder:"
	anchorOfCommand = "command:"
)

// parseAnchor returns the anchor of a setting, and the setting in its full form: folder:PATH, command:PROGRAM
// ARGUMENTS, or the address of a time stamping authority. Without a prefix, an existing folder or a program of
// that name is meant.
func parseAnchor(text string) (register.Anchor, string, error) {
	fail := func(reason string) (register.Anchor, string, error) {
		return nil, "", fmt.Errorf("anchor %q: %s; use folder:PATH, command:PROGRAM ARGUMENTS, or the address of a "+
			"time stamping authority", text, reason)
	}
	if u, err := url.Parse(text); err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return register.TimestampAnchor{URL: text}, text, nil
	}
	path, isFolder := strings.CutPrefix(text, anchorOfFolder)
	line, isCommand := strings.CutPrefix(text, anchorOfCommand)
	if info, err := os.Stat(text); !isFolder && !isCommand && err == nil && info.IsDir() {
		isFolder = true
	}
	if isFolder {
		path, err := filepath.Abs(path)
		if err != nil {
			return fail(err.Error())
		}
		return register.FolderAnchor{Path: path}, anchorOfFolder + path, nil
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return fail("it names nothing")
	}
	if _, err := exec.LookPath(words[0]); err != nil && !isCommand {
		return fail("there is neither such a folder nor such a program")
	}
	return register.CommandAnchor{Command: words}, anchorOfCommand + strings.Join(words, " "), nil
}

// anchorRecords returns the anchors of the repository, with their records.
func (s *Store) anchorRecords() (*register.Anchors, error) {
	a := &register.Anchors{Folder: s.Folder(anchorsFolder), Disk: registerDisk{s.disk}}
	for _, text := range s.anchors {
		anchor, _, err := parseAnchor(text)
		if err != nil {
			return nil, err
		}
		a.List = append(a.List, anchor)
	}
	return a, nil
}

// Anchors returns the settings of the anchors.
func (s *Store) Anchors() []string { return slices.Clone(s.anchors) }

// SetAnchors records the anchors of the repository, in quire-repository.json only. Each is folder:PATH,
// command:PROGRAM ARGUMENTS, or the address of a time stamping authority (RFC 3161). A program runs by the
// account of each audit.
func (s *Store) SetAnchors(ctx context.Context, list []string) error {
	full, err := anchorSettings(list)
	if err != nil {
		return err
	}
	err = s.changeSettings(ctx, "setting anchors", func(config *repositoryConfig) error {
		config.Anchors = full
		return nil
	}, nil)
	if err == nil {
		s.anchors = full
	}
	return err
}

// anchorSettings returns the settings of anchors in their full form, each once.
func anchorSettings(list []string) (full []string, err error) {
	for _, text := range list {
		_, setting, err := parseAnchor(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(full, setting) {
			full = append(full, setting)
		}
	}
	return full, nil
}

// AnchorState is the state of one anchor.
type AnchorState struct {
	Anchor string    `json:"anchor"`          // its setting
	Leaves int64     `json:"leaves"`          // of the last checkpoint that it keeps
	Time   time.Time `json:"time,omitzero"`   // when it was kept
	Failed time.Time `json:"failed,omitzero"` // since when it fails
	Reason string    `json:"reason,omitempty"`
}

// AnchorStates returns the state of each anchor.
func (s *Store) AnchorStates() ([]AnchorState, error) {
	a, err := s.anchorRecords()
	if err != nil {
		return nil, err
	}
	kept, err := a.State()
	if err != nil {
		return nil, err
	}
	all := []AnchorState{}
	for i, anchor := range a.List {
		state := AnchorState{Anchor: s.anchors[i]}
		for _, k := range kept {
			if k.Anchor == anchor.Name() {
				state.Leaves, state.Time, state.Failed, state.Reason = k.Size, k.Time, k.Failed, k.Reason
			}
		}
		all = append(all, state)
	}
	return all, nil
}

// KeepAnchors brings the newest checkpoint to each anchor that lacks it. The findings name the anchors that
// failed; they are tried again the next time.
func (s *Store) KeepAnchors(ctx context.Context) ([]register.Finding, error) {
	if err := s.Writable(); err != nil {
		return nil, err
	}
	a, err := s.anchorRecords()
	if err != nil || len(a.List) == 0 {
		return nil, err
	}
	turn, err := s.tryLock("anchors", exclusive, "the anchors of "+s.root, "anchoring")
	if err != nil {
		return nil, err
	}
	defer turn.release()
	head, err := s.Register()
	if err != nil {
		return nil, err
	}
	return a.Keep(ctx, head)
}

// RotateKey replaces the key of the repository. The old key signs the new one, and is deleted. Back up
// register.key and register.key.state afterwards.
func (s *Store) RotateKey(ctx context.Context) (head register.Checkpoint, err error) {
	if err := s.Writable(); err != nil {
		return head, err
	}
	if !s.registered() {
		return head, ErrNoRegister
	}
	err = s.withRegister(ctx, func(w *register.Writer) error {
		if head, err = w.Rotate(ctx, s.moment()); err != nil {
			return err
		}
		s.shareRegister(ctx, w)
		return nil
	})
	if err == nil {
		s.shareFarRegister(ctx)
	}
	return head, err
}

// checkAnchors compares the main register with all that the anchors keep.
func (a *audit) checkAnchors() error {
	s := a.store
	records, err := s.anchorRecords()
	if err != nil || !s.registered() {
		return err
	}
	found, err := records.Check(s.registerPath(), nil)
	a.addRegister(found, "")
	return err
}

// keepAnchors anchors the register after an audit. Anchors that fail are notes.
func (a *audit) keepAnchors(ctx context.Context) {
	owed, err := a.store.KeepAnchors(ctx)
	if errors.Is(err, ErrNoRegister) {
		err = nil
	}
	a.note(err)
	for _, f := range owed {
		a.note(errors.New(f.String()))
	}
}
