//go:build race

package chromium

// The race detector takes hundreds of megabytes before a program starts, so a limit says nothing of the page.
func init() { memoryCounts = false }
