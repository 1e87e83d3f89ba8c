package register

import (
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// keeper is an anchor whose checkpoints can be read.
type keeper interface {
	Checkpoints() iter.Seq2[Checkpoint, error]
}

// Check compares a folder of the register with everything that the anchors keep: the checkpoints of
// each folder, and the receipts. Roots are the authorities that are trusted for time stamps; nil:
// their chains are not verified. An anchor that cannot be read is a finding. The error is that of
// the own records.
func (a *Anchors) Check(path string, roots *x509.CertPool) ([]Finding, error) {
	state, err := a.read()
	if err != nil {
		return nil, err
	}
	var all []Finding
	add := func(anchor string, found *Finding) {
		if found != nil && len(all) < maxFindings {
			found.Detail = anchor + ": " + found.Detail
			all = append(all, *found)
		}
	}
	for _, anchor := range a.List {
		k, ok := anchor.(keeper)
		if !ok || state.of(anchor.Name()).Size == 0 {
			continue
		}
		for c, err := range k.Checkpoints() {
			if err != nil {
				add(anchor.Name(), &Finding{Code: AnchorReceipt, Folder: path, Index: -1, Detail: err.Error()})
				continue
			}
			add(anchor.Name(), CheckAnchored(path, c))
		}
	}
	receipts, err := filepath.Glob(filepath.Join(a.Folder, "*.receipt"))
	if err != nil {
		return all, err
	}
	for _, receipt := range receipts {
		c, name, err := a.receipt(state, receipt, roots)
		if err != nil {
			add(name, &Finding{Code: AnchorReceipt, Folder: path, Index: -1, File: receipt, Detail: err.Error()})
			continue
		}
		add(name, CheckAnchored(path, c))
	}
	return all, nil
}

// receipt reads a receipt with its checkpoint, and verifies it if it is a time stamp.
func (a *Anchors) receipt(state *anchorState, path string, roots *x509.CertPool) (Checkpoint, string, error) {
	stem := strings.TrimSuffix(path, ".receipt")
	number, _, _ := strings.Cut(filepath.Base(stem), "-")
	name := filepath.Base(path)
	n, err := strconv.Atoi(number)
	if err == nil && n >= 1 && n <= len(state.Anchors) {
		name = state.Anchors[n-1].Anchor
	}
	text, err := readFile(stem+".checkpoint", maxCheckpoint)
	if err != nil {
		return Checkpoint{}, name, err
	}
	c, err := ParseCheckpoint(text)
	if err != nil {
		return c, name, err
	}
	if !strings.HasPrefix(name, timestampName) {
		return c, name, nil
	}
	stamp, err := readFile(path, maxToken)
	if err == nil {
		_, err = VerifyTimestamp(stamp, c, roots)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		err = fmt.Errorf("the time stamp does not hold: %w", err)
	}
	return c, name, err
}
