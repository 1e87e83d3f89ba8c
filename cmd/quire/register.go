package main

import (
	"context"
	"errors"
	"slices"

	"quire/internal/humanize"
	"quire/repository/store"
)

type registerGroup struct {
	Show   registerShowCmd   `cmd:"" help:"Print size, root, keys and anchors of the register."`
	Anchor registerAnchorCmd `cmd:"" help:"@registerAnchor"`
	Rotate registerRotateCmd `cmd:"" help:"Replace the key of the repository; the old key signs the new one."`
}

type registerShowCmd struct {
	repoFlag
	jsonFlag
}

// Run prints the state of the register.
func (c *registerShowCmd) Run(ctx context.Context, t *terminal) error {
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error { return c.show(t, s) })
}

func (c *registerShowCmd) show(t *terminal, s *store.Store) error {
	head, err := s.Register()
	if err != nil {
		return err
	}
	keys, err := s.Keys()
	if err != nil {
		return err
	}
	anchors, err := s.AnchorStates()
	if err != nil {
		return err
	}
	if c.JSON {
		type key struct {
			Leaf int64  `json:"leaf"`
			Link string `json:"link"`
			Key  string `json:"key"`
		}
		all := []key{}
		for _, k := range keys {
			all = append(all, key{k.Index, k.Link.String(), k.Key})
		}
		return t.json(struct {
			Leaves  int64               `json:"leaves"`
			Root    string              `json:"root"`
			Keys    []key               `json:"keys"`
			Anchors []store.AnchorState `json:"anchors"`
		}{head.Size, head.Root.String(), all, anchors})
	}
	t.printf("register: %s, root %s\n", humanize.Number(head.Size, "leaf", "leaves"), head.Root)
	for _, k := range keys {
		t.printf("  key from leaf %d, %s: %s\n", k.Index, k.Link, k.Key)
	}
	printAnchors(t, anchors)
	return nil
}

func printAnchors(t *terminal, anchors []store.AnchorState) {
	if len(anchors) == 0 {
		t.printf("  no anchor; quire register anchor --add FOLDER adds one\n")
	}
	for _, a := range anchors {
		t.printf("  anchor %s: %s, %s", a.Anchor, humanize.Number(a.Leaves, "leaf", "leaves"), moment(a.Time))
		if a.Reason != "" {
			t.printf("; fails since %s: %s", moment(a.Failed), a.Reason)
		}
		t.printf("\n")
	}
}

type registerAnchorCmd struct {
	Add    []string `sep:"none" placeholder:"ANCHOR" help:"@registerAdd"`
	Remove []string `sep:"none" placeholder:"ANCHOR" help:"Remove an anchor; what it keeps stays there."`
	repoFlag
	jsonFlag
}

// Run changes the anchors, and brings the newest checkpoint to each.
func (c *registerAnchorCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		list := append(s.Anchors(), c.Add...)
		for _, name := range c.Remove {
			if !slices.Contains(list, name) {
				return errors.New("there is no anchor " + name + "; quire register show lists them")
			}
			list = slices.DeleteFunc(list, func(a string) bool { return a == name })
		}
		if len(c.Add)+len(c.Remove) > 0 {
			if err := s.SetAnchors(ctx, list); err != nil {
				return err
			}
		}
		owed, err := s.KeepAnchors(ctx)
		if err != nil {
			return err
		}
		anchors, err := s.AnchorStates()
		if err != nil {
			return err
		}
		if c.JSON {
			err = t.json(struct {
				Anchors []store.AnchorState `json:"anchors"`
			}{anchors})
		} else {
			printAnchors(t, anchors)
		}
		if err == nil && len(owed) > 0 {
			err = errors.New("not each anchor has the newest checkpoint; the next audit tries again")
		}
		return err
	})
}

type registerRotateCmd struct {
	repoFlag
	jsonFlag
}

// Run replaces the key.
func (c *registerRotateCmd) Run(ctx context.Context, t *terminal) error {
	return c.with(ctx, t, func(s *store.Store) error {
		if _, err := s.RotateKey(ctx); err != nil {
			return err
		}
		if !c.JSON {
			t.printf("the key is replaced: back up register.key and register.key.state\n")
		}
		return (&registerShowCmd{jsonFlag: c.jsonFlag}).show(t, s)
	})
}
