package screenshot_test

import (
	"context"
	"log"

	"quire/access/screenshot"
	"quire/access/screenshot/chromium"
	"quire/holdings"
	"quire/holdings/captures"
)

func Example() {
	var h *holdings.Holdings // of a repository
	m, err := screenshot.New("archive/access", h, &chromium.Browser{Program: "chromium"})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if err := (screenshot.Pages{Most: 20}).Of(ctx, h, "harbour-museum", func(page *captures.Capture) error {
		return m.Make(ctx, page)
	}); err != nil {
		log.Fatal(err)
	}
}
