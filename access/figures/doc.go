// Package figures lists the pictures that a web page shows: the picture that the page declares for
// itself (og:image and others), and each img, with the words around it.
//
// Pages are hostile. Read looks at the first 2 MiB of a page, and returns at most 200 pictures with
// at most 300 bytes in each text. Texts are for display as text only.
package figures
