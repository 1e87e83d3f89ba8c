// Package words splits a text into tokens and folds them, for the index of texts, for queries and for
// highlighting alike.
//
// Folding is NFKC (Unicode Standard Annex 15), lower case, a table of letters, and no marks on Latin, Greek,
// Hebrew and Arabic letters. Stems follow Snowball, by the language of the text.
package words
