package chromium_test

import (
	"context"
	"log"
	"os"

	"quire/access/screenshot/chromium"
)

func Example() {
	b := chromium.Browser{Program: "chromium"}
	if err := b.Check(); err != nil {
		log.Fatal(err)
	}
	picture, err := b.Shot(context.Background(), "http://harbour.example/",
		func(_ context.Context, q chromium.Request) (*chromium.Response, error) {
			if q.URL != "http://harbour.example/" {
				return nil, nil // it is not there
			}
			return &chromium.Response{Status: 200, ContentType: "text/html", Body: []byte("<h1>Harbour</h1>")}, nil
		})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("harbour.png", picture, 0o600); err != nil {
		log.Fatal(err)
	}
}
