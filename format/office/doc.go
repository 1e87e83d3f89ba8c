// Package office reads the text and the metadata of office documents. It knows OOXML (ISO/IEC
// 29500: docx, xlsx, pptx), ODF (ISO/IEC 26300: odt, ods, odp) and EPUB, all of them XML in a ZIP.
// It also knows the binary formats of Office 97 to 2003 ([MS-DOC], [MS-XLS], [MS-PPT]).
//
// The package lays out and calculates nothing. Time and memory are bounded, whatever the document
// holds: see the bounds in facts.go. It lists damage in Warnings and returns the text before it.
package office
