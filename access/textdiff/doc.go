// Package textdiff compares the visible texts of two captures, line by line and in changed lines word
// by word, by a shortest edit path (E. W. Myers, An O(ND) Difference Algorithm and Its Variations,
// 1986).
//
// The texts are hostile: Read looks at a part of a page, and returns text without markup; Compare has
// bounded time, and says if it stopped early.
package textdiff
