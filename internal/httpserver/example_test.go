package httpserver_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"quire/internal/httpserver"
)

func Example() {
	l, err := httpserver.On("127.0.0.1:8000")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", httpserver.URL(l))
	// Until the context ends.
	if err := httpserver.Serve(context.Background(), l, http.NotFoundHandler(), httpserver.Options{}); err != nil {
		log.Fatal(err)
	}
}
