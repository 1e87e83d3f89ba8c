package main

import (
	"context"
	"time"

	signing "quire/access/statement"
	"quire/repository/store"
)

type statementKeyGroup struct {
	List     statementKeyListCmd     `cmd:"" help:"@statementKeyList"`
	Rotate   statementKeyRotateCmd   `cmd:"" help:"@statementKeyRotate"`
	Distrust statementKeyDistrustCmd `cmd:"" help:"@statementKeyDistrust"`
}

// withKeys runs work with the keys of statements of a repository.
func (f *repoFlag) withKeys(ctx context.Context, t *terminal, work func(*signing.Keys) error) error {
	return f.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		dir, err := s.Derived("access")
		if err != nil {
			return err
		}
		keys, err := signing.AtKeys(dir)
		if err != nil {
			return err
		}
		return work(keys)
	})
}

type statementKeyListCmd struct {
	repoFlag
	jsonFlag
}

// statementKeyShown is a public key for JSON.
type statementKeyShown struct {
	ID          string    `json:"id"`
	From        time.Time `json:"from,omitzero"`
	Until       time.Time `json:"until,omitzero"` // absent if it signs
	Compromised time.Time `json:"compromised,omitzero"`
}

// Run lists the keys, the newest first.
func (c *statementKeyListCmd) Run(ctx context.Context, t *terminal) error {
	return c.withKeys(ctx, t, func(keys *signing.Keys) error { return listKeys(t, keys, c.JSON) })
}

func listKeys(t *terminal, keys *signing.Keys, asJSON bool) error {
	all, err := keys.Published()
	if err != nil {
		return err
	}
	for i := range all {
		k := &all[i]
		if asJSON {
			if err := t.json(statementKeyShown{k.ID(), k.From, k.Until, k.Compromised}); err != nil {
				return err
			}
			continue
		}
		t.printf("%s%s\n", k.ID(), timesOf(k))
	}
	return nil
}

func timesOf(k *signing.PublicKey) (words string) {
	if !k.From.IsZero() {
		words += "  from " + moment(k.From)
	}
	switch {
	case k.Until.IsZero():
		words += "  signs"
	default:
		words += "  until " + moment(k.Until)
	}
	if !k.Compromised.IsZero() {
		words += "  compromised since " + moment(k.Compromised)
	}
	return words
}

type statementKeyRotateCmd struct {
	CompromisedSince time.Time `format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"@statementKeyCompromised"`
	repoFlag
	jsonFlag
}

// Run retires the key and makes another.
func (c *statementKeyRotateCmd) Run(ctx context.Context, t *terminal) error {
	return c.withKeys(ctx, t, func(keys *signing.Keys) error {
		if _, err := keys.Rotate(time.Now().UTC().Truncate(time.Second), c.CompromisedSince); err != nil {
			return err
		}
		return listKeys(t, keys, c.JSON)
	})
}

type statementKeyDistrustCmd struct {
	Key   string    `arg:"" help:"Id of the retired key, as statement-key list shows it."`
	Since time.Time `required:"" format:"2006-01-02T15:04:05Z" placeholder:"TIME" help:"@statementKeySince"`
	repoFlag
}

// Run marks a retired key.
func (c *statementKeyDistrustCmd) Run(ctx context.Context, t *terminal) error {
	return c.withKeys(ctx, t, func(keys *signing.Keys) error {
		if err := keys.Distrust(c.Key, c.Since); err != nil {
			return err
		}
		return listKeys(t, keys, false)
	})
}
