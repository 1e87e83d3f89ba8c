package harvest

import (
	"context"
	"net/url"

	"quire/oai/client"
	"quire/oai/protocol"
)

// ahead asks for the next page while this one is kept: the server works on it meanwhile. There is
// still one question at a time.
type ahead struct {
	*harvest
	token  string // that was asked for
	coming chan brought
	cancel context.CancelFunc
}

type brought struct {
	answer *client.Answer
	err    error
}

// ask asks for the page of a token. Nothing is asked for when there is none.
func (a *ahead) ask(ctx context.Context, token string) {
	if token == "" || token == a.window.Token {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	a.token, a.cancel, a.coming = token, cancel, make(chan brought, 1)
	coming := a.coming
	args := url.Values{"verb": {string(protocol.ListRecords)}, "resumptionToken": {token}}
	go func() {
		answer, err := a.client.Get(ctx, args)
		coming <- brought{answer, err}
	}()
}

// get gives the next page: the one that was asked for, when that is still what is wanted.
func (a *ahead) get(ctx context.Context) (*client.Answer, error) {
	if a.coming != nil && a.token == a.window.Token {
		defer a.cancel()
		b := <-a.coming
		a.coming = nil
		return b.answer, b.err
	}
	if err := a.drop(); err != nil {
		return nil, err
	}
	return a.client.Get(ctx, a.question())
}

// drop gives up what was asked for.
func (a *ahead) drop() error {
	if a.coming == nil {
		return nil
	}
	a.cancel()
	b := <-a.coming
	a.coming = nil
	if b.answer == nil {
		return nil // what went wrong with what nobody wants is of no interest
	}
	return b.answer.Close()
}
