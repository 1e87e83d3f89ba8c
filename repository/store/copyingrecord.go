package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"quire/repository/catalogue"
	"quire/repository/register"
)

// record writes the record of the batch into all copies, enters its leaf, and records the states of the copies. Once
// the record is complete, the next command that opens the repository goes on with it: see [Store.settleRuns].
func (b *refillBatch) record(ctx context.Context) error {
	s := b.store
	head, states, err := b.lines(ctx)
	if err != nil {
		return err
	}
	log, err := s.beginRun(b.present, head)
	if err != nil {
		return err
	}
	defer log.leave()
	foot := runFoot{Finished: states[0].Event.Time, Copies: b.sums(), Ended: catalogue.Complete,
		Done: int64(len(b.items))}
	for _, k := range b.copied {
		log.add(copiedLine{k})
	}
	err = log.complete(foot, func(text []byte) (string, error) { return s.signRun(ctx, text) })
	if err = errors.Join(err, log.failed()); err != nil {
		return errors.Join(err, log.remove())
	}
	b.decided = true
	ctx = context.WithoutCancel(ctx)
	for _, f := range log.files {
		if err := s.disk.syncDir(f.copy.audits()); err != nil {
			return err
		}
	}
	leaf, err := log.proof.leaf(head.Run, &foot)
	if err == nil {
		err = s.enterRun(ctx, leaf)
	}
	if err == nil {
		err = log.finish()
	}
	if err == nil {
		err = s.disk.allow("catalogue", "states")
	}
	if err == nil {
		err = s.catalogue.PutCopying(ctx, head.Run, states)
	}
	return err
}

// lines makes the lines of the record, with the states that they say.
func (b *refillBatch) lines(ctx context.Context) (head runHead, states []catalogue.State, err error) {
	s := b.store
	ids := make([]string, 0, len(b.items))
	for _, item := range b.items {
		ids = append(ids, item.card.ID)
	}
	newest, err := s.catalogue.NewestLines(ctx, ids)
	if err != nil {
		return head, nil, err
	}
	at := s.moment()
	head = runHead{Format: runFormat, Run: newUUID(), Scope: fmt.Sprintf("%d packages", len(ids)), Started: at,
		Type: string(copyingType), Software: s.software, Salt: register.NewSalt().String()}
	for _, item := range b.items {
		last := newest[item.card.ID]
		for name := range item.logs {
			if name != saltFile {
				last = max(last, name)
			}
		}
		for _, c := range item.bad {
			k := &copied{Package: item.card.ID, Copy: c.name, From: names(item.from[:1]), Event: newUUID()}
			k.after(at, last)
			b.copied = append(b.copied, k)
			states = append(states, catalogue.State{Package: item.card.ID, Copy: c.name, Status: statusGood,
				Event: k.event(head.Run, at)})
		}
	}
	return head, states, nil
}

// sums counts the packages that each copy got.
func (b *refillBatch) sums() (list []CopyAudit) {
	for _, c := range b.targets() {
		sum := CopyAudit{Name: c.name}
		for _, item := range b.items {
			if slices.Contains(item.bad, c) {
				sum.Objects++
				sum.Files += item.card.Files
				sum.Bytes += item.card.Bytes
			}
		}
		list = append(list, sum)
	}
	return list
}
