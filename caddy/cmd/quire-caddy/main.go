// quire-caddy is the web server Caddy with the directive crate. Harvesters can harvest the websites
// that it serves (docs/operations/875_caddy.md).
//
//	go -C caddy build -o ../build/quire-caddy ./cmd/quire-caddy
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "github.com/caddyserver/caddy/v2/modules/standard" // Caddy's standard modules
	_ "quire/caddy"                                      // crate
)

func main() { caddycmd.Main() }
