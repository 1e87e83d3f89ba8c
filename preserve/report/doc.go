// Package report presents the results of the pass over containers to people: a screen of text per
// container, a self-contained HTML page for a whole folder, and tables of counts. It follows the
// HTML Standard, SVG 1.1, RFC 4180 (CSV) and, for readers who cannot see the colors, WCAG 2.1.
//
// Containers come as a sequence that is read once. Memory does not grow with the number of
// containers: sums are bounded, and the rows of the page are kept in a temporary file. Content of a
// crawl is shown, and never interpreted: see [Visible].
package report
