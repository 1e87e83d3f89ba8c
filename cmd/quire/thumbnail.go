package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"quire/access/address"
	"quire/access/screenshot"
	"quire/access/screenshot/chromium"
	"quire/holdings"
	"quire/holdings/captures"
	"quire/internal/humanize"
	"quire/repository/store"
)

type thumbnailCmd struct {
	Of       []string      `arg:"" help:"@thumbnailOf"`
	Chromium string        `env:"QUIRE_CHROMIUM" placeholder:"PROGRAM" help:"@thumbnailChromium"`
	At       string        `placeholder:"TIMESTAMP" help:"@thumbnailAt"`
	Most     int           `default:"20" placeholder:"N" help:"@thumbnailMost"`
	Again    bool          `help:"Make those that exist again."`
	Time     time.Duration `default:"20s" help:"Time for the loading of a page. Default: ${default}."`
	Config   string        `type:"existingfile" env:"QUIRE_SERVE_CONFIG" placeholder:"FILE" help:"@thumbnailConfig"`
	repoFlag
	jsonFlag
}

// thumbnailsMade is the result as JSON, a contract.
type thumbnailsMade struct {
	Made   int            `json:"made"`
	Before int            `json:"made_before"`
	None   []thumbnailNot `json:"none"` // the first of them
	Lacks  int            `json:"none_in_all"`
}

type thumbnailNot struct {
	URL    string `json:"url"`
	At     string `json:"timestamp"`
	Reason string `json:"reason"`
}

// maxNotMade limits the pages without a thumbnail that are listed.
const maxNotMade = 100

// Run makes the thumbnails.
func (c *thumbnailCmd) Run(ctx context.Context, t *terminal) error {
	if c.Chromium == "" {
		return errors.New("name the browser: --chromium chromium, --chromium PATH, or QUIRE_CHROMIUM")
	}
	if c.At != "" && (len(c.Of) != 1 || !isURL(c.Of[0])) {
		return errors.New("--at is for one URL")
	}
	if c.Time < time.Second || c.Time > 10*time.Minute {
		return errors.New("--time is from 1s to 10m")
	}
	settings, err := settingsFor(t, c.Config, string(holdings.Public))
	if err != nil {
		return err
	}
	browser := &chromium.Browser{Program: c.Chromium, Time: c.Time}
	if err := browser.Check(); err != nil {
		return err
	}
	return c.reads(ctx, t, dryFlag{}, func(s *store.Store) error {
		if _, err := s.Derived("access"); err != nil {
			return err
		}
		h, err := holdings.Of(ctx, s, holdings.Options{Rules: settings.Rules,
			Unstated: holdings.Verdict(settings.Unstated), Problem: func(err error) { t.warn(err.Error()) }})
		if err != nil {
			return err
		}
		t.note(noRightsWarning(ctx, h, settings, string(holdings.Public)))
		return closed(c.make(ctx, t, h, browser), h.Close())
	})
}

func isURL(s string) bool { return strings.Contains(s, "://") }

// make makes the thumbnails, and prints the result.
func (c *thumbnailCmd) make(ctx context.Context, t *terminal, h *holdings.Holdings, b screenshot.Browser) error {
	maker, err := screenshot.New(h.Dir(), h, b)
	if err != nil {
		return err
	}
	if err := h.Ready(ctx); err != nil {
		return err
	}
	result := &thumbnailsMade{None: []thumbnailNot{}}
	for _, of := range c.Of {
		t.begin("pages of "+of, -1)
		err := c.pages(ctx, h, of, func(page *captures.Capture) error {
			t.progress(1)
			return c.one(ctx, maker, page, result)
		})
		if t.clear(); err != nil {
			return err
		}
	}
	if c.JSON {
		err = t.json(result)
	} else {
		t.printf("%s made, %d made before\n", humanize.Number(int64(result.Made), "thumbnail", "thumbnails"),
			result.Before)
		for _, n := range result.None {
			t.printf("  none of %s of %s: %s\n", n.URL, n.At, n.Reason)
		}
		if more := result.Lacks - len(result.None); more > 0 {
			t.printf("  and none of %s\n", humanize.Number(int64(more), "more page", "more pages"))
		}
	}
	if err == nil && result.Lacks > 0 {
		err = errContent
	}
	return err
}

// one makes the thumbnail of a page.
func (c *thumbnailCmd) one(ctx context.Context, m *screenshot.Maker, page *captures.Capture,
	result *thumbnailsMade) error {
	if !c.Again && m.Has(page) {
		result.Before++
		return nil
	}
	err := m.Make(ctx, page)
	var none *screenshot.NoShotError
	switch {
	case err == nil:
		result.Made++
	case !errors.As(err, &none):
		return fmt.Errorf("the thumbnail of %s of %s: %w", page.URL, page.Timestamp, err)
	default:
		if result.Lacks++; len(result.None) < maxNotMade {
			result.None = append(result.None, thumbnailNot{page.URL, page.Timestamp, none.Reason})
		}
	}
	return nil
}

// pages calls found for the pages of a package, a collection, or a URL.
func (c *thumbnailCmd) pages(ctx context.Context, h *holdings.Holdings, of string,
	found func(*captures.Capture) error) error {
	if isURL(of) {
		return c.captures(ctx, h, of, found)
	}
	packages, known := h.InCollection(of)
	if !known {
		return fmt.Errorf("%q is no package, collection or URL of this repository", of)
	}
	choice := screenshot.Pages{Most: c.Most}
	if packages != nil {
		for _, id := range packages {
			if err := choice.Of(ctx, h, id, found); err != nil {
				return err
			}
		}
		return nil
	}
	for p, err := range h.Packages(ctx, holdings.Reader{Class: holdings.Public}) { // address.All
		if err != nil {
			return err
		}
		if err := choice.Of(ctx, h, p.ID, found); err != nil {
			return err
		}
	}
	return nil
}

// captures calls found for the captures of a URL that are pages.
func (c *thumbnailCmd) captures(ctx context.Context, h *holdings.Holdings, url string,
	found func(*captures.Capture) error) error {
	q := captures.Query{URL: url}
	if c.At != "" {
		at, ok := address.Time(c.At)
		if !ok {
			return fmt.Errorf("%q is no time: write it as 20150102030405", c.At)
		}
		q.Closest = address.Timestamp(at)
	}
	n := 0
	for page, err := range h.Captures(ctx, holdings.Reader{Class: holdings.Public}, q) {
		if err != nil {
			return err
		}
		if !page.Allowed || !screenshot.IsPage(page.Capture) {
			continue
		}
		n++
		if err := found(page.Capture); err != nil || c.At != "" {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("%s has no capture as a page that is open to the public", url)
	}
	return nil
}
