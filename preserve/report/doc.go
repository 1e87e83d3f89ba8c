// Package report shows to people what the pass over containers wrote down: a screen of text per
// container, a self-contained HTML page for a whole folder, and tables of what is counted in it. It
// follows the HTML Standard, SVG 1.1, RFC 4180 (CSV) and, for those who do not see the colors, WCAG
// 2.1.
//
// Containers come as a sequence that is read once. Memory does not grow with it: sums are bounded,
// and the rows of the page wait in a temporary file. What comes from a crawl is shown and never
// obeyed: see [Visible].
package report
