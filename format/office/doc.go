// Package office reads what is written in documents of offices, and what they say of themselves:
// OOXML (ISO/IEC 29500: docx, xlsx, pptx) and ODF (ISO/IEC 26300: odt, ods, odp), EPUB, all of them
// XML in a ZIP; and the binary formats of Office from 97 to 2003 ([MS-DOC], [MS-XLS], [MS-PPT]).
//
// Nothing is laid out or calculated. Time and memory are bounded whatever the document holds: see
// the bounds in facts.go. What is damaged is told in Warnings; what stands before it is given all
// the same.
package office
