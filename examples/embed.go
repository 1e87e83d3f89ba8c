// Package examples has the example crawl and its rights as files in the program.
package examples

import "embed"

// Files has the folder crawl, as wget left it, and rights.yaml.
//
//go:embed crawl rights.yaml
var Files embed.FS
