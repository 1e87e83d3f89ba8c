// Command server serves the example website on loopback for a crawler. It listens on a free port,
// prints the address, and stops on interrupt or after an hour. Run it from the project's root:
//
//	go run ./examples/server examples/site
//
// It answers for two hosts that do not exist (RFC 2606 reserves their names for examples). A
// crawler reaches them by using the server as its proxy: see examples/crawl.sh.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"
)

// lifetime ends a forgotten server.
const lifetime = time.Hour

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: server SITE-FOLDER")
		os.Exit(2)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

// serve answers requests until an interrupt.
func serve(site string) error {
	root, err := os.OpenRoot(site)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, lifetime)
	defer cancel()
	server := &http.Server{Handler: newSite(root.FS()), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close() // the site is read-only, no data is lost
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}
