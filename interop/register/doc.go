// Package register reads the register of repository/register with a program in Python, which was
// written from docs/reference/370_register.md alone, and the records of audits with their leaves. Its signatures are verified by the library
// cryptography.
//
//	bash interop/run register
package register
