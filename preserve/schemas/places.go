package schemas

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"quire/metadata/xmlstream"
)

// places are the home pages of the schemas, or a mirror of them.
type places struct {
	client *http.Client
	mirror string
	agent  string
}

// maxRedirects is the maximum number of redirects. The Library of Congress redirects once, to
// https.
const maxRedirects = 5

func newPlaces(o *Options) (places, error) {
	if o.From != "" {
		u, err := url.Parse(o.From)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return places{}, fmt.Errorf("%q is not the URL of a mirror: write it as "+
				"https://mirror.example/schemas", o.From)
		}
	}
	client := &http.Client{Timeout: cmp.Or(o.Timeout, time.Minute),
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("more than %d redirects", maxRedirects)
			}
			if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
				return fmt.Errorf("redirected to %s", r.URL.Redacted())
			}
			return nil
		}}
	return places{client, strings.TrimSuffix(o.From, "/"), cmp.Or(o.Agent, "quire")}, nil
}

// get returns the content of a URL. The error names the URL.
func (p places) get(ctx context.Context, home string) ([]byte, error) {
	at := home
	if p.mirror != "" {
		_, place, _ := strings.Cut(home, "://")
		at = p.mirror + "/" + place
	}
	content, err := p.ask(ctx, at)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return content, nil
}

func (p places) ask(ctx context.Context, at string) (content []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", p.agent)
	answer, err := p.client.Do(request)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // its text repeats the URL
		}
		return nil, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the status is %q", answer.Status)
	}
	content, err = io.ReadAll(io.LimitReader(answer.Body, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer ended after %d bytes: %w", len(content), err)
	case len(content) > maxFile:
		return nil, fmt.Errorf("has more than %d bytes, the limit for a schema", maxFile)
	}
	return content, nil
}

// checkSchema checks that a file is a schema of the namespace, not an error page.
func (o *official) checkSchema(content []byte) error {
	root, err := xmlstream.NewReader(bytes.NewReader(content), xmlstream.Limits{}).Root()
	if err != nil {
		return fmt.Errorf("%s is not a schema: %w", o.url, err)
	}
	if !root.Is("http://www.w3.org/2001/XMLSchema", "schema") || root.Attr("targetNamespace") != o.namespace {
		return fmt.Errorf("%s is not a schema of the namespace %s: it starts with <%s targetNamespace=%q>", o.url,
			o.namespace, root.Local, root.Attr("targetNamespace"))
	}
	return nil
}
