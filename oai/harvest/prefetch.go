package harvest

import (
	"context"
	"net/url"

	"quire/oai/client"
	"quire/oai/protocol"
)

// prefetcher requests the next page while this one is stored, so that the server works meanwhile. There
// is still only one request at a time.
type prefetcher struct {
	*harvest
	token  string // of the request
	coming chan brought
	cancel context.CancelFunc
}

type brought struct {
	answer *client.Answer
	err    error
}

// ask requests the page of a token, if there is a token.
func (a *prefetcher) ask(ctx context.Context, token string) {
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

// get returns the next page: the one requested ahead if its token matches, otherwise a new request.
func (a *prefetcher) get(ctx context.Context) (*client.Answer, error) {
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

// drop abandons the request.
func (a *prefetcher) drop() error {
	if a.coming == nil {
		return nil
	}
	a.cancel()
	b := <-a.coming
	a.coming = nil
	if b.answer == nil {
		return nil // errors of an abandoned request do not matter
	}
	return b.answer.Close()
}
