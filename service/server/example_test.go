package server_test

import (
	"context"
	"log"
	"log/slog"

	"quire/internal/httpserver"
	"quire/service/desk"
	"quire/service/server"
	"quire/service/token"
)

func Example() {
	var d *desk.Desk // of an open repository
	s, err := server.New(server.Options{Desk: d, Tokens: token.In("archive/service"), Version: "1.0.0",
		Log: slog.Default()})
	if err != nil {
		log.Fatal(err)
	}
	l, err := httpserver.On("127.0.0.1:8001")
	if err != nil {
		log.Fatal(err)
	}
	if err := httpserver.Serve(context.Background(), l, s, httpserver.Options{}); err != nil {
		log.Fatal(err)
	}
}
