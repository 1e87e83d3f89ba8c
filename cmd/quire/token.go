package main

import (
	"context"
	"time"

	"quire/repository/store"
	"quire/service/role"
	"quire/service/token"
)

// serviceFolder has the files of the service in the folder of the repository.
const serviceFolder = "service"

type tokenGroup struct {
	Add    tokenAddCmd    `cmd:"" help:"@tokenAdd"`
	List   tokenListCmd   `cmd:"" help:"List the tokens, also those that ended. It shows no secret."`
	Revoke tokenRevokeCmd `cmd:"" help:"End a token now."`
}

type tokenAddCmd struct {
	Name  string      `arg:"" help:"@tokenName"`
	Role  []role.Role `required:"" placeholder:"ROLE,..." help:"@tokenRole"`
	Valid store.Span  `default:"90d" placeholder:"SPAN" help:"How long it is valid, such as 12h or 365d. Default: 90d."`
	repoFlag
	jsonFlag
}

// tokenShown is a token without its secret, for JSON.
type tokenShown struct {
	ID      string      `json:"id"`
	Name    string      `json:"name"`
	Roles   []role.Role `json:"roles"`
	Made    time.Time   `json:"made"`
	Expires time.Time   `json:"expires"`
	Revoked time.Time   `json:"revoked,omitzero"`
	Token   string      `json:"token,omitempty"` // only when it is made
}

func shownToken(k *token.Token, text string) tokenShown {
	return tokenShown{k.ID, k.Name, k.Roles, k.Made, k.Expires, k.Revoked, text}
}

// withTokens runs work with the tokens of the repository.
func (f *repoFlag) withTokens(ctx context.Context, t *terminal, work func(*token.Tokens) error) error {
	return f.reads(ctx, t, dryFlag{}, func(s *store.Store) error { return work(token.In(s.Folder(serviceFolder))) })
}

// Run makes a token and prints it.
func (c *tokenAddCmd) Run(ctx context.Context, t *terminal) error {
	return c.withTokens(ctx, t, func(all *token.Tokens) error {
		made, text, err := all.Add(c.Name, c.Role, time.Duration(c.Valid))
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(shownToken(&made, text))
		}
		t.printf("%s\n", text)
		t.note("this is the only time that the token " + made.ID + " is shown; it is valid until " +
			moment(made.Expires))
		return nil
	})
}

type tokenListCmd struct {
	repoFlag
	jsonFlag
}

// Run lists the tokens.
func (c *tokenListCmd) Run(ctx context.Context, t *terminal) error {
	return c.withTokens(ctx, t, func(all *token.Tokens) error {
		list, err := all.List()
		if err != nil {
			return err
		}
		if len(list) == 0 && !c.JSON {
			t.printf("no token yet; \"quire token add NAME --role ROLE --repo %s\" makes one\n", c.Repo)
		}
		for i := range list {
			if err := c.print(t, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *tokenListCmd) print(t *terminal, k *token.Token) error {
	if c.JSON {
		return t.json(shownToken(k, ""))
	}
	state := "until " + moment(k.Expires)
	switch {
	case !k.Revoked.IsZero():
		state = "revoked " + moment(k.Revoked)
	case !k.Valid(time.Now()):
		state = "ended " + moment(k.Expires)
	}
	t.printf("%-5s %-28s  %s  ", k.ID, state, k.Name)
	for i, r := range k.Roles {
		if i > 0 {
			t.printf(",")
		}
		t.printf("%s", r)
	}
	t.printf("\n")
	return nil
}

type tokenRevokeCmd struct {
	ID string `arg:"" name:"id" help:"The token (T1), as quire token list shows it."`
	repoFlag
	jsonFlag
}

// Run ends a token.
func (c *tokenRevokeCmd) Run(ctx context.Context, t *terminal) error {
	return c.withTokens(ctx, t, func(all *token.Tokens) error {
		k, err := all.Revoke(c.ID)
		if err != nil {
			return err
		}
		if c.JSON {
			return t.json(shownToken(&k, ""))
		}
		t.printf("revoked %s, of %s\n", k.ID, k.Name)
		return nil
	})
}
