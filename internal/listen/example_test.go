package listen_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"quire/internal/listen"
)

func Example() {
	l, err := listen.On("127.0.0.1:8000")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listen.URL(l))
	if err := listen.Serve(context.Background(), l, http.NotFoundHandler(), listen.Options{}); err != nil { // until the context ends
		log.Fatal(err)
	}
}
