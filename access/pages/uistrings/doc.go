// Package uistrings holds the UI strings of the readers' pages and of the refusals on the host of
// archived pages, in each language. en.yaml is the model of the other files: de, es, fr and nl come
// with the program, and institutions can add their own (docs/reference/555_pages.md).
package uistrings
