// Package parts lists the parts that an archived page loads in a browser, each with its capture nearest
// to that of the page. A part belongs to the page in time by the rule of Ainsworth, Nelson and Van de
// Sompel (arXiv 1402.0928). The damage of the page is measured by the weights of Memento Damage
// (Brunelle and others, 2015).
//
// A page is hostile: the number of its parts, and the time for them, are bounded. Rights hold: of a
// part that is closed to the reader, only that is said.
package parts
